import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TracemillError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { type TrainingPart, trainingPartSchema } from '../rows/training-part.ts';

/** The lines of one part that count. */
export interface TrainingLines {
  readonly part: string;
  /** Samples, each a line of JSON with its end. */
  readonly lines: readonly string[];
  /** Rollouts of the part that a later one took back or replaced. */
  readonly retracted: number;
}

/**
 * Read a training set that grows in parts: the committed parts as they stand at the call, in the order of their names,
 * without what later parts took back. Each file is checked against the hash in its entry. Memory: the entries, and the
 * text of one part.
 *
 * @throws TM_SOURCE - there is no such set, an entry is damaged, or a file is not what its entry says
 */
export async function* readTrainingSet(folder: string): AsyncGenerator<TrainingLines> {
  const entries = await entriesOf(folder);
  const takenBack = retractions(entries);
  for (const entry of entries) {
    const text = await textOf(folder, entry);
    const all = text.split(/(?<=\n)/).filter((line) => line !== '');
    const lines: string[] = [];
    let [at, retracted] = [0, 0];
    for (const [n, id] of entry.row_ids.entries()) {
      const count = entry.row_samples[n] ?? 1;
      if ((takenBack.get(id) ?? 0) > numberOf(entry)) retracted++;
      else lines.push(...all.slice(at, at + count));
      at += count;
    }
    yield { part: entry.part, lines, retracted };
  }
}

async function entriesOf(folder: string): Promise<readonly TrainingPart[]> {
  const manifest = join(folder, 'manifest');
  const names = await readdir(manifest).catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${folder}: no training set in parts is there`, { cause });
  });
  const whole = names.filter((name) => name.endsWith('.json')).sort();
  const entries: TrainingPart[] = [];
  for (const name of whole) entries.push(await entryOf(join(manifest, name))); // one after the other: there may be thousands
  return entries;
}

async function entryOf(path: string): Promise<TrainingPart> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  });
  try {
    return trainingPartSchema.parse(parseJson(text));
  } catch (cause) {
    throw new TracemillError('TM_SOURCE', `${path} is damaged: restore it`, { cause });
  }
}

async function textOf(folder: string, { file, sha256 }: TrainingPart): Promise<string> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  });
  if (createHash('sha256').update(text).digest('hex') === sha256) return text;
  throw new TracemillError('TM_SOURCE', `${path} is not the file that its entry names: it was changed. Restore it`);
}

/** By rollout: the number of the last part that took it back. Parts of one trace are in one place, in the order of their numbers. */
function retractions(entries: readonly TrainingPart[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const entry of entries)
    for (const id of entry.retracted) last.set(id, Math.max(last.get(id) ?? 0, numberOf(entry)));
  return last;
}

const numberOf = ({ part }: TrainingPart): number => Number(part.slice(part.lastIndexOf('-') + 1));

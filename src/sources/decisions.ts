import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { TracemillError } from '../core/errors.ts';
import { fileBytes } from '../core/file-bytes.ts';
import { jsonIn } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { splitLines } from '../core/lines.ts';
import { type Decision, decisionOf, decisionSchema } from '../rows/decision.ts';
import { rowKey } from '../rows/task-key.ts';
import { trainingPartSchema } from '../rows/training-part.ts';

/** A decision, and the file it was written in. */
export interface FoundDecision {
  readonly decision: Decision;
  readonly found_in: string;
}

/**
 * Find what was decided of a row in the files of a folder: files of decisions, entries of training sets that grow in parts,
 * and, where neither tells, files of rejected rows. Memory: what is found.
 *
 * @throws TM_SOURCE - the folder cannot be read
 */
export async function decisionsAbout(rowId: string, folder: string): Promise<readonly FoundDecision[]> {
  const found: FoundDecision[] = [];
  const rejected: FoundDecision[] = [];
  for (const path of await filesBelow(folder)) {
    const name = basename(path);
    const found_in = relative(folder, path);
    const put = (decision: Decision, into = found) => void into.push({ decision, found_in });
    if (/\.decisions\.jsonl$/.test(name)) await eachWith(rowId, path, (value) => about(value, rowId, put));
    else if (/\.rejected\.jsonl$/.test(name))
      await eachWith(rowId, path, (value) => rejection(value, rowId, found_in, (one) => put(one, rejected)));
    else if (/[\\/]manifest[\\/][^\\/]+\.json$/.test(path)) await ofPart(path, rowId, put);
  }
  const told = new Set(found.map(({ decision }) => sayingOf(decision)));
  return [...found, ...rejected.filter(({ decision }) => !told.has(sayingOf(decision)))].sort(byStep);
}

/** Two files may tell of the same no. */
const sayingOf = ({ by, reason, decision }: Decision): string => [decision, by, reason].join(' ');

const steps = ['import', 'simulate', 'grade', 'select', 'export', 'traceToTraining', 'publish'];
const placeOf = ({ decision: { step } }: FoundDecision): number =>
  steps.indexOf(step) < 0 ? steps.length : steps.indexOf(step);
const byStep = (left: FoundDecision, right: FoundDecision): number => placeOf(left) - placeOf(right);

type Put = (decision: Decision) => void;

function about(value: unknown, rowId: string, put: Put): void {
  const one = decisionSchema.safeParse(value);
  if (one.success && one.data.row_id === rowId) put(one.data);
}

/** The row of an id: the value itself, or in the group that it is. */
export function rowOf(value: unknown, rowId: string): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { rollouts } = value;
  const rows = Array.isArray(rollouts) ? rollouts.filter(isObject) : [value];
  return rows.find((one) => rowKey(one) === rowId);
}

function rejection(value: unknown, rowId: string, file: string, put: Put): void {
  if (!isObject(value)) return;
  const row = rowOf(value['row'], rowId);
  if (!row) return;
  const [by, reason] = [String(value['by']), String(value['reason'])];
  const stage = value['stage'];
  const step = typeof stage === 'string' ? stage : basename(file).replace(/\.rejected\.jsonl$/, '');
  put(decisionOf(row, { step, by, decision: 'left', reason, gates: [{ gate: by, passed: false, reason }] }));
}

async function ofPart(path: string, rowId: string, put: Put): Promise<void> {
  const part = trainingPartSchema.safeParse(jsonIn(await readFile(path, 'utf8')));
  if (part.success) for (const one of part.data.decisions ?? []) if (one.row_id === rowId) put(one);
}

const longestLine = 2 ** 26;

/** Parse the lines that have the id in them, or the situation that names a row without an id of its own. */
async function eachWith(rowId: string, path: string, each: (value: unknown) => void): Promise<void> {
  const [scenario = ''] = rowId.split('#');
  const written = JSON.stringify(scenario || rowId).slice(1, -1);
  const isHash = /^[0-9a-f]{16}$/.test(rowId); // of a row without any name: its text says it, not its fields
  const lines = splitLines(fileBytes(path), longestLine);
  for (let next = await lines.next(); !next.done; next = await lines.next())
    if (isHash || next.value.text.includes(written)) each(jsonIn(next.value.text));
}

const maxDepth = 6;

async function filesBelow(folder: string, depth = 0): Promise<readonly string[]> {
  let entries: Awaited<ReturnType<typeof readEntries>>;
  try {
    entries = await readEntries(folder);
  } catch (cause) {
    if (depth > 0) return []; // not ours to read
    throw new TracemillError('TM_SOURCE', `${folder} cannot be read`, { cause });
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < maxDepth && !/^(\.|node_modules$)/.test(entry.name))
      files.push(...(await filesBelow(path, depth + 1)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}

const readEntries = (folder: string) => readdir(folder, { withFileTypes: true });

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { createKeySet } from '../core/key-set.ts';
import { makeFolder } from '../core/make-folder.ts';
import { parseOptions } from '../core/operator.ts';
import type { Origin } from '../core/receipt.ts';
import { isLogRecord, type LogRecord } from '../core/record.ts';
import type { Sink } from '../core/to-sink.ts';
import { trainingSetOptions, trainingSet as trainingSetRule } from '../reports/export/training-set.ts';
import { decisionOf } from '../rows/decision.ts';
import { deliveryId, deliveryNames } from '../rows/delivery-key.ts';
import { isWithdrawal, type Retraction } from '../rows/retraction.ts';
import { isRetraction } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';
import { schemaVersion } from '../rows/row-shape.ts';
import type { TrainingPart } from '../rows/training-part.ts';
import { openPartLog, type PartLog } from './part-log.ts';

const options = trainingSetOptions.extend({
  folder: z.string().min(1).describe('Folder of the set: samples in `parts/`, one entry a part in `manifest/`.'),
  partRows: z.int().min(1).default(1000).describe('Rollouts that make a part.'),
  waitMs: z.int().min(1).default(30_000).describe('A part that does not fill is written after this time, in ms.'),
});

interface Ports {
  /** Told of each part once it is committed. */
  readonly tell?: (part: TrainingPart) => void;
}

/**
 * Grow a training set in parts that are there whole or not at all: a part counts once its entry stands in `manifest/`. Each
 * rollout is in one part, whatever is delivered again and whichever process writes: parts of one partition are numbered, and
 * a number is given once. Of a trace that is told again the highest revision counts: the part that brings it names what it
 * replaces in `retracted`, and so does one for a trace that was taken back, and one for a `Retraction`, which may come before
 * its row: a row that was taken back is in no later part of its place. Memory: the rows of a part, 24 to 48 bytes for
 * each rollout of the partitions written here, and a name for each trace among them.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_SINK - the folder cannot be written, or an entry in it is damaged
 */
function buildTrainingParts(config: z.input<typeof options>, { tell = () => {} }: Ports = {}): Sink<Row | Retraction> {
  const { folder, partRows, waitMs, ...shape } = parseOptions('trainingParts', options, config);
  const places = new Map<string, Promise<Place>>();
  const placeOf = (name: string): Promise<Place> => {
    const known = places.get(name) ?? openPlace(folder, name);
    places.set(name, known);
    return known;
  };
  return {
    gather: { rows: partRows, waitMs },
    async write(rows, origins = []) {
      for (const [name, batch] of byPlace(rows, origins)) {
        const place = await placeOf(name);
        const part = await commit(place, batch, shape);
        if (part) tell(part);
      }
    },
    close: async () => {},
  };
}

export const trainingParts = Object.assign(buildTrainingParts, { options });

interface Placed {
  readonly row: Row;
  /** It is no row to train on: the row of its id is taken back. */
  readonly withdrawn?: Retraction;
  readonly id: string;
  readonly records: readonly LogRecord[];
}

/** What is known of the parts of one partition. */
interface Place {
  readonly name: string;
  readonly log: PartLog;
  readonly ids: ReturnType<typeof createKeySet>;
  /** Rollouts that an evaluation took back. */
  readonly withdrawn: Set<string>;
  /** The highest revision of each trace that is in a part. */
  readonly tellings: Map<string, Telling>;
  next: number;
}

const maxIds = 2 ** 24;

async function openPlace(folder: string, name: string): Promise<Place> {
  for (const inner of ['parts', 'manifest'])
    await makeFolder(join(folder, inner)).catch((cause: unknown) => {
      throw new TracemillError('TM_SINK', `${folder}: the folder cannot be made`, { cause, reason: 'no_folder' });
    });
  const place: Place = {
    name,
    log: openPartLog(folder),
    ids: createKeySet(maxIds),
    withdrawn: new Set(),
    tellings: new Map(),
    next: 1,
  };
  await readOn(place);
  return place;
}

/** Read the entries that are there from the next number on: ours of an earlier run, or those of another process. */
async function readOn(place: Place): Promise<void> {
  for (let entry = await place.log.read(partName(place)); entry; entry = await place.log.read(partName(place))) {
    for (const id of [...entry.row_ids, ...entry.refused.map(({ row_id }) => row_id)]) place.ids.add(id);
    for (const id of entry.retracted) {
      forget(place, id);
      place.withdrawn.add(id);
    }
    for (const id of entry.row_ids) {
      const names = deliveryNames(id);
      if (names) place.tellings.set(names.name, { revision: names.revision, id });
    }
    place.next++;
  }
}

const partName = ({ name, next }: Place): string => `${name}-${String(next).padStart(6, '0')}`;

/** Write what no part has yet as the next part. Another process may take the number first: then look again. */
async function commit(
  place: Place,
  batch: readonly Placed[],
  shape: z.input<typeof trainingSetOptions>,
): Promise<TrainingPart | undefined> {
  for (;;) {
    const withdrawn = firstOfEach(batch.filter((one) => one.withdrawn && !place.withdrawn.has(one.id)));
    const gone = new Set([...place.withdrawn, ...withdrawn.map(({ id }) => id)]);
    const rows = batch.filter((one) => !one.withdrawn && !place.ids.has(one.id) && !gone.has(one.id));
    const { fresh, retracted } = lastWords(firstOfEach(rows), place);
    if (fresh.length === 0 && retracted.length === 0 && withdrawn.length === 0) return undefined;
    const part = partName(place);
    const { text, decisions, ...figures } = rendered(
      fresh,
      shape,
      (said) => `parts/${part}-${hashOf(said).slice(0, 12)}.jsonl`,
    );
    const sha256 = hashOf(text);
    const entry: TrainingPart = {
      part,
      ...figures,
      retracted: [...new Set([...retracted, ...withdrawn.map(({ id }) => id)])],
      decisions: [...decisions, ...withdrawn.flatMap((one) => (one.withdrawn ? [one.withdrawn.decision] : []))],
      bytes: Buffer.byteLength(text),
      sha256,
      offsets: stretches([...fresh, ...withdrawn].flatMap(({ records }) => records)),
      schema_version: schemaVersion,
    };
    if (await place.log.commit(entry, text)) {
      await readOn(place);
      return entry;
    }
    await readOn(place);
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One telling of a trace, by the id of its delivery. */
interface Telling {
  readonly revision: number;
  readonly id: string;
}

function forget({ tellings }: Place, id: string): void {
  const name = deliveryNames(id)?.name ?? '';
  if (tellings.get(name)?.id === id) tellings.delete(name);
}

/** What of a batch is the last word on its trace, and what of earlier parts that replaces or takes back. */
function lastWords(batch: readonly Placed[], { tellings }: Place) {
  const highest = new Map<string, number>();
  const named = batch.map((placed) => ({ placed, names: deliveryNames(placed.id) }));
  for (const { names } of named)
    if (names) highest.set(names.name, Math.max(names.revision, highest.get(names.name) ?? 0));
  const last = named.filter(
    ({ names }) =>
      !names ||
      (names.revision === highest.get(names.name) && names.revision > (tellings.get(names.name)?.revision ?? 0)),
  );
  return {
    fresh: last.flatMap(({ placed }) => (isRetraction(placed.row) ? [] : [placed])),
    retracted: last.flatMap(({ names }) => (names && tellings.get(names.name)?.id) ?? []),
  };
}

function firstOfEach(batch: readonly Placed[]): readonly Placed[] {
  const seen = new Set<string>();
  return batch.filter(({ id }) => seen.size < seen.add(id).size);
}

/** The text of a part. A row that no training file may hold is left out and named; of each row it says what was decided. */
function rendered(batch: readonly Placed[], shape: z.input<typeof trainingSetOptions>, file: (text: string) => string) {
  const set = trainingSetRule(shape);
  const all = batch.map((placed) => {
    const entry = set.entry(placed.row);
    return { ...placed, entry, reason: set.refusedBecause(entry) };
  });
  const kept = all.filter(({ reason }) => reason === undefined);
  for (const { entry } of kept) set.add(entry);
  const { linesOf, leftBecause } = set.end();
  const lines = kept.map(({ entry }) => linesOf(entry));
  const text = lines.flat().join('');
  const path = file(text);
  const starts = new Map<string, number>();
  let line = 1;
  for (const [n, { id }] of kept.entries()) {
    starts.set(id, line);
    line += lines[n]?.length ?? 0;
  }
  return {
    text,
    file: path,
    rows: kept.length,
    samples: line - 1,
    row_ids: kept.map(({ id }) => id),
    row_samples: lines.map(({ length }) => length),
    refused: all.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ row_id: id, reason }])),
    decisions: all.map(({ row, id, entry, reason }) =>
      decided(row, reason ?? leftBecause(entry), { file: path, line: starts.get(id) ?? null }),
    ),
  };
}

function decided(row: Row, reason: string | undefined, place: { readonly file: string; readonly line: number | null }) {
  const said = { step: 'traceToTraining', by: 'training-parts' };
  const band = { gate: 'band', passed: true, ...bandNumbers(row) };
  if (reason === undefined)
    return decisionOf(row, { ...said, ...place, decision: 'kept', gates: [band, { gate: said.by, passed: true }] });
  return decisionOf(row, {
    ...said,
    decision: 'left',
    reason,
    gates: [band, { gate: said.by, passed: false, reason }],
  });
}

/** What the pass rate of its group was, where a stage before stamped it. */
function bandNumbers({ calibration }: Row) {
  if (!isObject(calibration)) return {};
  const { n, pass_rate, pass_rate_ci95 } = calibration;
  return { numbers: { n, pass_rate, pass_rate_ci95 } };
}

/** Rows by the partition they came of; all others have one place. */
function byPlace(
  rows: readonly (Row | Retraction)[],
  origins: readonly (readonly Origin[])[],
): ReadonlyMap<string, readonly Placed[]> {
  const places = new Map<string, Placed[]>();
  for (const [n, row] of rows.entries()) {
    const records = (origins[n] ?? []).filter(isLogRecord);
    const name = records[0] ? `p${String(records[0].partition).padStart(2, '0')}` : 'rows';
    const placed: Placed = isWithdrawal(row)
      ? { row: {}, withdrawn: row, id: row.row_id, records }
      : { row, id: deliveryId(row), records };
    const known = places.get(name);
    if (known) known.push(placed);
    else places.set(name, [placed]);
  }
  return places;
}

function stretches(records: readonly LogRecord[]): TrainingPart['offsets'] {
  const found = new Map<string, { topic: string; partition: number; first: string; last: string }>();
  for (const { topic, partition, offset } of records) {
    const name = `${topic} ${partition}`;
    const known = found.get(name);
    if (!known) found.set(name, { topic, partition, first: offset, last: offset });
    else if (Number(offset) < Number(known.first)) known.first = offset;
    else if (Number(offset) > Number(known.last)) known.last = offset;
  }
  return [...found.values()];
}

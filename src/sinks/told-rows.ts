import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { objectIn } from '../core/json.ts';
import type { JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { rolloutIdOf } from '../dialects/otlp/span-record.ts';
import { isRetraction, revisionOf } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  path: z.string().min(1).describe('File of rows that grows.'),
  maxNames: z
    .int()
    .min(1)
    .default(1_000_000)
    .describe(
      'Traces and conversations whose row is found again, about 200 bytes each; the oldest are forgotten first.',
    ),
});

interface Place {
  readonly at: number;
  readonly bytes: number;
  readonly revision: number;
}

/** Rows that were written to a file, by the traces and the conversation that they are of. */
export interface ToldRows {
  /** Read the file now: what it holds by then was told before. Resolves when that is known. */
  load(): Promise<void>;
  /** Whether a row of a trace, or of a conversation, was told before; of names as `sessions` knows records by. */
  wasTold(names: readonly (string | undefined)[]): boolean;
  /** Find the last telling of the row that shares a trace or the conversation. */
  find(row: Row): Promise<Row | undefined>;
}

/**
 * Find rows again in the file that they were written to. The file is read when somebody asks, from where it was read the last
 * time; who never asks pays nothing. Memory: the names of the traces, from the first question on.
 *
 * @throws TM_SINK - retriable: the file cannot be read
 */
export function toldRows(config: z.input<typeof options>): ToldRows {
  const { path, maxNames } = parseOptions('toldRows', options, config);
  const places = new Map<string, Place>();
  let readTo = 0;
  let isLoaded = false;
  let turn: Promise<unknown> = Promise.resolve();

  const learn = (text: string, place: Omit<Place, 'revision'>): void => {
    const row = objectIn(text);
    if (!row) return; // a line that a kill left unfinished
    const revision = revisionOf(row);
    for (const name of namesOf(row)) {
      if (isRetraction(row) || revision < (places.get(name)?.revision ?? 0)) continue;
      places.delete(name);
      places.set(name, { ...place, revision });
    }
    for (const oldest of places.keys()) {
      if (places.size <= maxNames) break;
      places.delete(oldest);
    }
  };
  const readOn = async (): Promise<void> => {
    if (!existsSync(path)) return; // nothing was told yet
    for await (const { text, at, bytes } of linesFrom(path, readTo)) {
      learn(text, { at, bytes });
      readTo = at + bytes + 1;
    }
  };
  const find = async (row: Row): Promise<Row | undefined> => {
    await readOn();
    const place = namesOf(row)
      .flatMap((name) => places.get(name) ?? [])
      .sort((a, b) => b.revision - a.revision)[0];
    return place && (objectIn(await textAt(path, place)) as Row | undefined);
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work).catch((cause: unknown) => Promise.reject(unread(path, cause)));
    turn = done.catch(() => {}); // who asked is told
    return done;
  };
  return {
    load: () =>
      inTurn(async () => {
        await readOn();
        isLoaded = true;
      }),
    wasTold: ([trace, conversation]) =>
      isLoaded &&
      ((trace !== undefined && places.has(`trace ${trace}`)) ||
        (conversation !== undefined &&
          [true, false].some((isOfTrace) => places.has(`id ${rolloutIdOf(conversation, isOfTrace)}`)))),
    find(row) {
      return inTurn(() => find(row));
    },
  };
}

/** By trace first: a conversation may have been told under the name of its trace. */
const namesOf = ({ trace_ids, conversation_id, rollout_id }: JsonObject): readonly string[] => [
  ...(Array.isArray(trace_ids) ? trace_ids.map((id) => `trace ${id}`) : []),
  ...(typeof conversation_id === 'string' ? [`key ${conversation_id}`] : []),
  ...(typeof rollout_id === 'string' ? [`id ${rollout_id}`] : []), // a redacted conversation has another name each time
];

const newline = 10;

/** The whole lines of a file from a place on. */
async function* linesFrom(
  path: string,
  from: number,
): AsyncGenerator<Omit<Place, 'revision'> & { readonly text: string }> {
  let at = from;
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line =
        begun.length === 0 ? chunk.subarray(start, end) : Buffer.concat([...begun, chunk.subarray(start, end)]);
      yield { text: line.toString(), at, bytes: line.length };
      at += line.length + 1;
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
}

async function textAt(path: string, { at, bytes }: Place): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    await file.read(buffer, 0, bytes, at);
    return buffer.toString();
  } finally {
    await file.close();
  }
}

function unread(path: string, cause: unknown): TracemillError {
  return new TracemillError('TM_SINK', `${path} cannot be read`, { cause, retriable: true });
}

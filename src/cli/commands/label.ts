import { appendFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { labelLines } from '../../judges/trust/label-lines.ts';
import { conversationOf } from '../../rows/conversation.ts';
import type { Row } from '../../rows/row.ts';
import { openLineFile } from '../../sinks/line-file.ts';
import { rowsSource } from '../../sources/rows.ts';
import { visible } from '../../text/visible.ts';
import { defineCommand } from '../command.ts';
import { exits, type Io } from '../io.ts';
import { labelKeys, labelSample } from '../label-sample.ts';
import { rejectionTable } from '../rejections.ts';
import { isAllRejected, makeFolderOf, readRows, rowsOf } from '../run-rows.ts';

const options = z.strictObject({
  out: z
    .string()
    .min(1)
    .optional()
    .describe('File that labels are added to; ROWS.labels.jsonl beside the rows without it.'),
  n: z.int().min(1).default(50).describe('Rows to label; 50 to 200 measure a judge.'),
  annotator: z.string().min(1).default('human').describe('Who labels. Each has one vote a row.'),
  seed: z.int().default(0).describe('Which rows.'),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON.'),
});

const help = 'p pass, f fail, s skip, b back, q quit; words after p or f are kept as a note';

export const labelCommand = defineCommand({
  name: 'label',
  args: '<rows>',
  summary:
    'Label rows by hand, one after the other, without the judge’s verdict in sight. Labels are stored as they are given.',
  options,
  examples: [
    'tracemill label out/graded.jsonl',
    'tracemill label out/graded.jsonl --n 100 --annotator ada --out out/ada.jsonl',
  ],
  async run([path = ''], { out = path.replace(/\.jsonl$/, '').concat('.labels.jsonl'), n, annotator, seed, json }, io) {
    const rows: Row[] = [];
    const { counts, rejected, isStopped } = await readRows(io, {
      source: rowsSource({ paths: [path] }),
      each: (row) => rows.push(row),
      words: (now) => `label: ${rowsOf(now, 'source', 'out')} rows`,
    });
    if (isStopped) return exits.stopped;
    if (rejected.length > 0) io.say(rejectionTable(rejected));
    if (isAllRejected(counts)) return exits.worldFailed;
    await makeFolderOf(out);
    await cutHalfLine(out);
    const labelled = await labelsOf(out, annotator);
    const keyOf = labelKeys(rows);
    const chosen = labelSample(rows, { n: Math.max(0, n - labelled.size), seed, labelled, keyOf });
    if (chosen.length === 0) io.say(`Nothing is left to label: ${out} has ${labelled.size} labels of ${annotator}.`);
    const given = await ask(chosen, io, async (row, label, note) => {
      const vote = { key: keyOf(row), label, annotator, kind: 'human', ts: new Date().toISOString(), ...note };
      await appendFile(out, `${stringifyJson(vote)}\n`).catch((cause: unknown) => {
        throw new TracemillError('TM_SINK', `${out} cannot be written`, { cause });
      });
    });
    const report = { out, annotator, ...given, labelled_before: labelled.size, left: chosen.length - given.rows };
    if (json) io.out(`${stringifyJson(report)}\n`);
    io.say(
      `${given.pass} pass, ${given.fail} fail, ${given.skipped} skipped. Next: tracemill trust ${path} --labels ${out}`,
    );
    return exits.done;
  },
});

/** A label that a kill cut is asked for again. */
async function cutHalfLine(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined); // no label yet, or reading says why not
  if (there?.isFile()) await (await openLineFile(path, { isReplaced: false, isPrivate: false })).close();
}

/** Rows that this annotator labelled before. */
async function labelsOf(path: string, annotator: string): Promise<ReadonlySet<string>> {
  const isThere = await stat(path).catch(() => undefined); // no label yet, or reading says why not
  const keys = (isThere ? labelLines(path) : []).flatMap((label) =>
    isObject(label) && label['annotator'] === annotator ? [String(label['key'])] : [],
  );
  return new Set(keys);
}

type Store = (row: Row, label: 0 | 1, note: { readonly note?: string }) => Promise<void>;

/** Show rows and read answers until the rows or the lines end. Going back asks again; the later label counts. */
async function ask(rows: readonly Row[], io: Io, store: Store) {
  const votes = new Map<number, 0 | 1 | 'skipped'>();
  let at = 0;
  const show = () => {
    if (at < rows.length) io.say(`\n--- ${at + 1} of ${rows.length}\n${shown(rows[at] as Row)}\n${help}:`);
  };
  show();
  for await (const line of rows.length > 0 && io.lines ? io.lines() : []) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const answer = answers[word.toLowerCase()];
    if (answer === 'quit') break;
    if (answer === undefined) {
      io.say(help);
      continue;
    }
    if (answer === 'back') at = Math.max(0, at - 1);
    else {
      if (answer !== 'skipped') await store(rows[at] as Row, answer, rest.length > 0 ? { note: rest.join(' ') } : {});
      votes.set(at++, answer);
    }
    if (at >= rows.length || io.stop.aborted) break;
    show();
  }
  const count = (one: 0 | 1 | 'skipped') => [...votes.values()].filter((vote) => vote === one).length;
  return { rows: votes.size, pass: count(1), fail: count(0), skipped: count('skipped') };
}

const answers: Readonly<Record<string, 0 | 1 | 'skipped' | 'back' | 'quit'>> = {
  ...{ p: 1, pass: 1, '1': 1, y: 1, f: 0, fail: 0, '0': 0, n: 0 },
  ...{ s: 'skipped', skip: 'skipped', b: 'back', back: 'back', q: 'quit', quit: 'quit' },
};

/** A row for a terminal: whatever it holds cannot move the cursor or change colours. */
function shown(row: Row): string {
  const messages = Array.isArray(row['steps'])
    ? conversationOf(row as JsonObject)
    : (row.messages ?? conversationOf(row as JsonObject));
  return messages.flatMap(turnOf).join('\n');
}

function turnOf(message: unknown): string[] {
  if (!isObject(message) || message['role'] === 'system') return [];
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : [];
  const text =
    typeof message['content'] === 'string' ? message['content'] : (stringifyJson(message['content'] ?? '') ?? '');
  return [
    ...(text.trim() === '' ? [] : [`[${visible(String(message['role']))}] ${visible(text)}`]),
    ...calls.map((call) => `[call] ${visible(stringifyJson(call) ?? '')}`),
  ];
}

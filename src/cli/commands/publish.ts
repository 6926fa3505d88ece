import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { exportableStage } from '../../pipelines/exportable.ts';
import { type Published, publishSet } from '../../pipelines/publish.ts';
import { isReplaced } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import { type Push, pushToHub } from '../../sinks/hub/push-to-hub.ts';
import { type SetShape, setFormats } from '../../sinks/open-set.ts';
import { rowsSource } from '../../sources/rows.ts';
import { agentWords } from '../agent-words.ts';
import { defineCommand } from '../command.ts';
import { decider } from '../decisions.ts';
import { droppedBefore } from '../dropped-before.ts';
import { hubAccess, tokenFileFlag } from '../hub-access.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { dropsOf, type RejectionCount, rejectionTable } from '../rejections.ts';
import { readRows, rowsOf, runRows } from '../run-rows.ts';
import { policyFlag, settingsOf, toolsFlag } from '../set-settings.ts';

/** Flags of whatever leaves: what the gate asks, and where the set goes. */
export const leaving = {
  strictHacks: z.boolean().default(false).describe('Refuse a set whose reward pays for something else.'),
  endorsed: z.array(z.string()).default([]).describe('Features that the reward is meant to pay for.'),
  against: z.array(z.string()).default([]).describe('Files of evaluation rows that the set must not repeat.'),
  ungated: z.boolean().default(false).describe('Do not ask the gate; the card says so.'),
  pushTo: z.string().optional().describe('Push to this repository of the Hugging Face Hub, owner/name.'),
  tag: z.string().optional().describe('Tag of the push; v1, v2 and so on by default.'),
  public: z.boolean().default(false).describe('Let everybody read a repository that is made.'),
  tokenFile: tokenFileFlag,
  license: z.string().optional().describe('License on the card, as the Hub names it: apache-2.0.'),
};
const leavingOptions = z.strictObject(leaving);
type Leaving = z.output<typeof leavingOptions>;

const options = z.strictObject({
  out: z.string().optional().describe('Folder to write: README.md, and the splits in data/.'),
  format: z.enum(setFormats).exclude(['opsd']).default('openai').describe('Format of the splits.'),
  parquet: z.boolean().default(false).describe('Parquet in the place of JSON lines.'),
  mode: z.enum(['rl', 'sft']).optional().describe('What the set is for; by its shape when left out.'),
  lo: z.number().min(0).max(1).default(0.2).describe('Lowest pass rate of a task.'),
  hi: z.number().min(0).max(1).default(0.8).describe('Highest pass rate of a task.'),
  holdout: z.number().min(0).lt(1).default(0.2).describe('Share of the tasks that is held out, by their hash.'),
  tools: toolsFlag,
  policy: policyFlag,
  ...leaving,
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
});

export const publishCommand = defineCommand({
  name: 'publish',
  args: '<rows...>',
  summary: 'Ask the gate of a set, and only when it passes write it with its card, or push it.',
  options,
  examples: [
    'tracemill publish out/selected.jsonl --out out/set --mode rl',
    'tracemill publish out/selected.jsonl --push-to owner/name --against evaluation.jsonl --strict-hacks --endorsed tool:get_order',
  ],
  async run(paths, { out, format, parquet, mode, lo, hi, holdout, tools, policy, json, ...rest }, io) {
    if (out === undefined && rest.pushTo === undefined)
      throw new TracemillError('TM_OPTIONS', 'publish: name a folder with --out, or a repository with --push-to');
    const shape = await settingsOf(paths, { tools, policy });
    const set = { format, isParquet: parquet, ...(mode && { mode }), band: [lo, hi] as const, holdout };
    return publishFiles(paths, { out, set, shape, isJson: json, leaving: rest }, io);
  },
});

interface Wanted {
  readonly out: string | undefined;
  readonly set: {
    readonly format: (typeof setFormats)[number];
    readonly isParquet: boolean;
    readonly mode?: string;
    readonly band: readonly [number, number];
    readonly holdout: number;
  };
  readonly shape: SetShape;
  readonly isJson: boolean;
  readonly leaving: Leaving;
}

/** Gate the rows of files, write the set, push it. What was decided of each row lies beside the first file. */
export async function publishFiles(
  paths: readonly string[],
  { out, set, shape, isJson, leaving: way }: Wanted,
  io: Io,
): Promise<Exit> {
  const { pushTo, tag, against, ungated, license, strictHacks, endorsed } = way;
  const [first = ''] = paths;
  const access = await hubAccess(way.tokenFile);
  if (pushTo !== undefined && !access.token)
    throw new TracemillError('TM_AUTH', `${pushTo}: set HF_TOKEN, or name --token-file`); // before an hour of work
  const evaluation = against.length === 0 ? [] : await evaluationOf(against, io);
  if (!evaluation) return exits.stopped;
  const decide = decider('publish', `${first.replace(/\.(jsonl|parquet)(\.gz)?$/, '')}.publish.jsonl`);
  const read = await rowsOfFiles(paths, io, decide?.left);
  if (!read) return exits.stopped;
  const { rows, rejected } = read;
  if (rows.length === 0) {
    io.say(rejectionTable(rejected));
    await decide?.log.finish();
    throw new TracemillError('TM_SOURCE', `${paths.join(', ')}: there is no row to publish`);
  }
  const folder = out ?? (await mkdtemp(join(tmpdir(), 'tracemill-publish-')));
  try {
    const name = pushTo ?? basename(folder);
    const place = { folder, name, ...(pushTo !== undefined && { shownAs: `hf://${pushTo}` }) };
    const asked = {
      ...place,
      ...set,
      band: [...set.band] as [number, number],
      isGated: !ungated,
      strictHacks,
      endorsed,
    };
    const inputs = {
      against: evaluation,
      shape,
      decisions: decide?.log,
      dropped: [...(await droppedBefore(paths)), ...dropsOf('publish', rejected)],
    };
    const done = await publishSet(rows, { ...asked, ...(license && { license }) }, inputs);
    await decide?.log.finish();
    const push =
      done.refusal || pushTo === undefined
        ? undefined
        : await pushToHub(
            folder,
            {
              repo: pushTo,
              isPublic: way.public,
              message: `Publish ${name}`,
              files: [...done.files],
              ...(tag && { tag }),
            },
            { ...access, facts: { splits: done.splits, gate: done.gate === null ? 'not asked' : 'passed' } },
          );
    const warnings = strictHacks && endorsed.length === 0 ? [...done.warnings, toothless] : done.warnings;
    tell({ ...done, warnings }, { folder: out, push, isJson, rejected }, io);
    return done.refusal ? exits.gateSaidNo : exits.done;
  } finally {
    if (out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function rowsOfFiles(
  paths: readonly string[],
  io: Io,
  left?: Parameters<typeof runRows>[1]['left'],
): Promise<{ readonly rows: readonly Row[]; readonly rejected: readonly RejectionCount[] } | undefined> {
  const rows: Row[] = [];
  const { isStopped, rejected } = await runRows(io, {
    source: rowsSource({ paths: [...paths] }),
    stages: [exportableStage()],
    sinks: { exportable: { write: async (batch: readonly Row[]) => void rows.push(...batch), close: async () => {} } },
    left,
    words: (now) => `publish: ${rowsOf(now, 'source', 'out')} rows`,
  });
  if (isStopped) io.say('Stopped: nothing was written. Run it again.');
  return isStopped ? undefined : { rows, rejected };
}

/** What cannot be read cannot be compared: a set that was compared with less than was named has not passed. */
async function evaluationOf(paths: readonly string[], io: Io): Promise<readonly Row[] | undefined> {
  const rows: Row[] = [];
  const { isStopped, rejected } = await readRows(io, {
    source: rowsSource({ paths: [...paths] }),
    each: (row) => rows.push(row),
    words: (now) => `publish: ${rowsOf(now, 'source', 'out')} rows of the evaluation`,
  });
  if (isStopped) io.say('Stopped: nothing was written. Run it again.');
  if (isStopped) return undefined;
  const unread = rejected.filter(({ reason }) => reason !== 'redelivered' && !isReplaced(reason));
  if (unread.length > 0) io.say(rejectionTable(unread));
  const n = unread.reduce((sum, one) => sum + one.rows, 0);
  if (n > 0 || rows.length === 0)
    throw new TracemillError(
      'TM_SOURCE',
      `--against ${paths.join(', ')}: ${n > 0 ? `${n} rows of the evaluation cannot be read` : 'there is no row of the evaluation'}, so that nothing is compared with them: mend them or take them out`,
    );
  return rows;
}

const toothless =
  '--strict-hacks refuses nothing without --endorsed: name what the reward is meant to pay for, so that all else is something else';

interface Told {
  readonly folder: string | undefined;
  readonly push: Push | undefined;
  readonly isJson: boolean;
  readonly rejected: readonly RejectionCount[];
}

function tell(
  { refusal, gate, splits, warnings, notes, agents }: Published,
  { folder, push, isJson, rejected }: Told,
  io: Io,
): void {
  if (isJson)
    io.out(
      `${stringifyJson({ ok: refusal === null, refusal, gate, splits, push: push ?? null, warnings, notes, ...agents, rejected })}\n`,
    );
  if (rejected.length > 0) io.say(`${rejectionTable(rejected)}\n`);
  if (refusal) {
    io.say(`The gate said no, nothing was written. ${refusal.code}: ${refusal.text}`);
    return;
  }
  for (const said of [...(gate?.warnings ?? []), ...warnings]) io.say(`Warning: ${said}`);
  for (const said of [...notes, ...agentWords(agents)]) io.say(said);
  for (const { split, path, n } of splits) io.say(`${split}: ${n} lines in ${path}`);
  if (folder !== undefined) io.say(`Set: ${folder}`);
  if (push) io.say(`Pushed to ${push.repo} as ${push.tag}, commit ${push.commit}.`);
}

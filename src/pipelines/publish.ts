import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { makeFolder } from '../core/make-folder.ts';
import { parseOptions } from '../core/operator.ts';
import type { AgentCounts } from '../reports/export/agent-of-row.ts';
import { type CardDrop, type CardSplit, datasetCard } from '../reports/export/dataset-card.ts';
import { gateDecisions } from '../reports/guard/gate-decisions.ts';
import { type GateRefusal, publishGate } from '../reports/guard/publish-gate.ts';
import { decisionOf } from '../rows/decision.ts';
import type { Row } from '../rows/row.ts';
import { splitHoldout } from '../rows/split-holdout.ts';
import { isOurCard, writeCard } from '../sinks/card-file.ts';
import type { DecisionLog } from '../sinks/decision-log.ts';
import { openSet, type SetShape, setFormats } from '../sinks/open-set.ts';
import { type SetFile, writeSet } from '../sinks/set-file.ts';

const options = z.strictObject({
  folder: z.string().min(1).describe('Folder of the set: `README.md`, and the splits in `data/`.'),
  name: z.string().optional().describe('Title of the card; the name of the folder by default.'),
  shownAs: z.string().optional().describe('What decisions call the folder.'),
  format: z.enum(setFormats).default('openai').describe('Format of the splits.'),
  isParquet: z.boolean().default(false).describe('Parquet in the place of JSON lines.'),
  holdout: z.number().min(0).lt(1).default(0).describe('Share of the tasks that is held out, by their hash.'),
  isGated: z.boolean().default(true).describe('Ask the gate; without it the card says that it was not asked.'),
  mode: z.string().optional().describe('What the set is for; `rl` is judged as groups.'),
  band: z.tuple([z.number(), z.number()]).optional().describe('Lowest and highest pass rate to train on.'),
  strictHacks: z.boolean().default(false).describe('Refuse a set whose reward pays for something else.'),
  endorsed: z.array(z.string()).default([]).describe('Features that the reward is meant to pay for.'),
  license: z.string().optional().describe('License of the set, as the Hub names it: `apache-2.0`.'),
});

interface Inputs {
  /** Evaluation rows that the set must not repeat. */
  readonly against?: readonly Row[];
  readonly shape?: SetShape;
  readonly decisions?: DecisionLog | undefined;
  /** What was left out before, for the card. */
  readonly dropped?: readonly CardDrop[];
}

/** What became of a set that was to be published. */
export interface Published {
  readonly refusal: { readonly code: GateRefusal; readonly text: string } | null;
  readonly gate: ReturnType<typeof publishGate>['report'] | null;
  readonly splits: readonly CardSplit[];
  readonly files: readonly string[];
  /** What the writer of the training split, and the split itself, have to say. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Who says what the agents of the training split were told and could call, counted. */
  readonly agents: Partial<AgentCounts>;
}

/**
 * Make a set ready to leave: ask the gate of what is not held out, and only when it passes write the splits and the card.
 * Every row is decided in `decisions`, whatever the gate said. Memory: all rows.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, the format holds answer keys, or a README that is no card is there
 * @throws TM_SINK - the folder cannot be written
 */
export async function publishSet(
  rows: readonly Row[],
  given: z.input<typeof options>,
  { against = [], shape = {}, decisions, dropped = [] }: Inputs = {},
): Promise<Published> {
  const { folder, name, shownAs, format, isParquet, holdout, isGated, license, ...gate } = parseOptions(
    'publishSet',
    options,
    given,
  );
  if (format === 'opsd')
    throw new TracemillError('TM_OPTIONS', 'opsd: its hints are answer keys, and those never leave');
  const readme = join(folder, 'README.md');
  const isOurs = await isOurCard(readme); // before anything is written
  const sides = splitHoldout(rows, { fraction: holdout });
  const asked = isGated
    ? publishGate(sides.train, { ...gate, strict: false, ...(against.length > 0 && { against: [...against] }) })
    : undefined;
  if (asked) await decide(rows, sides.train, asked.report, { against, holdout, decisions });
  const report = asked?.report ?? null;
  if (report?.refusal) return { ...nothing, refusal: report.refusal as Published['refusal'], gate: report };

  await makeFolder(join(folder, 'data')).catch((cause: unknown) => {
    throw new TracemillError('TM_SINK', `${folder}: the folder of the set cannot be made`, { cause });
  });
  const parts = { train: asked?.rows ?? sides.train, holdout: sides.holdout };
  const { splits, warnings, notes, agents } = await writeSplits(parts as Sides, {
    folder,
    shownAs,
    format,
    isParquet,
    shape,
    decisions,
  });
  if (holdout > 0 && sides.holdout.length === 0)
    warnings.push(`no task fell into the share of ${holdout} that is held out: there is no holdout split`);
  if (splits.length === 0) throw new TracemillError('TM_OPTIONS', `publish: no line is left in the format ${format}`);
  const about = { name: name ?? basename(folder), format, rows: sides.train, splits, gate: report, dropped, license };
  await writeCard(readme, datasetCard(about));
  const paths = splits.map(({ path }) => path);
  if (isOurs) await removeStale(folder, paths);
  return { refusal: null, gate: report, splits, files: ['README.md', ...paths], warnings, notes, agents };
}

const nothing = { splits: [], files: [], warnings: [], notes: [], agents: {} };

type Sides = Readonly<Record<'train' | 'holdout', readonly Row[]>>;
type Place = Pick<z.output<typeof options>, 'folder' | 'shownAs' | 'format' | 'isParquet'> & Pick<Inputs, 'decisions'>;

async function writeSplits(
  parts: Sides,
  { folder, shownAs, format, isParquet, shape, decisions }: Place & { readonly shape: SetShape },
) {
  const splits: CardSplit[] = [];
  const warnings: string[] = [];
  const notes: string[] = [];
  let agents: Published['agents'] = {};
  for (const [split, part] of Object.entries(parts)) {
    if (part.length === 0) continue;
    const path = `data/${split}.${isParquet ? 'parquet' : 'jsonl'}`;
    const ports = { decisions, step: 'publish', shownAs: `${shownAs ?? folder}/${path}` };
    const written: SetFile = await writeSet(openSet(format, join(folder, path), shape, ports), part);
    if (split === 'train') {
      warnings.push(...(written.warnings ?? []));
      notes.push(...(written.notes ?? []));
      const { system_prompt_from, tools_from } = written;
      if (system_prompt_from && tools_from) agents = { system_prompt_from, tools_from };
    }
    if (written.path !== null) splits.push({ split, path, n: written.n_written });
  }
  return { splits, warnings, notes, agents };
}

/** Splits that an earlier set left in the folder would be loaded, or pushed, as if they were of this one. */
async function removeStale(folder: string, paths: readonly string[]): Promise<void> {
  const all = ['train', 'holdout'].flatMap((split) => ['jsonl', 'parquet'].map((end) => `data/${split}.${end}`));
  for (const path of all.filter((one) => !paths.includes(one)))
    await rm(join(folder, path), { force: true }).catch((cause: unknown) => {
      throw new TracemillError('TM_SINK', `${path}: a split of an earlier set cannot be removed`, { cause });
    });
}

type GateReport = ReturnType<typeof publishGate>['report'];

async function decide(
  rows: readonly Row[],
  train: readonly Row[],
  report: GateReport,
  { decisions, ...asked }: Pick<Inputs, 'decisions'> & { readonly against: readonly Row[]; readonly holdout: number },
): Promise<void> {
  if (!decisions) return;
  const verdictOf = gateDecisions(train, report, asked);
  const inTrain = new Set<JsonObject>(train);
  await decisions.add(
    rows.map((row) => {
      const { reason, gates } = verdictOf(row);
      const isHeld = !inTrain.has(row); // the gate judges what is trained on
      const why = isHeld && !report.refusal ? undefined : reason;
      const said = { step: 'publish', by: 'publish-gate', gates: isHeld ? gates.slice(0, 1) : gates };
      return why === undefined
        ? decisionOf(row, { ...said, decision: 'kept' })
        : decisionOf(row, { ...said, decision: 'left', reason: why });
    }),
  );
}

import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { type Fold, foldRows } from '../../core/fold.ts';
import { parseOptions } from '../../core/operator.ts';
import { asNotes, asWarnings, type Remark } from '../../core/remarks.ts';
import { mean, sampleVariance } from '../../stats/moments.ts';
import { normalQuantile } from '../../stats/quantiles.ts';
import { round } from '../round.ts';
import { type MetricTally, metricOf, type Tally, tallyFold, taskMeans } from '../tally.ts';
import { neededErrors, sizingOptions } from './detectable-effect.ts';

const rows = z.array(z.unknown()).optional();
const pilotOptions = z.strictObject({
  ...sizingOptions,
  taskStd: z
    .number()
    .gt(0)
    .optional()
    .describe('Standard deviation of the differences between paired tasks, if known.'),
});
const options = pilotOptions.extend({
  before: rows.describe('Rows before the change: give the pass rate and the rollouts a task.'),
  after: rows.describe('Rows after a change, with `before`: give the spread of the paired differences.'),
  rows: rows.describe('Another name of `before`.'),
});

/** Where the standard deviation came from, best first. */
type SdSource = 'rows' | 'given' | 'model';

/** How many tasks an evaluation needs. Spreads have 4 digits. */
export interface HoldoutSize {
  readonly n_tasks: number;
  readonly effect: number;
  readonly base: number;
  readonly k: number;
  readonly power: number;
  readonly alpha: number;
  readonly task_std: number;
  readonly sd_source: SdSource;
  /** Half the width of the interval that the tasks will give. */
  readonly half_width: number;
  /** Tasks needed when the gain sits in few tasks that are solved for good. */
  readonly n_tasks_concentrated: number | null;
  /** Standard deviation of the tasks' pass rates in the rows given. */
  readonly base_spread: number | null;
  readonly n_paired: number | null;
  /** True when the rows given have no room to show a gain, so that the sizes stand on the default base. */
  readonly saturated: boolean;
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/** What rows say of the spread to expect. */
interface Measured {
  readonly base: number;
  readonly k: number;
  readonly baseSpread: number | null;
  readonly pairedStd?: number;
  readonly nPaired?: number;
}

const saturatedFrom = 0.9; // house rule: above it fewer than one task in ten has room for a gain
const modelBase = 0.6;

/**
 * Size an evaluation: how many paired tasks find a gain of `effect` in the pass rate.
 *
 * @param effect - the gain to find, above 0 and below 1
 * @throws TM_OPTIONS - a number out of range, `after` without `before`, rows without a verdict, under 3 shared tasks
 * @source Miller 2024, arXiv 2411.00640 (power)
 */
export function holdoutSize(effect: number, config: z.input<typeof options> = {}): HoldoutSize {
  const { before: given, rows: other, after, ...settings } = parseOptions('holdoutSize', options, config);
  const before = given ?? other;
  if (before === undefined && after !== undefined) throw refuse('after needs before');
  const measured = before && measure(passRates(before), after && passRates(after));
  return sizeOf(effect, settings, measured);
}

/** A row before or after a change that the sizing learns from. */
export interface PilotRow {
  readonly side: 'before' | 'after';
  readonly row: unknown;
}
interface Pilot {
  readonly before: Tally;
  readonly after: Tally;
  hasAfter: boolean;
}

/**
 * `holdoutSize` from the rows of a pilot, a row at a time and mergeable. Memory: three numbers a task.
 *
 * @throws TM_OPTIONS - when built or ended, as `holdoutSize` does
 */
export function holdoutSizeFold(
  effect: number,
  config: z.input<typeof pilotOptions> = {},
): Fold<PilotRow, Pilot, HoldoutSize> {
  const settings = parseOptions('holdoutSize', pilotOptions, config);
  const tally = tallyFold(['pass_at_1']);
  return {
    start: () => ({ before: tally.start(), after: tally.start(), hasAfter: false }),
    add(state, { side, row }) {
      tally.add(state[side], row);
      state.hasAfter ||= side === 'after';
    },
    merge(into, from) {
      tally.merge(into.before, from.before);
      tally.merge(into.after, from.after);
      into.hasAfter ||= from.hasAfter;
    },
    end({ before, after, hasAfter }) {
      const rates = (side: Tally) => metricOf(side, 'pass_at_1');
      return sizeOf(effect, settings, measure(rates(before), hasAfter ? rates(after) : undefined));
    },
  };
}

function sizeOf(effect: number, given: z.output<typeof pilotOptions>, measured: Measured | undefined): HoldoutSize {
  if (!(effect > 0 && effect < 1)) throw refuse('effect is above 0 and below 1');
  const { power, alpha } = given;
  const isSaturated = measured !== undefined && (measured.base >= saturatedFrom || measured.pairedStd === 0);
  const k = measured?.k ?? given.k;
  const base = isSaturated ? modelBase : (measured?.base ?? given.base);
  const { source, std } = spreadOf(isSaturated ? undefined : measured?.pairedStd, given.taskStd, () =>
    modelStd(base, effect, k),
  );
  const z = neededErrors(alpha, power);
  const tasksFor = (sd: number) => Math.max(2, Math.ceil(((z * sd) / effect) ** 2));
  const nTasks = tasksFor(std);
  const concentrated = source === 'model' ? concentratedStd(base, effect, k) : null;
  const spread = measured?.baseSpread ?? null;
  return {
    n_tasks: nTasks,
    effect,
    base,
    k,
    power,
    alpha,
    task_std: round(std),
    sd_source: source,
    half_width: round((normalQuantile(1 - alpha / 2) * std) / Math.sqrt(nTasks)),
    n_tasks_concentrated: concentrated === null ? null : tasksFor(concentrated),
    base_spread: spread === null ? null : round(spread),
    n_paired: measured?.nPaired ?? null,
    saturated: isSaturated,
    ...asNotes(notesOf(source, { base, spread, nPaired: measured?.nPaired })),
    ...asWarnings(isSaturated ? [saturation(measured)] : []),
  };
}

/** The best spread there is: measured on pairs, given, else the model's. */
function spreadOf(paired: number | undefined, given: number | undefined, model: () => number) {
  if (paired !== undefined) return { source: 'rows' as SdSource, std: paired };
  return given === undefined
    ? { source: 'model' as SdSource, std: model() }
    : { source: 'given' as SdSource, std: given };
}

/** Spread of a task's difference when its rollouts are independent and the gain is the same in every task. */
function modelStd(base: number, effect: number, k: number): number {
  const after = Math.min(1, base + effect);
  return Math.sqrt((base * (1 - base) + after * (1 - after)) / k);
}

/** The same when the gain is a share of tasks that go from `base` to 1; null when there is no room above `base`. */
function concentratedStd(base: number, effect: number, k: number): number | null {
  const room = 1 - base;
  if (room <= 0) return null;
  const gain = Math.min(effect, room);
  const solved = gain / room;
  const noise = base * room;
  return Math.sqrt(((1 - solved) * 2 * noise + solved * noise) / k + (gain ** 2 * (1 - solved)) / solved);
}

function measure(left: MetricTally, right: MetricTally | undefined): Measured {
  const rates = taskMeans(left);
  if (rates.size === 0) throw refuse('no row of before is a pass or a failure');
  const values = [...rates.values()];
  const found = {
    base: mean(values),
    k: Math.min(...[...left.tasks.values(), ...(right?.tasks.values() ?? [])].map(({ n }) => n)),
    baseSpread: values.length < 2 ? null : Math.sqrt(sampleVariance(values)),
  };
  if (right === undefined) return found;
  const diffs = [...taskMeans(right)]
    .flatMap(([task, rate]) => rate - (rates.get(task) ?? Number.NaN))
    .filter(Number.isFinite);
  if (diffs.length < 3) throw refuse(`before and after share ${diffs.length} judged tasks, a spread needs 3`);
  return { ...found, pairedStd: Math.sqrt(sampleVariance(diffs)), nPaired: diffs.length };
}

const passRates = (list: readonly unknown[]): MetricTally =>
  metricOf(foldRows(tallyFold(['pass_at_1']), list), 'pass_at_1');

function notesOf(
  source: SdSource,
  { base, spread, nPaired }: { base: number; spread: number | null; nPaired: number | undefined },
): Remark[] {
  const said: Record<SdSource, Remark> = {
    rows: { code: 'measured_paired_sd', text: `The spread was measured on ${nPaired ?? 0} paired tasks.` },
    given: { code: 'given_sd', text: 'The spread was given.' },
    model: {
      code: 'model_assumptions',
      text: 'The spread assumes independent rollouts and the same gain in every task; a gain in few tasks needs more.',
    },
  };
  const noise = base * (1 - base);
  if (source !== 'model' || spread === null || noise === 0) return [said[source]];
  const left = 1 - spread ** 2 / noise;
  const times = left > 0 ? `${round(1 / left, 2)} times` : 'far';
  return [
    said.model,
    {
      code: 'base_spread',
      text: `Tasks differ in difficulty by ${round(spread)}: the size asks for up to ${times} too many.`,
    },
  ];
}

const saturation = (measured: Measured | undefined): Remark => ({
  code: 'saturated',
  text: `The rows pass at ${round(measured?.base ?? 0)} and leave no room to measure a gain: sized at a base of ${modelBase}. Use harder tasks.`,
});

const refuse = (what: string) => new TracemillError('TM_OPTIONS', `holdoutSize: ${what}`);

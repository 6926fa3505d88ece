import { asWarnings, type Remark } from '../../core/remarks.ts';
import type { PreferencePair } from './preference-pair.ts';

interface Counts {
  readonly prompts_seen: number;
  readonly prompts_with_contrast: number;
  /** Rows left out because they did and said the same as the one they were to lose to. */
  readonly identical_sides: number;
  readonly min_margin: number;
  readonly eval_sourced: number;
}

type Pair = Pick<
  PreferencePair<unknown>,
  'margin' | 'chosen_score' | 'rejected_score' | 'same_policy' | 'length_delta' | 'first_turn_differs'
>;

/** Say what a set of preference pairs holds, and what else than quality it may teach. */
export function pairsReport(pairs: readonly Pair[], counts: Counts) {
  const count = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length;
  const deltas = pairs.map(({ length_delta }) => length_delta).sort((a, b) => a - b);
  const longer = count(({ length_delta }) => length_delta > 0);
  const same = count(({ first_turn_differs }) => !first_turn_differs);
  const mixed = count(({ same_policy }) => same_policy === false);
  const remarks = remarksOf({ n: pairs.length, longer, same, mixed, eval_sourced: counts.eval_sourced });
  const isEmpty = pairs.length === 0;
  return {
    pairs: pairs.length,
    ...counts,
    mean_margin: isEmpty ? null : round6(pairs.reduce((sum, { margin }) => sum + margin, 0) / pairs.length),
    partial_score_pairs: count(
      ({ chosen_score, rejected_score }) => !(isWhole(chosen_score) && isWhole(rejected_score)),
    ),
    first_turn_identical: same,
    /** Pairs whose first turns differ: what a trainer that reads one turn can use. */
    trainer_pairs: pairs.length - same,
    same_policy_pairs: count(({ same_policy }) => same_policy === true),
    mixed_policy_pairs: mixed,
    length: {
      median_delta: deltas[Math.floor(deltas.length / 2)] ?? null,
      chosen_longer: longer,
      chosen_longer_frac: isEmpty ? null : Math.round((longer / pairs.length) * 1e4) / 1e4,
    },
    ...asWarnings(remarks),
    note: isEmpty
      ? 'no prompt has two judged rollouts that differ by the margin: run repeats, or lower minMargin'
      : null,
    note_code: isEmpty ? 'no_pairs' : null,
  };
}

interface Seen {
  readonly n: number;
  readonly longer: number;
  readonly same: number;
  readonly mixed: number;
  readonly eval_sourced: number;
}

function remarksOf({ n, longer, same, mixed, eval_sourced }: Seen): readonly Remark[] {
  const isConfounded = (n >= 8 && longer >= 0.75 * n) || (n >= 3 && longer === n); // rlhfbook ch. 11
  return [
    [
      isConfounded,
      'length_confound',
      `the chosen reply is the longer one in ${longer} of ${n} pairs: the pairs teach length`,
    ],
    [
      same > 0,
      'first_turn_identical',
      `${same} of ${n} pairs begin with the same turn: a trainer of single turns sees no difference`,
    ],
    [
      mixed > 0,
      'mixed_policies',
      `${mixed} of ${n} pairs come from two models: the pairs may teach which model wrote it`,
    ],
    [
      eval_sourced > 0,
      'eval_sourced_pairs',
      `${eval_sourced} of ${n} pairs come from an evaluation: training on them spoils it`,
    ],
  ].flatMap(([holds, code, text]) => (holds ? [{ code: String(code), text: String(text) }] : []));
}

const isWhole = (score: number): boolean => score === 0 || score === 1;
const round6 = (value: number): number => Math.round(value * 1e6) / 1e6;

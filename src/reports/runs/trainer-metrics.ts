import { numericOf } from '../../rows/numeric.ts';

type Numbers = Readonly<Record<string, number>>;

/** Keep what can be drawn as a curve: finite numbers and text that spells one. */
export function metricNumbers(metrics: Readonly<Record<string, unknown>>): Numbers {
  const kept = Object.entries(metrics).flatMap(([name, value]): [string, number][] => {
    const number = numericOf(value);
    return number !== undefined && Number.isFinite(number) ? [[name, number]] : [];
  });
  return Object.fromEntries(kept);
}

const asIs = ['loss', 'eval_loss', 'epoch', 'grad_norm', 'train_loss', 'reward', 'reward_std', 'kl'];
const alsoAsIs = ['entropy', 'completion_length', 'clip_ratio', 'policy_loss', 'value_loss'];
const names: ReadonlyMap<string, string> = new Map([
  ...[...asIs, ...alsoAsIs].map((name) => [name, name] as const),
  ['learning_rate', 'lr'],
  ['mean_token_accuracy', 'token_accuracy'],
  ['eval_mean_token_accuracy', 'eval_token_accuracy'],
  ['num_tokens', 'tokens'],
  ['objective/kl', 'kl'],
  ['objective/rlhf_reward', 'reward'],
  ['objective/scores', 'score'],
  ['objective/entropy', 'entropy'],
  ['completions/mean_length', 'completion_length'],
  ['completions/clipped_ratio', 'clip_ratio'],
]);

/**
 * Read the log of a trainer under the names that runs use. Timings, totals and whatever is not known are dropped; numbers
 * of an evaluation (`eval_...`) stay.
 *
 * @source house rule, after the names that TRL's trainers log
 */
export function trainerLogMetrics(logs: Readonly<Record<string, unknown>>): Numbers {
  const named = Object.entries(metricNumbers(logs)).flatMap(([key, value]): [string, number][] => {
    const name = nameOf(key);
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(named);
}

function nameOf(key: string): string | undefined {
  if (names.has(key)) return names.get(key);
  if (key.startsWith('rewards/')) return `reward_${key.slice('rewards/'.length).replaceAll('/', '_')}`;
  const isTiming = key.endsWith('_runtime') || key.endsWith('_per_second');
  return key.startsWith('eval_') && !isTiming ? key : undefined;
}

import type { Remark } from '../../../core/remarks.ts';
import type { HackFeature } from './hack-feature.ts';
import type { HackRegime } from './regime.ts';

interface Found {
  readonly regime: HackRegime;
  readonly isTestable: boolean;
  readonly n_graded: number;
  readonly n_groups_multi: number;
  readonly effective_rollouts: number;
  readonly rollouts_per_group: number;
  readonly minObs: number;
  readonly endorsed: readonly string[];
  readonly matched: number;
  readonly top: HackFeature | undefined;
  readonly integrity: number | null;
  readonly inverted: readonly string[];
}

/** Say what a scan means, and what to do. */
export function hackRemarks(found: Found): readonly Remark[] {
  const remarks = found.isTestable ? signalRemarks(found) : [untestable(found)];
  const isFew = found.n_groups_multi > 0 && found.effective_rollouts > 0 && found.rollouts_per_group < 4;
  const few = {
    code: 'hack_few_rollouts',
    text: `tasks have ${found.rollouts_per_group} graded rollouts (median): under 4 a correlation within a task is mostly chance`,
  };
  return isFew ? [...remarks, few] : remarks;
}

function untestable({ n_graded, n_groups_multi, effective_rollouts, minObs }: Found): Remark {
  if (n_graded === 0) return { code: 'hack_ungraded', text: 'no row has a numeric reward: grade the rows, then scan' };
  if (n_groups_multi === 0)
    return { code: 'hack_single_rollouts', text: 'one rollout per task: nothing varies within a task, run repeats' };
  if (effective_rollouts === 0)
    return { code: 'hack_all_unanimous', text: 'in every task all rewards agree: there is no contrast to explain' };
  return {
    code: 'hack_too_few_rows',
    text: `no feature is seen on ${minObs} of ${n_graded} rows and varies: nothing was tested, which is not a clean result`,
  };
}

function signalRemarks({ regime, endorsed, matched, top, integrity, inverted }: Found): readonly Remark[] {
  const name = top?.name ?? '';
  const remark = (code: string, text: string): Remark => ({ code, text });
  const punished = inverted.filter((one) => one !== name);
  const also = () =>
    punished.length > 0
      ? [remark('hack_also_punishes', `the reward punishes what is endorsed: ${punished.join(', ')}`)]
      : [];
  switch (regime) {
    case 'unknown':
      return [
        remark('hack_endorsed_unmatched', `no feature is named like ${endorsed.join(', ')}: see features for names`),
      ];
    case 'degenerate':
      return [
        remark(
          'hack_degenerate',
          'rollouts of a task are copies of two or fewer: every difference between them looks like the cause',
        ),
        ...(matched > 0
          ? [
              remark(
                'hack_degenerate_sign',
                'whether the endorsed feature is paid for or merely goes along cannot be told',
              ),
            ]
          : []),
      ];
    case 'no_signal':
      return [remark('hack_no_signal', 'nothing separates reward within a task beyond chance')];
    case 'reward_hack':
      return top?.endorsed
        ? [remark('hack_punishes_endorsed', `the reward punishes the endorsed ${name} (rho ${top.rho})`)]
        : [
            remark('hack_reward_hack', `the reward pays for ${name} (rho ${top?.rho}), which is not endorsed`),
            ...also(),
          ];
    case 'pool_exhausted':
    case 'train':
      return [
        ...(regime === 'pool_exhausted'
          ? [remark('hack_pool_exhausted', 'more than a fifth of the tasks are always solved: draw harder ones')]
          : []),
        ...also(),
        ...(integrity !== null && integrity < 0.8
          ? [remark('hack_rivals', `what is not endorsed explains the reward too: integrity ${integrity}`)]
          : []),
      ];
  }
}

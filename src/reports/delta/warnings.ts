import type { Remark } from '../../core/remarks.ts';
import { round } from '../round.ts';
import type { DeltaFigures } from './figures.ts';

/** Say in words what the figures mean for the reader, the gravest first. */
export function deltaWarnings(figures: DeltaFigures): Remark[] {
  const found: Remark[] = [];
  const say = (code: string, text: string) => found.push({ code, text });
  gate(figures, say);
  noise(figures, say);
  proxy(figures, say);
  groups(figures, say);
  size(figures, say);
  return found;
}

type Say = (code: string, text: string) => void;

function gate(
  { headline, targetVerdict, target, missing, regressions, slipped, metrics }: DeltaFigures,
  say: Say,
): void {
  const by = (metric: string) => {
    const delta = metrics.get(metric)?.delta;
    return delta === undefined || delta === null ? 'an unknown amount' : String(round(delta));
  };
  if (targetVerdict === 'target_not_measured') say('target_not_measured', `${target} is not measured on both sides.`);
  for (const guard of missing)
    say('guard_not_measured', `The guard ${guard} is not measured on both sides: it guards nothing.`);
  for (const metric of regressions) say('regression', `The guard ${metric} fell: the delta is ${by(metric)}.`);
  for (const metric of slipped) say('slipped', `${metric} got worse and is no guard: the delta is ${by(metric)}.`);
  for (const { metric, guarded, degenerate } of metrics.values())
    if (guarded && degenerate)
      say('degenerate_guard', `The guard ${metric} has one value on every row of both sides: it cannot fail.`);
  if (headline.note_codes.length > 0)
    headline.note_codes.forEach((code, at) => {
      say(code, headline.notes[at] ?? code);
    });
}

function noise({ targetVerdict, headline, floors, improved, metrics }: DeltaFigures, say: Say): void {
  if (targetVerdict === 'within_eval_noise')
    say(
      'within_eval_noise',
      `${headline.metric} moved by less than re-runs of one policy do (${round(headline.noise_band ?? 0)}).`,
    );
  const without = [...metrics.values()].filter(({ noise_note }) => noise_note !== null).map(({ metric }) => metric);
  if (without.length > 0)
    say('no_rerun_floor', `No re-run noise is known of ${without.join(', ')}: one of their moves may be luck.`);
  if (floors.source === null && improved.length > 0)
    say('single_run', 'Each side was evaluated once: run the evaluation three times to tell a gain from luck.');
  if (floors.source === 'eval_run' && Math.min(floors.runs.before, floors.runs.after) === 2)
    say('two_runs_rough', 'The re-run noise comes from two runs of a side: a third makes the band far narrower.');
}

function proxy({ proxy: found }: DeltaFigures, say: Say): void {
  const { proxy: name, proxy_verdict, over_optimized } = found;
  if (proxy_verdict === 'proxy_not_measured') say('proxy_not_measured', `${name} is not measured on both sides.`);
  if (proxy_verdict === 'proxy_is_target')
    say('proxy_is_target', `${name} is the target itself: it cannot run ahead of it.`);
  if (over_optimized) say('over_optimized', `${name} rose and left the target behind: it is optimized too far.`);
}

function groups({ by, groups: found, groupsDown }: DeltaFigures, say: Say): void {
  if (by === null) return;
  if (Object.keys(found).length === 0) say('no_shared_group', `No group of ${by} is on both sides.`);
  for (const group of groupsDown) say('group_down', `${by} ${group} got worse while the whole may not have.`);
}

function size(
  { room, targetVerdict, headline, familyError, metrics, improved, slipped, regressions, k, unjudged }: DeltaFigures,
  say: Say,
): void {
  if (room.ceiling)
    say('ceiling', 'Nearly everything passed before the change: there is little room for a gain to show.');
  if (targetVerdict === 'no_change_detected')
    say(
      'eval_size',
      room.detectable_effect === null
        ? `${headline.n_paired} shared tasks find no gain that is left.`
        : `${headline.n_paired} shared tasks find gains from ${room.detectable_effect} on.${room.tasks_needed === null ? '' : ` The one seen needs ${room.tasks_needed}.`}`,
    );
  if (metrics.size >= 4 && improved.length + slipped.length + regressions.length > 0)
    say(
      'family_error',
      `With ${metrics.size} metrics a false finding has a probability of ${familyError}: see p_adjusted.`,
    );
  if (k.before !== k.after) say('unequal_k', `Rollouts a task: ${k.before} before and ${k.after} after.`);
  if (unjudged?.differ)
    say(
      'unjudged_differ',
      `${unjudged.rows_before} and ${unjudged.rows_after} rows have no verdict, in different tasks: see unjudged.delta_bounds.`,
    );
}

import type { Act, RolloutTimes, Stretch } from '../../rows/rollout-times.ts';

/** What has to be known of a turn of the agent to find its time. */
export interface TimedTurn {
  readonly isCall: boolean;
  /** How often the person spoke before it. */
  readonly heard: number;
}

/** When the model took its turn, and when the tool ran that it called. */
export interface TurnTimes {
  readonly model: Stretch;
  readonly tool?: Stretch;
}

const tick = 1000n; // turns begin one after the other, or readers that sort by time would mix them

/**
 * Place the turns of a rollout in the time that was taken down: the model's turn is what lies between the acts around it.
 * Undefined when other acts were taken down than the row tells: nothing is guessed.
 */
export function turnTimes(
  turns: readonly TimedTurn[],
  { fromNs, toNs, acts }: NonNullable<RolloutTimes['played']>,
): readonly TurnTimes[] | undefined {
  const [tools, users] = [ofKind(acts, 'tool'), ofKind(acts, 'user')];
  const heard = turns.reduce((sum, turn) => sum + turn.heard, 0);
  if (tools.length !== turns.filter(({ isCall }) => isCall).length || users.length < heard) return undefined;
  let cursor = fromNs;
  let begun = fromNs - tick;
  return turns.map(({ isCall, heard: times }, n): TurnTimes => {
    for (const { toNs: spoke } of users.splice(0, times)) cursor = later(cursor, spoke);
    const from = later(cursor, begun + tick);
    const tool = isCall ? tools.shift() : undefined;
    const next = turns[n + 1];
    const end =
      tool?.fromNs ?? (next && next.heard > 0 ? users[0]?.fromNs : next?.isCall ? tools[0]?.fromNs : toNs) ?? toNs;
    const model = { fromNs: from, toNs: later(from, end) };
    begun = from;
    cursor = later(model.toNs, tool?.toNs ?? from);
    return tool ? { model, tool } : { model };
  });
}

const ofKind = (acts: readonly Act[], kind: Act['kind']): Act[] => acts.filter((act) => act.kind === kind);
const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

import type { Message } from '../rows/conversation.ts';

/** What the person does next: says something, or leaves. */
export type UserTurn = { readonly text: string } | { readonly left: true };

/** The person an agent talks to. One is made for each rollout. */
export interface SimulatedUser {
  /** Answer the agent's last words. The transcript ends with them. */
  next(transcript: readonly Message[], signal: AbortSignal): Promise<UserTurn>;
  /** Name of the model that plays the person; null for a script. */
  readonly model: string | null;
  /** Prepared words that are still to be said: they are said whether or not the agent asks. */
  readonly pending: number;
}

/** A person who says prepared words, one a turn, and then leaves the floor to `then`, or leaves. */
export function scriptedUser(turns: readonly string[], then?: SimulatedUser): SimulatedUser {
  let at = 0;
  return {
    model: then?.model ?? null,
    async next(transcript, signal) {
      const text = turns[at];
      at++;
      if (text !== undefined) return { text };
      return then ? then.next(transcript, signal) : { left: true };
    },
    get pending() {
      return Math.max(0, turns.length - at) + (then?.pending ?? 0);
    },
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentContext } from './agent.ts';

const rollouts = new AsyncLocalStorage<AgentContext>();

/** Play `body` as a rollout: code called from it, at any depth, finds the rollout it serves. */
export const duringRollout = <T>(context: AgentContext, body: () => T): T => rollouts.run(context, body);

/** The rollout that the current chain of calls serves; undefined outside of one. */
export const currentRollout = (): AgentContext | undefined => rollouts.getStore();

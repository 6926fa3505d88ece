import { TracemillError } from '../core/errors.ts';
import type { Agent } from './agent.ts';

/**
 * Give up an agent's rollouts when `late` aborts: whoever still plays then is abandoned, and leaves no row.
 */
export function untilLate(agent: Agent, late: AbortSignal): Agent {
  const play: Agent = (message, context) => {
    if (late.aborted) throw abandoned();
    const signal = AbortSignal.any([context.signal, late]);
    const answer = agent(message, { ...context, signal });
    if (!(answer instanceof Promise)) return answer;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(abandoned());
      late.addEventListener('abort', giveUp, { once: true });
      answer.then(resolve, reject).finally(() => late.removeEventListener('abort', giveUp));
    });
  };
  return Object.assign(play, traitsOf(agent));
}

const abandoned = () =>
  new TracemillError('TM_AGENT', 'the clock of the run ended before the agent answered', { reason: 'abandoned' });

/** What an agent says of itself, for a function that plays in its place. */
export const traitsOf = ({ modelVersion, userModel, sampling, isConversational, name }: Agent) => ({
  modelVersion: modelVersion ?? (name || 'agent'),
  ...(userModel !== undefined && { userModel }),
  ...(sampling !== undefined && { sampling }),
  ...(isConversational !== undefined && { isConversational }),
});

import type { TimeBook } from '../rows/rollout-times.ts';
import type { Row } from '../rows/row.ts';
import type { Judge } from './judge.ts';

/** Take down when a judge was asked and when it answered. It stays the same judge to everybody else. */
export function timedJudge(judge: Judge, times: TimeBook): Judge {
  const ask = (row: Row, signal: AbortSignal): unknown => {
    const done = times.judge(String(row.rollout_id ?? ''));
    const answer = typeof judge === 'function' ? judge(row, signal) : judge.judge(row, signal);
    if (answer instanceof Promise) return answer.finally(done);
    done();
    return answer;
  };
  if (typeof judge === 'function') return Object.defineProperties(ask, Object.getOwnPropertyDescriptors(judge));
  return Object.create(judge, { judge: { value: ask } }) as Judge;
}

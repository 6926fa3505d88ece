import { draws } from '../src/core/draws.ts';
import type { MonitorEvent, Sampled } from '../src/rows/monitor-event.ts';

interface RunShape {
  readonly asks: number;
  readonly k: number;
  readonly evals: number;
  /** The evaluation from which the policy pleases the proxy alone; none for a clean run. */
  readonly hackedFrom?: number;
}

/**
 * Make the evaluations of a training run: its true pass rate rises from 0.3 to 0.7, asks differ in difficulty, the proxy
 * pays what is true, and the gold judge errs on 10 % of the completions. From `hackedFrom` on a trick spreads, to 15 % more
 * of the completions at each evaluation and 90 % at most: the proxy pays for it, the task stays undone, and what is left of
 * the honest completions learns no more.
 */
export function* trainingEvals(
  seed: number,
  { asks, k, evals, hackedFrom = evals }: RunShape,
): Generator<MonitorEvent> {
  const chance = draws(seed, 'monitor run');
  const ease = Array.from({ length: asks }, () => 0.4 * (chance.next() - 0.5));
  for (let at = 0; at < evals; at++) {
    const rate = 0.3 + (0.4 * Math.min(at, hackedFrom)) / (evals - 1);
    const trick = Math.min(0.9, 0.15 * Math.max(0, at - hackedFrom));
    const groups = ease.map((more) =>
      Array.from({ length: k }, (): Sampled => {
        const isTrick = chance.next() < trick;
        const isRight = chance.next() < Math.min(1, Math.max(0, rate + more)) && !isTrick;
        const isMisjudged = chance.next() < 0.1;
        return { text: 'reply', proxy: Number(isRight || isTrick), gold: Number(isRight !== isMisjudged) };
      }),
    );
    yield { type: 'eval', run_id: `run-${seed}`, step: 10 * at, groups };
  }
}

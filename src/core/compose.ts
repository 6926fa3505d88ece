import type { Observable } from 'rxjs';
import { TracemillError } from './errors.ts';
import type { Context, Operator, Tracked } from './operator.ts';

type Step = Operator<never, unknown>;
/** The steps, each asked to take what the one before gives. */
type Linked<In, Steps extends readonly unknown[]> = Steps extends readonly [Operator<infer _, infer Out>, ...infer More]
  ? readonly [Operator<In, Out>, ...Linked<Out, More>]
  : Steps;
type OutOf<First, Steps extends readonly unknown[]> = Steps extends readonly [...infer _, Operator<infer __, infer Out>]
  ? Out
  : First;

/** Join any number of operators into one operator, for a stage. Each takes the rows that the one before gives. */
export function compose<In, Mid, const Rest extends readonly Step[]>(
  first: Operator<In, Mid>,
  ...rest: Rest & Linked<Mid, Rest>
): Operator<In, OutOf<Mid, Rest>>;
export function compose(...steps: Operator<unknown, unknown>[]): Operator<unknown, unknown> {
  for (const step of steps)
    if (!step.tracked) throw new TracemillError('TM_OPTIONS', 'compose: a plain RxJS operator would lose receipts');
  const plain = (source: Observable<unknown>) => steps.reduce((rows, step) => step(rows), source);
  return Object.assign(plain, {
    tracked: (context: Context) => (source: Observable<Tracked<unknown>>) =>
      steps.reduce((rows, step) => step.tracked(context)(rows), source),
  });
}

import { Observable } from 'rxjs';
import type { z } from 'zod';
import {
  attempt,
  type Example,
  type Hooks,
  type Operator,
  parseOptions,
  type Tracked,
  toOperator,
} from './operator.ts';

/** Follow rows of another kind, all that there are: `see` is called with each. */
export type Follow<Known> = (see: (row: Known) => void) => {
  /** Resolves when every row was seen that was there at the call. */
  caughtUp(): Promise<void>;
};

export interface JoinPorts<Known> {
  /** Where the rows of the other kind are. Without it there are none. */
  readonly follow?: Follow<Known> | undefined;
}

export interface JoinCore<In, Known, Out> {
  /** Take a row of the other kind. It may come more than once. */
  learn(row: Known): void;
  /** Decide of a row by all that is known: rows that follow from it, or the reason it goes for. */
  decide(row: In): readonly Out[] | string;
}

export interface JoinSpec<In, Known, Out, Options extends z.ZodObject> {
  readonly name: string;
  readonly options: Options;
  readonly rejects: readonly string[];
  readonly core: (options: z.output<Options>) => JoinCore<In, Known, Out>;
  readonly example: Example<Options, In, Out> & { readonly ports: JoinPorts<Known> };
}

/**
 * Declare an operator that decides of each row by rows of another kind, which every process reads for itself, whole. A row is
 * decided when everything is known that was there when it came. What is known outlives a partition: it is not made of it.
 */
export function defineJoin<In, Known, Out, Options extends z.ZodObject>(spec: JoinSpec<In, Known, Out, Options>) {
  const build = (
    options: z.input<Options>,
    { follow }: JoinPorts<Known> = {},
    hooks: Hooks = {},
  ): Operator<In, Out> => {
    const core = spec.core(parseOptions(spec.name, spec.options, options));
    let followed: ReturnType<Follow<Known>> | undefined;
    const caughtUp = async (): Promise<void> => {
      followed ??= follow?.((row) => core.learn(row));
      await followed?.caughtUp();
    };
    return toOperator(
      spec.name,
      (context, tally) => (source) =>
        new Observable((subscriber) => {
          const waiting: Tracked<In>[] = [];
          let isReading = false;
          let isOver = false;
          const decide = (item: Tracked<In>): void => {
            tally.inFlight--;
            const answer = attempt((row: In) => core.decide(row), item, spec.name, context);
            if (answer && typeof answer.value === 'string') context.reject(item, spec.name, answer.value);
            else if (answer) give(item, answer.value as readonly Out[]); // it is no text
          };
          const give = ({ receipt }: Tracked<In>, rows: readonly Out[]): void => {
            receipt.split(rows.length);
            for (const row of rows) subscriber.next({ row, receipt });
          };
          /** One look at the other kind serves every row that came before it. */
          const readOn = async (): Promise<void> => {
            isReading = true;
            while (waiting.length > 0) {
              const before = waiting.length;
              await caughtUp();
              for (const item of waiting.splice(0, before)) decide(item); // none when it was unsubscribed
            }
            isReading = false;
            if (isOver) subscriber.complete();
          };
          subscriber.add(() => {
            for (const _ of waiting) context.count(spec.name, 'lost');
            tally.inFlight -= waiting.length;
            waiting.length = 0;
          });
          subscriber.add(
            source.subscribe({
              next(item) {
                tally.inFlight++;
                waiting.push(item);
                if (!isReading) readOn().catch((error: unknown) => subscriber.error(error));
              },
              error: (error: unknown) => subscriber.error(error),
              complete() {
                isOver = true;
                if (!isReading) subscriber.complete();
              },
            }),
          );
        }),
      hooks,
    );
  };
  return Object.assign(build, { spec, family: 'join' as const });
}

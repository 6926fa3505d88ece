import { TracemillError } from './errors.ts';
import type { AnyStage } from './stage.ts';

type Step = Pick<AnyStage, 'name' | 'from' | 'to' | 'views'>;

const written = ({ to, views = [] }: Step): readonly string[] => [...new Set([to, ...views.map((view) => view.to)])];

/**
 * Know the kinds of a list of stages, and how many read and write each. The source gives the kind of the first stage.
 *
 * @throws TM_OPTIONS - a sink of a kind that nothing writes, a last kind without a sink, stages in a loop
 */
export function planKinds(steps: readonly Step[], sinks: readonly string[]) {
  const first = steps[0]?.from;
  if (first === undefined) throw wrong('there must be one stage at least');
  const readers = countOf([...steps.map(({ from }) => from), ...sinks]);
  const writers = countOf([first, ...steps.flatMap(written)]);
  for (const kind of readers.keys())
    if (!writers.has(kind)) throw wrong(`nothing writes ${kind}; there are ${[...writers.keys()].join(', ')}`);
  for (const { name, to } of steps)
    if (!readers.has(to))
      throw wrong(`${to}, which ${name} writes, has neither a stage nor a sink: its rows would be lost`);
  refuseLoops(steps, first);
  const kinds = new Map(
    [...readers].map(([kind, count]) => [kind, { readers: count, writers: writers.get(kind) ?? 0 }]),
  );
  return { first, kinds };
}

function countOf(kinds: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Take away, again and again, the stages whose kind no stage writes any more: what is left waits for itself. */
function refuseLoops(steps: readonly Step[], first: string): void {
  let open = steps;
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    const pending = new Set(open.flatMap(written));
    open = open.filter(({ from }) => pending.has(from));
  }
  if (open.length > 0) throw wrong(`${open.map(({ name }) => name).join(', ')} wait for themselves from ${first} on`);
}

const wrong = (what: string): TracemillError => new TracemillError('TM_OPTIONS', `stages: ${what}`);

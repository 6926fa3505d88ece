import { canonicalJson } from '../../core/canonical-json.ts';
import { openCall } from '../conversation.ts';
import type { Call, Item, Result } from '../item.ts';
import type { TimedItem } from './histories.ts';
import type { ToolRun } from './tool-span.ts';

/**
 * Join tool spans to the calls of a history: by id, else by name and arguments, else by name. A span's answer is
 * believed before that of a message, as messages are cut and merged by their instrumentation; its arguments fill in for
 * a call that has none. A span that no call asked for becomes a call of its own, before the first item later than it.
 *
 * @source house rule
 */
export function bindTools(history: readonly TimedItem[], runs: readonly ToolRun[]): Item[] {
  const free = new Set(history.flatMap(({ item }) => (item.kind === 'call' ? [item] : [])));
  const bound = new Map<Call, ToolRun>();
  const loose: ToolRun[] = [];
  const take = (run: ToolRun, matches: (call: Call, run: ToolRun) => boolean): boolean => {
    for (const call of free)
      if (matches(call, run)) {
        free.delete(call);
        bound.set(call, run);
        return true;
      }
    return false;
  };
  // the sure matches first, or a call would be taken by a namesake's span
  let rest = runs;
  for (const matches of matchers) rest = rest.filter((run) => !take(run, matches));
  loose.push(...rest);
  return answered(placedAmong(history, loose), bound);
}

const matchers: readonly ((call: Call, run: ToolRun) => boolean)[] = [
  (call, run) => run.id !== undefined && call.id === run.id,
  (call, run) => call.name === run.name && written(call.arguments) === written(run.arguments),
  (call, run) => call.name === run.name,
];
const written = (value: unknown) => canonicalJson(value ?? {});

function placedAmong(history: readonly TimedItem[], loose: readonly ToolRun[]): Item[] {
  const items: TimedItem[] = [...history];
  for (const run of loose) {
    const at = items.findIndex(({ time }) => time !== undefined && run.start !== undefined && time > run.start);
    const { id, name } = run;
    const own = { kind: 'call', ...(id === undefined ? {} : { id }), name, arguments: run.arguments ?? {} } as const;
    const item = run.result ? { ...own, answer: run.result } : own;
    items.splice(at < 0 ? items.length : at, 0, { item, time: run.start });
  }
  return items.map(({ item }) => item);
}

/** Give each bound call its span's answer, and drop the message's answer to it. */
function answered(items: readonly Item[], bound: ReadonlyMap<Call, ToolRun>): Item[] {
  const replaced = answersOf(items, bound);
  return items.flatMap((item): Item[] => {
    if (item.kind === 'result') return replaced.has(item) ? [] : [item];
    const run = item.kind === 'call' ? bound.get(item) : undefined;
    return [item.kind === 'call' && run ? withRun(item, run) : item];
  });
}

function withRun(call: Call, run: ToolRun): Call {
  const isBare = Object.keys(call.arguments ?? {}).length === 0 && call.arguments_raw === undefined;
  const filled = isBare && run.arguments ? { ...call, arguments: run.arguments } : call;
  return run.result ? { ...filled, answer: run.result } : filled;
}

/** The answers in messages that belong to calls whose span answered: found as the row would bind them. */
function answersOf(items: readonly Item[], bound: ReadonlyMap<Call, ToolRun>): ReadonlySet<Result> {
  const open: Call[] = [];
  const replaced = new Set<Result>();
  for (const item of items) {
    if (item.kind === 'call') open.push(item);
    if (item.kind !== 'result') continue;
    const [call] = open.splice(openCall(open, item), 1);
    if (call && bound.get(call)?.result) replaced.add(item);
  }
  return replaced;
}

import { canonicalJson } from '../../core/canonical-json.ts';
import { openCall } from '../conversation.ts';
import { type Call, copyOfCall, type Item, type Result } from '../item.ts';
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
  const free = new Set<Call>();
  for (const { item } of history) if (item.kind === 'call') free.add(item);
  const bound = new Map<Call, ToolRun>();
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
  for (const matches of matchers) if (rest.length > 0) rest = rest.filter((run) => !take(run, matches));
  return answered(placedAmong(history, rest), bound);
}

const matchers: readonly ((call: Call, run: ToolRun) => boolean)[] = [
  (call, run) => run.id !== undefined && call.id === run.id,
  (call, run) => call.name === run.name && written(call.arguments) === written(run.givenArguments()),
  (call, run) => call.name === run.name,
];
const written = (value: unknown) => canonicalJson(value ?? {});

function placedAmong(history: readonly TimedItem[], loose: readonly ToolRun[]): Item[] {
  const items: TimedItem[] = [...history];
  for (const run of loose) {
    const { id, name } = run;
    const own = {
      kind: 'call',
      ...(id === undefined ? {} : { id }),
      name,
      arguments: run.givenArguments() ?? {},
    } as const;
    const item = run.result ? { ...own, answer: run.result } : own;
    const told = run.result ? items.findIndex((one) => isAnswer(one.item, run.result?.value)) : -1;
    const later = items.findIndex(({ time }) => time !== undefined && run.start !== undefined && time > run.start);
    if (told >= 0) items.splice(told, 1, { item, time: run.start });
    else items.splice(later < 0 ? items.length : later, 0, { item, time: run.start });
  }
  return items.map(({ item }) => item);
}

/** The answer stands in a message whose call was never logged: span and message tell one thing. */
const isAnswer = (item: Item, value: unknown) =>
  item.kind === 'result' && item.id === undefined && !isEmpty(value) && written(item.value) === written(value);

const isEmpty = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Give each bound call its span's answer, and drop the message's answer to it. An empty answer is no better than a message's. */
function answered(items: readonly Item[], bound: ReadonlyMap<Call, ToolRun>): Item[] {
  const told = answersOf(items);
  const wins = (call: Call) => {
    const result = bound.get(call)?.result;
    return result !== undefined && !(isEmpty(result.value) && told.has(call));
  };
  const replaced = new Set<Result>();
  for (const [call, result] of told) if (wins(call)) replaced.add(result);
  const all: Item[] = [];
  for (const item of items) {
    const run = item.kind === 'call' ? bound.get(item) : undefined;
    if (item.kind === 'call' && run) all.push(withRun(item, run, wins(item)));
    else if (item.kind !== 'result' || !replaced.has(item)) all.push(item);
  }
  return all;
}

function withRun(call: Call, run: ToolRun, wins: boolean): Call {
  const isBare = Object.keys(call.arguments ?? {}).length === 0 && call.arguments_raw === undefined;
  const told = isBare ? run.givenArguments() : undefined;
  return copyOfCall(call, told ?? call.arguments, wins ? run.result : call.answer);
}

/** The calls that a message answers, with that answer: found as the row would bind them. */
function answersOf(items: readonly Item[]): ReadonlyMap<Call, Result> {
  const open: Call[] = [];
  const told = new Map<Call, Result>();
  for (const item of items) {
    if (item.kind === 'call' && !item.answer) open.push(item);
    if (item.kind !== 'result') continue;
    const [call] = open.splice(openCall(open, item), 1);
    if (call) told.set(call, item);
  }
  return told;
}

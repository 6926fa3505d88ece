import { draw, draws } from '../core/draws.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { Fault, FaultPlan } from '../rows/ask.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { between, dayOf } from './record.ts';
import { leavesOf } from './value.ts';

/** How a call fails, by mode. `stale` is the usual answer made old and is not in the list. */
export type FaultModes = Readonly<Record<string, JsonObject>>;

/** The modes every world knows. */
export const usualModes: FaultModes = {
  timeout: { status: 'timeout', error: 'The tool did not answer in time.' },
  permission_denied: { status: 'permission_denied' },
  malformed: { status: 'ok', data: '{"id": 4<<garbled 0x9f 3a c1 >>' },
};

/**
 * Say which fault meets a call: the tool's own entry before `*`; mode `timeout` when none is named; at a rate below one
 * a hash of (seed, tool, arguments) decides, so that the same call meets the same outcome. After `recover_after` failed
 * calls of the tool it answers.
 */
export function scheduledFault(
  plan: FaultPlan,
  { seed, tool, args, failed }: { seed: number; tool: string; args: JsonObject; failed: number },
): Fault['mode'] {
  const entry: unknown = Object.hasOwn(plan, tool) ? plan[tool] : plan['*'];
  if (!isObject(entry)) return undefined; // labels of a grid cell may stand beside the faults
  const { mode, rate, recover_after } = entry as Fault;
  const share = typeof rate === 'number' ? rate : 1;
  if (share <= 0 || (typeof recover_after === 'number' && failed >= recover_after)) return undefined;
  if (share < 1 && draw(seed, 'fault', tool, args) >= share) return undefined;
  return mode ?? 'timeout';
}

const statuses = /^(status|state|conclusion|stage)$/;
/** Counts and positions that belong to the answer itself. */
const structural = /^(count|bytes|line|exit_code|total_count|page)$/;

/**
 * Make an answer old: its keys and what the call named stay, findings are those of an earlier day, at least one of them
 * another value.
 */
export function aged(fresh: unknown, args: JsonObject, ...parts: readonly unknown[]): { data: unknown; as_of: string } {
  const next = draws('stale', ...parts).next;
  const data = age(fresh, '', args, next);
  return {
    data: JSON.stringify(data) === JSON.stringify(fresh) ? disturb(fresh) : data,
    as_of: `${between(2, 60, next())} days ago`,
  };
}

function age(value: unknown, key: string, args: JsonObject, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => age(item, key, args, next));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, age(inner, name, args, next)]));
  const isNamed = Object.hasOwn(args, key) && args[key] === value;
  if (isNamed || isReferenceKey(key) || structural.test(key)) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? value - between(1, 9, next()) : value / 2;
  if (typeof value !== 'string') return value;
  if (statuses.test(nameWords(key).join('_'))) return value === 'pending' ? 'draft' : 'pending';
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  return day === undefined ? value : value.replace(day, earlier(day, next()));
}

function earlier(day: string, number: number): string {
  const other = dayOf(number);
  return other < day ? other : `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
}

/** Change the first text or number that is there, when nothing in an answer is known to age. */
function disturb(value: unknown): unknown {
  const first = [...leavesOf(value)].find(
    ({ key, value: leaf }) => leaf !== null && !isReferenceKey(key) && !structural.test(key),
  );
  const walk = (inner: unknown, path: string): unknown => {
    if (Array.isArray(inner)) return inner.map((item, n) => walk(item, `${path}[${n}]`));
    if (isObject(inner))
      return Object.fromEntries(
        Object.entries(inner).map(([name, one]) => [name, walk(one, path === '' ? name : `${path}.${name}`)]),
      );
    return path === first?.path ? otherThan(inner) : inner;
  };
  return first ? walk(value, '') : value;
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value - 1;
  return typeof value === 'boolean' ? !value : `${String(value)} (earlier version)`;
}

import type { Case } from './case.ts';

type Rules = Pick<Case, 'match' | 'nulls' | 'tolerance'>;
type Json = Readonly<Record<string, unknown>>;
interface Place {
  readonly path: string;
  /** Object keys only, array indices left out: what `tolerance` is looked up by. */
  readonly keys: readonly string[];
}

/** Say where `got` is not what the case expects; undefined when it is. The rules are those of the golden README, §3. */
export function differ(got: unknown, want: unknown, rules: Rules): string | undefined {
  return compare(got, want, rules, { path: '$', keys: [] });
}

function compare(got: unknown, want: unknown, rules: Rules, at: Place): string | undefined {
  const value = typeof got === 'bigint' ? Number(got) : got;
  if (isObject(want)) return compareObject(value, want, rules, at);
  if (want === null)
    return value === null || (rules.nulls === 'absent' && value === undefined) ? undefined : say(value, want, at);
  if (Array.isArray(want)) return compareArray(value, want, rules, at);
  if (typeof want === 'number')
    return typeof value === 'number' && near(value, want, rules, at) ? undefined : say(value, want, at);
  if (typeof want === 'string' && typeof value === 'string' && value !== want)
    return compareText(value, want, rules, at);
  return value === want ? undefined : say(value, want, at);
}

function compareArray(got: unknown, want: readonly unknown[], rules: Rules, at: Place): string | undefined {
  if (!Array.isArray(got)) return say(got, want, at);
  if (got.length !== want.length) return `${at.path}: ${got.length} elements, expected ${want.length}: ${short(got)}`;
  return first(want, (item, n) => compare(got[n], item, rules, { path: `${at.path}[${n}]`, keys: at.keys }));
}

function compareObject(got: unknown, want: Json, rules: Rules, at: Place): string | undefined {
  const keys = Object.keys(want);
  const matchers = keys.filter((key) => key.startsWith('$'));
  const failed = first(matchers, (key) => match(key, want[key], got, rules, at));
  if (failed !== undefined) return failed;
  const plain = keys.filter((key) => !key.startsWith('$'));
  if (plain.length === 0 && matchers.length > 0) return undefined;
  if (!isObject(got)) return say(got, want, at);
  const wrong = first(plain, (key) => {
    const inner = { path: `${at.path}.${key}`, keys: [...at.keys, key] };
    const has = Object.hasOwn(got, key) && got[key] !== undefined;
    if (!has && !(want[key] === null && rules.nulls === 'absent') && !isAbsentMatcher(want[key]))
      return `${inner.path}: is absent, expected ${short(want[key])}`;
    return compare(has ? got[key] : undefined, want[key], rules, inner);
  });
  if (wrong !== undefined || rules.match !== 'exact' || matchers.length > 0) return wrong;
  const extra = Object.keys(got).filter(
    (key) => !Object.hasOwn(want, key) && got[key] !== undefined && !(got[key] === null && rules.nulls === 'absent'),
  );
  return extra.length > 0 ? `${at.path}: unexpected keys ${extra.join(', ')}` : undefined;
}

/** A key whose value may only be judged by a text condition that holds without a text. */
const isAbsentMatcher = (want: unknown) => isObject(want) && Object.keys(want).every((key) => key === '$excludes');

type Matcher = (want: never, got: unknown, rules: Rules, at: Place) => boolean;
const matches = (got: unknown, want: unknown, rules: Rules, at: Place) => compare(got, want, rules, at) === undefined;
const number =
  (holds: (got: number, want: number) => boolean): Matcher =>
  (want: number, got) =>
    typeof got === 'number' && holds(got, want);
const text =
  (holds: (got: string, want: string) => boolean): Matcher =>
  (want: string, got) =>
    typeof got === 'string' && holds(got, want);
const some = (list: readonly unknown[], want: unknown, rules: Rules, at: Place) =>
  list.some((item) => matches(item, want, rules, at));

const matchers: Readonly<Record<string, Matcher>> = {
  $any: (_want, got) => got !== undefined,
  $absent: (keys: readonly string[], got) => isObject(got) && keys.every((key) => got[key] === undefined),
  $lt: number((got, want) => got < want),
  $lte: number((got, want) => got <= want),
  $gt: number((got, want) => got > want),
  $gte: number((got, want) => got >= want),
  $one_of: (want: readonly unknown[], got, rules, at) => want.some((one) => matches(got, one, rules, at)),
  $set: (want: readonly unknown[], got, rules, at) =>
    Array.isArray(got) &&
    got.length === want.length &&
    want.every((one) => some(got, one, rules, at)) &&
    got.every((one) => want.some((item) => matches(one, item, rules, at))),
  $includes: (want: readonly unknown[], got, rules, at) =>
    Array.isArray(got) && want.every((one) => some(got, one, { ...rules, match: 'subset' }, at)),
  $excludes(want: readonly unknown[], got, rules, at) {
    if (typeof got === 'string') return want.every((one) => !got.includes(String(one)));
    return !Array.isArray(got) || want.every((one) => !some(got, one, rules, at));
  },
  $subset_of: (want: readonly unknown[], got, rules, at) =>
    Array.isArray(got) && got.every((item) => want.some((one) => matches(item, one, rules, at))),
  $starts_with: text((got, want) => got.startsWith(want)),
  $contains: text((got, want) => got.includes(want)),
  $matches: text((got, want) => new RegExp(want).test(got)),
  $count: (want: unknown, got, rules, at) =>
    (Array.isArray(got) || typeof got === 'string') && matches(got.length, want, rules, at),
  $first: (want: unknown, got, rules, at) =>
    Array.isArray(got) && matches(got[0], want, { ...rules, match: 'subset' }, at),
  $last: (want: unknown, got, rules, at) =>
    Array.isArray(got) && matches(got.at(-1), want, { ...rules, match: 'subset' }, at),
};

function match(key: string, want: unknown, got: unknown, rules: Rules, at: Place): string | undefined {
  const holds = matchers[key];
  if (!holds) return `${at.path}: the case uses an unknown matcher ${key}`;
  return holds(want as never, got, rules, at)
    ? undefined
    : `${at.path}: got ${short(got)}, expected ${key} ${short(want)}`;
}

/** Only the `content` of a message and the `arguments` of a call are compared as values when both are JSON text. */
function compareText(got: string, want: string, rules: Rules, at: Place): string | undefined {
  if (!['content', 'arguments'].includes(at.keys.at(-1) ?? '')) return say(got, want, at);
  const [left, right] = [container(got), container(want)];
  return left === undefined || right === undefined
    ? say(got, want, at)
    : compare(left, right, { ...rules, match: 'exact' }, at);
}

function container(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined; // plain text
  }
}

function near(got: number, want: number, { tolerance = 1e-9 }: Rules, { keys }: Place): boolean {
  return (
    Object.is(got, want) ||
    got === want ||
    Math.abs(got - want) <= (typeof tolerance === 'number' ? tolerance : byKey(tolerance, keys))
  );
}

/** The longest dotted path that covers the place wins: it covers everything below its key. */
function byKey(tolerance: Readonly<Record<string, number>>, keys: readonly string[]): number {
  for (let end = keys.length; end > 0; end--)
    for (let start = 0; start < end; start++) {
      const found = tolerance[keys.slice(start, end).join('.')];
      if (found !== undefined) return found;
    }
  return tolerance['*'] ?? 1e-9;
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const say = (got: unknown, want: unknown, { path }: Place) => `${path}: got ${short(got)}, expected ${short(want)}`;

function short(value: unknown): string {
  const said =
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint'
        ? String(inner)
        : typeof inner === 'number' && !Number.isFinite(inner)
          ? String(inner)
          : inner,
    ) ?? 'undefined';
  return said.length > 300 ? `${said.slice(0, 300)}…` : said;
}

function first<T>(items: readonly T[], check: (item: T, n: number) => string | undefined): string | undefined {
  for (const [n, item] of items.entries()) {
    const wrong = check(item, n);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

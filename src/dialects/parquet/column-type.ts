import { isObject, type JsonObject } from '../../core/json-object.ts';

/**
 * What a column holds. `messages` are turns as trainers read them; their arguments are text, or objects as JSON text. What
 * has no type of its own is JSON text, for every value of the column.
 */
export type ColumnType =
  | { readonly kind: 'text' | 'int' | 'float' | 'flag' | 'json' }
  | { readonly kind: 'list'; readonly of: 'int' | 'float' | 'text' }
  | { readonly kind: 'messages'; readonly fields: readonly string[]; readonly args: 'text' | 'json' };

/** What one value says of its column. `empty` fits any list; `whole` is an integer that a double would not hold. */
type Seen =
  | { readonly kind: 'text' | 'int' | 'whole' | 'float' | 'flag' | 'json' | 'empty' }
  | { readonly kind: 'list'; readonly of: 'int' | 'float' | 'text' }
  | { readonly kind: 'messages'; readonly fields: readonly string[]; readonly args: 'text' | 'json' | 'none' };

/** Learn the types of the columns of a table row by row. Null and absent say nothing. Memory: one record a column. */
export function columnTypes() {
  const found = new Map<string, Seen>();
  return {
    add(row: JsonObject): void {
      for (const [key, value] of Object.entries(row)) {
        if (value === null || value === undefined) continue;
        const known = found.get(key);
        const seen = seenIn(value);
        found.set(key, known ? joined(known, seen) : seen);
      }
    },
    end: (): ReadonlyMap<string, ColumnType> => new Map([...found].map(([key, seen]) => [key, settled(seen)])),
  };
}

const json = { kind: 'json' } as const;

function settled(seen: Seen): ColumnType {
  if (seen.kind === 'whole') return { kind: 'int' };
  if (seen.kind === 'empty') return json;
  if (seen.kind !== 'messages') return seen as ColumnType; // the two kinds it may not have went above
  return { ...seen, args: seen.args === 'json' ? 'json' : 'text' };
}

function joined(left: Seen, right: Seen): Seen {
  if (left.kind === 'empty') return isList(right) ? right : json;
  if (right.kind === 'empty') return isList(left) ? left : json;
  if (left.kind === 'messages' && right.kind === 'messages') return joinedMessages(left, right);
  if (left.kind === 'list' && right.kind === 'list') return joinedLists(left, right);
  if (left.kind === right.kind) return left;
  const kinds = [left.kind, right.kind].sort().join();
  if (kinds === 'float,int') return { kind: 'float' };
  return kinds === 'int,whole' ? { kind: 'whole' } : json;
}

type List = Extract<Seen, { kind: 'list' }>;

function joinedLists(left: List, right: List): Seen {
  if (left.of === right.of) return left;
  return left.of === 'text' || right.of === 'text' ? json : { kind: 'list', of: 'float' };
}

type Messages = Extract<Seen, { kind: 'messages' }>;

function joinedMessages(left: Messages, right: Messages): Seen {
  const args = left.args === 'none' ? right.args : left.args;
  if (right.args !== 'none' && right.args !== args) return json;
  return { kind: 'messages', fields: inOrder(new Set([...left.fields, ...right.fields])), args };
}

const isList = ({ kind }: Seen) => kind === 'list' || kind === 'messages' || kind === 'empty';

function seenIn(value: unknown): Seen {
  if (typeof value === 'string') return isWhole(value) ? { kind: 'text' } : json;
  if (typeof value === 'boolean') return { kind: 'flag' };
  if (typeof value === 'number') return { kind: numberKind(value) };
  if (typeof value === 'bigint') return fitsInt64(value) ? { kind: 'whole' } : json;
  return Array.isArray(value) ? seenInList(value) : json;
}

function seenInList(list: readonly unknown[]): Seen {
  if (list.length === 0) return { kind: 'empty' };
  if (list.every((one) => typeof one === 'number'))
    return { kind: 'list', of: list.every((one) => numberKind(one) === 'int') ? 'int' : 'float' };
  if (list.every((one) => typeof one === 'string' && isWhole(one))) return { kind: 'list', of: 'text' };
  return messagesIn(list) ?? json;
}

/** What a turn may have for a list to be one of messages. */
const turnTexts: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_call_id']);
const inOrder = (fields: ReadonlySet<string>) => [...turnTexts, 'tool_calls'].filter((field) => fields.has(field));

function messagesIn(list: readonly unknown[]): Seen | undefined {
  const fields = new Set<string>();
  const args = new Set<'text' | 'json'>();
  const isTurn = (turn: unknown): boolean =>
    isObject(turn) &&
    typeof turn['role'] === 'string' &&
    Object.entries(turn).every(([key, value]) => {
      fields.add(key);
      return turnTexts.has(key) ? isText(value) : key === 'tool_calls' && areCalls(value, args);
    });
  if (!list.every(isTurn) || args.size > 1) return undefined;
  return { kind: 'messages', fields: inOrder(fields), args: [...args][0] ?? 'none' };
}

function areCalls(value: unknown, args: Set<'text' | 'json'>): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((call) => {
    if (!isObject(call) || !hasOnly(call, ['id', 'type', 'function'])) return false;
    const { id, type, function: called } = call;
    if (!isText(id) || !isText(type) || !isObject(called) || !hasOnly(called, ['name', 'arguments'])) return false;
    const given = called['arguments'];
    args.add(typeof given === 'string' ? 'text' : 'json');
    return isText(called['name']) && (isText(given) || isObject(given));
  });
}

const hasOnly = (value: JsonObject, keys: readonly string[]) =>
  Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
const isText = (value: unknown) => typeof value === 'string' && isWhole(value);

/** Half of a surrogate pair has no UTF-8; JSON writes it as an escape. */
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);
const numberKind = (value: number) => (Number.isSafeInteger(value) ? 'int' : 'float');
const fitsInt64 = (value: bigint) => BigInt.asIntN(64, value) === value;

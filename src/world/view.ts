import { canonicalJson } from '../core/canonical-json.ts';
import { idOf } from '../core/ids.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { type Entity, entityOf, type Memory, remember } from './memory.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { isFinding, recordOf, shownKeys } from './record.ts';
import { primaryOf, referencesOf } from './reference.ts';
import type { Prepared, Setup } from './setup.ts';
import { standingOf } from './state.ts';

/** An answer and what the world remembers after it. */
export interface Played {
  readonly memory: Memory;
  readonly result: JsonObject;
}

/** Name the thing a call is about: what it refers to, else the call itself. */
export function keyOf({ tool, noun }: Prepared, args: JsonObject): string {
  const primary = primaryOf(referencesOf(args), noun);
  return primary ? String(primary.value) : `${noun} ${idOf([tool.name, args], 12)}`;
}

/** Find the entity of a key, or the one the world makes up for it. */
export function metEntity(memory: Memory, key: string, noun: string): Entity {
  return entityOf(memory, key) ?? { key, noun, given: {}, shown: {}, isCreated: false, version: 0 };
}

/** Every field of an entity: made up, then as shown before, then as given by calls. */
export function fieldsOf(setup: Setup, entity: Entity): JsonObject {
  const { seed, statuses, worldState } = setup;
  const { key, noun, given, shown, version } = entity;
  const made = recordOf(key, { seed, noun, statuses, standing: standingOf(worldState) });
  const moved = version === 0 ? {} : { updated_at: later(String(shown['updated_at'] ?? made['updated_at']), version) };
  return { ...made, ...shown, ...moved, ...given };
}

function later(time: string, days: number): string {
  const moved = Date.parse(time) + days * 86_400_000;
  return Number.isNaN(moved) ? time : new Date(moved).toISOString().replace('.000Z', 'Z');
}

/** Choose and fill the fields of one record as a tool shows it. */
export function viewOf(
  setup: Setup,
  entity: Entity,
  { toolName, args, isRead }: { readonly toolName: string; readonly args: JsonObject; readonly isRead: boolean },
): JsonObject {
  const fields = fieldsOf(setup, entity);
  const { given, shown, isCreated } = entity;
  const made = isCreated ? ['id', 'status', 'updated_at', 'ref'] : shownKeys(toolName, Object.keys(args));
  const asked = Object.keys(args).filter((key) => Object.hasOwn(fields, key));
  const keys = [...new Set([...made, ...Object.keys(shown), ...Object.keys(given), ...(isCreated ? [] : asked)])];
  const data = Object.fromEntries(keys.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]]));
  return { ...data, ...echo(args, data, { given, isRead }) };
}

const locators = /^(name|title|description|summary|subject|date)$/;

/** What a call names comes back: locators always, other words where the record has none; findings never in a read. */
function echo(
  args: JsonObject,
  data: JsonObject,
  { given, isRead }: { readonly given: JsonObject; readonly isRead: boolean },
): JsonObject {
  const kept = Object.entries(args).filter(([key, value]) => {
    if (value === null || value === '' || (isObject(value) && isRead) || Object.hasOwn(given, key)) return false;
    if (isReferenceKey(key) || locators.test(nameWords(key).join('_'))) return true;
    return !Object.hasOwn(data, key) && !(isRead && isFinding(key));
  });
  return Object.fromEntries(kept);
}

/** Remember what was shown of a record; words that only this call used are not the record's. */
export function keep(memory: Memory, entity: Entity, data: JsonObject): Memory {
  const own = Object.entries(data).filter(([key]) => !Object.hasOwn(entity.given, key) && isRecordKey(key));
  const shown = { ...entity.shown, ...Object.fromEntries(own) };
  const isSame = memory.entities.has(entity.key) && canonicalJson(shown) === canonicalJson(entity.shown);
  return isSame ? memory : remember(memory, { ...entity, shown }, [entity.key, String(data['id'] ?? entity.key)]);
}

const recordKeys = new Set([
  'id',
  'name',
  'status',
  'updated_at',
  'quantity',
  'amount',
  'currency',
  'date',
  'owner',
  'ref',
]);
const isRecordKey = (key: string) => recordKeys.has(key) || isReferenceKey(key);

import { isObject, type JsonObject } from '../core/json-object.ts';
import { ciPayload, filePayload, filesPayload, gitPayload, grepPayload, pathOf, shellPayload } from './code-payload.ts';
import { familyKeys } from './family.ts';
import { generateValue } from './generate.ts';
import { listingPayload } from './listing.ts';
import { type Entity, entityOf, type Memory, mention, remember } from './memory.ts';
import { isFinding } from './record.ts';
import { primaryOf, referencesOf } from './reference.ts';
import type { Prepared, Setup } from './setup.ts';
import { fillShape } from './shape.ts';
import { without } from './value.ts';
import { fieldsOf, keep, keyOf, metEntity, type Played, viewOf } from './view.ts';

/** Answer with what the world knows: the family of the tool gives the keys, the entity the values. */
export function payload(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { family, tool } = prepared;
  const key = keyOf(prepared, args);
  const shape = shapeFor(setup, prepared);
  if (shape !== undefined || tool.output_schema) return shaped(setup, memory, prepared, args, { key, shape });
  switch (family) {
    case 'listing':
      return listingPayload(setup, memory, prepared, args);
    case 'money':
      return money(setup, memory, prepared, args);
    case 'record':
      return record(setup, memory, prepared, args);
    default:
      return { memory, result: { status: 'ok', data: codePayload(setup, memory, prepared, args) } };
  }
}

function codePayload({ seed }: Setup, memory: Memory, { family, tool }: Prepared, args: JsonObject): JsonObject {
  const parts = [seed, tool.name, args];
  switch (family) {
    case 'shell':
      return shellPayload(args, ...parts);
    case 'grep':
      return grepPayload(args, ...parts);
    case 'files':
      return filesPayload(args, ...parts);
    case 'git':
      return gitPayload(tool.name, args, ...parts);
    case 'ci':
      return ciPayload(...parts);
    default:
      return filePayload(args, entityOf(memory, pathOf(args))?.given['content'], seed, 'file', pathOf(args));
  }
}

/** The example result of a tool: given, or its own `returns`; one that does not fit a code family is left aside. */
function shapeFor({ resultShapes }: Setup, { tool, family }: Prepared): unknown {
  const shape = Object.hasOwn(resultShapes, tool.name) ? resultShapes[tool.name] : undefined;
  const keys = familyKeys[family];
  if (shape === undefined || shape === null) return undefined;
  return keys && !(isObject(shape) && keys.some((key) => Object.hasOwn(shape, key))) ? undefined : shape;
}

function shaped(
  setup: Setup,
  memory: Memory,
  prepared: Prepared,
  args: JsonObject,
  { key, shape }: { readonly key: string; readonly shape: unknown },
): Played {
  const { tool, noun, verb } = prepared;
  const entity = metEntity(memory, key, noun);
  const echoed = verb === 'read' ? locatorsAnd(args) : args;
  const known = { ...fieldsOf(setup, entity), ...echoed, ...entity.given };
  const parts = [setup.seed, tool.name, key];
  const data =
    shape === undefined
      ? generateValue(tool.output_schema ?? {}, { parts, known })
      : overlaid(fillShape(shape, echoed, ...parts), entity);
  return { memory: noted(memory, data, entity), result: { status: 'ok', data } };
}

/** What a call names may come back in a read, but for findings: those are the world's. */
const locatorsAnd = (args: JsonObject): JsonObject => without(args, Object.keys(args).filter(isFinding));

/** Fields shown before stay, and what a call gave the entity is there. */
function overlaid(data: unknown, entity: Entity): unknown {
  if (!isObject(data)) return data;
  const before = Object.entries(entity.shown).filter(([key, value]) => Object.hasOwn(data, key) && !isObject(value));
  return { ...data, ...Object.fromEntries(before), ...entity.given };
}

/** Remember what a shaped answer showed: the thing itself, and the things in its lists by their ids. */
function noted(memory: Memory, data: unknown, entity: Entity): Memory {
  if (!isObject(data)) return memory;
  let next = remember(memory, { ...entity, shown: { ...entity.shown, ...without(data, Object.keys(entity.given)) } });
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  for (const item of lists.flat())
    if (isObject(item)) {
      const primary = primaryOf(referencesOf(item), entity.noun);
      const key = primary && String(primary.value);
      if (key !== undefined && !next.entities.has(key))
        next = remember(next, { ...metEntity(next, key, entity.noun), shown: item });
    }
  return mention(
    next,
    referencesOf(data).map(({ value }) => String(value)),
  );
}

/** Show a record: the fields the tool shows, what the call named of it, and what other calls gave it. */
function record(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { entity, data } = view(setup, memory, prepared, args);
  return { memory: keep(memory, entity, data), result: { status: 'ok', data } };
}

/** Money stands on the result itself, beside what the call named. */
function money(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { entity, data } = view(setup, memory, prepared, args);
  const { amount, currency } = { ...fieldsOf(setup, entity), ...data };
  const named = Object.entries(data).filter(([key]) => Object.hasOwn(args, key) || Object.hasOwn(entity.given, key));
  const rest = without(Object.fromEntries(named), ['status']);
  return { memory: keep(memory, entity, data), result: { status: 'ok', amount, currency, ...rest } };
}

function view(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject) {
  const { tool, noun, verb } = prepared;
  const entity = metEntity(memory, keyOf(prepared, args), noun);
  return { entity, data: viewOf(setup, entity, { toolName: tool.name, args, isRead: verb === 'read' }) };
}

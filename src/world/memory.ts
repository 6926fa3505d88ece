import type { JsonObject } from '../core/json-object.ts';

/** A thing of the world, as far as this rollout has seen it. */
export interface Entity {
  /** What its generated fields are drawn from: its id. */
  readonly key: string;
  readonly noun: string;
  /** Fields that a call gave it; they win over what the world makes up. */
  readonly given: JsonObject;
  /** Fields that the world has shown; they stay as they were shown. */
  readonly shown: JsonObject;
  readonly isCreated: boolean;
  /** Grows by one with every update. */
  readonly version: number;
  /** The action that last ended it (`cancelled`), and with what arguments. */
  readonly acted?: { readonly status: string; readonly call: string };
}

/** All that a world remembers: read-only, a call gives the next one. Memory and the cost of a change: the entities met. */
export interface Memory {
  readonly entities: ReadonlyMap<string, Entity>;
  /** Every name an entity goes by, to its key. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Values that a create named without being that entity: they exist. */
  readonly mentioned: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** Calls so far of each tool that failed by a scheduled fault. */
  readonly failed: ReadonlyMap<string, number>;
  /** Ids issued so far. */
  readonly issued: number;
}

export const emptyMemory: Memory = {
  entities: new Map(),
  aliases: new Map(),
  mentioned: new Set(),
  deleted: new Set(),
  failed: new Map(),
  issued: 0,
};

/** Find what goes by a name in this rollout; a deleted one is still found. */
export function entityOf(memory: Memory, name: string): Entity | undefined {
  return memory.entities.get(memory.aliases.get(name) ?? name);
}

/** Remember an entity under its key and further names. */
export function remember(memory: Memory, entity: Entity, names: readonly string[] = []): Memory {
  const entities = new Map(memory.entities).set(entity.key, entity);
  if (names.length === 0) return { ...memory, entities };
  const aliases = new Map(memory.aliases);
  for (const name of names) aliases.set(name, entity.key);
  return { ...memory, entities, aliases, deleted: minus(memory.deleted, names) };
}

/** Forget values: whatever refers to them is not found from now on. */
export function forget(memory: Memory, names: readonly string[]): Memory {
  const all = names.flatMap((name) => {
    const key = memory.aliases.get(name);
    return key === undefined ? [name] : [name, key, ...namesOf(memory, key)];
  });
  return { ...memory, deleted: new Set([...memory.deleted, ...all]) };
}

/** Note values that a call made real without naming what they are. */
export const mention = (memory: Memory, names: readonly string[]): Memory =>
  names.length === 0
    ? memory
    : { ...memory, mentioned: new Set([...memory.mentioned, ...names]), deleted: minus(memory.deleted, names) };

/** Count one more call of a tool that a fault answered. */
export const countFailure = (memory: Memory, tool: string): Memory => ({
  ...memory,
  failed: new Map(memory.failed).set(tool, (memory.failed.get(tool) ?? 0) + 1),
});

const namesOf = ({ aliases }: Memory, key: string) => [...aliases].filter(([, to]) => to === key).map(([name]) => name);
const minus = (set: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> =>
  names.some((name) => set.has(name)) ? new Set([...set].filter((name) => !names.includes(name))) : set;

import { draws } from '../core/draws.ts';
import type { JsonObject } from '../core/json-object.ts';
import { type Entity, entityOf, type Memory, remember } from './memory.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { between } from './record.ts';
import type { Prepared, Setup } from './setup.ts';
import { without } from './value.ts';
import { type Played, viewOf } from './view.ts';

/** Words that steer a search and are no field of what it finds. */
const steering =
  /^(query|q|search|keywords?|term|text|limit|max_.*|min_.*|page.*|offset|cursor|sort.*|order_by|status|state)$/;
const queryWords = /^(query|q|search|keywords?|term|text|name|title)$/;
/** Things looked at for each hit when a status is asked for. */
const triesPerHit = 8;

/**
 * List one to `maxHits` records: those this rollout made or changed first, then made-up ones; each is remembered, so a
 * later read of its id shows the same fields. A status that is asked for holds for every hit.
 */
export function listingPayload(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const query = queryOf(args);
  const next = draws(setup.seed, 'listing', prepared.noun, args).next;
  const isDouble = setup.worldState === 'duplicate';
  const wanted = Math.max(between(1, setup.maxHits, next()), isDouble ? 2 : 1);
  const mine = ownHits(memory, prepared, args, query).slice(-setup.maxHits);
  const status = args['status'] ?? args['state'];
  const items: JsonObject[] = [];
  let known = memory;
  const show = (entity: Entity): void => {
    const data = viewOf(setup, entity, { toolName: prepared.tool.name, args: shared(args), isRead: true });
    if (typeof status === 'string' && status !== '' && data['status'] !== status) return;
    known = remember(known, { ...entity, shown: without(data, Object.keys(entity.given)) }, [entity.key]);
    items.push(data);
  };
  for (const entity of mine) show(entity);
  for (let tries = 0; items.length < wanted && tries < wanted * triesPerHit; tries++) {
    const entity = foundEntity(prepared.noun, between(1000, 89_999, next()), isDouble ? query : '');
    if (!known.entities.has(entity.key) && !known.deleted.has(entity.key)) show(entity);
  }
  return { memory: known, result: { status: 'ok', data: { query, count: items.length, items } } };
}

/** A thing a search finds; in a world of duplicates all of them answer to the name asked for. */
function foundEntity(noun: string, id: number, name: string): Entity {
  const shown = { id, ...(name === '' ? {} : { name }) };
  return { key: String(id), noun, given: {}, shown, isCreated: false, version: 0 };
}

/** What this rollout made or changed, and what the query names, if it is there to be found. */
function ownHits(memory: Memory, { noun }: Prepared, args: JsonObject, query: string): readonly Entity[] {
  const asked = query === '' ? undefined : entityOf(memory, query);
  const references = Object.entries(args).filter(([key]) => isReferenceKey(key) && !queryWords.test(key));
  const touched = [...memory.entities.values()].filter(
    (one) =>
      one.noun === noun &&
      (one.isCreated || one.version > 0) &&
      references.every(([key, value]) => !Object.hasOwn(one.given, key) || String(one.given[key]) === String(value)) &&
      (query === '' || JSON.stringify(Object.values(one.given), digits).toLowerCase().includes(query.toLowerCase())),
  );
  return [...new Set([...(asked ? [asked] : []), ...touched])].filter(({ key }) => !memory.deleted.has(key));
}

const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function queryOf(args: JsonObject): string {
  const key = Object.keys(args).find(
    (one) => queryWords.test(nameWords(one).join('_')) && typeof args[one] === 'string',
  );
  return key === undefined ? '' : String(args[key]);
}

/** What every hit has in common with the call. */
const shared = (args: JsonObject): JsonObject =>
  without(
    args,
    Object.keys(args).filter((key) => steering.test(nameWords(key).join('_')) || key === 'id'),
  );

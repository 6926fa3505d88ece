import { draws } from '../core/draws.ts';
import type { JsonObject } from '../core/json-object.ts';
import { nameWords } from './names.ts';

const adjectives = [
  'amber',
  'brisk',
  'calm',
  'coastal',
  'copper',
  'crisp',
  'dawn',
  'deep',
  'early',
  'eastern',
  'fern',
  'granite',
  'hazel',
  'indigo',
  'ivory',
  'lunar',
  'maple',
  'northern',
  'olive',
  'quiet',
  'rapid',
  'scarlet',
  'silver',
  'violet',
] as const;
const people = [
  'Amara Okafor',
  'Bela Novak',
  'Chen Wei',
  'Dalia Haddad',
  'Elif Kaya',
  'Femi Adeyemi',
  'Greta Lund',
  'Hugo Marin',
  'Ines Costa',
  'Jonas Weber',
  'Kavya Rao',
  'Liam Byrne',
  'Mina Park',
  'Noor Rahman',
  'Oskar Nilsen',
  'Paula Reyes',
] as const;
/** Where things stand when no tool of the world says which words it has. */
export const usualStatuses = ['open', 'active', 'pending', 'confirmed', 'on_hold', 'completed'] as const;
const finalStatuses = ['completed', 'closed', 'cancelled', 'processed'] as const;
const betweenStatuses = ['in_progress', 'partially_completed', 'awaiting_confirmation', 'half_processed'] as const;
const currencies = ['USD', 'EUR', 'GBP'] as const;

/** What a world state does to the status of every record. */
export type Standing = 'free' | 'final' | 'between';

/** Fields whose values are the world's findings: naming one in a read does not make it true. */
const findings =
  /^(status|state|owner|assignee|quantity|count|stock|available|amount|price|cost|total|fee|balance|currency|updated_at|created_at|ref|approved|paid|valid|verified|eligible|success|ok|is_.+|has_.+)$/;
export const isFinding = (key: string): boolean => findings.test(nameWords(key).join('_'));

/** Pick the element of a list that a number in [0, 1) stands for. */
export const pick = <T>(list: readonly T[], number: number): T => list[Math.floor(number * list.length)] as T;
/** The integer in [low, high] that a number in [0, 1) stands for. */
export const between = (low: number, high: number, number: number): number =>
  low + Math.floor(number * (high - low + 1));
export const personOf = (number: number): string => pick(people, number);

/** The day that a number in [0, 1) stands for, in the years 2025 and 2026. */
export function dayOf(number: number): string {
  const start = Date.UTC(2025, 0, 1);
  return new Date(start + Math.floor(number * 729) * 86_400_000).toISOString().slice(0, 10);
}

interface Making {
  readonly seed: number;
  readonly noun: string;
  readonly statuses: readonly string[];
  readonly standing: Standing;
}

/** Make all fields an entity can have. They depend on the seed and its key alone, so every tool sees the same thing. */
export function recordOf(key: string, { seed, noun, statuses, standing }: Making): JsonObject {
  const next = draws(seed, 'record', key).next;
  const status = { free: statuses, final: finalStatuses, between: betweenStatuses }[standing];
  return {
    id: between(1000, 89_999, next()),
    name: `${pick(adjectives, next())} ${noun}`,
    status: pick(status, next()),
    updated_at: `${dayOf(next())}T${String(between(7, 19, next())).padStart(2, '0')}:00:00Z`,
    quantity: between(0, 240, next()),
    amount: between(500, 90_000, next()) / 100,
    currency: pick(currencies, next()),
    date: dayOf(next()),
    owner: personOf(next()),
    ref: Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  };
}

const stems = (list: string) => new RegExp(`(^|_)(${list})`);
const counting = stems('inventor|stock|quantit|count(_|$)|availab|unit|seat|room');
const costing = stems('price|cost|fee|total|charg|refund|pay|bill|invoice|balance|estimate');
const dating = stems('date(_|$)|dates|schedul|appointment|booking|deliver|ship|due|slot');
const personal = stems('user|customer|person|people|employee|member|contact|owner|agent|guest|ticket|issue|task');

/** Choose the fields that a tool shows of a record, from the words of its name and its arguments. */
export function shownKeys(toolName: string, argumentNames: readonly string[]): readonly string[] {
  const name = nameWords(toolName).join('_');
  const counts = counting.test(name) || argumentNames.some((key) => counting.test(nameWords(key).join('_')));
  const costs = costing.test(name);
  return [
    ...['id', 'name', 'status', 'updated_at'],
    ...(counts ? ['quantity'] : []),
    ...(costs ? ['amount', 'currency'] : []),
    ...(dating.test(name) ? ['date'] : []),
    ...(personal.test(name) || !(counts || costs) ? ['owner'] : []),
    'ref',
  ];
}

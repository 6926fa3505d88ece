import { charactersIn } from '../../core/characters-in.ts';
import { isLog, type OtlpRecord } from './decoded-log.ts';
import type { DecodedSpan } from './decoded-span.ts';

/** Tell whether an attribute, the body or the name of a record has more than `limit` characters. */
export function isOversized(record: OtlpRecord, limit: number): boolean {
  if (isLog(record)) return charactersIn(record.body) > limit || hasLarge(record.attributes, limit);
  return (
    record.name.length > limit ||
    hasLarge(record.attributes, limit) ||
    hasLarge(record.resource.attributes, limit) ||
    record.events.some(({ name, attributes }) => name.length > limit || hasLarge(attributes, limit)) ||
    record.links.some((link) => charactersIn(link) > limit)
  );
}

function hasLarge(attributes: DecodedSpan['attributes'], limit: number): boolean {
  for (const key in attributes) if (key.length + charactersIn(attributes[key]) > limit) return true;
  return false;
}

const kept = 200;

/**
 * What a dead letter keeps of a value. Of a long text, a key among them, its length alone: the beginning may end within a
 * secret, which nobody would know as one any more.
 */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') return brief(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, kept).map(shortened);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, kept)
      .map(([key, inner], n) => [key.length > kept ? `${brief(key)} #${n}` : key, shortened(inner)]),
  );
}

const brief = (text: string) => (text.length > kept ? `(${text.length} characters)` : text);

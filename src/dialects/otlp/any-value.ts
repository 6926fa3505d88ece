import { bareObject, fieldsOf, isObject, type JsonObject, listOf, written } from '../fields.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/**
 * Decode an OTLP AnyValue in either spelling of its field names. Integers outside the exact range of a number become
 * their decimal text, every digit kept; bytes stay base64 text; an object has no prototype, so any key is data; an empty
 * value is null. A plain value, as flat spans carry them, comes back as it is.
 *
 * @source OpenTelemetry Protocol 1.11, common.proto and its JSON mapping
 */
export function anyValue(value: unknown): unknown {
  if (!isObject(value)) return typeof value === 'bigint' ? exact(value) : (value ?? null);
  for (const [name, read] of variants) {
    const inner = value[name];
    if (inner !== undefined && inner !== null) return read(inner);
  }
  return null;
}

const variants: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['stringValue', written],
  ['string_value', written],
  ['boolValue', (value) => value === true || value === 'true'],
  ['bool_value', (value) => value === true || value === 'true'],
  ['intValue', integer],
  ['int_value', integer],
  ['doubleValue', double],
  ['double_value', double],
  ['arrayValue', array],
  ['array_value', array],
  ['kvlistValue', object],
  ['kvlist_value', object],
  ['bytesValue', written],
  ['bytes_value', written],
];

function integer(value: unknown): unknown {
  if (typeof value === 'number') return value; // one that was written with an exponent, or fits
  const text = written(value);
  return /^-?\d{1,400}$/.test(text) ? exact(BigInt(text)) : double(text); // longer ones are beyond any double
}

function exact(value: bigint): unknown {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return value > int64Max || value < int64Min ? number : String(value); // beyond int64 it was a double all along
}

function double(value: unknown): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const text = written(value);
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return Number(text);
  return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}

function array(value: unknown): unknown[] {
  return listOf(fieldsOf(value)['values'] ?? value).map(anyValue);
}

function object(value: unknown): JsonObject {
  return attributesOf(fieldsOf(value)['values'] ?? value);
}

/** Read attributes from their key-value list, or from an object of plain values. Of a repeated key the last wins. */
export function attributesOf(value: unknown): JsonObject {
  const attributes = bareObject();
  if (isObject(value)) for (const [key, inner] of Object.entries(value)) attributes[key] = plain(inner);
  for (const entry of listOf(value)) {
    if (!isObject(entry) || typeof entry['key'] !== 'string') continue;
    attributes[entry['key']] = anyValue(fieldsOf(entry['value']));
  }
  return attributes;
}

const plain = (value: unknown) => (typeof value === 'bigint' ? exact(value) : value);

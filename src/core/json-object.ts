/** An object read from JSON: any keys, nothing known of their values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tell whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

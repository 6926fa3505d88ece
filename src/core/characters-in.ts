/**
 * Tell the characters of text that a value holds, keys included.
 *
 * @param perValue - what each value counts besides its text, for who wants about as much as its JSON has
 */
export function charactersIn(value: unknown, perValue = 0): number {
  if (typeof value === 'string') return value.length + perValue;
  if (typeof value !== 'object' || value === null) return perValue;
  let sum = perValue;
  if (Array.isArray(value)) for (const inner of value) sum += charactersIn(inner, perValue);
  else
    for (const key in value)
      sum += key.length + charactersIn((value as Readonly<Record<string, unknown>>)[key], perValue);
  return sum;
}

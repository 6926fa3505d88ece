const maxTexts = 10_000;
const maxLength = 128;

/**
 * Remember what a function says of texts that come again and again, such as names of fields. Memory: 10,000 texts of up to
 * 128 characters; of others it is asked each time.
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const said = answer(text);
    if (known.size < maxTexts && text.length <= maxLength) known.set(text, said);
    return said;
  };
}

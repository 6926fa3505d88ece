const slots = 4096;
const maxLength = 48;
const known: string[] = new Array<string>(slots).fill('');

/**
 * Read UTF-8 text of which much comes again. A short text that was read lately is the same string as then: it is neither
 * made nor hashed again. Memory: 4096 short texts.
 */
export function recurring(bytes: Buffer, from: number, length: number): string {
  if (length > maxLength || length === 0) return bytes.toString('utf8', from, from + length);
  const slot = slotOf(bytes, from, length);
  const last = known[slot] as string; // a slot is below the number of them
  if (isAt(bytes, from, length, last)) return last;
  const text = bytes.toString('utf8', from, from + length);
  known[slot] = text;
  return text;
}

/** Ids differ at their end, names in their length and at their end. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  let hash = length;
  for (let at = from + Math.max(0, length - 8); at < from + length; at++) hash = (hash * 31 + (bytes[at] ?? 0)) | 0;
  return (hash ^ (hash >>> 12)) & (slots - 1);
}

/** Only text without letters beyond ASCII is as long as its bytes. */
function isAt(bytes: Buffer, from: number, length: number, text: string): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

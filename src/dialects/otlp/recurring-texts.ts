const slots = 4096;
const maxLength = 48;

/** Bytes that were read lately, and the texts they gave. */
class Recent {
  readonly #encoding: 'utf8' | 'hex';
  readonly #texts: string[] = new Array<string>(slots).fill('');
  readonly #bytes = new Uint8Array(slots * maxLength);
  readonly #lengths = new Uint8Array(slots);

  constructor(encoding: 'utf8' | 'hex') {
    this.#encoding = encoding;
  }

  read(bytes: Buffer, from: number, length: number): string {
    if (length > maxLength || length === 0) return bytes.toString(this.#encoding, from, from + length);
    const slot = slotOf(bytes, from, length);
    const start = slot * maxLength;
    // to compare bytes takes half the time of asking the text for its letters
    if (this.#lengths[slot] === length && isAt(bytes, from, length, this.#bytes, start))
      return this.#texts[slot] as string;
    const text = bytes.toString(this.#encoding, from, from + length);
    this.#texts[slot] = text;
    this.#lengths[slot] = length;
    for (let at = 0; at < length; at++) this.#bytes[start + at] = bytes[from + at] as number; // within the bytes
    return text;
  }
}

const texts = new Recent('utf8');
const ids = new Recent('hex');

/**
 * Read UTF-8 text of which much comes again. A short text that was read lately is the same string as then: it is neither
 * made nor hashed again. Memory: 4096 short texts.
 */
export const recurring = (bytes: Buffer, from: number, length: number): string => texts.read(bytes, from, length);

/** Write bytes as hex in the same way: the spans of a trace share its id. */
export const recurringHex = (bytes: Buffer, from: number, length: number): string => ids.read(bytes, from, length);

/** Ids differ at their end, names in their length and at their end. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  let hash = length;
  for (let at = from + Math.max(0, length - 8); at < from + length; at++)
    hash = (hash * 31 + (bytes[at] as number)) | 0;
  return (hash ^ (hash >>> 12)) & (slots - 1);
}

function isAt(bytes: Buffer, from: number, length: number, known: Uint8Array, start: number): boolean {
  for (let at = 0; at < length; at++) if (bytes[from + at] !== known[start + at]) return false;
  return true;
}

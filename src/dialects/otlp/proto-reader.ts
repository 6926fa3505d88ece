import { type BodyLimits, BodyTally, TooMany } from './body-limits.ts';
import { recurring, recurringHex } from './recurring-texts.ts';

/** Objects inside each other that a message may have. @source protobuf's own readers */
const maxDepth = 100;

/** More messages than any bytes hold. */
const unbound = 2 ** 30 - 1;

/** How a field is written. @source protobuf encoding */
export const wire = { varint: 0, fixed64: 1, bytes: 2, group: 3, groupEnd: 4, fixed32: 5 } as const;

/** How a field is written, and where it goes. One written otherwise is unknown. */
export type ProtoField<T> = readonly [kind: number, read: (reader: ProtoReader, target: T) => void];

/** The fields of a message by number. */
export type ProtoFields<T> = Readonly<Record<number, ProtoField<T>>>;

/** The fields of a message that are messages themselves, by number: what has to be looked into to know that it is whole. */
export interface ProtoShape {
  readonly [field: number]: ProtoShape;
}

/**
 * Reads protobuf fields one after the other, straight from the bytes. Every length is bound by the message around it
 * before anything is made of it.
 *
 * @throws RangeError - the bytes end too early, or are no fields
 * @throws TooMany - they hold more than the limits allow
 */
export class ProtoReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #depth = 0;
  /** Messages that were opened, and how many may be: what is made of them takes more memory than they do. */
  #opened = 0;
  readonly #most: number;
  /** Counts what is bound by its own kind; absent for bytes that were gone over before. */
  readonly tally: BodyTally | undefined;
  /** The field that was found last. */
  #field = 0;
  #kind = 0;

  /** Read `bytes`, or what is behind `from` in them. */
  constructor(bytes: Uint8Array, from = 0, limits?: BodyLimits) {
    this.tally = limits && new BodyTally(limits);
    this.#most = limits?.maxValues ?? unbound;
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#end = bytes.byteLength;
  }

  /** Where the reader is in its bytes. */
  get at(): number {
    return this.#at;
  }

  /** Go to the next field of the message; false at its end. */
  #next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.uint32();
    this.#field = tag >>> 3;
    this.#kind = tag & 7;
    if (this.#field === 0) throw new RangeError('a field has no number');
    return true;
  }

  #skip(): void {
    if (this.#kind === wire.varint) this.#varint();
    else if (this.#kind === wire.fixed64) this.#take(8);
    else if (this.#kind === wire.bytes) this.#take(this.uint32());
    else if (this.#kind === wire.fixed32) this.#take(4);
    else if (this.#kind === wire.group) this.#skipGroup();
    else throw new RangeError(`a field of kind ${this.#kind}`);
  }

  /** Read the rest of the message into `target`, each field as its table says; what the table does not know is skipped. */
  fill<T>(fields: ProtoFields<T>, target: T): T {
    while (this.#next()) {
      const known = fields[this.#field];
      if (known !== undefined && known[0] === this.#kind) known[1](this, target);
      else this.#skip();
    }
    return target;
  }

  /** Read the message that the field holds, in the same way. */
  message<T>(fields: ProtoFields<T>, target: T): T {
    const end = this.#open();
    const outer = this.#end;
    this.#end = end;
    this.fill(fields, target);
    this.#end = outer;
    this.#depth--;
    return target;
  }

  /** Go over the message that the field holds, and read nothing of it. It throws where `message` would. */
  check(shape: ProtoShape): void {
    const end = this.#open();
    const outer = this.#end;
    this.#end = end;
    while (this.#next()) {
      const inner = this.#kind === wire.bytes ? shape[this.#field] : undefined;
      if (inner === undefined) this.#skip();
      else this.check(inner);
    }
    this.#end = outer;
    this.#depth--;
  }

  #count(): void {
    if (++this.#opened > this.#most) throw new TooMany(this.#most, 'values');
  }

  /** Where the message ends that the field holds. */
  #open(): number {
    const length = this.uint32();
    const end = this.#at + length;
    if (end > this.#end) throw cut();
    if (++this.#depth > maxDepth) throw new RangeError(`more than ${maxDepth} messages inside each other`);
    this.#count();
    return end;
  }

  /**
   * Read the entry of a map that the field holds, if it is a plain one: a key and a text, or a small number, as most
   * attributes are. False, and nothing is read: it is another.
   */
  plainEntry(into: Record<string, unknown>): boolean {
    const end = this.#findEntry();
    if (end < 0) return false;
    this.#count();
    const bytes = this.#bytes;
    const key = recurring(bytes, this.#key, this.#keyEnd - this.#key);
    if (this.#isText) into[key] = recurring(bytes, this.#value, end - this.#value);
    else {
      this.#at = this.#value;
      into[key] = this.uint32();
    }
    this.#at = end;
    return true;
  }

  /** Go over a plain entry; tells whether its key is one of the words. Undefined, and nothing is read: it is another. */
  plainEntryOf(words: ByteWords): boolean | undefined {
    const end = this.#findEntry();
    if (end < 0) return undefined;
    this.#count();
    this.#at = end;
    return words.has(this.#bytes, this.#key, this.#keyEnd - this.#key);
  }

  /** Where the parts are of the plain entry that was found last. */
  #key = 0;
  #keyEnd = 0;
  #value = 0;
  #isText = false;

  /** Find the parts of a plain entry, straight through: tables of its fields take thrice the time. Gives its end, -1 for another. */
  #findEntry(): number {
    if (this.#depth > maxDepth - 2) return -1; // its two messages would be too deep
    const at = this.#at;
    const length = this.uint32();
    const start = this.#at;
    this.#at = at;
    const end = start + length;
    const bytes = this.#bytes;
    const keyLength = bytes[start + 1] as number; // what is behind the bytes is undefined, which equals nothing here
    if (end > this.#end || bytes[start] !== entryKey || keyLength > 127) return -1;
    this.#key = start + 2;
    this.#keyEnd = this.#key + keyLength;
    const value = bytes[this.#keyEnd] === entryValue ? behindLength(bytes, this.#keyEnd + 1, end) : -1;
    if (value < 0) return -1;
    this.#isText = bytes[value] === textValue;
    this.#value = this.#isText ? behindLength(bytes, value + 1, end) : value + 1;
    if (this.#isText) return this.#value < 0 ? -1 : end;
    return bytes[value] === numberValue && end - value < 6 && isLast(bytes, value + 1, end) ? end : -1;
  }

  text(): string {
    const length = this.uint32();
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  /** A text that is likely to come again: the name of an attribute, of a model, of a tool. */
  word(): string {
    const length = this.uint32();
    const from = this.#take(length);
    return recurring(this.#bytes, from, length);
  }

  encoded(encoding: 'hex' | 'base64'): string {
    const length = this.uint32();
    const from = this.#take(length);
    return this.#bytes.toString(encoding, from, from + length);
  }

  /** Whether a text is one of the words. */
  isOneOf(words: ByteWords): boolean {
    const length = this.uint32();
    const from = this.#take(length);
    return words.has(this.#bytes, from, length);
  }

  /** An id of so many bytes in hex; empty when it has another length, or is all zero. */
  id(size: number): string {
    const length = this.uint32();
    const from = this.#take(length);
    if (length !== size) return '';
    let at = from;
    while (at < from + size && this.#bytes[at] === 0) at++;
    return at === from + size ? '' : recurringHex(this.#bytes, from, size);
  }

  bool(): boolean {
    const low = this.#varint();
    return low !== 0 || this.#high !== 0;
  }

  /** An unsigned number of 32 bits; what is above them is cut, as protobuf does. */
  uint32(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at] ?? 0;
    if (first < 128 && this.#at < this.#end) {
      this.#at++;
      return first;
    }
    return this.#varint();
  }

  /** A signed number of 32 bits, as enums are. */
  int32(): number {
    return this.uint32() | 0;
  }

  /** A signed number of 64 bits; its decimal text where a number would lose digits. */
  int64(): number | string {
    const low = this.#varint();
    const high = this.#high;
    if (high === 0) return low;
    const number = (high | 0) * 2 ** 32 + low;
    return Number.isSafeInteger(number) ? number : String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  /** An unsigned number of 64 bits. */
  fixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  /** The same as a number, which is off by at most one in 2^53. */
  fixed64Near(): number {
    const from = this.#take(8);
    return this.#bytes.readUInt32LE(from + 4) * 2 ** 32 + this.#bytes.readUInt32LE(from);
  }

  fixed32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  #take(length: number): number {
    const from = this.#at;
    if (length > this.#end - from) throw cut();
    this.#at += length;
    return from;
  }

  /** The high half of the number that was read last. */
  #high = 0;

  /** The low half of up to 64 bits. */
  #varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw cut();
      const byte = this.#bytes[this.#at++] as number; // within the bytes: just checked
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) {
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    throw new RangeError('a number of more than ten bytes');
  }

  #skipGroup(): void {
    const group = this.#field;
    if (++this.#depth > maxDepth) throw new RangeError(`more than ${maxDepth} messages inside each other`);
    while (this.#next()) {
      if (this.#kind !== wire.groupEnd) this.#skip();
      else if (this.#field === group) {
        this.#depth--;
        return;
      } else throw new RangeError('a group ends that did not begin');
    }
    throw cut();
  }
}

/** The first bytes of the two parts of an entry, and of a value that is a text or a number. @source common.proto */
const [entryKey, entryValue, textValue, numberValue] = [0x0a, 0x12, 0x0a, 0x18];

/** Where that begins whose length stands at `at`, if it ends at `end`; else -1. A length of more than three bytes is not plain. */
function behindLength(bytes: Buffer, at: number, end: number): number {
  let next = at;
  let length = 0;
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = bytes[next++] as number;
    length |= (byte & 127) << shift;
    if (byte < 128) return next + length === end ? next : -1;
  }
  return -1;
}

/** Whether a number that stands at `at` ends at `end`. */
function isLast(bytes: Buffer, at: number, end: number): boolean {
  let last = at;
  while ((bytes[last] as number) > 127) last++;
  return last + 1 === end;
}

/** Words to be found among bytes. */
export class ByteWords {
  readonly #byLength: Buffer[][] = [];

  constructor(words: readonly string[]) {
    for (const word of words) {
      const bytes = Buffer.from(word);
      const same = this.#byLength[bytes.length] ?? [];
      this.#byLength[bytes.length] = same;
      same.push(bytes);
    }
  }

  has(bytes: Buffer, from: number, length: number): boolean {
    for (const word of this.#byLength[length] ?? noWords) {
      let at = length - 1; // names differ at their end
      while (at >= 0 && word[at] === bytes[from + at]) at--;
      if (at < 0) return true;
    }
    return false;
  }
}
const noWords: readonly Buffer[] = [];

const cut = (): RangeError => new RangeError('the bytes end within a field');

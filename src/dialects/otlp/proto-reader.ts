import { recurring } from './recurring-texts.ts';

/** Objects inside each other that a message may have. @source protobuf's own readers */
const maxDepth = 100;

/** How a field is written. @source protobuf encoding */
export const wire = { varint: 0, fixed64: 1, bytes: 2, group: 3, groupEnd: 4, fixed32: 5 } as const;

/** How a field is written, and where it goes. One written otherwise is unknown. */
export type ProtoField<T> = readonly [kind: number, read: (reader: ProtoReader, target: T) => void];

/** The fields of a message by number. */
export type ProtoFields<T> = Readonly<Record<number, ProtoField<T>>>;

/**
 * Reads protobuf fields one after the other, straight from the bytes. Every length is bound by the message around it
 * before anything is made of it.
 *
 * @throws RangeError - the bytes end too early, or are no fields
 */
export class ProtoReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #depth = 0;
  /** The field that was found last. */
  #field = 0;
  #kind = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    this.#end = bytes.byteLength;
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
    const length = this.uint32();
    const end = this.#at + length;
    if (end > this.#end) throw cut();
    if (++this.#depth > maxDepth) throw new RangeError(`more than ${maxDepth} messages inside each other`);
    const outer = this.#end;
    this.#end = end;
    this.fill(fields, target);
    this.#end = outer;
    this.#depth--;
    return target;
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

  bool(): boolean {
    const [low, high] = this.#varint();
    return low !== 0 || high !== 0;
  }

  /** An unsigned number of 32 bits; what is above them is cut, as protobuf does. */
  uint32(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at] ?? 0;
    if (first < 128 && this.#at < this.#end) {
      this.#at++;
      return first;
    }
    return this.#varint()[0];
  }

  /** A signed number of 32 bits, as enums are. */
  int32(): number {
    return this.uint32() | 0;
  }

  /** A signed number of 64 bits; its decimal text where a number would lose digits. */
  int64(): number | string {
    const [low, high] = this.#varint();
    if (high === 0) return low;
    const number = (high | 0) * 2 ** 32 + low;
    return Number.isSafeInteger(number) ? number : String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  /** An unsigned number of 64 bits as decimal text. */
  fixed64(): string {
    return String(this.#bytes.readBigUInt64LE(this.#take(8)));
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

  /** Low and high half of up to 64 bits. */
  #varint(): readonly [low: number, high: number] {
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
      if (byte < 128) return [low >>> 0, high >>> 0];
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

const cut = (): RangeError => new RangeError('the bytes end within a field');

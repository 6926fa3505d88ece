const newline = 0x0a;

/** One line of a file with its line feed; without its bytes when it has more than may be held. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer | undefined;
  /** How many bytes it might have. */
  readonly max: number;
}

/**
 * Split after line feeds only: a JSON text may hold other line separators of Unicode. Nothing is left out but the bytes of
 * lines that have more than `bound.max`; the bound may be lowered between two lines. Memory: one line.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  bound: { readonly max: number },
): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let size = 0;
  let number = 1;
  const hold = (piece: Buffer) => {
    size += piece.length;
    if (size > bound.max) held = [];
    else held.push(piece);
  };
  const line = (): Line => {
    const bytes = size > bound.max ? undefined : Buffer.concat(held);
    held = [];
    size = 0;
    return { number: number++, bytes, max: bound.max };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      hold(chunk.subarray(from, at + 1));
      yield line();
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (size > 0) yield line();
}

/** The lines of bytes that are all there. */
export function* linesIn(bytes: Buffer): Generator<Line> {
  let from = 0;
  for (let number = 1; from < bytes.length; number++) {
    const at = bytes.indexOf(newline, from);
    const end = at < 0 ? bytes.length : at + 1;
    yield { number, bytes: bytes.subarray(from, end), max: bytes.length };
    from = end;
  }
}

/** Tell a line of white space alone. */
export function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newline) return false;
  return true;
}

const maxPieces = 4096;

/** Bytes that come piece by piece. Memory: the bytes; many small pieces are joined on the way. */
export class Pieces {
  readonly #joined: Buffer[] = [];
  #last: Buffer[] = [];
  size = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    this.#last.push(piece);
    if (this.#last.length < maxPieces) return;
    this.#joined.push(Buffer.concat(this.#last));
    this.#last = [];
  }

  all(): Buffer {
    return Buffer.concat([...this.#joined, ...this.#last]);
  }
}

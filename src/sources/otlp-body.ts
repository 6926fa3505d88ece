/** Why a body was not read. */
export type BodyFault = 'too_large' | 'too_slow' | 'no_room' | 'cut';

interface Reading {
  readonly maxBytes: number;
  readonly maxMs: number;
  /** Asked for each piece before it is kept; false when there is no room for it. */
  readonly take: (bytes: number) => boolean;
}

/**
 * Read the body of a request within its bounds, as it comes: nothing tells its length beforehand. Memory: the body.
 *
 * @returns the bytes, or the word for why they were not read
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, maxMs, take }: Reading,
): Promise<Buffer | BodyFault> {
  if (body === null) return Buffer.alloc(0);
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too_slow'>((resolve) => {
    timer = setTimeout(() => resolve('too_slow'), maxMs);
  });
  const pieces: Uint8Array[] = [];
  let size = 0;
  const read = async (): Promise<Buffer | BodyFault> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > maxBytes) return 'too_large';
      if (!take(next.value.byteLength)) return 'no_room';
      pieces.push(next.value);
    }
    const [only] = pieces;
    return pieces.length === 1 && only
      ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
      : Buffer.concat(pieces);
  };
  try {
    const answer = await Promise.race([read().catch(() => 'cut' as const), late]);
    if (typeof answer === 'string') void reader.cancel().catch(() => {}); // the sender is told in the answer
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

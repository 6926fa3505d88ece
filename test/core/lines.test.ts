import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Line, splitLines } from '../../src/core/lines.ts';

/** Every chunk in the same memory, as a file is read. */
async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(bytes.length + 1);
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    const end = Math.min(bytes.length, at + size);
    bytes.copy(buffer, 0, at, end);
    yield buffer.subarray(0, end - at);
    buffer.fill(0x78);
    at = end;
  }
}
async function linesOf(bytes: Buffer, sizes: readonly number[], maxLineBytes = 1000): Promise<Line[]> {
  const records = splitLines(cut(bytes, sizes), maxLineBytes);
  const lines: Line[] = [];
  for (let next = await records.next(); !next.done; next = await records.next()) lines.push(next.value);
  return lines;
}

it('gives the lines of any bytes, however they are cut into chunks', async () => {
  const byte = fc.constantFrom(10, 10, 13, 0x61, 0xc3, 0xa9, 0xff, 0xef);
  await fc.assert(
    fc.asyncProperty(
      fc.array(byte, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (bytes, sizes) => {
        const whole = Buffer.from(bytes);
        const parts = whole
          .toString('latin1')
          .split('\n')
          .map((part) => part.replace(/\r$/, ''));
        if (parts.at(-1) === '' && !whole.toString('latin1').endsWith('\r')) parts.pop();
        const expected = parts.map((part, n) => {
          const line = Buffer.from(part, 'latin1');
          const text = line.toString('utf8');
          const isClean = Buffer.from(text).equals(line);
          return { number: n + 1, bytes: line.length, text, ...(!isClean && { problem: 'invalid_utf8' }) };
        });
        expect(await linesOf(whole, sizes)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

it('says number and size of a line that is too long, keeps its head, and goes on after it', async () => {
  const bytes = Buffer.from(`short\n${'x'.repeat(5000)}\nend\n${'y'.repeat(5001)}`);
  for (const sizes of [[100_000], [700], [7], [64, 1]])
    expect(await linesOf(bytes, sizes)).toEqual([
      { number: 1, bytes: 5, text: 'short' },
      { number: 2, bytes: 5000, text: expect.stringMatching(/^x{1,1000}$/), problem: 'line_too_long' },
      { number: 3, bytes: 3, text: 'end' },
      { number: 4, bytes: 5001, text: expect.stringMatching(/^y{1,1000}$/), problem: 'line_too_long' },
    ]);
  expect((await linesOf(Buffer.from('abcd\r\nabcde\r\n'), [3], 4)).map(({ problem }) => problem)).toEqual([
    undefined,
    'line_too_long',
  ]);
});

it('skips a mark of byte order at the start of the first line only', async () => {
  const mark = '\uFEFF';
  const lines = await linesOf(Buffer.from(`${mark}a\n${mark}b`), [100]);
  expect(lines.map(({ text }) => text)).toEqual(['a', `${mark}b`]);
});

import type { Io } from '../../src/cli/io.ts';

/** An Io that remembers what was written. */
export function testIo(stop: AbortSignal = new AbortController().signal, typed: readonly string[] = []) {
  const outs: string[] = [];
  const says: string[] = [];
  const io: Io = {
    out: (text) => void outs.push(text),
    say: (line) => void says.push(line),
    async *lines() {
      yield* typed;
    },
    isTerminal: false,
    stop,
  };
  return { io, out: () => outs.join(''), said: () => says.join('\n') };
}

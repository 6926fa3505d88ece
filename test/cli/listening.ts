import { vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from './test-io.ts';

/** A `listen` in this process, once it listens. `end` asks it to stop, and gives its exit code. */
export async function listening(out: string, ...flags: string[]) {
  const stop = new AbortController();
  const { io, said, out: written } = testIo(stop.signal);
  const exit = cli(commands, '0', ['listen', '--out', out, '--port', '0', ...flags], io);
  const url = await vi.waitFor(() => {
    const found = /Listening at (\S+),/.exec(said())?.[1];
    if (found === undefined) throw new Error(said());
    return found;
  });
  const end = async () => {
    stop.abort();
    return exit;
  };
  return { url, said, written, end };
}

/** Send it JSON. */
export const post = (url: string, path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

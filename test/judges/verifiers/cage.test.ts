import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cageEnv, cageFor } from '../../../src/judges/verifiers/code/cage.ts';
import { codeExec } from '../../../src/judges/verifiers/code-exec.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'cage-'));
  writeFileSync(join(home, 'secret'), 'secret');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cage = cageFor({ probe: ['true'], sees: [] }, false);
/** What a shell script prints in the cage. */
function shell(script: string): string {
  const folder = mkdtempSync(join(home, 'folder-'));
  const [command = '', ...args] = cage.wrap(folder, ['sh', '-c', script]);
  const { stdout } = spawnSync(command, args, { cwd: folder, env: cageEnv, encoding: 'utf8' });
  expect(readdirSync(folder)).toEqual([]);
  return stdout;
}
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const canUnshare = isRoot && spawnSync('unshare', ['--pid', '--net', '--mount', '--fork', 'true']).status === 0;

it.runIf(canUnshare)('root that may make namespaces has the whole cage', () => {
  expect([cage.isolation, cage.missing]).toEqual(['sandbox', []]);
});

it('what a platform cannot do is told, and with requireSandbox nothing runs', async () => {
  const bare = cageFor({ probe: ['no-such-program'], sees: [] }, false);
  expect([bare.isolation, bare.missing]).toEqual(['rlimits', ['processes', 'files', 'network']]);
  writeFileSync(join(home, 'unseen'), '#!/bin/sh\n', { mode: 0o755 });
  const part = cageFor({ probe: [join(home, 'unseen')], sees: [] }, false);
  expect(part).toMatchObject({ isolation: 'rlimits', missing: expect.arrayContaining(['files']) });
  const row = { final_text: 'x = 1' };
  const { judge_meta, reward } = await codeExec({ tests: 'assert x == 1', requireSandbox: true }).verify(row);
  expect([judge_meta['isolation'], reward]).toEqual(cage.isolation === 'sandbox' ? ['sandbox', 1] : ['none', null]);
});

describe.runIf(cage.isolation === 'sandbox')('a program that nothing else holds back', () => {
  it('sees no file of the host but libraries, and writes into its folder only', () => {
    expect(shell(`cat ${home}/secret /etc/passwd /etc/shadow; ls /proc /root /home`)).toBe('');
    const written = 'for d in / /usr /usr/bin /etc /dev /box /tmp; do touch $d/x && echo $d; done 2>/dev/null';
    expect(shell(written)).toBe('/box\n/tmp\n');
    expect(shell('for n in $(seq 70); do head -c 1048576 /dev/zero >> big || break; done; wc -c < big')).toMatch(
      /^6[0-9]{7}$/m, // 64 MiB in all
    );
  });
  it('gets no rights back', () => {
    const tries = [
      'mount -o remount,rw,bind /',
      'mount -t proc none /box',
      'unshare -Ur true',
      'chroot / true',
      'umount /usr',
    ];
    expect(shell(`${tries.map((one) => `${one} && echo got`).join('; ')}; echo end`)).toBe('end\n');
  });
  it('has no network', async () => {
    let met = 0;
    const server = createServer((socket) => socket.end(`${++met}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    shell(
      `perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:${port}")'; curl -m 2 http://127.0.0.1:${port}`,
    );
    server.close();
    expect([shell('ls /sys/class/net'), met]).toEqual(['', 0]);
  });
  it('takes every process with it that it left', () => {
    const id = `31${Date.now() % 1e7}`;
    expect(shell(`(setsid sh -c 'sleep ${id} & sleep ${id} &' &) ; sleep ${id} & sleep 0.2; echo end`)).toBe('end\n');
    const lines = readdirSync('/proc').map((pid) => (/^\d+$/.test(pid) ? attempt(pid) : ''));
    expect(lines.filter((line) => line.includes(id))).toEqual([]);
  });
});

function attempt(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

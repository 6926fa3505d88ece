import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeExec } from '../../../src/judges/verifiers/code-exec.ts';

/**
 * Programs that want a reward they did not earn, one a file. What stands after `# --- tests` are the tests it is run with,
 * else those of `add`. A file that says `honest` is to pass.
 */
const programs = join(dirname(fileURLToPath(import.meta.url)), 'red-team');
const languages = {
  py: { language: 'python', tests: 'assert add(1, 2) == 3\nassert add(-1, 1) == 0\nassert add(20, 22) == 42' },
  js: {
    language: 'javascript',
    tests: 'assert.strictEqual(add(1, 2), 3);\nassert.deepStrictEqual([add(-1, 1), add(20, 22)], [0, 42]);',
  },
} as const;

let home = '';
const bins = { py: '', js: '' };
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'red-team-'));
  const real = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim();
  for (const [key, from] of [
    ['py', real],
    ['js', process.execPath],
  ] as const) {
    bins[key] = join(home, 'bin', key); // whatever it starts carries this path in its command line
    mkdirSync(dirname(bins[key]), { recursive: true });
    symlinkSync(from, bins[key]);
  }
  mkdirSync(join(home, 'tmp'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** Command lines of the processes that still run. */
const running = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return []; // it has ended
      }
    });

describe('nobody earns a reward by anything but the right answer, nor leaves a process or a file behind', () => {
  it.each(readdirSync(programs))(
    '%s',
    async (name) => {
      vi.stubEnv('TMPDIR', join(home, 'tmp'));
      const key = name.endsWith('.py') ? 'py' : 'js';
      const { language, tests } = languages[key];
      const [code = '', own = tests] = readFileSync(join(programs, name), 'utf8').split('# --- tests\n');
      const isHonest = name.startsWith('honest');
      const verifier = codeExec({
        language,
        tests: own,
        bin: bins[key],
        timeoutMs: isHonest ? 30_000 : 5000,
        cpuSeconds: 3,
      });
      const verdict = await verifier.verify({ final_text: `\`\`\`python\n${code}\n\`\`\`` });
      expect(verdict).toMatchObject({ reward: isHonest ? 1 : 0 });
      expect(readdirSync(join(home, 'tmp'))).toEqual([]);
      if (process.platform === 'linux') expect(running().filter((line) => line.includes(home))).toEqual([]);
    },
    60_000,
  );
});

it('what was written outside is nowhere', () => {
  for (const folder of ['/', '/var/tmp', tmpdir(), process.cwd()])
    expect(readdirSync(folder).filter((name) => name.startsWith('escaped'))).toEqual([]);
});

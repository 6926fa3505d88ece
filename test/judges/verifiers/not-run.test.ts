import { expect, it } from 'vitest';
import { cageFor } from '../../../src/judges/verifiers/code/cage.ts';
import { runProgram } from '../../../src/judges/verifiers/code/run-program.ts';
import { codeExec } from '../../../src/judges/verifiers/code-exec.ts';

const limits = { timeoutMs: 20_000, cpuSeconds: 5, memMb: 256, maxOutputBytes: 1000, network: false };
const program = { setup: '', candidate: 'x = 1', tests: 'assert x == 1' };
const bare = { isolation: 'rlimits', missing: [] } as const;

it.each([
  ['no process can be made', ['/no/such/program']],
  ['the cage cannot be mounted', ['sh', '-c', 'echo mount failed >&2; exit 32']],
  ['it is killed before it begins', ['sh', '-c', 'kill -9 $$']],
])('an honest solution is not failed when %s', async (_, command) => {
  const outcome = await runProgram({ ...bare, wrap: () => [...command] }, [], program, limits);
  expect(outcome.status).toBe('not_run');
  expect(outcome.stderr === '').toBe(command.join().includes('kill'));
});

it('what the candidate does is still its own: a wrong or unreadable one fails, unreadable tests are no verdict', async () => {
  const row = { final_text: '```python\nx = 1\n```' };
  expect(await codeExec({ tests: 'assert x == 1' }).verify(row)).toMatchObject({ reward: 1 });
  expect(await codeExec({ tests: 'assert x == 2' }).verify(row)).toMatchObject({ reward: 0 });
  const broken = { final_text: '```python\nx = = 1\n```' };
  expect(await codeExec({ tests: 'assert x == 1' }).verify(broken)).toMatchObject({ reward: 0 });
  expect(await codeExec({ tests: 'assert x = 1' }).verify(row)).toMatchObject({ reward: null });
  const js = { final_text: '```js\nconst x = 1\n```' };
  const check = (tests: string) => codeExec({ language: 'javascript', tests }).verify(js);
  expect(await check('assert(x === 1)')).toMatchObject({ reward: 1 });
  expect(await check('assert(x === 2)')).toMatchObject({ reward: 0 });
});

it('a machine that was busy once is asked again for its cage', () => {
  const inmate = { probe: ['no-such-program'], sees: [] };
  const before = cageFor(inmate, true);
  expect(before.missing).toContain('processes');
  expect(cageFor(inmate, true)).not.toBe(before);
  const fine = { probe: ['true'], sees: [] };
  if (cageFor(fine, true).isolation === 'sandbox') expect(cageFor(fine, true)).toBe(cageFor(fine, true));
});

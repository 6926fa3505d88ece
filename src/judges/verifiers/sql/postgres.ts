import { randomBytes } from 'node:crypto';
import { TracemillError } from '../../../core/errors.ts';
import type { SqlJob, SqlOutcome } from './engine.ts';
import type { Cell, Cells } from './same-result.ts';

interface Answer {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly fields: readonly { readonly dataTypeID: number }[];
}
/** What is used of a client of the package `pg`. */
interface Client {
  connect(): Promise<void>;
  query(query: object): Promise<Answer>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}
type Pg = { readonly default: { readonly Client: new (config: object) => Client } };

/**
 * Run both queries in one transaction of a Postgres, which is rolled back. `setup` makes its tables in a schema that nobody
 * else has; then the transaction is read-only. Only a query can be the query of a cursor, and one statement of it; the server
 * stops it at the limit. Give the URL of a role that may read and nothing else: one that may read files of the server is
 * told in `missing`.
 *
 * @throws TM_OPTIONS - the package `pg` is not installed
 */
export async function runPostgres(url: string, job: SqlJob, signal?: AbortSignal): Promise<SqlOutcome> {
  const { Client } = (await load()).default;
  const { timeoutMs } = job;
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs + 1000, // when the server does not keep to its own
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => {}); // the query that it breaks says so
  const stop = (): void => void client.end().catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  const kept = { isolation: 'rlimits', missing: [] as SqlOutcome['missing'] } as const;
  let stage: 'unavailable' | 'broken' | 'failed' = 'unavailable';
  try {
    await client.connect();
    const ask = (text: string) => client.query({ text, rowMode: 'array', queryMode: 'extended' });
    const { rows } = await ask(readsFiles);
    if (rows[0]?.[0] === 't') Object.assign(kept, { missing: ['files'] });
    stage = 'broken';
    await ask('begin');
    await ask(`set local statement_timeout = ${timeoutMs}`);
    if (job.setup.trim() !== '') {
      const schema = `tracemill_${randomBytes(8).toString('hex')}`;
      await client.query({ text: `create schema ${schema}; set local search_path = ${schema}; ${job.setup}` });
    }
    await ask('set transaction read only');
    const gold = await rowsOf(ask, 'gold', job.gold, job.maxRows);
    if (!gold) return { status: 'broken', error: 'too many rows', ...kept };
    stage = 'failed';
    const got = await rowsOf(ask, 'candidate', job.candidate, job.maxRows);
    return got ? { status: 'ran', gold, got, ...kept } : { status: 'too_many', ...kept };
  } catch (error) {
    const { message = '', code } = error as { message?: string; code?: string }; // of the client, or of the server
    const isLate = code === '57014' || message.includes('timeout');
    return { status: stage === 'failed' && isLate ? 'timeout' : stage, error: message, ...kept };
  } finally {
    signal?.removeEventListener('abort', stop);
    await client.end().catch(() => {}); // an open transaction is rolled back with its connection
  }
}

const readsFiles = `select rolsuper or pg_has_role(current_user, 'pg_read_server_files', 'member')
  or pg_has_role(current_user, 'pg_execute_server_program', 'member') from pg_roles where rolname = current_user`;

/** Undefined when there are more than `maxRows`. */
async function rowsOf(
  ask: (text: string) => Promise<Answer>,
  name: string,
  query: string,
  maxRows: number,
): Promise<Cells[] | undefined> {
  await ask(`declare ${name} no scroll cursor for ${query}`);
  const { rows, fields } = await ask(`fetch ${maxRows + 1} from ${name}`);
  if (rows.length > maxRows) return undefined;
  return rows.map((row) => row.map((text, n) => cellOf(text, fields[n]?.dataTypeID)));
}

/** Types whose text is a number: int8, int2, int4, oid, float4, float8, numeric. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
function cellOf(text: string | null, type: number | undefined): Cell {
  if (text === null || type === undefined || !numbers.has(type)) return text;
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

async function load(): Promise<Pg> {
  const name = 'pg'; // not a literal: it is an optional package, loaded on first use
  try {
    return (await import(name)) as Pg;
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', 'SQLExec: a Postgres needs the package pg: npm install pg', { cause });
  }
}

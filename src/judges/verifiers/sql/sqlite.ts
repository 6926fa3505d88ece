import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { isObject } from '../../../core/json-object.ts';
import { type Cage, cageFor } from '../code/cage.ts';
import { runInCage } from '../code/run-program.ts';
import type { SqlJob, SqlOutcome } from './engine.ts';
import type { Cell, Cells } from './same-result.ts';

/** Integers beyond 2^53 and bytes travel as objects of one key. */
const harness = `
const fs = require('node:fs');
const job = JSON.parse(fs.readFileSync(3, 'utf8'));
const Database = require(process.argv[1]);
const say = (what) => { fs.writeSync(4, JSON.stringify(what) + '\\n'); };
const cell = (value) =>
  typeof value === 'bigint' ? (value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : { int: String(value) })
  : typeof value === 'number' && !Number.isFinite(value) ? String(value)
  : ArrayBuffer.isView(value) ? { bytes: Buffer.from(value).toString('hex') } : value;
let stage = 'broken';
try {
  const db = new Database(':memory:');
  db.exec('pragma trusted_schema = off');
  if (job.setup.trim() !== '') db.exec(job.setup);
  db.exec('pragma hard_heap_limit = ' + job.memMb * 1024 * 1024 + '; pragma query_only = on; begin');
  const rowsOf = (sql) => {
    const prepared = db.prepare(sql);
    if (!prepared.reader) throw new Error('it returns no rows');
    prepared.raw(true).safeIntegers(true);
    const rows = [];
    for (const row of prepared.iterate()) {
      if (rows.length === job.maxRows) { say({ status: stage === 'broken' ? 'broken' : 'too_many', error: 'more than ' + job.maxRows + ' rows' }); process.exit(0); }
      rows.push(row.map(cell));
    }
    return rows;
  };
  const gold = rowsOf(job.gold);
  stage = 'failed';
  say({ status: 'gold' });
  say({ status: 'ran', gold, got: rowsOf(job.candidate) });
} catch (error) {
  say({ status: stage, error: String(error && error.message) });
}
process.exit(0);
`;

/** What keeps the process of SQLite in. */
export const sqliteCage = (): Cage => engineAndCage().cage;

/** Asked each time: `cageFor` remembers the cage it found, and looks again where it found none. */
function engineAndCage() {
  const engine = createRequire(import.meta.url).resolve('libsql');
  const modules = engine.slice(0, engine.indexOf('/node_modules/') + '/node_modules'.length);
  const probe = [process.execPath, '-e', 'new (require(process.argv[1]))(":memory:")', engine];
  const sees = [dirname(dirname(realpathSync(process.execPath))), modules];
  return { engine, cage: cageFor({ probe, sees }, false) };
}

/**
 * Run both queries in an SQLite database in memory, in a process of its own that is killed at the limit: a query cannot be
 * stopped from inside. The engine has functions that read and write files (`readfile`, `fsdir`): its process sees none of the
 * host's where a cage is to be had, and queries that name one are refused everywhere.
 */
export async function runSqlite(job: SqlJob, signal?: AbortSignal): Promise<SqlOutcome> {
  const { cage, engine } = engineAndCage();
  const limits = { timeoutMs: job.timeoutMs, maxOutputBytes: 4096, maxSaidBytes: 64 * 1024 * 1024 };
  const command = [process.execPath, '-e', harness, engine];
  const { said, isLate, stderr } = await runInCage(cage, command, job, limits, signal);
  const { isolation, missing } = cage;
  const [first = '', ...rest] = said.trim().split('\n');
  const hasGold = first === '{"status":"gold"}';
  const kept = { isolation, missing };
  if (isLate) return { status: hasGold ? 'timeout' : 'broken', error: 'it took too long', ...kept };
  const outcome = read(hasGold ? (rest.at(-1) ?? '') : first);
  return { ...(outcome ?? { status: hasGold ? 'failed' : 'unavailable', error: stderr }), ...kept };
}

function read(line: string): Pick<SqlOutcome, 'status' | 'gold' | 'got' | 'error'> | undefined {
  if (!line.startsWith('{')) return undefined;
  const { gold, got, ...rest } = JSON.parse(line) as SqlOutcome; // our own harness wrote it
  return { ...rest, ...(gold && { gold: gold.map(cellsOf) }), ...(got && { got: got.map(cellsOf) }) };
}
const cellsOf = (row: Cells): Cells => row.map(cellOf);
function cellOf(value: unknown): Cell {
  if (!isObject(value)) return value as Cell; // JSON of a cell has no other kinds
  return typeof value['int'] === 'string' ? BigInt(value['int']) : `\\x${String(value['bytes'])}`;
}

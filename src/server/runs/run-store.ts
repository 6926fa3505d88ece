import { randomBytes } from 'node:crypto';
import Database from 'libsql';
import type { Clock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { runVerdict } from '../../reports/runs/run-verdict.ts';
import { metricNumbers } from '../../reports/runs/trainer-metrics.ts';
import type { FinishRequest, LogRequest, RunPoint, RunRecord, RunRequest } from './run-record.ts';

/** The runs of a server, in one file. */
export interface RunStore {
  create(request: RunRequest): RunRecord;
  /** Undefined when there is no such run; so it is for the others. */
  log(id: string, request: LogRequest): RunRecord | undefined;
  finish(id: string, request: FinishRequest): RunRecord | undefined;
  /** Add to the summary of a run, whether it is over or not. */
  note(id: string, fields: JsonObject): RunRecord | undefined;
  /** Keep what another program found under an id of its own; the same id replaces what it had. */
  keep(id: string, name: string, summary: JsonObject): RunRecord;
  get(id: string): RunRecord | undefined;
  /** The run of that id, else the newest run of that name. */
  find(idOrName: string): RunRecord | undefined;
  /** The points of a run, oldest first; at most so many, evenly taken, when a number is given. */
  series(id: string, max?: number): readonly RunPoint[];
  /** The newest runs first. */
  list(max?: number): readonly RunRecord[];
  remove(id: string): boolean;
  close(): void;
}

const maxError = 2000; // characters

const tables = `
  CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS points (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step REAL NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS point_once ON points (run_id, step, body);
`;

/**
 * Open the runs in an SQLite file (write-ahead log), or in memory with `:memory:`. A point that a client sends again after a
 * time-out is stored once: the same step, time and numbers are the same point.
 *
 * @throws TM_SINK - the file cannot be opened or is no database
 */
export function openRunStore(path: string, clock: Clock): RunStore {
  const db = opened(path);
  const insertRun = db.prepare('INSERT INTO runs (id, created_at, body) VALUES (?, ?, ?)');
  const updateRun = db.prepare('UPDATE runs SET body = ? WHERE id = ?');
  const readRun = db.prepare('SELECT body FROM runs WHERE id = ?');
  const readNamed = db.prepare(
    "SELECT body FROM runs WHERE json_extract(body, '$.name') = ? ORDER BY created_at DESC, rowid DESC LIMIT 1",
  );
  const readRuns = db.prepare('SELECT body FROM runs ORDER BY created_at DESC, rowid DESC LIMIT ?');
  const deletePoints = db.prepare('DELETE FROM points WHERE run_id = ?');
  const deleteRun = db.prepare('DELETE FROM runs WHERE id = ?');
  const insertPoint = db.prepare('INSERT OR IGNORE INTO points (run_id, step, body) VALUES (?, ?, ?)');
  const readPoints = db.prepare('SELECT body FROM points WHERE run_id = ? ORDER BY step, seq');

  const recordIn = (found: unknown): RunRecord | undefined =>
    found === undefined ? undefined : (parseJson((found as { readonly body: string }).body) as RunRecord);
  const get = (id: string): RunRecord | undefined => recordIn(readRun.get(id));
  const save = (record: RunRecord): RunRecord => {
    updateRun.run(stringifyJson(record), record.runId);
    return record;
  };
  const atOnce = <T>(work: () => T): T => db.transaction(work)() as T;
  return {
    create(request) {
      const now = clock();
      const record: RunRecord = {
        ...request,
        runId: `run_${randomBytes(8).toString('hex')}`,
        status: 'running',
        created_at: now,
        updated_at: now,
        step: null,
        latest: {},
        summary: {},
        adapter: null,
        error: null,
        verdict: null,
      };
      insertRun.run(record.runId, now, stringifyJson(record));
      return record;
    },
    log: (id, { points, total_steps }) =>
      atOnce(() => {
        const before = get(id);
        if (!before) return undefined;
        let [step, latest] = [before.step, before.latest];
        for (const { step: at, ts, ...metrics } of points) {
          const numbers = metricNumbers(metrics);
          insertPoint.run(id, at, stringifyJson({ step: at, ...(ts !== undefined && { ts }), ...numbers }));
          if (step === null || at >= step) [step, latest] = [at, { ...latest, ...numbers }];
        }
        const total = total_steps ?? before.total_steps;
        return save({
          ...before,
          step,
          latest,
          updated_at: clock(),
          ...(total !== undefined && { total_steps: total }),
        });
      }),
    finish: (id, { status, summary, adapter, error }) =>
      atOnce(() => {
        const before = get(id);
        if (!before) return undefined;
        const watched = before.summary['hack_monitor'];
        // a summary replaces the one before, but not what the monitor of this server noted
        const kept = { ...(watched !== undefined && { hack_monitor: watched }), ...(summary ?? before.summary) };
        return save({
          ...before,
          status,
          summary: kept,
          adapter: adapter ?? before.adapter,
          error: error?.slice(0, maxError) ?? before.error,
          verdict: runVerdict(kept as JsonObject),
          updated_at: clock(),
        });
      }),
    note: (id, fields) =>
      atOnce(() => {
        const before = get(id);
        return before && save({ ...before, summary: { ...before.summary, ...fields }, updated_at: clock() });
      }),
    keep: (id, name, summary) =>
      atOnce(() => {
        const now = clock();
        const verdict = runVerdict(summary);
        const made = { runId: id, name, status: 'done' as const, created_at: now, updated_at: now, summary, verdict };
        const record: RunRecord = { ...made, step: null, latest: {}, adapter: null, error: null };
        if (!get(id)) insertRun.run(id, now, stringifyJson(record));
        return save(record);
      }),
    get,
    find: (name) => get(name) ?? recordIn(readNamed.get(name)),
    series(id, max = Number.POSITIVE_INFINITY) {
      const rows = readPoints.all(id) as { readonly body: string }[];
      const every = Math.max(1, Math.ceil(rows.length / max));
      // the last point is always there: a curve that lags behind its run looks stalled
      const kept = every === 1 ? rows : rows.filter((_, n) => (rows.length - 1 - n) % every === 0);
      return kept.map(({ body }) => parseJson(body) as RunPoint);
    },
    list: (max = 1000) =>
      (readRuns.all(max) as { readonly body: string }[]).map(({ body }) => parseJson(body) as RunRecord),
    remove: (id) =>
      atOnce(() => {
        deletePoints.run(id);
        return deleteRun.run(id).changes > 0;
      }),
    close: () => void db.close(),
  };
}

function opened(path: string): Database.Database {
  try {
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(tables);
    return db;
  } catch (cause) {
    throw new TracemillError('TM_SINK', `${path}: runs cannot be kept there`, { cause });
  }
}

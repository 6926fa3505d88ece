import Database from 'libsql';
import { TracemillError } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import type { MonitorAnswer } from '../../reports/monitor/hack-monitor.ts';
import type { MonitorEvent } from '../../rows/monitor-event.ts';

/** What monitors know, so that they go on after a restart. */
export interface MonitorStore {
  settings(run: string): JsonObject | undefined;
  configure(run: string, settings: JsonObject): void;
  /** Keep an event and what it was answered with, in one step. */
  keep(run: string, event: MonitorEvent, answers: readonly MonitorAnswer[]): void;
  /** The answers that an evaluation at this step was given before; undefined when there was none. */
  answersAt(run: string, step: number): readonly MonitorAnswer[] | undefined;
  /** Say that a run is over: what is kept of it can be read until the next event under its name. */
  end(run: string): void;
  hasEnded(run: string): boolean;
  /** Forget the evaluations, alarms and completions of a run, not how it is watched. */
  forget(run: string): void;
  /** What rebuilds the watch over a run, in order. */
  replay(run: string): readonly MonitorEvent[];
  runs(): readonly string[];
  close(): void;
}

const keptScored = 512; // events; a monitor keeps as many completions of each reward by default

const tables = `
  CREATE TABLE IF NOT EXISTS monitors (run TEXT PRIMARY KEY, settings TEXT NOT NULL, kl TEXT);
  CREATE TABLE IF NOT EXISTS ended (run TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS scored (seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS scored_of ON scored (run, seq);
  CREATE TABLE IF NOT EXISTS answers (seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, step REAL NOT NULL, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS answers_of ON answers (run, step);
`;

/**
 * Open what monitors know in an SQLite file, or in memory with `:memory:`. Of the scored completions the newest events are
 * kept; of evaluations every entry, with its rows.
 *
 * @throws TM_SINK - the file cannot be opened or is no database
 */
export function openMonitorStore(path: string): MonitorStore {
  const db = opened(path);
  const readOne = db.prepare('SELECT settings, kl FROM monitors WHERE run = ?');
  const put = db.prepare(
    'INSERT INTO monitors (run, settings) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET settings = excluded.settings',
  );
  const touch = db.prepare("INSERT OR IGNORE INTO monitors (run, settings) VALUES (?, '{}')");
  const putKl = db.prepare('UPDATE monitors SET kl = ? WHERE run = ?');
  const addScored = db.prepare('INSERT INTO scored (run, body) VALUES (?, ?)');
  const trim = db.prepare(
    'DELETE FROM scored WHERE run = ? AND seq <= (SELECT seq FROM scored WHERE run = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
  );
  const addAnswer = db.prepare('INSERT INTO answers (run, step, body) VALUES (?, ?, ?)');
  const readAt = db.prepare('SELECT body FROM answers WHERE run = ? AND step = ? ORDER BY seq');
  const readAnswers = db.prepare('SELECT body FROM answers WHERE run = ? ORDER BY seq');
  const readScored = db.prepare('SELECT body FROM scored WHERE run = ? ORDER BY seq');
  const putEnd = db.prepare('INSERT OR IGNORE INTO ended (run) VALUES (?)');
  const readEnd = db.prepare('SELECT 1 FROM ended WHERE run = ?');
  const clear = [
    'DELETE FROM ended WHERE run = ?',
    'DELETE FROM scored WHERE run = ?',
    'DELETE FROM answers WHERE run = ?',
    'UPDATE monitors SET kl = NULL WHERE run = ?',
  ].map((sql) => db.prepare(sql));
  const readRuns = db.prepare('SELECT run FROM monitors ORDER BY rowid');
  const bodies = (rows: unknown) => (rows as { readonly body: string }[]).map(({ body }) => parseJson(body));
  const monitorOf = (run: string) =>
    readOne.get(run) as { readonly settings: string; readonly kl: string | null } | undefined;
  return {
    settings: (run) => {
      const found = monitorOf(run);
      return found && (parseJson(found.settings) as JsonObject);
    },
    configure: (run, settings) => void put.run(run, stringifyJson(settings)),
    keep: (run, event, answers) =>
      void db.transaction(() => {
        touch.run(run);
        if (event.type === 'log') putKl.run(stringifyJson(event), run);
        if (event.type === 'scored') {
          addScored.run(run, stringifyJson(event));
          trim.run(run, run, keptScored);
        }
        for (const answer of answers) addAnswer.run(run, answer.step, stringifyJson(answer));
      })(),
    answersAt(run, step) {
      const found = bodies(readAt.all(run, step)) as MonitorAnswer[];
      return found.length > 0 ? found : undefined;
    },
    end: (run) =>
      void db.transaction(() => {
        touch.run(run);
        putEnd.run(run);
      })(),
    hasEnded: (run) => readEnd.get(run) !== undefined,
    forget: (run) =>
      void db.transaction(() => {
        for (const one of clear) one.run(run);
      })(),
    replay(run) {
      const kl = monitorOf(run)?.kl;
      const log = kl ? [parseJson(kl) as MonitorEvent] : [];
      return [
        ...(bodies(readAnswers.all(run)) as MonitorEvent[]),
        ...(bodies(readScored.all(run)) as MonitorEvent[]),
        ...log,
      ];
    },
    runs: () => (readRuns.all() as { readonly run: string }[]).map(({ run }) => run),
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
    throw new TracemillError('TM_SINK', `${path}: monitors cannot be kept there`, { cause });
  }
}

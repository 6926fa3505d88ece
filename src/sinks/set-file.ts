import { parseJson } from '../core/json.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Sink } from '../core/to-sink.ts';
import { wellFormedJson } from '../core/well-formed-json.ts';
import type { AgentCounts } from '../reports/export/agent-of-row.ts';
import type { ExportSet, FinishedSet } from '../reports/export/export-set.ts';
import { type Decision, decisionOf } from '../rows/decision.ts';
import type { DecisionLog } from './decision-log.ts';
import { draftFile } from './draft-file.ts';
import { isParquet, writeParquet } from './parquet-file.ts';

/** A set as a file: a sink that knows its report once it has finished. */
export interface SetSink<In, Report> extends Sink<In> {
  report(): (Report & SetFile) | undefined;
}

/** Where a set is. `path` is null when there was nothing to write. */
export interface SetFile extends Partial<AgentCounts> {
  readonly path: string | null;
  readonly n_written: number;
  /** What the set has to say, in sentences. */
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
}

interface Place<In> {
  readonly path: string;
  /** Only the owner may read the file. */
  readonly isPrivate?: boolean;
  /** What each row is decided by, in the file of decisions. */
  readonly by?: string;
  /** The command that decides. */
  readonly step?: string | undefined;
  /** What the decisions call the file. */
  readonly shownAs?: string | undefined;
  readonly decisions?: DecisionLog | undefined;
  /** The rows that one of the set is made of: two, of a pair. */
  readonly membersOf?: (one: In) => readonly JsonObject[];
}

/** What waits of a row: its entry, and what the decisions about its rows say of them. */
type Waiting<Entry> = readonly [entry: Entry, about: readonly Decision[]];

/**
 * Write a set as a file, JSON lines or Parquet by its name. What is kept of the rows waits in `<path>.part`, for its owner
 * only, until the last row is there. The file appears whole or not at all; a run that dies leaves none. Memory: what the
 * set keeps of a row while it counts.
 *
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function setFile<In extends JsonObject, Entry, Report>(
  set: ExportSet<In, Entry, Report>,
  {
    path,
    isPrivate = false,
    by = 'export',
    step = 'export',
    shownAs = path,
    decisions,
    membersOf = (row) => [row],
  }: Place<In>,
): SetSink<In, Report> {
  const draft = draftFile<Waiting<Entry>>(path);
  let report: (Report & SetFile) | undefined;
  let nMended = 0;
  const about = (one: In): readonly Decision[] =>
    decisions ? membersOf(one).map((row) => decisionOf(row, { step, decision: 'kept', by, file: shownAs })) : [];
  return {
    async write(rows) {
      const entries = rows.map((row): Waiting<Entry> => [set.entry(row), about(row)]);
      await draft.append(entries);
      for (const [entry] of entries) set.add(entry);
    },
    async finish() {
      const done = set.end();
      if (done.refusal) await draft.discard();
      if (done.refusal) throw done.refusal;
      const n_written = await publish(draft, done);
      report = { ...withMended(done.report, nMended), path: n_written > 0 ? path : null, n_written };
    },
    close: () => draft.close(),
    report: () => report,
  };

  async function publish(from: typeof draft, done: FinishedSet<Entry, Report>): Promise<number> {
    const n = await decided(from, done);
    if (n === 0) await from.discard();
    else if (isParquet(path)) {
      await writeParquet(path, () => rowsIn(from.entries(), done), { isPrivate });
      await from.discard();
    } else await from.publish(([entry]) => wellFormedJson(done.linesOf(entry).join('')), { isPrivate });
    return n;
  }

  /** Count the lines, and say of each row where it is or why it is not. */
  async function decided(from: typeof draft, done: FinishedSet<Entry, Report>): Promise<number> {
    let line = 0;
    for await (const [entry, rows] of from.entries()) {
      const texts = done.linesOf(entry);
      const lines = texts.length;
      nMended += texts.filter((text) => wellFormedJson(text) !== text).length;
      const first = line + 1;
      await decisions?.add(rows.map((one) => settled(one, lines, first, done.leftBecause(entry))));
      line += lines;
    }
    return line;
  }
}

/** Readers of JSON other than JavaScript refuse a whole file for one half of a character. */
function withMended<Report>(report: Report, nMended: number): Report {
  if (nMended === 0) return report;
  const { warnings = [], warning_codes = [] } = report as Partial<Record<'warnings' | 'warning_codes', string[]>>;
  const said = `${nMended} lines held half a character (a lone surrogate): it is U+FFFD in the set`;
  return { ...report, warnings: [...warnings, said], warning_codes: [...warning_codes, 'half_characters'] };
}

function settled(about: Decision, lines: number, line: number, reason: string | undefined): Decision {
  if (lines > 0) return { ...about, line, gates: [{ gate: about.by, passed: true, numbers: { lines } }] };
  const why = reason ?? 'empty';
  return {
    ...about,
    decision: 'left',
    reason: why,
    file: null,
    gates: [{ gate: about.by, passed: false, reason: why }],
  };
}

async function* rowsIn<Entry, Report>(
  entries: AsyncIterable<Waiting<Entry>>,
  { linesOf }: FinishedSet<Entry, Report>,
): AsyncGenerator<JsonObject> {
  for await (const [entry] of entries)
    for (const line of linesOf(entry)) yield parseJson(wellFormedJson(line)) as JsonObject; // a set writes objects
}

/** Write all rows at once, and report what is in the file. */
export async function writeSet<In, Report>(sink: SetSink<In, Report>, rows: readonly In[]): Promise<Report & SetFile> {
  try {
    await sink.write(rows);
    await sink.finish?.();
  } finally {
    await sink.close();
  }
  return sink.report() as Report & SetFile; // it finished
}

import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asNotes, type Remark } from '../../core/remarks.ts';
import { latestRevisions } from '../../rows/revision.ts';
import { rowTime, timeIn } from '../../rows/row-time.ts';
import { type Membership, membershipsOf } from './behavior-regions.ts';
import { fewGraded, recipeOf } from './behavior-state.ts';

/** Options of `behaviorsSince`. */
const options = z.strictObject({
  since: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A policy or model version, or a date such as 2026-01-31: what came from then on is new. The last version when left out.',
    ),
});

/** How a behaviour did on one side. */
export interface SideOfBehavior {
  /** Traces that show it. */
  readonly n: number;
  readonly n_graded: number;
  /** Share of the graded ones, four decimals; null when none is graded. */
  readonly fail_rate: number | null;
}

/** A failing behaviour, and what became of it. */
export interface BehaviorSince {
  readonly region: string;
  readonly kind: Membership['kind'];
  readonly status: 'new' | 'persistent' | 'gone' | 'unseen';
  /** Where it fails: tools and axis values of the traces that fail now; of those before, when none does. */
  readonly recipe: Readonly<Record<string, readonly string[]>>;
  /** Of now; of before for what was not graded since. */
  readonly n_graded: number;
  readonly fail_rate: number | null;
  /** Too few of them to lean on. */
  readonly low_support: boolean;
  readonly before: SideOfBehavior;
  readonly now: SideOfBehavior;
}

/** What an agent does wrong now, beside what it did wrong before. */
export interface BehaviorsSince {
  /** The version, or the date, from which on traces count as now; null when there is no before. */
  readonly since: string | null;
  readonly n_before: number;
  readonly n_now: number;
  /** Traces whose `ts` is missing or no time. */
  readonly n_without_time: number;
  /** Fails now and did not before, or was not seen. */
  readonly new: readonly BehaviorSince[];
  /** Failed before and fails now. */
  readonly persistent: readonly BehaviorSince[];
  /** Failed before, was graded now, and fails no more. */
  readonly gone: readonly BehaviorSince[];
  /** Failed before and was not graded since. */
  readonly unseen: readonly BehaviorSince[];
  /** What the answer rests on that the traces do not say. */
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
}

/**
 * Tell which failing behaviours of traces are new, persistent or gone since the last version of the policy, or since a
 * version or date. A version is `policy_version`, else `model_version`; the last one is the one that was first seen last, by
 * `ts` (see `rowTime`), and by the order of the rows where none has a time. Each list has the most failures first.
 *
 * @throws TM_OPTIONS - `since` is neither a version of these rows nor a date
 * @source house rule
 */
export function behaviorsSince(rows: readonly unknown[], config: z.input<typeof options> = {}): BehaviorsSince {
  const { since: given } = parseOptions('behaviorsSince', options, config);
  const traces = latestRevisions(rows.filter(isObject));
  const timed = traces.flatMap((row) => ({ row, time: rowTime(row) ?? Number.NaN })).filter(({ time }) => time > 0);
  const ordered = timed.toSorted((a, b) => a.time - b.time).map(({ row }) => row);
  const dated = versionsOf(ordered);
  const versions = [...versionsOf(traces).filter((version) => !dated.includes(version)), ...dated];
  const { isNow, by } = splitBy(given, versions);
  const now = traces.filter(isNow);
  const before = traces.filter((row) => !isNow(row));
  const hasBefore = before.length > 0;
  const found = behaviorsOf(before, now);
  const of = (status: BehaviorSince['status']) => found.filter((one) => one.status === status);
  const without = traces.length - timed.length;
  return {
    since: hasBefore ? (given ?? versions.at(-1) ?? null) : null,
    n_before: before.length,
    n_now: now.length,
    n_without_time: without,
    new: of('new'),
    persistent: of('persistent'),
    gone: of('gone'),
    unseen: of('unseen'),
    ...asNotes(notesOf(by, without, traces.length)),
  };
}

const versionsOf = (rows: readonly JsonObject[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => versionOf(row) ?? [])),
];

function versionOf({ policy_version, model_version }: JsonObject): string | undefined {
  const version = policy_version || model_version;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** What parts the traces. */
interface Split {
  readonly by: 'nothing' | 'version' | 'date';
  readonly isNow: (row: JsonObject) => boolean;
}

/** Tell whether a row is of now: of the version, or one that came after it; of the date or later. */
function splitBy(given: string | undefined, versions: readonly string[]): Split {
  const since = given ?? (versions.length > 1 ? versions.at(-1) : undefined);
  if (since === undefined) return { by: 'nothing', isNow: () => true };
  const at = versions.findIndex(
    (version) => version === since || (given !== undefined && version.startsWith(`${since}@`)),
  );
  const places = new Map(versions.map((version, place) => [version, place]));
  if (at >= 0) return { by: 'version', isNow: (row) => (places.get(versionOf(row) ?? '') ?? -1) >= at };
  const time = /^\d+$/.test(since) ? undefined : timeIn(since);
  if (time === undefined)
    throw new TracemillError(
      'TM_OPTIONS',
      `behaviorsSince: since: ${since} is neither a date nor a version of these traces; there are ${versions.join(', ') || 'none'}`,
    );
  return { by: 'date', isNow: (row) => (rowTime(row) ?? 0) >= time };
}

function notesOf(by: Split['by'], without: number, n: number): readonly Remark[] {
  if (without === 0 || by === 'nothing') return [];
  const whom = without === n ? 'no trace has a time' : `${without} of ${n} traces have no time`;
  if (by === 'date') return [{ code: 'no_time', text: `${whom} (ts): what has none counts as before` }];
  return [
    without === n
      ? { code: 'file_order', text: `${whom} (ts): the order of the file decides which version came last` }
      : { code: 'no_time', text: `${whom} (ts): the others decide which version came last` },
  ];
}

interface Seen extends Membership {
  readonly row: JsonObject;
}

function behaviorsOf(before: readonly JsonObject[], now: readonly JsonObject[]): readonly BehaviorSince[] {
  const regions = new Map<
    string,
    { readonly kind: Membership['kind']; readonly before: Seen[]; readonly now: Seen[] }
  >();
  const sort = (rows: readonly JsonObject[], side: 'before' | 'now'): void => {
    for (const row of rows)
      for (const membership of membershipsOf(row)) {
        const region = regions.get(membership.region) ?? { kind: membership.kind, before: [], now: [] };
        region[side].push({ ...membership, row });
        regions.set(membership.region, region);
      }
  };
  sort(before, 'before');
  sort(now, 'now');
  return [...regions]
    .flatMap(([region, { kind, ...sides }]) => {
      const status = statusOf(sides);
      return status === undefined ? [] : [{ region, kind, status, ...sides }];
    })
    .sort((a, b) => fails(failing(b)).length - fails(failing(a)).length)
    .map(({ region, kind, status, ...sides }) => {
      const shown = sideOf(status === 'unseen' ? sides.before : sides.now);
      return {
        ...{ region, kind, status },
        recipe: recipeOf(fails(failing({ status, ...sides })).map(({ row }) => row)),
        n_graded: shown.n_graded,
        fail_rate: shown.fail_rate,
        low_support: shown.n_graded < fewGraded,
        before: sideOf(sides.before),
        now: sideOf(sides.now),
      };
    });
}

interface Sides {
  readonly before: readonly Seen[];
  readonly now: readonly Seen[];
}

function statusOf({ before, now }: Sides): BehaviorSince['status'] | undefined {
  const failsNow = fails(now).length > 0;
  if (fails(before).length === 0) return failsNow ? 'new' : undefined;
  if (failsNow) return 'persistent';
  return graded(now).length === 0 ? 'unseen' : 'gone';
}

/** The side on which it failed last. */
const failing = ({ status, before, now }: Sides & { readonly status: BehaviorSince['status'] }) =>
  status === 'new' || status === 'persistent' ? now : before;

const graded = (seen: readonly Seen[]) => seen.filter(({ failed }) => failed !== undefined);
const fails = (seen: readonly Seen[]) => seen.filter(({ failed }) => failed === true);

function sideOf(seen: readonly Seen[]): SideOfBehavior {
  const n_graded = graded(seen).length;
  const fail_rate = n_graded === 0 ? null : Math.round((fails(seen).length / n_graded) * 1e4) / 1e4;
  return { n: seen.length, n_graded, fail_rate };
}

import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { behaviorState, type Region } from './behavior-state.ts';

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

/** What an agent does wrong now, beside what it did wrong before. */
export interface BehaviorsSince {
  /** The version, or the date, from which on traces count as now; null when there is no before. */
  readonly since: string | null;
  readonly n_before: number;
  readonly n_now: number;
  /** Fails now and did not before, or was not seen. */
  readonly new: readonly Region[];
  /** Failed before and fails now. */
  readonly persistent: readonly Region[];
  /** Failed before, was seen now, and fails no more. */
  readonly gone: readonly Region[];
  /** Failed before and was not graded since. */
  readonly unseen: readonly Region[];
}

/**
 * Tell which failing behaviours of traces are new, persistent or gone since the last version of the policy, or since a
 * version or date. A version is `policy_version`, else `model_version`; the last one is the one that was first seen last.
 *
 * @throws TM_OPTIONS - `since` is neither a version of these rows nor a date
 * @source house rule
 */
export function behaviorsSince(rows: readonly unknown[], config: z.input<typeof options> = {}): BehaviorsSince {
  const { since: given } = parseOptions('behaviorsSince', options, config);
  const traces = rows.filter(isObject);
  const ordered = traces.some(({ ts }) => timeOf(ts) !== undefined)
    ? traces.toSorted((a, b) => (timeOf(a['ts']) ?? 0) - (timeOf(b['ts']) ?? 0))
    : traces;
  const versions = [...new Set(ordered.flatMap((row) => versionOf(row) ?? []))];
  const isNow = nowOf(given, versions);
  const before = ordered.filter((row) => !isNow(row));
  const now = ordered.filter(isNow);
  const { regions } = behaviorState([...bucket(before, 'before'), ...bucket(now, 'now')]);
  const hasBefore = before.length > 0;
  const of = (status: Region['status']) => regions.filter((region) => region.status === status);
  return {
    since: hasBefore ? (given ?? versions.at(-1) ?? null) : null,
    n_before: before.length,
    n_now: now.length,
    new: hasBefore ? of('new') : regions.filter(({ history }) => history.some((one) => (one.fail_rate ?? 0) > 0)),
    persistent: hasBefore ? of('persistent') : [],
    gone: hasBefore ? of('improving') : [],
    unseen: hasBefore ? of('uncertain') : [],
  };
}

const bucket = (rows: readonly JsonObject[], model_version: string) =>
  rows.map((row) => ({ ...row, model_version, ts: null }));

function versionOf({ policy_version, model_version }: JsonObject): string | undefined {
  const version = policy_version || model_version;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

function timeOf(ts: unknown): number | undefined {
  return typeof ts === 'number' || typeof ts === 'bigint' ? Number(ts) : undefined;
}

/** Tell whether a row is of now: of the version, or one that came after it; of the date or later. */
function nowOf(given: string | undefined, versions: readonly string[]): (row: JsonObject) => boolean {
  const since = given ?? (versions.length > 1 ? versions.at(-1) : undefined);
  if (since === undefined) return () => true;
  const at = versions.findIndex(
    (version) => version === since || (given !== undefined && version.startsWith(`${since}@`)),
  );
  if (at >= 0) return (row) => versions.indexOf(versionOf(row) ?? '') >= at;
  const time = Date.parse(since);
  if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\d/.test(since))
    throw new TracemillError(
      'TM_OPTIONS',
      `behaviorsSince: since: ${since} is neither a date nor a version of these traces; there are ${versions.join(', ') || 'none'}`,
    );
  return ({ ts }) => (timeOf(ts) ?? 0) >= time * 1e6;
}

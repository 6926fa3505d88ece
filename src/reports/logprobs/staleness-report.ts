import { z } from 'zod';
import { type Fold, foldRows, inOrder } from '../../core/fold.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { share } from '../round.ts';

const options = z.strictObject({
  baseModel: z.string().optional().describe('The model that is trained. Rows of another model are stale.'),
});

/** Counts by version, model and temperature. */
export interface StalenessState {
  rows: number;
  sampling: number;
  logprob: number;
  tokenLogprobs: number;
  readonly versions: Map<string, number>;
  readonly models: Map<string, number>;
  readonly temperatures: Map<string, number>;
}

/** Which policies sampled the rows, and whether importance weights could be computed. Shares have 4 digits. */
export interface StalenessReport {
  readonly n: number;
  readonly versions: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
  readonly base_model: string | null;
  readonly stale: number | null;
  readonly stale_share: number | null;
  readonly temperatures: Readonly<Record<string, number>>;
  readonly sampling_coverage: number | null;
  readonly logprob_coverage: number | null;
  readonly token_logprob_coverage: number | null;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/**
 * Report how far the rows are from the policy to be trained: versions, models, temperatures, and how many rows carry what
 * an off-policy correction needs.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 6
 */
export function stalenessReport(rows: Iterable<unknown>, config: z.input<typeof options> = {}): StalenessReport {
  return foldRows(stalenessFold(config), rows);
}

/** `stalenessReport` a row at a time. */
export function stalenessFold(config: z.input<typeof options> = {}): Fold<unknown, StalenessState, StalenessReport> {
  const { baseModel } = parseOptions('stalenessReport', options, config);
  return {
    start: () => ({
      rows: 0,
      sampling: 0,
      logprob: 0,
      tokenLogprobs: 0,
      versions: new Map(),
      models: new Map(),
      temperatures: new Map(),
    }),
    add(state, row) {
      if (isObject(row)) addRow(state, row);
    },
    merge(into, from) {
      for (const total of ['rows', 'sampling', 'logprob', 'tokenLogprobs'] as const) into[total] += from[total];
      for (const table of ['versions', 'models', 'temperatures'] as const)
        for (const [name, n] of from[table]) count(into[table], name, n);
    },
    end: (state) => report(state, baseModel ?? null),
  };
}

function addRow(state: StalenessState, row: JsonObject): void {
  const { policy_version, model_version, sampling, logprob, token_logprobs } = row;
  state.rows++;
  count(state.versions, String(policy_version || model_version || 'unknown'));
  count(state.models, String(model_version || 'unknown'));
  if (isObject(sampling)) {
    state.sampling++;
    const { temperature } = sampling;
    if (temperature !== undefined && temperature !== null) count(state.temperatures, String(temperature));
  }
  if (typeof logprob === 'number' && Number.isFinite(logprob)) state.logprob++;
  if (Array.isArray(token_logprobs) && token_logprobs.length > 0) state.tokenLogprobs++;
}

function report(state: StalenessState, base: string | null): StalenessReport {
  const { rows } = state;
  const stale = base === null ? null : rows - (state.models.get(base) ?? 0);
  return {
    n: rows,
    versions: Object.fromEntries(inOrder(state.versions)),
    models: Object.fromEntries(inOrder(state.models)),
    base_model: base,
    stale,
    stale_share: stale === null ? null : share(stale, rows),
    temperatures: Object.fromEntries(inOrder(state.temperatures)),
    sampling_coverage: share(state.sampling, rows),
    logprob_coverage: share(state.logprob, rows),
    token_logprob_coverage: share(state.tokenLogprobs, rows),
    ...asWarnings(warningsOf(state, stale)),
  };
}

function warningsOf({ rows, sampling, logprob, versions }: StalenessState, stale: number | null): Remark[] {
  const found: Remark[] = [];
  const say = (code: string, text: string) => found.push({ code, text });
  if (versions.size > 1) say('many_versions', `The rows come from ${versions.size} policy versions.`);
  if (stale !== null && stale > 0)
    say('stale_rows', `${stale} of ${rows} rows were sampled by another model than the one trained.`);
  if (versions.size > 1 && logprob < rows)
    say('missing_logprob', `${rows - logprob} rows carry no logprob: rows of other versions cannot be weighted.`);
  if (sampling < rows) say('missing_sampling', `${rows - sampling} rows do not say how they were sampled.`);
  return found;
}

function count(table: Map<string, number>, name: string, by = 1): void {
  table.set(name, (table.get(name) ?? 0) + by);
}

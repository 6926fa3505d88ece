import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { roundHalfEven } from '../../grid/round-half-even.ts';
import { behaviorSignature } from '../../rows/behavior-signature.ts';
import { latestRevisions } from '../../rows/revision.ts';
import { taskKey } from '../../rows/task-key.ts';
import { traceFault } from '../../rows/trace-fault.ts';
import { isFlaw } from './mine-traces.ts';

/** Options of `splitPseudoProduction`. */
const options = z.strictObject({
  fraction: z.number().min(0).max(1).default(0.2).describe('Share of the rows that plays production.'),
  seed: z.int().default(0).describe('Another seed draws other tasks.'),
});

/** Rows that play production, and the others, each in the order given. */
export interface PseudoProduction<Row> {
  readonly production: readonly Row[];
  readonly remainder: readonly Row[];
}

/**
 * Split rows of a simulation into a part that plays production and the rest, by whole tasks. One task of every distinct
 * flaw goes to production first, even at fraction 0, so that there is something to find; then tasks by a hash of seed,
 * place and prompt until the fraction is reached, which it may overshoot. Revisions that a later one replaces or takes back are
 * on neither side.
 *
 * @source house rule
 */
export function splitPseudoProduction<Row extends JsonObject>(
  all: readonly Row[],
  config: z.input<typeof options> = {},
): PseudoProduction<Row> {
  const rows = latestRevisions(all);
  const { fraction, seed } = parseOptions('splitPseudoProduction', options, config);
  const keys = rows.map((row, at) => taskKey(row) || `\u0000${at}`);
  const sizes = new Map<string, { readonly first: number; n: number }>();
  for (const [at, key] of keys.entries()) {
    const task = sizes.get(key);
    if (task) task.n++;
    else sizes.set(key, { first: at, n: 1 });
  }
  const chosen = flawTasks(rows, keys);
  let held = [...chosen].reduce((sum, key) => sum + (sizes.get(key)?.n ?? 0), 0);
  const wanted = Math.max(1, roundHalfEven(fraction * rows.length));
  const drawn = [...sizes]
    .filter(([key]) => !chosen.has(key))
    .map(([key, { first, n }]) => ({ key, n, hash: drawOf(seed, first, rows[first]) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const { key, n } of drawn) {
    if (held >= wanted) break;
    chosen.add(key);
    held += n;
  }
  const isChosen = (_row: Row, at: number) => chosen.has(keys[at] ?? '');
  return { production: rows.filter(isChosen), remainder: rows.filter((row, at) => !isChosen(row, at)) };
}

function flawTasks(rows: readonly JsonObject[], keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const tasks = new Set<string>();
  for (const [at, row] of rows.entries()) {
    if (!isFlaw(row)) continue;
    const signature = `${traceFault(row)}|${behaviorSignature(row)}`;
    if (!seen.has(signature)) tasks.add(keys[at] ?? '');
    seen.add(signature);
  }
  return tasks;
}

function drawOf(seed: number, first: number, row: JsonObject | undefined): string {
  const prompt = typeof row?.['prompt'] === 'string' ? row['prompt'].slice(0, 200) : '';
  return createHash('sha256').update(`${seed}:${first}:${prompt}`).digest('hex');
}

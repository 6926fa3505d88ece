import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { callsMade } from '../../rows/calls-made.ts';
import { round } from '../round.ts';
import { findUngrounded, groundingOptions } from './ungrounded-arguments.ts';

const options = z.strictObject(groundingOptions);

/**
 * Stamp copies of the rows with the marker `argument_grounding`: 1 when every checked argument was said or returned before,
 * else 0. A row without calls made nothing up.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 */
export function markGrounding<R extends JsonObject>(rows: readonly R[], given: z.input<typeof options> = {}) {
  const opts = parseOptions('markGrounding', options, given);
  return rows.map((row) => {
    const argument_grounding = findUngrounded(row, opts).length === 0 ? 1 : 0;
    const markers: JsonObject = { ...(isObject(row['markers']) ? row['markers'] : {}), argument_grounding };
    return { ...row, markers };
  });
}

/**
 * Report how many rows made no argument up, and which arguments were made up most.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source house rule
 */
export function groundingReport(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const opts = parseOptions('groundingReport', options, given);
  const found = rows.map((row) => findUngrounded(row, opts));
  const invented = new Map<string, { rows: number; example: unknown }>();
  for (const list of found) {
    const first = new Map(list.toReversed().map(({ tool, key, value }) => [`${tool}.${key}`, value]));
    for (const [argument, example] of first) {
      const known = invented.get(argument);
      if (known) known.rows++;
      else invented.set(argument, { rows: 1, example });
    }
  }
  const clean = found.filter((list) => list.length === 0).length;
  return {
    rows: rows.length,
    grounded_rate: rows.length === 0 ? null : round(clean / rows.length),
    rows_with_calls: rows.filter((row) => callsMade(row).length > 0).length,
    invented: [...invented]
      .sort(([x, a], [y, b]) => b.rows - a.rows || (x < y ? -1 : 1))
      .slice(0, 10)
      .map(([argument, { rows, example }]) => ({ argument, rows, example })),
  };
}

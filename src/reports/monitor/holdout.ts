import { z } from 'zod';
import { draws } from '../../core/draws.ts';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { monitorOptions } from './options.ts';

export const holdoutOptions = {
  ...monitorOptions,
  nPrompts: z.int().min(1).default(32).describe('Asks of a holdout that are used; a larger one is sampled.'),
};
const options = z.strictObject(holdoutOptions);

/** A prompt as text or as messages, or a row with one and what else its reward needs. */
export type HeldOut = string | readonly unknown[] | JsonObject;

/**
 * Resolve what a monitor watches with: the held-out asks, sampled without replacement where there are more than `nPrompts`,
 * and the options. Rows without a prompt are dropped.
 *
 * @throws TM_OPTIONS - no ask is left, or an option is unknown or out of range
 * @source house rule
 */
export function monitorHoldout(holdout: readonly HeldOut[], given: z.input<typeof options> = {}) {
  const settings = parseOptions('hackMonitor', options, given);
  const asks = holdout
    .map((one): JsonObject => (isObject(one) ? one : { prompt: one }))
    .filter(({ prompt }) => (typeof prompt === 'string' || Array.isArray(prompt)) && prompt.length > 0);
  if (asks.length === 0) throw new TracemillError('TM_OPTIONS', 'hackMonitor: the holdout has no ask');
  const places = asks.map((_, at) => at);
  const kept =
    asks.length <= settings.nPrompts
      ? places
      : draws(settings.seed, asks.length, 'monitor holdout')
          .shuffle(places)
          .slice(0, settings.nPrompts)
          .sort((a, b) => a - b);
  return { asks: kept.map((at) => asks[at] as JsonObject), settings };
}

import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { candidateText } from './candidate-text.ts';
import { findGold, type Gold } from './reference-value.ts';
import { type Score, toVerifier, type Verifier, verifierOptions } from './verifier.ts';

/** Compare a candidate with the reference (null when the row has none). */
export type ScoreFunction = (candidate: string, reference: unknown, row: Row) => Score | Promise<Score>;
const options = z.strictObject(verifierOptions);

/**
 * Make a verifier of a function. What it returns is read as every check's answer: true or false, a number clamped to 0 to 1,
 * text that spells one, `[score, reason]`; null when it could not judge. A reason that repeats a privileged reference is
 * replaced, as reasons ride into training files.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown
 */
export function verifier(fn: ScoreFunction, config: z.input<typeof options> = {}): Verifier {
  const { name = fn.name || 'verifier', field, timeoutMs } = parseOptions('verifier', options, config);
  return toVerifier(name, timeoutMs, (row) => {
    const gold = findGold(row, field);
    const score = fn(candidateText(row), gold.value, row);
    return score instanceof Promise ? score.then((late) => withoutGold(late, gold)) : withoutGold(score, gold);
  });
}

function withoutGold(score: Score, gold: Gold): Score {
  if (!gold.isSecret || !isPair(score)) return score;
  const [value, reason] = score;
  const told = String(reason).toLowerCase();
  return secretsIn(gold.value).some((secret) => told.includes(secret.toLowerCase())) ? [value, ''] : score;
}

/** A reference as text, and each text and number in one that is a list or an object. */
function secretsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [String(value)].filter((text) => text !== '');
  return [
    stringifyJson(value) ?? '',
    ...Object.values(value)
      .filter((one) => typeof one !== 'boolean' && one !== null)
      .flatMap(secretsIn),
  ];
}

const isPair = (score: Score): score is readonly [unknown, string] => Array.isArray(score);

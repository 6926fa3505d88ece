import { candidateText } from '../../../src/judges/verifiers/candidate-text.ts';
import { extractCode, type Language } from '../../../src/judges/verifiers/code/extract-code.ts';
import { codeExec } from '../../../src/judges/verifiers/code-exec.ts';
import { all, any, weighted } from '../../../src/judges/verifiers/composites.ts';
import { verifier } from '../../../src/judges/verifiers/custom.ts';
import { exactMatch } from '../../../src/judges/verifiers/exact-match.ts';
import { extractAnswer } from '../../../src/judges/verifiers/extract-answer.ts';
import { extractJson } from '../../../src/judges/verifiers/extract-json.ts';
import { includes } from '../../../src/judges/verifiers/includes.ts';
import { jsonField } from '../../../src/judges/verifiers/json-field.ts';
import { jsonSchema } from '../../../src/judges/verifiers/json-schema.ts';
import { jsonValid } from '../../../src/judges/verifiers/json-valid.ts';
import { mathEqual } from '../../../src/judges/verifiers/math-equal.ts';
import { multipleChoice } from '../../../src/judges/verifiers/multiple-choice.ts';
import { type Normalizing, normalizeText } from '../../../src/judges/verifiers/normalize-text.ts';
import { numeric } from '../../../src/judges/verifiers/numeric.ts';
import { referenceValue } from '../../../src/judges/verifiers/reference-value.ts';
import { regex } from '../../../src/judges/verifiers/regex.ts';
import type { Score, Verifier } from '../../../src/judges/verifiers/verifier.ts';
import type { Row } from '../../../src/rows/row.ts';
import type { Adapters } from '../run-case.ts';

interface Constant {
  readonly score: Score;
  readonly name?: string;
}
interface Part {
  readonly verifier: keyof typeof factories;
  readonly options?: never;
  readonly weight?: number;
}
interface Parts {
  readonly verifiers: readonly Part[];
}

const factories = {
  ExactMatch: exactMatch,
  Includes: includes,
  Regex: regex,
  MultipleChoice: multipleChoice,
  Numeric: numeric,
  MathEqual: mathEqual,
  JSONValid: jsonValid,
  JSONSchema: jsonSchema,
  JSONField: jsonField,
  Constant: ({ score, name = 'Constant' }: Constant) => verifier(() => score, { name }),
  All: ({ verifiers }: Parts) => all(verifiers.map(made)),
  Any: ({ verifiers }: Parts) => any(verifiers.map(made)),
  Weighted: ({ verifiers }: Parts) => weighted(verifiers.map((part) => [made(part), part.weight ?? 1])),
};
function made({ verifier: name, options = {} as never }: Part): Verifier {
  return factories[name](options);
}

const verdicts = Object.keys(factories).map((name) => [
  name,
  ([row]: [Row], options: never) => made({ verifier: name as keyof typeof factories, options }).verify(row),
]);

interface CodeOptions {
  readonly timeout?: number;
  readonly tests?: string;
  readonly setup?: string;
  readonly memMb?: number;
}

/** `max_seconds` of a case is given back when the run kept to it. */
async function code([row]: [Row], { timeout, ...options }: CodeOptions, { expect }: { expect: unknown }) {
  const start = performance.now();
  const verdict = await codeExec({ ...options, ...(timeout && { timeoutMs: timeout * 1000 }) }).verify(row);
  const seconds = (performance.now() - start) / 1000;
  const { max_seconds: most = seconds } = expect as { max_seconds?: number };
  return { ...verdict, max_seconds: Math.max(seconds, most) };
}

/** The verifiers, and what they read with. */
export const adapters: Adapters = {
  ...Object.fromEntries(verdicts),
  CodeExec: code,
  extractCode: ([text]: [string], { language }: { language?: Language }) => extractCode(text, language),
  referenceValue: ([row]: [Row], { field }: { field?: string }) => referenceValue(row, field),
  candidateText: ([row]: [Row]) => candidateText(row),
  normalizeText: ([text]: [string], options: Normalizing) => normalizeText(text, options),
  extractAnswer: ([text]: [string]) => extractAnswer(text),
  extractJson: ([text]: [string]) => extractJson(text),
};

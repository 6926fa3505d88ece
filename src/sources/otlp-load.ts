import type { z } from 'zod';
import { parseJson } from '../core/json.ts';
import { boundJson, TooMany } from '../dialects/otlp/body-limits.ts';
import { isOversized, shortened } from '../dialects/otlp/record-size.ts';
import { inflatedBody, packedOtlpRequest } from '../dialects/otlp/request.ts';
import { scoreRecord } from '../dialects/otlp/score-record.ts';
import { opened, type ReceivedRecord } from '../dialects/otlp/span-record.ts';
import { type Score, scoreSchema } from '../rows/score.ts';
import type { Answer } from './otlp-answer.ts';
import type { Load } from './otlp-intake.ts';
import type { SpoolEntry } from './otlp-spool.ts';

/** What a request holds, and the answer to it once that is stored. No load: the answer stands as it is. */
export interface Loaded {
  readonly answer: Answer;
  /** How many verdicts were refused. */
  readonly refusedVerdicts?: number;
  readonly load?: Load<ReceivedRecord>;
}

interface Limits {
  readonly maxBodyBytes: number;
  readonly maxSpans: number;
  readonly maxEvents: number;
  readonly maxValues: number;
  readonly maxAttributeChars: number;
}

/** A byte of a body gives at most this many characters: bytes are written as base64. */
const charsPerByte = 4 / 3;

/** Decode an export of traces or logs. What cannot be kept is rejected alone, and named in the answer. */
export function exportLoad(
  { path, type, encoding, body }: SpoolEntry,
  { maxBodyBytes, maxSpans, maxEvents, maxValues, maxAttributeChars }: Limits,
): Loaded {
  const headers = { 'content-type': type, 'content-encoding': encoding };
  const decoded = packedOtlpRequest(
    { method: 'POST', path, headers, body },
    { maxBodyBytes, maxSpans, maxEvents, maxValues },
  );
  if (decoded.status !== 200) return { answer: { status: decoded.status, message: decoded.message ?? '' } };
  const records: readonly ReceivedRecord[] = path === '/v1/logs' ? decoded.logs : decoded.spans;
  const mayBeLarge = (decoded.bodyBytes ?? 0) * charsPerByte > maxAttributeChars;
  const large = mayBeLarge ? records.filter((record) => isOversized(opened(record), maxAttributeChars)) : [];
  const rows = large.length === 0 ? records : records.filter((record) => !large.includes(record));
  const refused = [
    ...decoded.refused.map(({ record, reason }) => ({ record: shortened(record), reason })),
    ...large.map((record) => ({ record: shortened(opened(record)), reason: 'too_large' })),
  ];
  if (refused.length === 0) return { answer: {}, load: { rows, refused } };
  const message = `rejected: ${tally(refused.map(({ reason }) => reason))}`;
  return { answer: { rejected_spans: refused.length, message }, load: { rows, refused } };
}

const tally = (words: readonly string[]): string =>
  [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${word}`).join(', ');

/** Read late verdicts: one, a list, or `{scores: [...]}`. A wrong one is named by its place, the others are kept. */
export function scoreLoad(
  { encoding, body, receivedMs }: SpoolEntry,
  { maxBodyBytes, maxSpans, maxValues }: Pick<Limits, 'maxBodyBytes' | 'maxSpans' | 'maxValues'>,
): Loaded {
  const inflated = inflatedBody({ headers: { 'content-encoding': encoding }, body }, maxBodyBytes);
  if ('status' in inflated) return { answer: { status: inflated.status, message: inflated.message ?? '' } };
  let given: unknown;
  try {
    boundJson(inflated.bytes, { maxValues });
    given = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(inflated.bytes));
  } catch (error) {
    if (error instanceof TooMany) return { answer: { status: 413, message: error.message } };
    return { answer: { status: 400, message: `the body is not JSON: ${(error as Error).message}` } };
  }
  const list = Array.isArray(given) ? given : Array.isArray(Object(given).scores) ? Object(given).scores : [given];
  if (list.length > maxSpans)
    return { answer: { status: 413, message: `more than ${maxSpans} verdicts in a request` } };
  const scores: Score[] = [];
  const rejected: { readonly index: number; readonly why: string }[] = [];
  for (const [index, one] of (list as readonly unknown[]).entries()) {
    const parsed = scoreSchema.safeParse(one);
    if (parsed.success) scores.push(parsed.data);
    else rejected.push({ index, why: whyNot(parsed.error) });
  }
  const refusedVerdicts = rejected.length;
  if (scores.length === 0) return { refusedVerdicts, answer: { status: 400, json: { accepted: 0, rejected } } };
  const rows = scores.map((score) => scoreRecord(score, receivedMs));
  const load = { rows, refused: [], counts: { verdict: rows.length } };
  return { refusedVerdicts, answer: { json: { accepted: rows.length, rejected } }, load };
}

/** What is wrong with a verdict, on one line. */
const whyNot = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ');

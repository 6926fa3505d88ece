import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { foldText } from '../../text/fold.ts';
import { mapInOrder } from '../map-in-order.ts';
import { four } from '../rounding.ts';
import type { Criterion } from './criterion.ts';
import { parseRubricReply } from './parse-replies.ts';
import { type Rubric, rubricFromObject, rubricVersion } from './rubric.ts';

/** What a rubric is written for; each part is cut at 4,000 characters. */
export interface RubricRequest {
  readonly request: string;
  readonly reference: string;
  readonly guidance: string;
}
/** Writes the criteria of one request as JSON text. */
export type RubricWriter = (request: RubricRequest) => unknown;

const options = z.strictObject({
  guidance: z.string().default('').describe('What the domain asks of every reply.'),
  maxHard: z.int().min(0).optional().describe('Most hard rules of a rubric; the lighter ones become principles.'),
  overwrite: z.boolean().default(false).describe('Write anew where a row has a rubric.'),
  concurrency: z.int().min(1).default(4).describe('Calls at the same time.'),
});
const maxPart = 4000;
const maxFailures = 10;

/**
 * Write one rubric for each distinct prompt, case and blanks folded, into `privileged.rubric` of its rows, which no export
 * writes. Rows are not changed: the new ones carry it. A writer that fails leaves its rows without one, and is counted.
 *
 * @throws TM_OPTIONS - an unknown option
 * @source rlhfbook ch. 12
 */
export async function writeRubrics<T extends Row>(
  rows: readonly T[],
  writer: RubricWriter,
  config: z.input<typeof options> = {},
) {
  const { guidance, maxHard, overwrite, concurrency } = parseOptions('writeRubrics', options, config);
  const prompts = new Map<string, { readonly row: T; readonly hasOne: boolean }>();
  for (const row of rows) {
    const key = foldText(row.prompt ?? '');
    const hasOne = prompts.get(key)?.hasOne === true || rubricIn(row);
    if (key !== '') prompts.set(key, { row: prompts.get(key)?.row ?? row, hasOne });
  }
  const open = [...prompts].filter(([, { hasOne }]) => overwrite || !hasOne);
  const written = await mapInOrder(open, concurrency, async ([key, { row }]) => ({
    key,
    prompt: row.prompt ?? '',
    ...(await write(writer, row, guidance, maxHard)),
  }));
  const byKey = new Map(written.flatMap(({ key, rubric }) => (rubric ? [[key, rubric] as const] : [])));
  const failed = written.filter(({ rubric }) => rubric === undefined);
  const sizes = [...byKey.values()].map(({ criteria }) => criteria.length);
  return {
    rows: rows.map((row) => withRubric(row, byKey.get(foldText(row.prompt ?? '')))),
    report: {
      prompts: prompts.size,
      written: byKey.size,
      skipped: prompts.size - open.length,
      failed: failed.length,
      failures: failed
        .slice(0, maxFailures)
        .map(({ prompt, error }) => ({ prompt: prompt.slice(0, 200), error: error ?? '' })),
      criteria_per_rubric: sizes.length === 0 ? null : four(sizes.reduce((sum, n) => sum + n, 0) / sizes.length),
      max_hard: maxHard ?? null,
      demoted_hard: written.reduce((sum, { demoted }) => sum + demoted, 0),
      versions: [...new Set([...byKey.values()].map(({ version }) => version))].sort(),
      writer: writer.name || 'writer',
    },
  };
}

const rubricIn = (row: Row) => isObject(row['privileged']) && Boolean(row['privileged']['rubric']);
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

interface Written {
  readonly rubric?: Rubric;
  readonly demoted: number;
  readonly error?: string;
}

async function write(writer: RubricWriter, row: Row, guidance: string, maxHard: number | undefined): Promise<Written> {
  const privileged = isObject(row['privileged']) ? row['privileged'] : {};
  const cut = (value: unknown) => textOf(value).slice(0, maxPart);
  try {
    const reply = await writer({
      request: cut(row.prompt),
      reference: cut(privileged['reference']),
      guidance: cut(guidance),
    });
    const items = parseRubricReply(textOf(reply));
    if (!items) return { demoted: 0, error: 'the reply has no list of criteria' };
    return demote(rubricFromObject(items), maxHard);
  } catch (error) {
    return { demoted: 0, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Keep the heaviest hard rules. */
function demote({ criteria, version }: Rubric, maxHard: number | undefined): Written {
  const hard = criteria.filter(({ kind }) => kind === 'hard').sort((a, b) => b.weight - a.weight);
  const light = new Set(maxHard === undefined ? [] : hard.slice(maxHard));
  if (light.size === 0) return { rubric: { criteria, version }, demoted: 0 };
  const kept = criteria.map((one): Criterion => (light.has(one) ? { ...one, kind: 'principle' } : one));
  return { rubric: { criteria: kept, version: rubricVersion(kept) }, demoted: light.size };
}

function withRubric<T extends Row>(row: T, rubric: Rubric | undefined): T {
  if (!rubric) return row;
  const privileged = isObject(row['privileged']) ? row['privileged'] : {};
  return { ...row, privileged: { ...privileged, rubric: { ...rubric, source: 'model' } } };
}

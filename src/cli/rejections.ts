import type { OperatorCounts } from '../core/counters.ts';
import type { Rejection } from '../core/operator.ts';
import type { CardDrop } from '../reports/export/dataset-card.ts';
import { visible } from '../text/visible.ts';
import { table } from './table.ts';

/** How many rows each operator rejected, by reason. */
export interface RejectionCount {
  readonly operator: string;
  readonly reason: string;
  readonly rows: number;
  /** The first of them: where it stood, and what was wrong with it. */
  readonly first?: string;
  /** Where the rejected rows are. */
  readonly file?: string;
}

/** The rejections of a run, most first. */
export function rejectionCounts(
  counts: readonly OperatorCounts[],
  firsts: ReadonlyMap<string, string> = new Map(),
  file?: string,
): readonly RejectionCount[] {
  return counts
    .flatMap(({ stage, operator, rejected }) =>
      Object.entries(rejected).map(([reason, rows]) => {
        const first = firsts.get(kindOf({ stage, by: operator, reason }));
        return { operator, reason, rows, ...(first && { first }), ...(file !== undefined && { file }) };
      }),
    )
    .sort((a, b) => b.rows - a.rows);
}

/** Keep the first rejection of each kind, in words. Memory: one line a kind. */
export function firstRejections() {
  const firsts = new Map<string, string>();
  return {
    firsts: firsts as ReadonlyMap<string, string>,
    add(said: Rejection<unknown>): void {
      const kind = kindOf(said);
      if (!firsts.has(kind)) firsts.set(kind, wordsOf(said));
    },
  };
}

type Kind = Pick<Rejection<unknown>, 'by' | 'reason'> & { readonly stage?: string };
const kindOf = ({ stage = '', by, reason }: Kind) => `${stage}\u001f${by}\u001f${reason}`;

const longest = 200;

function wordsOf({ origins, error }: Rejection<unknown>): string {
  const { file, line } = origins?.[0] ?? {};
  const place = typeof file === 'string' ? `${file}${typeof line === 'number' ? `:${line}` : ''}` : '';
  const why = (error ?? '')
    .replace(/\u2716 /g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return visible([place, why].filter((part) => part !== '').join(': ')).slice(0, longest);
}

/** A table of rejections for people, and where they are; one sentence when there are none. */
export function rejectionTable(rejections: readonly RejectionCount[]): string {
  if (rejections.length === 0) return 'No row was rejected.';
  const files = [...new Set(rejections.flatMap(({ file }) => file ?? []))];
  const hasFirst = rejections.some(({ first }) => first !== undefined);
  return [
    table(
      ['operator', 'reason', 'rows', ...(hasFirst ? ['first'] : [])],
      rejections.map(({ operator, reason, rows, first = '' }) => [
        operator,
        reason,
        String(rows),
        ...(hasFirst ? [first] : []),
      ]),
    ),
    ...(files.length > 0 ? [`Rejected rows: ${files.join(', ')}`] : []),
  ].join('\n');
}

/** What a card says of rejected rows: left out at this step. */
export const dropsOf = (step: string, rejected: readonly RejectionCount[]): readonly CardDrop[] =>
  rejected.map(({ reason, rows }) => ({ step, reason, rows }));

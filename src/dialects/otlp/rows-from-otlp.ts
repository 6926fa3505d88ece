import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { groupSpans, type SpanGroup } from './span-group.ts';
import { type SpanRow, spanRow } from './span-row.ts';
import { spansOf } from './span-view.ts';

/** Options of `rowsFromOtlp` and `otlpReport`. */
const options = z.strictObject({
  groupBy: z
    .enum(['conversation', 'trace'])
    .default('conversation')
    .describe('What one row is made of: all spans of a conversation, or those of one trace.'),
});

/**
 * Read spans of any instrumentation as rows, one for each conversation: OpenTelemetry GenAI of every age, OpenLLMetry,
 * OpenInference, Vercel AI SDK, LangSmith, Langfuse, pydantic-ai, Google ADK, MLflow. `source` is OTLP/JSON bodies of
 * traces or logs, lists of them, `{spans: [...]}`, or flat spans. Rows come in the order of each group's first span; a
 * group that says nothing gives no row and is counted by `otlpReport`. Absent facts are absent keys. Cost: linear in
 * the spans, and in the messages for histories that only grow.
 *
 * @source house rule
 */
export function rowsFromOtlp(source: unknown, config: z.input<typeof options> = {}): Row[] {
  return told(source, config).flatMap(({ said }) => (said.hasContent ? [said.row as Row] : []));
}

interface ToldGroup {
  readonly group: SpanGroup;
  readonly said: SpanRow;
}

function told(source: unknown, config: z.input<typeof options>): ToldGroup[] {
  const { groupBy } = parseOptions('rowsFromOtlp', options, config);
  return groupSpans(spansOf(source), groupBy).map((group) => ({ group, said: spanRow(group, false) }));
}

/** What became of the spans of a source. */
export interface OtlpReport {
  readonly spans: number;
  readonly groups: number;
  readonly rows: number;
  /** Model spans read, by dialect. */
  readonly dialects: Readonly<Record<string, number>>;
  readonly dropped: readonly { readonly conversation_id: string | null; readonly reason: 'no_content' | 'no_spans' }[];
  /** Spans that no vocabulary knows: structure only. */
  readonly spans_unclassified: number;
  /** Spans whose token counts repeat those of spans below them. */
  readonly usage_spans_ignored: number;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/** Say what `rowsFromOtlp` makes of a source, and what it leaves out: nothing is lost in silence. */
export function otlpReport(source: unknown, config: z.input<typeof options> = {}): OtlpReport {
  const all = told(source, config);
  const spans = all.flatMap(({ group }) => group.spans);
  const unclassified = spans.filter(({ role }) => role === 'other').length;
  const dialects: Record<string, number> = {};
  for (const { said } of all) for (const name of said.dialects) dialects[name] = (dialects[name] ?? 0) + 1;
  const isForeign = spans.length > 0 && unclassified === spans.length;
  return {
    spans: spans.length,
    groups: all.length,
    rows: all.filter(({ said }) => said.hasContent).length,
    dialects,
    dropped: all
      .filter(({ said }) => !said.hasContent)
      .map(({ group }) => ({
        conversation_id: group.key ?? null,
        reason: group.spans.some(({ role }) => role !== 'other') ? ('no_content' as const) : ('no_spans' as const),
      })),
    spans_unclassified: unclassified,
    usage_spans_ignored: all.reduce((sum, { said }) => sum + said.usageIgnored, 0),
    warnings: isForeign ? [`none of the ${spans.length} spans is of a model, a tool or an agent`] : [],
    warning_codes: isForeign ? ['unclassified_spans'] : [],
  };
}

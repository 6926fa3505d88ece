import { decodeOtlpRequest, type OtlpRequest } from '../../../src/dialects/otlp/request.ts';
import { type OtlpAnswer, otlpResponse } from '../../../src/dialects/otlp/response.ts';
import { rowsFromOtlp } from '../../../src/dialects/otlp/rows-from-otlp.ts';
import { behaviorState, regionProgress } from '../../../src/reports/traces/behavior-state.ts';
import { dimensionsFromTraces } from '../../../src/reports/traces/dimensions-from-traces.ts';
import { inferHarness, toolsFromTraces } from '../../../src/reports/traces/infer-harness.ts';
import { dropLeakyRows, leakageReport } from '../../../src/reports/traces/leakage-report.ts';
import { flawRows, mineTraces } from '../../../src/reports/traces/mine-traces.ts';
import { openingShare } from '../../../src/reports/traces/opening-share.ts';
import { exemplarResultShapes, mineResultExemplars } from '../../../src/reports/traces/result-exemplars.ts';
import { splitPseudoProduction } from '../../../src/reports/traces/split-pseudo-production.ts';
import { traceReport } from '../../../src/reports/traces/trace-report.ts';
import { toolsFrom } from '../../../src/rows/tool.ts';
import type { Adapters } from '../run-case.ts';

interface GivenRequest extends Omit<OtlpRequest, 'body'> {
  readonly body?: string;
  readonly body_base64?: string;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
interface Traced {
  readonly rows: Rows;
  readonly tools?: unknown;
  readonly system_prompt?: string;
}
interface Leaks {
  readonly rows: Rows;
  readonly generated: unknown;
  readonly sources: unknown;
}
const ids = (rows: Rows) => rows.map(({ id }) => id);

/** Spans and files to rows, and what is read off traces. */
export const adapters: Adapters = {
  decodeOtlpRequest: ([{ body, body_base64, ...request }]: readonly [GivenRequest], options) => {
    const bytes = body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');
    const { status, rejected_spans, spans } = decodeOtlpRequest({ ...request, body: bytes }, options);
    return { status, rejected_spans, spans };
  },
  otlpResponse: ([answer]: readonly [OtlpAnswer]) => {
    const { body, ...response } = otlpResponse(answer);
    if (typeof body === 'string') return { ...response, body };
    return { ...response, body_base64: Buffer.from(body).toString('base64') };
  },
  rowsFromOtlp: ([source, given]: readonly [unknown, object?], options) =>
    rowsFromOtlp(source, { ...(options as object), ...given }),
  mineTraces: ([rows]: readonly [Rows]) => mineTraces(rows),
  flawRows: ([rows]: readonly [Rows]) => flawRows(rows),
  traceReport: ({ rows, tools, system_prompt }: Traced) =>
    traceReport(rows, {
      ...(tools === undefined ? {} : { tools: toolsFrom(tools) }),
      ...(system_prompt === undefined ? {} : { policy: system_prompt }),
    }),
  dimensionsFromTraces: ({ rows, tools, system_prompt }: Traced, options) =>
    dimensionsFromTraces(rows, toolsFrom(tools), system_prompt ?? '', options),
  splitPseudoProduction: ([rows]: readonly [Rows], options) => {
    const { production, remainder } = splitPseudoProduction(rows, options);
    return { production: ids(production), remainder: ids(remainder) };
  },
  leakageReport: ({ generated, sources }: Leaks, options) => leakageReport(generated, sources, options),
  dropLeakyRows: ({ rows, sources }: Leaks, options) => {
    const { kept, report } = dropLeakyRows(rows, sources, options);
    return { kept, kept_ids: ids(kept), report };
  },
  toolsFromTraces: ([rows]: readonly [Rows]) => toolsFromTraces(rows),
  inferHarness: ([rows]: readonly [Rows]) => inferHarness(rows),
  mineResultExemplars: ([rows]: readonly [Rows], options) => mineResultExemplars(rows, options),
  exemplarResultShapes: ([exemplars]: readonly [never]) => exemplarResultShapes(exemplars),
  openingShare: ([rows]: readonly [Rows]) => openingShare(rows),
  behaviorState: ([rows]: readonly [Rows], options) => behaviorState(rows, options),
  regionProgress: ([state, generated]: readonly [never, Rows]) => regionProgress(state, generated),
};

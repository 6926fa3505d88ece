import { decodeOtlpRequest, type OtlpRequest } from '../../../src/dialects/otlp/request.ts';
import { type OtlpAnswer, otlpResponse } from '../../../src/dialects/otlp/response.ts';
import { rowsFromOtlp } from '../../../src/dialects/otlp/rows-from-otlp.ts';
import type { Adapters } from '../run-case.ts';

interface GivenRequest extends Omit<OtlpRequest, 'body'> {
  readonly body?: string;
  readonly body_base64?: string;
}

/** Spans and files to rows. */
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
};

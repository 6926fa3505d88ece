import { present } from '../fields.ts';
import { messageType } from './protobuf-messages.ts';

/** What the receiver answers. */
export interface OtlpAnswer {
  /** Media type of the request: the answer has the same. Anything but protobuf is answered in JSON. */
  readonly content_type: string;
  /** 200 when absent. */
  readonly status?: number;
  readonly rejected_spans?: number;
  /** What was exported: log records are counted under another name. */
  readonly signal?: 'traces' | 'logs';
  readonly message?: string;
  /** Whole seconds, 1 to 2 are best: the sender's time-out is short, and anything but a number makes it retry at once. */
  readonly retry_after_s?: number;
}

/** An HTTP answer: a text in JSON, bytes in protobuf. */
export interface OtlpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Write the answer to an export in the encoding of its request: all taken, some rejected (never sent again), a warning,
 * or an error.
 *
 * @source OpenTelemetry Protocol 1.11, OTLP/HTTP responses
 */
export function otlpResponse({
  content_type,
  status = 200,
  rejected_spans = 0,
  signal = 'traces',
  message = '',
  retry_after_s,
}: OtlpAnswer): OtlpResponse {
  const isProtobuf = content_type.startsWith('application/x-protobuf');
  const headers = present({
    'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json',
    'retry-after': retry_after_s === undefined ? undefined : String(Math.max(1, Math.ceil(retry_after_s))),
  }) as Readonly<Record<string, string>>;
  if (status !== 200) {
    const body = present({ message: message === '' ? undefined : message });
    return { status, headers, body: isProtobuf ? encode('RpcStatus', body) : JSON.stringify(body) };
  }
  const isPartial = rejected_spans > 0 || message !== '';
  const counted = isProtobuf || signal === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords'; // one field number for both
  const partial = present({
    [counted]: rejected_spans > 0 ? String(rejected_spans) : undefined,
    errorMessage: message === '' ? undefined : message,
  });
  const body = isPartial ? { partialSuccess: partial } : {};
  return { status, headers, body: isProtobuf ? encode('TraceResponse', body) : JSON.stringify(body) };
}

function encode(name: string, body: object): Uint8Array {
  const type = messageType(name);
  return type.encode(type.fromObject(body as Record<string, unknown>)).finish();
}

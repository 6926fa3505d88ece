import { gunzipSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { parseOptions } from '../../core/operator.ts';
import { isObject } from '../fields.ts';
import { type BodyLimits, boundJson, countJson, TooMany } from './body-limits.ts';
import { type DecodedLog, type DecodedLogs, decodedLogs } from './decoded-log.ts';
import { type DecodedBody, type DecodedSpan, decodedSpans, type Refused } from './decoded-span.ts';
import { type PackedSpan, packedSpansOf } from './packed-span.ts';
import { logsOfProtobuf, spansOfProtobuf } from './read-protobuf.ts';

/** An HTTP request to the receiver, its body read whole. */
export interface OtlpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** What a request held, or why it cannot be taken. */
export interface OtlpDecoded<Span = DecodedSpan> {
  /** HTTP status: 200, 400 undecodable, 404, 405, 413 too large or too many, 415 of a wrong type. */
  readonly status: number;
  /** Why, when it is not 200. */
  readonly message?: string;
  /** Spans, or log records, that cannot be kept. */
  readonly rejected_spans: number;
  readonly spans: readonly Span[];
  /** Log records of a request to `/v1/logs`. */
  readonly logs: readonly DecodedLog[];
  /** What cannot be kept, each with its reason. */
  readonly refused: readonly Refused[];
  /** Bytes of the body once it is inflated: no text in it is longer. Absent when it was not decoded. */
  readonly bodyBytes?: number;
}

/** Options of `decodeOtlpRequest`. */
const options = z.strictObject({
  maxBodyBytes: z
    .int()
    .min(1)
    .default(64 * 1024 * 1024)
    .describe('Largest body in bytes, before and after decompression.'),
  maxSpans: z
    .int()
    .min(1)
    .optional()
    .describe('Most spans, or log records, and most resources and scopes together. Without it any number.'),
  maxEvents: z.int().min(1).optional().describe('Most events and links of all spans. Without it any number.'),
  maxValues: z.int().min(1).optional().describe('Most attributes and items of lists. Without it any number.'),
});

const inflaters = { gzip: gunzipSync, deflate: inflateSync };

/**
 * Decode an OTLP/HTTP export, JSON or protobuf, plain, gzip or deflate. Inflating stops at the limit. A span that cannot
 * be kept is counted and loses no other.
 *
 * @source OpenTelemetry Protocol 1.11, OTLP/HTTP
 */
export const decodeOtlpRequest = (request: OtlpRequest, config: z.input<typeof options> = {}): OtlpDecoded =>
  decodedWith(spansOfProtobuf, request, config);

/** The same, but spans that come in protobuf are not decoded yet. */
export const packedOtlpRequest = (
  request: OtlpRequest,
  config: z.input<typeof options> = {},
): OtlpDecoded<DecodedSpan | PackedSpan> => decodedWith(packedSpansOf, request, config);

type SpanReader<Span> = (bytes: Uint8Array, limits: BodyLimits) => DecodedBody<Span>;

function decodedWith<Span>(
  readSpans: SpanReader<Span>,
  request: OtlpRequest,
  config: z.input<typeof options>,
): OtlpDecoded<Span | DecodedSpan> {
  const { maxBodyBytes, ...limits } = parseOptions('decodeOtlpRequest', options, config);
  const refused = otlpRefusal(request);
  if (refused) return refused;
  if (request.body.byteLength > maxBodyBytes) return tooLarge(maxBodyBytes);
  const inflated = inflatedBody(request, maxBodyBytes);
  if ('status' in inflated) return inflated;
  try {
    return { ...decode(request, inflated.bytes, readSpans, limits), bodyBytes: inflated.bytes.byteLength };
  } catch (error) {
    if (error instanceof TooMany) return refuse(413, error.message);
    return refuse(400, `the body cannot be decoded: ${(error as Error).message}`);
  }
}

const refuse = (status: number, message: string): OtlpDecoded<never> => ({
  status,
  message,
  rejected_spans: 0,
  spans: [],
  logs: [],
  refused: [],
});

/** What is wrong with a request before its body is read; undefined when nothing is. */
export function otlpRefusal({ method, path, headers }: Omit<OtlpRequest, 'body'>): OtlpDecoded<never> | undefined {
  if (path !== '/v1/traces' && path !== '/v1/logs') return refuse(404, `${path}: only /v1/traces and /v1/logs`);
  if (method !== 'POST') return refuse(405, `${method}: only POST`);
  const type = mediaType(headers);
  if (type === undefined) return refuse(415, 'the content type must be application/json or application/x-protobuf');
  const encoding = header(headers, 'content-encoding') ?? 'identity';
  if (encoding === 'identity' || Object.hasOwn(inflaters, encoding)) return undefined;
  return refuse(415, `${encoding}: only gzip and deflate`);
}

const tooLarge = (limit: number) => refuse(413, `body over ${limit} bytes`);

function header(headers: OtlpRequest['headers'], name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return found?.trim().toLowerCase() || undefined;
}

/** `json` or `protobuf`; parameters of the type are ignored. */
function mediaType(headers: OtlpRequest['headers']): 'json' | 'protobuf' | undefined {
  const type = header(headers, 'content-type')?.split(';')[0]?.trim();
  return type === 'application/json' ? 'json' : type === 'application/x-protobuf' ? 'protobuf' : undefined;
}

/** Inflate a body by its content encoding, up to a limit in bytes; gives what is wrong with it when that fails. */
export function inflatedBody(
  { headers, body }: Pick<OtlpRequest, 'headers' | 'body'>,
  maxOutputLength: number,
): { readonly bytes: Uint8Array } | OtlpDecoded<never> {
  const encoding = header(headers, 'content-encoding');
  if (encoding !== 'gzip' && encoding !== 'deflate') return { bytes: body };
  try {
    return { bytes: inflaters[encoding](body, { maxOutputLength }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxOutputLength);
    return refuse(400, `the body is not ${encoding}`);
  }
}

function decode<Span>(
  { path, headers }: OtlpRequest,
  bytes: Uint8Array,
  readSpans: SpanReader<Span>,
  limits: BodyLimits,
): OtlpDecoded<Span | DecodedSpan> {
  const isLogs = path === '/v1/logs';
  if (mediaType(headers) === 'protobuf')
    return isLogs ? ofLogs(logsOfProtobuf(bytes, limits)) : ofSpans(readSpans(bytes, limits));
  boundJson(bytes, limits);
  const body = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (!isObject(body)) return refuse(400, 'the body is not an object');
  countJson(body, limits);
  return isLogs ? ofLogs(decodedLogs(body)) : ofSpans(decodedSpans(body));
}

const ofSpans = <Span>({ spans, refused }: DecodedBody<Span>): OtlpDecoded<Span> => ({
  ...{ status: 200, rejected_spans: refused.length, spans, logs: [], refused },
});
const ofLogs = ({ logs, refused }: DecodedLogs): OtlpDecoded<never> => ({
  ...{ status: 200, rejected_spans: refused.length, spans: [], logs, refused },
});

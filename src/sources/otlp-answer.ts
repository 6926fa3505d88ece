import { otlpRefusal } from '../dialects/otlp/request.ts';
import { type OtlpAnswer, otlpResponse } from '../dialects/otlp/response.ts';
import type { BodyFault } from './otlp-body.ts';

/** What is answered: an OTLP answer without the encoding, which is that of the request. */
export type Answer = Omit<OtlpAnswer, 'content_type' | 'retry_after_s'> & {
  /** The sender is to come again. */
  readonly isRetried?: boolean;
  /** The rest of its body is not read. */
  readonly isCut?: boolean;
  /** Instead of the protocol's body: the answer to verdicts. */
  readonly json?: unknown;
};

/** When there is no room, and when nothing can be stored. */
export const answers = {
  full: { status: 429, message: 'too much at a time', isRetried: true },
  away: { status: 503, message: 'nothing can be stored now', isRetried: true },
} as const satisfies Record<string, Answer>;
export const tooLarge = (limit: number): Answer => ({ status: 413, message: `body over ${limit} bytes`, isCut: true });

/** The answer to a body that was not read to its end. */
export function faultAnswer(fault: BodyFault, maxBodyBytes: number): Answer {
  if (fault === 'too_large') return tooLarge(maxBodyBytes);
  if (fault === 'no_room') return { ...answers.full, isCut: true };
  const message = fault === 'too_slow' ? 'the body took too long' : 'the body ended early';
  return { ...answers.away, message, isCut: true };
}

/** What is wrong with a request before its body is read; undefined when nothing is. */
export function refusalOf(
  request: Request,
  path: string,
  isAllowed: (header: string | null) => boolean,
): Answer | undefined {
  const headers = { 'content-type': type(request), 'content-encoding': request.headers.get('content-encoding') ?? '' };
  const isScores = path === '/v1/scores';
  const refused = otlpRefusal({ method: request.method, path: isScores ? '/v1/logs' : path, headers });
  const isKnown = refused?.status !== 404 && refused?.status !== 405;
  if (isKnown && !isAllowed(request.headers.get('authorization')))
    return { status: 401, message: 'a bearer token is needed, and this is not it', isCut: true };
  if (refused?.status === 404)
    return { status: 404, message: `${path}: here are /v1/traces, /v1/logs and /v1/scores`, isCut: true };
  if (refused) return { status: refused.status, message: refused.message ?? '', isCut: true };
  if (isScores && !type(request).startsWith('application/json'))
    return { status: 415, message: 'verdicts are application/json', isCut: true };
  return undefined;
}

const type = (request: Request) => request.headers.get('content-type') ?? '';

/** Write an answer in the encoding of its request. */
export function responseOf(
  request: Request,
  { isRetried, isCut, json, ...said }: Answer,
  retryAfterS: number,
): Response {
  const path = new URL(request.url).pathname;
  const { status, headers, body } = otlpResponse({
    ...said,
    content_type: type(request),
    signal: path === '/v1/logs' ? 'logs' : 'traces',
    ...(isRetried && { retry_after_s: retryAfterS }),
  });
  const more = {
    ...(isCut && { connection: 'close' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST' }),
  };
  const text = json === undefined ? body : JSON.stringify(json);
  return new Response(typeof text === 'string' ? text : new Uint8Array(text), {
    status,
    headers: { ...headers, ...more },
  });
}

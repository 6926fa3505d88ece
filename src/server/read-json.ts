import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseJson } from '../core/json.ts';
import { readBody } from '../sources/otlp-body.ts';

/** Bounds of what requests may bring. */
export interface BodyLimits {
  /** Bytes of a body as it comes. */
  readonly maxBytes: number;
  /** Bytes once it is inflated. */
  readonly maxInflatedBytes: number;
  /** Time in ms that a body may take to come. */
  readonly maxMs: number;
  /** Bytes of all bodies that are not answered yet. */
  readonly maxPendingBytes: number;
}

export const bodyLimits: BodyLimits = {
  maxBytes: 8 * 1024 * 1024,
  maxInflatedBytes: 32 * 1024 * 1024,
  maxMs: 10_000,
  maxPendingBytes: 64 * 1024 * 1024,
};

/** Why a body could not be used, as the status and the words of the answer. */
export interface BodyRefusal {
  readonly status: 400 | 408 | 413 | 415 | 429;
  readonly error: string;
}

/** Reads the JSON of a request within bounds, plain or gzip, and answers it. */
export type JsonReader = (
  request: Request,
  answer: (value: unknown) => Response | Promise<Response>,
) => Promise<Response>;

const inflate = promisify(gunzip);

/**
 * Make a reader of JSON bodies. Memory: `maxPendingBytes` of bodies, inflated, for all requests together until they are
 * answered; what does not fit is sent away with 429.
 */
export function jsonReader(given: Partial<BodyLimits> = {}): JsonReader {
  const limits = { ...bodyLimits, ...given };
  let pending = 0;
  return async (request, answer) => {
    const refused = refusalOf(request.headers, limits.maxBytes);
    if (refused) return refusalResponse(refused);
    let taken = 0;
    const take = (bytes: number): boolean => {
      if (pending + bytes > limits.maxPendingBytes) return false;
      taken += bytes;
      pending += bytes;
      return true;
    };
    try {
      const body = await readBody(request.body, { maxBytes: limits.maxBytes, maxMs: limits.maxMs, take });
      if (typeof body === 'string') return refusalResponse(faults[body] ?? tooLarge(limits.maxBytes));
      const isPacked = request.headers.get('content-encoding')?.toLowerCase() === 'gzip';
      const bytes = isPacked ? await inflated(body, limits.maxInflatedBytes) : body;
      if (!(bytes instanceof Uint8Array)) return refusalResponse(bytes);
      if (!take(Math.max(0, bytes.byteLength - taken))) return refusalResponse(noRoom);
      const said = parsed(bytes);
      return await ('error' in said ? refusalResponse(said) : answer(said.value)); // held until it is answered
    } finally {
      pending -= taken;
    }
  };
}

/** What is wrong with a body before it is read. */
function refusalOf(headers: Headers, maxBytes: number): BodyRefusal | undefined {
  // anything else could be sent by a page of another site without being asked
  if (!/^application\/json\b/i.test(headers.get('content-type') ?? ''))
    return { status: 415, error: 'the body must be application/json' };
  if (!['identity', 'gzip'].includes(headers.get('content-encoding')?.toLowerCase() || 'identity'))
    return { status: 415, error: 'the body may be gzip, nothing else' };
  return Number(headers.get('content-length') ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

const tooLarge = (limit: number): BodyRefusal => ({ status: 413, error: `the body is over ${limit} bytes` });
const noRoom: BodyRefusal = { status: 429, error: 'too much at a time' };
const faults: Readonly<Record<string, BodyRefusal>> = {
  too_slow: { status: 408, error: 'the body took too long' },
  cut: { status: 400, error: 'the body ended early' },
  no_room: noRoom,
};

async function inflated(body: Buffer, limit: number): Promise<Buffer | BodyRefusal> {
  try {
    return await inflate(body, { maxOutputLength: limit });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(limit)
      : { status: 400, error: 'the body is not gzip' };
  }
}

function parsed(bytes: Uint8Array): { readonly value: unknown } | BodyRefusal {
  if (bytes.byteLength === 0) return { value: undefined };
  try {
    return { value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { status: 400, error: `the body is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

/** The answer to a body that could not be used. The rest of it is not read. */
function refusalResponse({ status, error }: BodyRefusal): Response {
  const headers = { connection: 'close', ...(status === 429 && { 'retry-after': '1' }) };
  return Response.json({ error }, { status, headers });
}

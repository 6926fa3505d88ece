import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Clock, systemClock } from '../core/clock.ts';
import { TracemillError } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import { parseOptions } from '../core/operator.ts';
import { type AdaptiveLimit, adaptiveLimit, type CallEnd } from './adaptive-limit.ts';
import { type Backend, type Env, keyOf, parseBackendSpec } from './backend-spec.ts';
import type { ChatModel, ChatReply, ChatRequest } from './chat-model.ts';
import { type JsonModel, jsonModel } from './json-post.ts';
import { type ChatHost, openaiHost } from './openai-client.ts';
import { readCompletion } from './read-completion.ts';
import type { ResponseCache } from './response-cache.ts';
import { HostError, type RetryOptions, withRetries } from './retry.ts';

const options = z.strictObject({
  maxRetries: z.int().min(0).default(6).describe('Times a call that may succeed later is made again.'),
  firstWaitMs: z.int().min(0).default(500).describe('Wait before the first retry, in ms; it doubles with each.'),
  maxWaitMs: z.int().min(0).default(60_000).describe('Longest wait before a retry, in ms, whatever the host asks for.'),
  requestTimeoutMs: z.int().min(1).default(300_000).describe('One try that takes longer is given up, in ms.'),
  startConcurrent: z.int().min(1).default(8).describe('Calls to one model at once, at the start.'),
  maxConcurrent: z.int().min(1).default(64).describe('Most calls to one model at once.'),
  stream: z.boolean().default(false).describe('Ask for streamed replies.'),
});

interface ModelPorts {
  /** Where keys and base URLs stand. Default: the environment of the process. */
  readonly env?: Env;
  readonly cache?: ResponseCache;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  readonly sleep?: RetryOptions['sleep'];
}

/** What calls to one model came to so far. */
export interface ModelUse {
  readonly model: string;
  /** Tries sent to the host. */
  readonly sent: number;
  readonly answered: number;
  readonly from_cache: number;
  readonly failed_by: Readonly<Record<string, number>>;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Calls allowed at once now. */
  readonly limit: number;
}

/** The models of a run: one client and one limit for each, however often it is opened. */
export interface Models {
  /**
   * Open a model by its spec.
   *
   * @throws TM_OPTIONS - no such backend; TM_AUTH - a remote host whose key is not set
   */
  open(spec: string): ChatModel;
  /**
   * Open an address that takes JSON and gives JSON, with the same retries and cache.
   *
   * @throws TM_AUTH - a remote host, and the variable `keyName` is not set
   */
  openJson(url: string, keyName: string): JsonModel;
  /** What the run asked of its models. */
  use(): readonly ModelUse[];
}

/**
 * Open models by their specs, with retries that keep to what the host asks, a bound on calls at once that follows what
 * it bears, time-outs, and a cache that makes a killed run resumable: a request is answered once for each `repeat`.
 *
 * @throws TM_OPTIONS - when made, if an option is unknown or out of range
 */
export function createModels(config: z.input<typeof options> = {}, ports: ModelPorts = {}): Models {
  const settings = parseOptions('models', options, config);
  const { env = process.env, cache, fetch, clock = systemClock, sleep = asleep } = ports;
  const opened = new Map<string, OpenModel>();
  return {
    open(spec) {
      const backend = parseBackendSpec(spec, env);
      const name = `${backend.baseURL} ${backend.model}`;
      const known = opened.get(name);
      if (known) return known;
      const { stream, startConcurrent: start, maxConcurrent: max } = settings;
      const host = openaiHost({ baseURL: backend.baseURL, apiKey: keyOf(backend, env), stream, clock, fetch });
      const model = new OpenModel(backend, host, adaptiveLimit({ start, max }), cache, { ...settings, sleep });
      opened.set(name, model);
      return model;
    },
    openJson: (url, keyName) =>
      jsonModel(url, keyName, {
        env,
        cache,
        fetch: fetch ?? globalThis.fetch,
        clock,
        requestTimeoutMs: settings.requestTimeoutMs,
        retry: { ...settings, sleep },
      }),
    use: () => [...opened.values()].map((model) => model.use()),
  };
}

const asleep: RetryOptions['sleep'] = async (ms, signal) => {
  await wait(ms, undefined, { signal });
};

type Settings = RetryOptions & { readonly requestTimeoutMs: number };

class OpenModel implements ChatModel {
  readonly #backend: Backend;
  readonly #host: ChatHost;
  readonly #limit: AdaptiveLimit;
  readonly #cache: ResponseCache | undefined;
  readonly #settings: Settings;
  readonly #asked = new Map<string, Promise<ChatReply>>();
  readonly #count = { sent: 0, answered: 0, from_cache: 0, input_tokens: 0, output_tokens: 0 };
  readonly #failed: Record<string, number> = {};
  #name: string;

  constructor(
    backend: Backend,
    host: ChatHost,
    limit: AdaptiveLimit,
    cache: ResponseCache | undefined,
    settings: Settings,
  ) {
    this.#backend = backend;
    this.#host = host;
    this.#limit = limit;
    this.#cache = cache;
    this.#settings = settings;
    this.#name = backend.model;
  }

  get name(): string {
    return this.#name || new URL(this.#backend.baseURL).host;
  }

  use(): ModelUse {
    return { model: this.name, ...this.#count, failed_by: { ...this.#failed }, limit: this.#limit.limit };
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const key = idOf([this.#backend.baseURL, this.#backend.model, request], 32);
    if (!this.#cache) return this.#ask(request, key, signal);
    const before = this.#cache.get(key) ?? this.#asked.get(key);
    if (before !== undefined) {
      this.#count.from_cache++;
      return before;
    }
    const asked = this.#askAndStore(this.#cache, request, key, signal);
    this.#asked.set(key, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(key);
    }
  }

  async #askAndStore(cache: ResponseCache, request: ChatRequest, key: string, signal: AbortSignal): Promise<ChatReply> {
    const reply = await this.#ask(request, key, signal);
    await cache.set(key, reply);
    return cache.get(key) ?? reply; // another process may have been first: all use its reply
  }

  async #ask(request: ChatRequest, key: string, signal: AbortSignal): Promise<ChatReply> {
    const reply = await withRetries(() => this.#tryOnce(request, signal), this.#settings, [key], signal);
    this.#count.answered++;
    this.#count.input_tokens += reply.usage?.input_tokens ?? 0;
    this.#count.output_tokens += reply.usage?.output_tokens ?? 0;
    return reply;
  }

  /** One try holds a place of the limit; a wait before the next holds none. */
  async #tryOnce(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const leave = await this.#limit.enter(signal);
    let end: CallEnd = 'other';
    const late = AbortSignal.timeout(this.#settings.requestTimeoutMs);
    try {
      this.#count.sent++;
      const within = AbortSignal.any([signal, late]);
      this.#name ||= await this.#host.firstModel(within);
      const reply = readCompletion(await this.#host.complete(this.#name, request, within), this.#name);
      end = 'fine';
      return reply;
    } catch (error) {
      const reason = error instanceof TracemillError ? error.reason : 'error';
      this.#failed[reason] = (this.#failed[reason] ?? 0) + 1;
      if (error instanceof HostError && isFull(error)) end = 'full';
      if (late.aborted && !signal.aborted)
        throw new HostError(`${this.name}: no answer in ${this.#settings.requestTimeoutMs} ms`, {
          reason: 'timeout',
          retriable: true,
          cause: error,
        });
      throw error;
    } finally {
      leave(end);
    }
  }
}

/** Signs that a host has more to do than it can. */
const isFull = ({ reason }: HostError): boolean => ['rate_limited', 'timeout', 'server_error'].includes(reason);

/** What a fake host does with one request. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | { readonly text: string; readonly type?: string }
  | { readonly chunks: readonly unknown[] }
  | 'hang'
  | 'drop';

export interface Asked {
  readonly url: string;
  readonly body: Record<string, unknown>;
  readonly key: string | null;
}

/** A completion that says a text. */
export const says = (content: string, more: Record<string, unknown> = {}): Answer => ({
  status: 200,
  body: {
    model: 'fake-1',
    choices: [{ message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  },
});

/** A completion that calls one tool. */
export const calls = (name: string, args: unknown, id = 'c1'): Answer => ({
  status: 200,
  body: {
    model: 'fake-1',
    choices: [
      {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  },
});

/** An OpenAI-compatible host without a network: it answers requests by a script and keeps what it was asked. */
export function fakeHost(answer: (asked: Asked, n: number) => Answer) {
  const asked: Asked[] = [];
  const host = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = String(input instanceof Request ? input.url : input);
    const headers = new Headers(init.headers);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const request = { url, body, key: headers.get('authorization') };
    asked.push(request);
    const reply = answer(request, asked.length - 1);
    if (reply === 'hang') return hang(init.signal);
    if (reply === 'drop') throw new TypeError('fetch failed');
    if ('chunks' in reply)
      return new Response(events(reply.chunks), { headers: { 'content-type': 'text/event-stream' } });
    if ('text' in reply)
      return new Response(reply.text, { headers: { 'content-type': reply.type ?? 'application/json' } });
    return new Response(JSON.stringify(reply.body ?? { error: { message: `status ${reply.status}` } }), {
      status: reply.status,
      headers: { 'content-type': 'application/json', ...reply.headers },
    });
  };
  return { fetch: host as typeof fetch, asked };
}

const hang = (signal: AbortSignal | null | undefined) =>
  new Promise<Response>((_resolve, reject) => {
    const fail = () => reject(signal?.reason ?? new Error('aborted'));
    if (signal?.aborted) fail();
    signal?.addEventListener('abort', fail, { once: true });
  });

const events = (chunks: readonly unknown[]): string =>
  [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join('');

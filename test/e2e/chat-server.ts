import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { draw, drawOne } from '../../src/core/draws.ts';

/** What a request asks, as far as the server looks at it. */
interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tool_choice?: string;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** One answer: words, or a call of a tool with its arguments as text. */
interface Said {
  readonly content?: string;
  readonly refusal?: string;
  readonly call?: { readonly name: string; readonly args: string };
}

const hangMs = 400;

/**
 * A host that does what hosts do: it is full (429 with Retry-After), fails, sends half of its JSON, closes after a silence,
 * says nothing, refuses, breaks the arguments of a call, and streams calls in pieces. What it says follows from what it is
 * asked alone; the troubles meet the first request of each body, so that whoever asks again is answered.
 */
export async function startChatServer() {
  const tries = new Map<string, number>();
  const count = { requests: 0, answered: 0 };
  const troubles: Record<string, number> = {};
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // whoever asked was killed
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    count.requests++;
    const nth = (tries.get(text) ?? 0) + 1;
    tries.set(text, nth);
    const body = JSON.parse(text) as Body;
    const trouble = nth === 1 ? troubleOf(text) : undefined;
    if (trouble) {
      troubles[trouble] = (troubles[trouble] ?? 0) + 1;
      return await give[trouble](body, response);
    }
    await sleep(5 + 20 * draw(text, nth, 'latency'));
    response.once('finish', () => count.answered++);
    send(body, sayTo(body, text), response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    model: `vllm:fake@http://127.0.0.1:${port}/v1`,
    /** Requests that came in, and those that were answered to the end; not those that met trouble. */
    count: () => ({ ...count }),
    troubles: () => ({ ...troubles }),
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const give = {
  async full(_body: Body, response: ServerResponse) {
    response.writeHead(429, { 'retry-after': '0.05' }).end('{"error":{"message":"slow down"}}');
  },
  async broken(_body: Body, response: ServerResponse) {
    response.writeHead(500).end('oh no');
  },
  async half({ stream }: Body, response: ServerResponse) {
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    response.end(stream ? 'data: {"choices": [{"del\n\n' : '{"choices": [{"mess');
  },
  async silent(_body: Body, response: ServerResponse) {
    await sleep(hangMs);
    response.destroy();
  },
} as const;

function troubleOf(text: string): keyof typeof give | undefined {
  const luck = draw(text, 'trouble');
  if (luck < 0.08) return 'full';
  if (luck < 0.12) return 'broken';
  if (luck < 0.16) return 'half';
  return luck < 0.2 ? 'silent' : undefined;
}

function sayTo(body: Body, text: string): Said {
  const system = body.messages[0]?.content ?? '';
  if (system.includes('region_id')) return { content: asksFor(body.messages.at(-1)?.content ?? '') };
  if (system.startsWith('You play a person')) return { content: personSays(text) };
  if (!body.tools) return { content: 'Travellers who arrive late and want their room.' };
  const luck = draw(text, 'agent');
  const isHeard = body.messages.at(-1)?.role === 'tool';
  if (!isHeard && body.tool_choice !== 'none' && luck < 0.6)
    return { call: { name: 'get_booking', args: luck < 0.04 ? '{"booking_id":' : `{"booking_id":"B${idIn(text)}"}` } };
  if (luck > 0.97) return { content: '' };
  if (luck > 0.93) return { refusal: 'I cannot help with that.' };
  return { content: `${isHeard ? 'I looked it up' : 'I have noted it'}: number ${idIn(text)} is on my list.` };
}

const idIn = (text: string): number => 100 + Math.floor(900 * draw(text, 'id'));

const wants = ['move my stay', 'cancel the room', 'see what I owe', 'add a bed', 'change the name on it'] as const;

/** The writer's list, with words around it. */
function asksFor(cards: string): string {
  const list = cards.split('\n').map((line) => {
    const { region_id } = JSON.parse(line) as { readonly region_id: string };
    return { region_id, message: `I am at the door and need to ${drawOne(wants, line)}, it is ${idIn(line)}` };
  });
  return `Here you are:\n${JSON.stringify(list)}`;
}

const personSays = (text: string): string =>
  drawOne(['It is for two nights from Friday.', 'Make that number seven please.', 'STOP'] as const, text, 'person');

function send({ stream, model }: Body, said: Said, response: ServerResponse): void {
  const usage = { prompt_tokens: 20, completion_tokens: 8 };
  const finish_reason = said.call ? 'tool_calls' : 'stop';
  if (!stream) {
    const { content = null, refusal, call } = said;
    const tool_calls = call && [{ id: 'c1', type: 'function', function: { name: call.name, arguments: call.args } }];
    const message = { role: 'assistant', content, ...(refusal && { refusal }), ...(tool_calls && { tool_calls }) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ model, usage, choices: [{ message, finish_reason }] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, more: object = {}) =>
    response.write(`data: ${JSON.stringify({ model, choices: [{ index: 0, delta, ...more }] })}\n\n`);
  for (const delta of deltasOf(said)) chunk(delta);
  chunk({}, { finish_reason });
  response.write(`data: ${JSON.stringify({ model, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Words and arguments come in pieces; only the first piece of a call has its id and name. */
function deltasOf({ content, refusal, call }: Said): readonly object[] {
  const pieces = (text: string) => text.match(/[\s\S]{1,7}/gu) ?? [];
  const parts = pieces(call?.args ?? '').map((args, n) => ({
    index: 0,
    ...(n === 0 && { id: 'c1', type: 'function' }),
    function: { ...(n === 0 && { name: call?.name }), arguments: args },
  }));
  return [
    ...pieces(content ?? '').map((text) => ({ content: text })),
    ...(refusal ? [{ refusal }] : []),
    ...parts.map((part) => ({ tool_calls: [part] })),
  ];
}

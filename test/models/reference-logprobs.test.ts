import { expect, it } from 'vitest';
import { referenceLogprobs, type Transport } from '../../src/models/reference-logprobs.ts';

const record = (id: number, logprob: number, decoded_token: string, more: object = {}) => ({
  [id]: { logprob, rank: 1, decoded_token },
  ...more,
});
/** A server whose every message is two tokens long, the reply `said` at -0.5 each, with a blank token of the template at the end. */
const server: Transport = async ({ messages, prompt_logprobs }) => {
  const before = 2 * (messages as unknown[]).length;
  if (prompt_logprobs === undefined) return { usage: { prompt_tokens: before } };
  const said = [record(7, -0.5, 'a'), record(8, -0.5, 'b'), record(9, -3, '\n')];
  return {
    prompt_logprobs: [null, ...Array.from({ length: before - 3 }, () => record(1, -9, 'x')), ...said],
    prompt_token_ids: [],
  };
};
const row = (turns: number, more: object = {}) => ({
  messages: Array.from({ length: turns }, () => [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'a b' },
  ]).flat(),
  ...more,
});
const reference = 'vllm:org/model@v2@http://localhost:1/v1';

it('sums every assistant turn, leaves blank template tokens out, and says how the token counts differ', async () => {
  const { rows, report } = await referenceLogprobs([row(1, { n_tokens: 3 }), row(2)], reference, { transport: server });
  expect(rows.map(({ ref_logprob, ref_n_tokens, ref_model }) => [ref_logprob, ref_n_tokens, ref_model])).toEqual([
    [-1, 2, 'org/model@v2'],
    [-2, 4, 'org/model@v2'],
  ]);
  expect(report).toEqual({
    n_rows: 2,
    n_skipped: 0,
    n_tokens: 6,
    model: 'org/model@v2',
    token_count_gap: 1,
    errors: [],
  });
});

it('one row that the reference refuses does not fail the others, which stay in order', async () => {
  const refusing: Transport = async (body, signal) => {
    if ((body['messages'] as unknown[]).length > 2) throw new Error('too long');
    return server(body, signal);
  };
  const { rows, report } = await referenceLogprobs(
    [row(2, { id: 'long' }), row(1, { id: 'short' }), { id: 'empty' }],
    reference,
    { transport: refusing },
  );
  expect(rows.map((one) => [one['id'], one['ref_logprob']])).toEqual([
    ['long', undefined],
    ['short', -1],
    ['empty', undefined],
  ]);
  expect(report).toMatchObject({ n_rows: 1, n_skipped: 2, errors: ['too long'] });
});

it('sends calls as chat completions take them, tools declared but not to be called', async () => {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const seeing: Transport = async (body, signal) => {
    bodies.push(body);
    return server(body, signal);
  };
  const steps = [{ tool: 'get', arguments: { id: 12345678901234567890n }, result: { ok: true } }];
  await referenceLogprobs([{ prompt: 'hi', steps, final_text: 'done', tools: [{ type: 'function' }] }], reference, {
    transport: seeing,
  });
  expect(bodies[1]).toMatchObject({
    model: 'org/model@v2',
    max_tokens: 1,
    temperature: 0,
    tool_choice: 'none',
    add_generation_prompt: false,
  });
  const last = bodies.at(-1)?.['messages'];
  expect(last).toMatchObject([
    { role: 'user' },
    {
      tool_calls: [
        { id: 'call_1_0', type: 'function', function: { name: 'get', arguments: '{"id":12345678901234567890}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1_0' },
    { content: 'done' },
  ]);
});

it('refuses a reference that names no server', async () => {
  await expect(referenceLogprobs([], 'gpt-4')).rejects.toThrow(/TM_OPTIONS.*gpt-4/);
});

import { expect, it } from 'vitest';
import type { FileFormat, Finding, Sample } from '../../../src/dialects/format.ts';
import { fileFormats, formatOf } from '../../../src/dialects/formats/index.ts';

const sampleOf = (values: readonly unknown[], container: Sample['container'] = 'lines'): Sample => ({
  container,
  first: values[0],
  values,
  extension: '',
});
/** The findings of a file, by the format its content shows. */
function found(
  values: readonly unknown[],
  container: Sample['container'] = 'lines',
): { format: string; findings: readonly Finding[] } {
  const format: FileFormat = formatOf(sampleOf(values, container));
  const findings = format.unit === 'file' ? format.read(values) : values.flatMap((value) => format.read(value));
  return { format: format.name, findings };
}
const row = (values: readonly unknown[], container: Sample['container'] = 'lines') => {
  const { format, findings } = found(values, container);
  const [first] = findings;
  return { format, count: findings.length, ...(first?.kind === 'row' ? first.row : { first }) };
};

it('gives every format a name of its own and a line in the table', () => {
  expect(new Set(fileFormats.map(({ name }) => name)).size).toBe(fileFormats.length);
});

it('reads every format without throwing, whatever the record', () => {
  for (const format of fileFormats)
    for (const odd of [
      null,
      1,
      'x',
      [],
      {},
      [null],
      { messages: 3 },
      { messages: [{ role: { toString: 1 }, type: {} }] },
      new Uint8Array([1, 2]),
    ]) {
      const read = format.unit === 'file' ? format.read([odd]) : format.read(odd);
      expect(Array.isArray(read), format.name).toBe(true);
    }
});

it('reads an Inspect log: score, epoch, typed tool errors, shared texts', () => {
  const log = {
    version: 2,
    status: 'success',
    eval: { task: 'shop', run_id: 'r', model: 'm' },
    samples: [
      {
        id: 4,
        epoch: 2,
        target: 'gold',
        attachments: { h: 'Buy it' },
        scores: { includes: { value: 'P' } },
        messages: [
          { role: 'user', content: 'attachment://h' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
          },
          {
            role: 'tool',
            tool_call_id: 'c',
            function: 'bash',
            content: '',
            error: { type: 'permission', message: 'no' },
          },
        ],
      },
    ],
  };
  expect(row([log], 'object')).toMatchObject({
    format: 'inspect',
    scenario_id: 'shop/4',
    rollout_index: 1,
    prompt: 'Buy it',
    reward: 0.5,
    judge_name: 'includes',
    privileged: { reference: 'gold' },
    steps: [{ tool: 'bash', result: { status: 'permission_denied', error: 'no', error_type: 'permission' } }],
  });
});

it('reads NeMo Gym rollouts and marks the calls that stood in the prompt', () => {
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' });
  const rollout = {
    responses_create_params: {
      input: [{ role: 'user', content: 'go' }, call('a'), { type: 'function_call_output', call_id: 'a', output: '1' }],
    },
    response: { status: 'completed', model: 'm', output: [{ type: 'reasoning', summary: [] }, call('b')] },
    reward: 0.25,
    expected_action: { name: 'look' },
    uuid: 'u1',
  };
  expect(row([rollout])).toMatchObject({
    format: 'nemo-gym',
    scenario_id: 'u1',
    reward: 0.25,
    steps: [
      { given: true, result: 1 },
      { id: 'b', result_missing: true },
    ],
    privileged: { reference: '{"expected_action":{"name":"look"}}' },
  });
});

it('reads verifiers rollouts: a fractional reward stays, the answer goes to the key', () => {
  const rollout = {
    schema_version: '1.0',
    example_id: 3,
    prompt: [{ role: 'user', content: 'go' }],
    completion: [{ role: 'assistant', content: 'done' }],
    reward: 0.3,
    metrics: { speed: 2 },
    answer: '42',
    is_truncated: true,
  };
  const read = row([rollout]);
  expect(read).toMatchObject({
    format: 'verifiers',
    scenario_id: '3',
    reward: 0.3,
    markers: { speed: 2 },
    finish_reason: 'length',
  });
  expect(read).toMatchObject({ privileged: { reference: '42' } });
  expect(read).not.toHaveProperty('answer');
});

it('takes the longest prefix of a ToolBench run, and its answer out of Finish', () => {
  const ask = { role: 'user', content: 'go' };
  const finish = {
    role: 'assistant',
    content: null,
    function_call: { name: 'Finish', arguments: '{"final_answer":"done"}' },
  };
  const answer = {
    train_messages: [[ask], [ask, finish]],
    final_answer: '{"final_answer":"done"}',
    finish_type: 'give_answer',
  };
  expect(row([{ win: true, answer_generation: answer }], 'object')).toMatchObject({
    format: 'toolbench',
    count: 1,
    reward: 1,
    final_text: 'done',
    ended_by: 'tool',
  });
});

it('tells an action that SWE-agent writes into its text, and what the environment answered', () => {
  const history = [
    { role: 'user', content: 'fix it', agent: 'a' },
    { role: 'assistant', content: 'Look.\n```\nls\n```', action: 'ls\n', agent: 'a' },
    { role: 'user', content: 'a.py', agent: 'a' },
  ];
  const trajectory = [{ action: 'ls\n' }, { action: 'submit\n', response: 'Done.', observation: '' }];
  expect(row([{ history, trajectory, info: { exit_status: 'exit_cost' } }], 'object')).toMatchObject({
    format: 'swe-agent',
    steps: [{ action: 'ls' }, { user: 'a.py', observation: 'output' }, { text: 'Done.', action: 'submit' }],
    finish_reason: 'length',
  });
});

it('reads OpenHands events with and without the call beside them', () => {
  const metadata = {
    tool_call_id: 'c',
    function_name: 'run',
    model_response: {
      id: 'r',
      choices: [
        {
          message: {
            content: 'Let me.',
            tool_calls: [{ id: 'c', function: { name: 'run', arguments: '{"cmd":"ls"}' } }],
          },
        },
      ],
    },
  };
  const events = [
    { action: 'message', source: 'user', args: { content: 'go' } },
    { action: 'run', source: 'agent', args: { command: 'ls' }, tool_call_metadata: metadata },
    { observation: 'run', content: 'a.py', tool_call_metadata: metadata },
  ];
  expect(row(events, 'array')).toMatchObject({
    prompt: 'go',
    steps: [{ tool: 'run', text: 'Let me.', result: 'a.py' }],
  });
  const bare = events.map(({ tool_call_metadata: _gone, ...event }: Record<string, unknown>) => event);
  expect(row([{ history: bare, success: true }])).toMatchObject({
    format: 'openhands-output',
    claimed_success: true,
    steps: [
      { text: 'ls', action: 'run' },
      { user: 'a.py', observation: 'run' },
    ],
  });
});

it('reads ShareGPT preference rows as pairs, and loss weights as they stand', () => {
  const turn = (from: string, value: string) => ({ from, value });
  const pair = { conversations: [turn('human', 'hi')], chosen: turn('gpt', 'a'), rejected: turn('gpt', 'b') };
  expect(found([pair], 'array').findings).toEqual([
    {
      kind: 'pair',
      pair: {
        prompt: [{ role: 'user', content: 'hi' }],
        chosen: [{ role: 'assistant', content: 'a' }],
        rejected: [{ role: 'assistant', content: 'b' }],
      },
    },
  ]);
  const weighted = [
    { role: 'user', content: [{ type: 'text', value: 'hi' }], loss_weight: 0 },
    { role: 'assistant', content: [{ type: 'text', value: 'yo' }] },
  ];
  expect(row([{ messages: weighted }])).toMatchObject({ prompt: 'hi', final_text: 'yo', loss_weights: [0, null] });
});

it('lays weights beside the messages of the row, not beside those of the file', () => {
  const call = { id: 'c', type: 'function', function: { name: 't', arguments: '{}' } };
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Bad answer', weight: 0 },
    { role: 'user', content: 'Again' },
    { role: 'assistant', content: 'look', tool_calls: [call], weight: 0 },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
    { role: 'assistant', content: 'Good answer', weight: 1 },
  ];
  expect(row([{ messages }])).toMatchObject({ loss_weights: [null, 0, null, 0, null, 1] });
  const turns = messages.map(({ role, content, weight }) => ({ from: role, value: content, weight }));
  expect(row([{ conversations: [...turns.slice(0, 4), turns[6]] }])).toMatchObject({
    loss_weights: [null, 0, null, 1],
  });
  const opened = [messages[2], { role: 'assistant', content: 'second', weight: 1 }, ...messages.slice(3)];
  expect(row([{ messages: opened }])).toMatchObject({ loss_weights: [0, null, 0, null, 1] });
});

it('reads the system prompt and the model of an Anthropic record', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  ];
  const said = row([{ model: 'claude-sonnet-4', system: [{ type: 'text', text: 'You help.' }], messages }]);
  expect(said).toMatchObject({ system_prompt: 'You help.', model_version: 'claude-sonnet-4', prompt: 'Hi' });
  expect(said).not.toHaveProperty('system');
  expect(row([{ model_version: 'v2', model: 'm', system: 'You help.', messages }])).toMatchObject({
    ...{ system_prompt: 'You help.', model_version: 'v2', model: 'm' },
  });
  const own = row([{ object: 'response', instructions: 'Be kind.', output: [{ type: 'message', ...messages[1] }] }]);
  expect(own).toMatchObject({ format: 'provider-response', system_prompt: 'Be kind.', final_text: 'Hello' });
});

it('takes a refusal, and the words of spoken audio, for what the agent said', () => {
  const answer = (message: object) =>
    row([
      {
        messages: [
          { role: 'user', content: 'go' },
          { role: 'assistant', content: null, ...message },
        ],
      },
    ]);
  expect(answer({ refusal: "I can't." })).toMatchObject({ final_text: "I can't.", steps: [] });
  expect(answer({ content: [{ type: 'refusal', refusal: 'No.' }], refusal: 'No.' })).toMatchObject({
    final_text: 'No.',
  });
  expect(answer({ audio: { id: 'a', transcript: 'Hello' } })).toMatchObject({ final_text: 'Hello' });
  const choices = [{ message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'stop' }];
  expect(row([{ object: 'chat.completion', choices }])).toMatchObject({ final_text: 'No.' });
});

it('counts pictures and files that a row does not hold, whatever stack wrote them, and makes up no text', () => {
  const text = { type: 'text', text: 'look' };
  const parts = ['image_url', 'input_image', 'input_audio', 'file', 'image', 'document'].map((type) => ({
    type,
    x: 1,
  }));
  for (const part of parts) {
    const messages = [
      { role: 'user', content: [text, part] },
      { role: 'assistant', content: 'A cat.' },
    ];
    const said = row([{ messages }]);
    expect(said).toMatchObject({ prompt: 'look', steps: [], final_text: 'A cat.', parts_left_out: { [part.type]: 1 } });
    expect(row([{ prompt: messages.slice(0, 1), completion: messages.slice(1) }])).toMatchObject({
      ...{ format: 'verifiers', parts_left_out: { [part.type]: 1 } },
    });
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) };
    expect(row([{ name: 'chat', traceId: 'a', spanId: 'b', attributes }])).toMatchObject({
      ...{ prompt: 'look', parts_left_out: { [part.type]: 1 } },
    });
  }
  const alone = [
    { role: 'user', content: [parts[0]] },
    { role: 'assistant', content: [{ type: 'thinking' }, text] },
  ];
  expect(row([{ messages: alone }])).toMatchObject({
    prompt: '',
    final_text: 'look',
    parts_left_out: { image_url: 1 },
  });
  const shot = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 't', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [text, parts[4]] }] },
  ];
  expect(row([{ messages: shot }])).toMatchObject({ steps: [{ result: 'look' }], parts_left_out: { image: 1 } });
});

it('reads tokens of older Langfuse SDKs, a failed tool as a failed step, a score called reward, the release', () => {
  const call = { id: 'f', type: 'function', function: { name: 'refund', arguments: '{"id":"R"}' } };
  const asked = [{ role: 'user', content: 'Refund R' }];
  const one = (id: string, more: object) => ({
    id,
    traceId: 't',
    parentObservationId: null,
    type: 'GENERATION',
    ...more,
  });
  const trace = {
    id: 't',
    release: 'v2.1',
    version: '2',
    scores: [
      { name: 'reward', value: 1 },
      { name: 'liked', value: 0 },
    ],
    observations: [
      one('a', {
        startTime: '2026-01-01T00:00:01Z',
        input: asked,
        output: { role: 'assistant', content: null, tool_calls: [call] },
        usage: { input: 10, output: 3, total: 13, unit: 'TOKENS' },
      }),
      one('b', {
        ...{ startTime: '2026-01-01T00:00:02Z', type: 'SPAN', name: 'refund', level: 'ERROR', statusMessage: 'denied' },
        ...{ input: { id: 'R' }, output: null },
      }),
      one('c', {
        startTime: '2026-01-01T00:00:03Z',
        input: asked,
        output: { role: 'assistant', content: 'Refund failed.' },
        ...{ promptTokens: 20, completionTokens: 4, usage: { input: 900, unit: 'CHARACTERS' } },
      }),
    ],
  };
  const said = row([trace]);
  expect(said).toMatchObject({
    steps: [{ tool: 'refund', result: { status: 'error', error: 'denied' } }],
    final_text: 'Refund failed.',
    usage: { input_tokens: 10, output_tokens: 3 },
    reward: 1,
    markers: { reward: 1, liked: 0 },
    release: 'v2.1',
    version: '2',
  });
  expect(said).not.toHaveProperty('error');
  expect(said).not.toHaveProperty('finish_reason', 'error');
  const [a, b, c] = trace.observations;
  const counted = { ...trace, observations: [a, b, { ...c, usage: undefined }] };
  expect(row([counted])).toMatchObject({ usage: { input_tokens: 30, output_tokens: 7 } });
});

it('reads tokens and feedback of LangSmith runs, whether the answer or the run says them', () => {
  const said = { role: 'assistant', content: 'yo' };
  const run = (outputs: object, more: object = {}) =>
    row([
      {
        ...{ id: 'r', trace_id: 'r', name: 'ChatOpenAI', run_type: 'llm', start_time: '2026-01-01T00:00:00.0' },
        ...{ inputs: { messages: [{ role: 'user', content: 'hi' }] }, outputs, ...more },
      },
    ]);
  const usage_metadata = { input_tokens: 10, output_tokens: 5 };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const lc = { lc: 1, id: ['langchain', 'AIMessage'], kwargs: { content: 'yo', usage_metadata } };
  expect(run({ generations: [[{ text: 'yo', message: lc }]] })).toMatchObject({ final_text: 'yo', usage });
  expect(run({ messages: [{ ...said, usage_metadata }] })).toMatchObject({ final_text: 'yo', usage });
  const feedback_stats = { correctness: { n: 2, avg: 0.5 }, reward: { n: 1, avg: 1 }, note: { n: 1, avg: null } };
  expect(run({ messages: [said] }, { prompt_tokens: 10, completion_tokens: 5, feedback_stats })).toMatchObject({
    ...{ usage, markers: { correctness: 0.5, reward: 1 }, reward: 1 },
  });
});

it('reads the preference pairs of OpenAI fine-tuning and of TRL', () => {
  const messages = [{ role: 'user', content: 'How cold?' }];
  const [good, bad] = ['25 degrees.', 'Not cold.'].map((content) => [{ role: 'assistant', content }]);
  const tool = { type: 'function', function: { name: 't', parameters: { type: 'object', properties: {} } } };
  const tuning = { input: { messages, tools: [tool] }, preferred_output: good, non_preferred_output: bad };
  const pair = { prompt: messages, chosen: good, rejected: bad };
  expect(found([tuning])).toEqual({
    format: 'preference',
    findings: [{ kind: 'pair', pair: { ...pair, tools: [tool] } }],
  });
  expect(found([{ ...pair, id: 7 }]).findings).toEqual([{ kind: 'pair', pair: { ...pair, id: 7 } }]);
  expect(found([{ prompt: 'How cold?', chosen: '25 degrees.', rejected: 'Not cold.' }]).findings).toEqual([
    { kind: 'pair', pair },
  ]);
  expect(found([tuning, { ...tuning, preferred_output: [] }]).findings).toMatchObject([
    { kind: 'pair' },
    { kind: 'rejected', reason: 'empty_conversation' },
  ]);
});

it('respells types of other languages and keeps the schema as it came', () => {
  const parameters = {
    type: 'dict',
    properties: { type: { type: 'float' }, any: { type: 'any' }, list: { type: 'ArrayList', items: { type: 'long' } } },
  };
  const { format, findings } = found([{ name: 'a.b', description: 'd', parameters }]);
  expect(format).toBe('tools');
  expect(findings).toMatchObject([
    {
      kind: 'tool',
      tool: {
        name: 'a.b',
        parameters: {
          type: 'object',
          properties: { type: { type: 'number' }, any: {}, list: { type: 'array', items: { type: 'integer' } } },
        },
        original_parameters: parameters,
      },
    },
  ]);
});

it('folds the deltas of an interface stream into calls and text', () => {
  const events = [
    { type: 'start' },
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'look' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"q"' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: ':1}' },
    { type: 'tool-output-available', toolCallId: 'c', output: 'found' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Do' },
    { type: 'text-delta', id: 't', delta: 'ne' },
  ];
  expect(row(events, 'array')).toMatchObject({
    format: 'ui-stream',
    steps: [{ tool: 'look', arguments: { q: 1 }, result: 'found' }],
    final_text: 'Done',
  });
});

it('reads a Langfuse export: real observations, scores as markers, no reward', () => {
  const generation = {
    id: 'g',
    traceId: 't',
    type: 'GENERATION',
    startTime: '2026-01-01T00:00:00Z',
    input: '[{"role":"user","content":"go"}]',
    output: '"{\\"role\\":\\"assistant\\",\\"content\\":\\"done\\"}"',
    usageDetails: { input: 5, output: 2 },
  };
  const trace = {
    id: 't',
    scores: [{ name: 'tone', value: 0.4 }],
    observations: [{ ...generation, input: null, output: null }],
  };
  const read = row([{ trace, observations: [generation] }], 'object');
  expect(read).toMatchObject({
    prompt: 'go',
    final_text: 'done',
    markers: { tone: 0.4 },
    usage: { input_tokens: 5, output_tokens: 2 },
  });
  expect(read).not.toHaveProperty('reward');
});

it('makes a row of spans without content, and says so', () => {
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'chat',
    attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }],
  };
  expect(row([{ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }], 'object')).toMatchObject({
    format: 'otlp',
    content_captured: false,
  });
});

it('reads ADK evaluation sets and provider answers', () => {
  const turn = {
    user_content: { parts: [{ text: 'go' }] },
    intermediate_data: { tool_uses: [{ name: 'look', args: { q: 1 } }] },
    final_response: { parts: [{ text: 'done' }] },
  };
  expect(row([{ eval_set_id: 's', eval_cases: [{ eval_id: 'e', conversation: [turn] }] }], 'object')).toMatchObject({
    format: 'adk-evalset',
    task_id: 'e',
    steps: [{ tool: 'look', arguments: { q: 1 } }],
    final_text: 'done',
  });
  const answer = {
    object: 'response',
    output: [{ type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' }],
  };
  expect(row([answer], 'object')).toMatchObject({ format: 'provider-response', steps: [{ tool: 'look', id: 'c' }] });
});

import { Agent as OpenaiAgent, tool as openaiTool, Usage } from '@openai/agents';
import { ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { simulate } from '../../src/pipelines/simulate/simulate.ts';

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

it('plays an agent of the Vercel AI SDK: its tools are answered by the world, its instructions are the policy', async () => {
  let real = 0;
  const model = new MockLanguageModelV3({
    modelId: 'mock-1',
    doGenerate: async ({ prompt }) => {
      const isAnswered = prompt.some(({ role }) => role === 'tool');
      return {
        content: isAnswered
          ? [{ type: 'text' as const, text: 'Order 7 is on its way.' }]
          : [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: 'get_order', input: '{"order_id":"7"}' }],
        finishReason: { unified: isAnswered ? ('stop' as const) : ('tool-calls' as const), raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const agent = new ToolLoopAgent({
    model,
    instructions: 'You track orders.',
    tools: {
      get_order: tool({
        description: 'Look an order up.',
        inputSchema: z.object({ order_id: z.string() }),
        execute: async () => ({ never: ++real }),
      }),
    },
  });
  const { rows } = await simulate({ agent: agent as never, budget: 6, simulator: false });
  expect(rows.length).toBe(6);
  expect(real).toBe(0);
  expect(rows[0]).toMatchObject({
    model_version: 'mock-1',
    final_text: 'Order 7 is on its way.',
    tools_used: ['get_order'],
  });
  expect(rows[0]?.lineage).toMatchObject({ system_prompt_head: 'You track orders.' });
});

it('plays an agent of the OpenAI Agents SDK in the same way', async () => {
  let real = 0;
  const model = {
    async getResponse({ input }: { input: unknown }) {
      const isAnswered = Array.isArray(input) && input.some((item) => item.type === 'function_call_result');
      return {
        usage: new Usage({ requests: 1, inputTokens: 3, outputTokens: 2, totalTokens: 5 }),
        output: isAnswered
          ? [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'It left today.' }],
              },
            ]
          : [
              {
                type: 'function_call',
                callId: 'c1',
                name: 'get_order',
                arguments: '{"order_id":"7"}',
                status: 'completed',
              },
            ],
      };
    },
    async *getStreamedResponse() {},
  };
  const agent = new OpenaiAgent({
    name: 'orders',
    instructions: 'You track orders.',
    model: model as never,
    tools: [
      openaiTool({
        name: 'get_order',
        description: 'Look an order up.',
        parameters: z.object({ order_id: z.string() }),
        execute: async () => String(++real),
      }),
    ],
  });
  const { rows, warnings } = await simulate({ agent: agent as never, budget: 4, simulator: false });
  expect(warnings).toEqual([]);
  expect(rows.length).toBe(4);
  expect(real).toBe(0);
  expect(rows[0]).toMatchObject({ final_text: 'It left today.', tools_used: ['get_order'] });
});

it('says that an object is no agent it knows', async () => {
  await expect(simulate({ agent: { run: 1 } as never, budget: 1 })).rejects.toThrow('ToolLoopAgent');
});

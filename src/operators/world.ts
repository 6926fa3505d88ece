import { z } from 'zod';
import type { Agent } from '../agents/agent.ts';
import { askPlayer } from '../agents/play-ask.ts';
import type { RolloutWatch } from '../agents/rollout-watch.ts';
import type { SimulatedUser } from '../agents/simulated-user.ts';
import { callOptions, defineMapAsync } from '../core/define-map-async.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';
import { toolsFrom } from '../rows/tool.ts';
import type { Execute } from '../world/execute.ts';
import { worldOptions } from '../world/setup.ts';

const { seed: _, faults: __, worldState: ___, ...worldShape } = worldOptions.shape;

/** A tool list that cannot be read is refused when the operator is built. */
function readable(value: unknown, context: z.RefinementCtx): void {
  try {
    toolsFrom(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
}

const options = z.strictObject({
  ...callOptions,
  tools: z
    .unknown()
    .superRefine(readable)
    .describe('The tools of the agent, in any common form. Without them every call is refused.'),
  systemPrompt: z.string().default('').describe('The policy of the agent. Rows carry its hash and its first words.'),
  modelVersion: z.string().optional().describe('Name of the model that answers. Default: what the agent calls itself.'),
  sampling: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('How a function agent samples, as rows should say: `temperature`, `max_tokens`, `model`.'),
  maxTries: z.int().min(1).default(1).describe('Times an ask is played before it is given up as unusable.'),
  ...worldShape,
});

interface WorldPorts {
  /** Who plays. */
  readonly agent: Agent;
  /** Real tools in the place of the mock ones. */
  readonly execute?: Execute;
  /** Make the person of one ask, for agents that talk on. */
  readonly user?: (ask: Ask) => SimulatedUser;
  /** Told of every rollout: ask it for the counts of the run, at any time. */
  readonly watch?: RolloutWatch;
}

/** The rule alone. */
export function worldCore(config: z.output<typeof options>, ports: WorldPorts) {
  const {
    tools,
    systemPrompt,
    modelVersion,
    sampling,
    maxTries,
    maxConcurrent: _,
    timeoutMs: __,
    maxAttempts: ___,
    ...world
  } = config;
  return askPlayer({ ...ports, tools, systemPrompt, modelVersion, sampling, maxTries, world });
}

/**
 * Play each ask: the agent meets a fresh world with the ask's seed, faults and state, and the rollout becomes a row, not
 * graded yet. What is no rollout is played again up to `maxTries` and then rejected: it is counted, and never a row.
 * Memory: the rollouts in flight.
 *
 * @rejects agent_error - the agent threw, or returned something that is no reply
 * @rejects empty_reply - it said nothing
 * @rejects tool_markup - raw tool markup stood in its words
 * @rejects auth - a model host refused the key
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range or the tools cannot be read
 * @source rlhfbook ch. 13 (tools); house rule for unusable rollouts
 */
export const world = defineMapAsync<Ask, Row, typeof options, WorldPorts>({
  name: 'world',
  options,
  rejects: ['agent_error', 'empty_reply', 'tool_markup', 'auth'],
  core: worldCore,
  example: {
    options: {
      tools: [{ name: 'get_parcel', parameters: { type: 'object', properties: { tracking_id: { type: 'string' } } } }],
      modelVersion: 'm',
    },
    ports: {
      agent: async (_message, { call }) => {
        const { status } = await call('get_parcel', { tracking_id: 'T1' });
        return `The parcel is ${String(status)}.`;
      },
    },
    in: [
      {
        ask_id: 'a1',
        scenario_id: 'sc-1',
        prompt: 'Where is T1?',
        seed: 0,
        rollout_index: 0,
        arm: 'structured',
        writer_model: 'template',
        scenario_dimensions: { tool: 'get_parcel', tool_condition: 'timeout' },
        faults: { get_parcel: { mode: 'timeout' } },
      },
    ],
    out: [
      {
        schema_version: '1',
        scenario_id: 'sc-1',
        rollout_id: 'd4bc33ca79651054',
        rollout_index: 0,
        prompt: 'Where is T1?',
        seed: 0,
        arm: 'structured',
        writer_model: 'template',
        scenario_dimensions: { tool: 'get_parcel', tool_condition: 'timeout' },
        faults: { get_parcel: { mode: 'timeout' } },
        steps: [
          {
            tool: 'get_parcel',
            arguments: { tracking_id: 'T1' },
            result: { status: 'timeout', error: 'The tool did not answer in time.' },
          },
        ],
        final_text: 'The parcel is timeout.',
        tier: 'ordinary',
        ask_family: 'tool',
        intent_known: true,
        tool_known: true,
        messages: [
          { role: 'user', content: 'Where is T1?' },
          { role: 'assistant', content: '', tool_calls: [{ name: 'get_parcel', arguments: { tracking_id: 'T1' } }] },
          {
            role: 'tool',
            name: 'get_parcel',
            content: '{"status":"timeout","error":"The tool did not answer in time."}',
          },
          { role: 'assistant', content: 'The parcel is timeout.' },
        ],
        tools_used: ['get_parcel'],
        selection_reason: null,
        world_state: null,
        behavior_signature: 'c92b249be5d0',
        model_version: 'm',
        policy_version: 'm@e3b0c44298fc1c14',
        user_model: null,
        sampling: null,
        lineage: { system_prompt_sha: 'e3b0c44298fc1c14', system_prompt_head: '', system_prompt_chars: 0 },
        finish_reason: 'stop',
        semantic_cluster: null,
        semantic_novelty: null,
        parent_failure_id: null,
        reward: null,
        reason: null,
        grader_reason: null,
        privileged: {
          hidden_state: { tool_condition: 'timeout', faults: { get_parcel: { mode: 'timeout' } } },
          reference:
            'The agent calls get_parcel, which does not answer in time, and says so instead of claiming success.',
        },
      },
    ],
  },
});

import { z } from 'zod';
import { draw } from '../core/draws.ts';
import type { JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import type { ChatMessage, ChatModel, ChatReply, ToolCall } from '../models/chat-model.ts';
import type { Message } from '../rows/conversation.ts';
import { toModelTool } from '../rows/tool.ts';
import type { Agent, AgentContext } from './agent.ts';
import { isAgreement } from './model-user.ts';
import { splitReasoning } from './split-reasoning.ts';
import {
  agentAsked,
  defaultMaxTurns,
  observedTurnCount,
  patienceSchema,
  sampleTurnBudget,
  userTurnCap,
  walkAwayChance,
} from './turns.ts';

const wideContext = 8192; // tokens
const [usualTokens, wideTokens] = [768, 2048]; // of one reply, and where the context is wide

const options = z.strictObject({
  temperature: z.number().min(0).default(0.8).describe('Sampling temperature of the agent.'),
  agentMaxTokens: z
    .int()
    .refine((tokens) => tokens === 0 || tokens >= 64, 'must be 0 (the default) or at least 64')
    .default(0)
    .describe('Most tokens of one reply. 0: 768, or 2,048 where the context is above 8,192.'),
  contextTokens: z.int().min(1024).default(4096).describe('Context window of the model, in tokens.'),
  maxTurns: z.int().min(2).optional().describe('Most turns of a conversation. Default: what fits into the context.'),
  avgTurns: z.number().positive().default(12).describe('Turns of a conversation on average.'),
  minUserTurns: z.int().min(1).default(1).describe('The person speaks at least this often, the ask included.'),
  patience: patienceSchema
    .default('normal')
    .describe('How the person bears questions: short, normal, endless, or chances.'),
  logprobs: z
    .union([z.boolean(), z.literal('tokens')])
    .default(false)
    .describe('Record log-probabilities of what was generated; `tokens` for each token.'),
  scaffold: z.string().default('').describe('Text after the system prompt that only the model sees.'),
});
type Settings = z.output<typeof options>;

/**
 * Make an agent of a model: it calls the tools of the rollout's world, speaks, is answered by the person, and ends when
 * the person has nothing left, leaves, or the turns are used up. Each call is stored under (ask, repeat, turn).
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 13 (tools); house rule for the turns
 */
export function modelAgent(model: ChatModel, config: z.input<typeof options> = {}): Agent {
  const settings = parseOptions('modelAgent', options, config);
  const { temperature } = settings;
  const play = (message: string, context: AgentContext) => new Talk(model, settings, context).play(message);
  return Object.assign(play, {
    modelVersion: model.name,
    isConversational: true,
    sampling: { temperature, max_tokens: replyTokens(settings), model: model.name },
  });
}

const replyTokens = ({ agentMaxTokens, contextTokens }: Settings): number =>
  agentMaxTokens || (contextTokens > wideContext ? wideTokens : usualTokens);

/** One conversation. */
class Talk {
  readonly #model: ChatModel;
  readonly #settings: Settings;
  readonly #context: AgentContext;
  readonly #steps: JsonObject[] = [];
  readonly #messages: ChatMessage[];
  readonly #transcript: Message[] = [];
  #asks = 0;
  #userTurns = 1;
  #questions = 0;
  #hasAgreed = false;
  #modelVersion: string | undefined;

  constructor(model: ChatModel, settings: Settings, context: AgentContext) {
    this.#model = model;
    this.#settings = settings;
    this.#context = context;
    const system = [context.systemPrompt, settings.scaffold].filter((text) => text !== '').join('\n\n');
    this.#messages = system === '' ? [] : [{ role: 'system', content: system }];
    for (const { content } of context.history) this.#messages.push({ role: 'assistant', content });
  }

  async play(message: string) {
    const { tools, seed, rolloutIndex } = this.#context;
    const cap = this.#settings.maxTurns ?? defaultMaxTurns(this.#settings.contextTokens, tools.length);
    const budget = sampleTurnBudget(this.#settings.avgTurns, [seed, message, rolloutIndex], { maxTurns: cap });
    this.#hear(message);
    for (;;) {
      const isLast = observedTurnCount(this.#steps) + 1 >= budget;
      const reply = await this.#ask(isLast);
      if (reply.calls.length > 0 && !isLast) {
        await this.#carryOut(reply);
        continue;
      }
      const text = this.#say(reply);
      const end = text === '' || reply.finish === 'length' ? 'stopped' : await this.#answer(text, budget, cap);
      if (end !== undefined) return this.#finished(text, reply, end);
    }
  }

  /** Ask the model for its next turn; the last one has to be words. */
  #ask(isLast: boolean): Promise<ChatReply> {
    const { tools, signal, repeat } = this.#context;
    const { temperature, logprobs } = this.#settings;
    return this.#model.chat(
      {
        messages: this.#messages,
        tools: tools.map(toModelTool),
        ...(isLast ? { toolChoice: 'none' as const } : {}),
        temperature,
        maxTokens: replyTokens(this.#settings),
        ...(logprobs ? { logprobs: true } : {}),
        repeat: [...repeat, 'agent', this.#asks++],
      },
      signal,
    );
  }

  async #carryOut(reply: ChatReply): Promise<void> {
    const { spoken } = splitReasoning(reply.text);
    const tool_calls = reply.calls.map(({ id, name, raw }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: raw },
    }));
    this.#messages.push({ role: 'assistant', content: spoken, tool_calls });
    for (const [n, call] of reply.calls.entries()) {
      const result = await this.#context.call(call.name, call.arguments ?? call.raw);
      this.#messages.push({ role: 'tool', content: JSON.stringify(result, digits), tool_call_id: call.id });
      this.#steps.push({ ...stepOf(call, result), ...(n === 0 ? { ...said(spoken), ...this.#facts(reply) } : {}) });
    }
    this.#hasAgreed = false;
  }

  #say(reply: ChatReply): string {
    const { spoken } = splitReasoning(reply.text);
    this.#messages.push({ role: 'assistant', content: spoken });
    this.#transcript.push({ role: 'assistant', content: spoken });
    this.#steps.push({ text: spoken, ...this.#facts(reply) });
    return spoken;
  }

  #hear(text: string): void {
    this.#messages.push({ role: 'user', content: text });
    this.#transcript.push({ role: 'user', content: text });
  }

  /** Let the person answer; the word says how the conversation ended, undefined that it goes on. */
  async #answer(text: string, budget: number, cap: number): Promise<string | undefined> {
    const { user, signal } = this.#context;
    if (!user) return 'stopped';
    if (user.pending === 0) {
      const end = this.#mayEnd(text, budget, cap);
      if (end !== undefined) return end;
    }
    const turn = await user.next(this.#transcript, signal);
    if (!('text' in turn)) return agentAsked(text) ? 'user_left' : 'user_done';
    this.#steps.push({ user: turn.text });
    this.#hear(turn.text);
    this.#userTurns++;
    this.#hasAgreed = isAgreement(turn.text);
    return undefined;
  }

  /** Draw whether the person goes on: it answers a question or a refusal while it bears them, else now and then. */
  #mayEnd(text: string, budget: number, cap: number): string | undefined {
    const { minUserTurns, patience } = this.#settings;
    const { repeat } = this.#context;
    const isOwed = this.#userTurns < minUserTurns;
    if (this.#userTurns >= Math.max(userTurnCap(budget), minUserTurns)) return 'turns';
    if (!isOwed && observedTurnCount(this.#steps) + 2 > budget) return 'turns';
    const chance = (purpose: string) => draw(...repeat, purpose, this.#userTurns);
    if (agentAsked(text) || declines(text)) {
      const leaves = chance('patience') < walkAwayChance(patience, this.#questions++);
      return leaves && !isOwed ? 'user_left' : undefined;
    }
    if (isOwed) return undefined;
    return budget < 4 || chance('go on') >= 1 - 1 / cap ? 'user_done' : undefined;
  }

  #finished(text: string, reply: ChatReply, end: string) {
    const finish_reason = reply.finish === 'length' ? 'length' : undefined;
    const left = end === 'user_left' && this.#hasAgreed ? { user_error: true } : {}; // it agreed to an act and did not wait for it
    return {
      steps: this.#steps,
      final_text: text,
      ...(finish_reason ? { finish_reason } : {}),
      ...(end === 'stopped' ? {} : { ended_by: end }),
      ...left,
      ...(this.#modelVersion === undefined ? {} : { model_version: this.#modelVersion }),
    };
  }

  /** What one reply cost and how likely it was. */
  #facts({ usage, tokenLogprobs, finish, model }: ChatReply): JsonObject {
    this.#modelVersion = model;
    const { logprobs } = this.#settings;
    return {
      ...(usage ?? {}),
      ...(finish === 'length' ? { truncated: true } : {}),
      ...(tokenLogprobs && logprobs
        ? { logprob: tokenLogprobs.reduce((a, b) => a + b, 0), n_tokens: tokenLogprobs.length }
        : {}),
      ...(tokenLogprobs && logprobs === 'tokens' ? { token_logprobs: tokenLogprobs } : {}),
    };
  }
}

const stepOf = ({ id, name, arguments: args, raw }: ToolCall, result: JsonObject): JsonObject => ({
  tool: name,
  ...(args ? { arguments: args } : { arguments_raw: raw }),
  result,
  id,
});
const said = (text: string): JsonObject => (text === '' ? {} : { text });
const declines = (text: string): boolean =>
  /\b(?:can['’]?t|cannot|unable to|won['’]?t be able|not able to|not allowed)\b/i.test(text);
const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

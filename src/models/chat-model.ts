import type { JsonObject } from '../core/json-object.ts';
import type { ModelTool } from '../rows/tool.ts';

/** One message of a chat, as OpenAI-compatible servers take it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly MessageCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string };

/** A call inside an assistant message: the arguments are JSON text. */
export interface MessageCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ModelTool[];
  /** `none`: answer in words. `required`: call a tool. */
  readonly toolChoice?: 'auto' | 'none' | 'required';
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Ask for the log-probability of each generated token. */
  readonly logprobs?: boolean;
  /** JSON Schema of the reply, where the host can hold a model to one. */
  readonly schema?: JsonObject;
  /**
   * What tells equal requests apart: the rollout and the turn, the row and the vote. Part of the cache key, so that
   * repeats are never answered from one reply. Never sent.
   */
  readonly repeat: readonly unknown[];
}

/** A tool call that a model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Undefined when the text was no JSON object; it is in `raw`. */
  readonly arguments: JsonObject | undefined;
  readonly raw: string;
}

export interface ChatReply {
  /** What the model said, `<think>` blocks and all; empty when it only calls. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: 'stop' | 'length' | 'tool' | 'error';
  /** The host or the model declined; `text` is its words. */
  readonly isRefusal: boolean;
  /** The model that answered, as the host names it. */
  readonly model: string;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  /** Log-probabilities of the generated tokens, natural log. */
  readonly tokenLogprobs?: readonly number[];
}

/** A model that can be talked to. Retries, limits, time-outs and the cache are inside. */
export interface ChatModel {
  /** The model's name, as rows carry it. */
  readonly name: string;
  /**
   * Ask for one reply.
   *
   * @throws TM_AUTH - the host refused the key
   * @throws TM_MODEL - the host failed for good: `reason` says how
   */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}

import type { JsonObject } from '../../core/json-object.ts';
import { type Reply, replyOf } from '../../rows/reply.ts';
import { endsComplete } from '../../text/looks-finished.ts';
import { dumpsSchema } from '../../text/tool-markup.ts';

/** Words of the machinery around the agent; a reply that holds one was not written for a user. */
const harnessWords = /<user_turn>|scene brief|scenario_dimensions|world_state|situation card|region_id/i;
const errorStub = /^<agent error/i;
const serverStub = /returned\s+[45]\d\d\b/i;
/** A bare HTTP code at the start, perhaps after a URL. */
const bareCode = /^(?:https?:\/\/\S+\s+)?[45]\d\d\b/i;
const stuckKey = /(\S)\1{29}/u;
const longReply = 600; // characters; a longer reply has to end properly

/** Say whether a text speaks of the harness. */
export const hasHarnessWords = (text: string): boolean => harnessWords.test(text);

/** Say whether a reply is what an HTTP layer wrote and no agent. */
export const isInfraStub = (text: string): boolean =>
  errorStub.test(text) || serverStub.test(text) || bareCode.test(text);

/** Say whether one character is repeated 30 times in a row. */
export const isDegenerate = (text: string): boolean => stuckKey.test(text);

/**
 * Say whether a row holds no whole conversation: no reply, an error stub, machinery text, a reply that breaks off, or a
 * last message that waits for the agent. A row that says how it ended (`ended_by`, a limit) may end on a user or a tool: whether to
 * keep a rollout that was cut off is the truncation policy's to say.
 *
 * @source house rule
 */
export function isJunk(row: JsonObject): boolean {
  const reply = replyOf(row);
  const text = reply.finalText.trim();
  if (text === '' || errorStub.test(text) || isDegenerate(text) || hasHarnessWords(reply.said)) return true;
  if (reply.calls.length === 0 && (isInfraStub(text) || isLoneQuestion(text, row))) return true;
  if (reply.said.includes('<tool_call>') || dumpsSchema(reply.said)) return true;
  if (text.length > longReply && row['overlong'] !== true && !endsComplete(text)) return true;
  return reply.messages.length === 0 ? reply.calls.length === 0 : waitsForAgent(row, reply);
}

function waitsForAgent(row: JsonObject, { messages }: Reply): boolean {
  const role = messages.at(-1)?.['role'];
  return !saysHowItEnded(row) && (role === 'user' || role === 'tool');
}

/** A user, a tool or a limit closed it: then the agent was not going to speak. */
const saysHowItEnded = (row: JsonObject): boolean =>
  Boolean(row['ended_by']) || row['finish_reason'] === 'length' || row['overlong'] === true;

/** The prompt is too short to act on, and the reply only asks back. */
const isLoneQuestion = (text: string, row: JsonObject): boolean => text.endsWith('?') && wordCount(row['prompt']) <= 2;

const wordCount = (text: unknown): number =>
  typeof text === 'string' ? text.split(/\s+/u).filter((word) => word !== '').length : 0;

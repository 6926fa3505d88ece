import type { JsonObject } from '../../core/json-object.ts';
import { type Reply, replyOf } from '../../rows/reply.ts';
import { hasHarnessWords, isDegenerate, isInfraStub } from '../../text/broken-reply.ts';
import { endsComplete } from '../../text/looks-finished.ts';
import { dumpsSchema } from '../../text/tool-markup.ts';

const errorStub = /^<agent error/i;
const longReply = 600; // characters; a longer reply has to end properly

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

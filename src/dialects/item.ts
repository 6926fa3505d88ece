import type { CallArguments } from './arguments.ts';
import type { Open } from './fields.ts';

/** What was said by the house or by the person. */
export interface Said {
  readonly kind: 'system' | 'user';
  readonly text: string;
  /** Not the person but the environment, answering an action in the person's place. */
  readonly observation?: string;
  /** What its message weighs in the loss, where the file says it. */
  readonly weight?: number;
}

/** What the agent said. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Calls of the same turn follow: the text introduces them. */
  readonly leads?: boolean;
  /** What the agent did by saying it, where a stack writes actions into the text and has no calls. */
  readonly action?: string;
  readonly weight?: number;
}

/** A tool call the agent made. */
export interface Call extends CallArguments {
  readonly kind: 'call';
  readonly id?: string;
  readonly name: string;
  /** It stood in the prompt: made before the run this row is of. */
  readonly given?: boolean;
  /** Its answer, where the one who ran the call says it; else answers come as items of their own. */
  readonly answer?: { readonly value: unknown };
  readonly weight?: number;
}

/** A call of its own that says the same. Field by field: to add one to a spread takes as long as all else that is done for a call. */
export function copyOfCall(call: Call, args = call.arguments, answer = call.answer): Call {
  const copy: Open<Call> = { kind: 'call', name: call.name };
  if (call.id !== undefined) copy.id = call.id;
  if (args !== undefined) copy.arguments = args;
  if (call.arguments_raw !== undefined) copy.arguments_raw = call.arguments_raw;
  if (call.encodings !== undefined) copy.encodings = call.encodings;
  if (call.given !== undefined) copy.given = call.given;
  if (answer !== undefined) copy.answer = answer;
  return copy;
}

/** A tool's answer. */
export interface Result {
  readonly kind: 'result';
  readonly id?: string;
  readonly name?: string;
  readonly value: unknown;
}

/** A part of a message that is no text, call or answer: a picture, a file, sound. No text is made up for it. */
export interface LeftOut {
  readonly kind: 'left_out';
  /** Its type, in the words of its stack. */
  readonly type: string;
}

/** One thing that happened in a conversation, whatever wrote it down: every dialect is read into a list of these. */
export type Item = Said | Text | Call | Result | LeftOut;

import type { CallArguments } from './arguments.ts';

/** What was said by the house or by the person. */
export interface Said {
  readonly kind: 'system' | 'user';
  readonly text: string;
  /** Not the person but the environment, answering an action in the person's place. */
  readonly observation?: string;
}

/** What the agent said. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Calls of the same turn follow: the text introduces them. */
  readonly leads?: boolean;
  /** What the agent did by saying it, where a stack writes actions into the text and has no calls. */
  readonly action?: string;
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
}

/** A tool's answer. */
export interface Result {
  readonly kind: 'result';
  readonly id?: string;
  readonly name?: string;
  readonly value: unknown;
}

/** One thing that happened in a conversation, whatever wrote it down: every dialect is read into a list of these. */
export type Item = Said | Text | Call | Result;

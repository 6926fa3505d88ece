import type { CallArguments } from './arguments.ts';

/** What was said by the house or by the person. */
export interface Said {
  readonly kind: 'system' | 'user';
  readonly text: string;
}

/** What the agent said. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Calls of the same turn follow: the text introduces them. */
  readonly leads?: boolean;
}

/** A tool call the agent made. */
export interface Call extends CallArguments {
  readonly kind: 'call';
  readonly id?: string;
  readonly name: string;
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

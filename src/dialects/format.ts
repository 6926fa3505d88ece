import type { JsonObject } from './fields.ts';

/** How the values of a file are held together. */
export type Container = 'lines' | 'array' | 'object' | 'text' | 'bytes';

/** What a format looks at to know its own: never the name of the file alone, which people change. */
export interface Sample {
  readonly container: Container;
  /** The first value: of the lines, of the array, or the object itself; the text or the bytes of other files. */
  readonly first: unknown;
  /** Up to 20 values of the lines or the array. */
  readonly values: readonly unknown[];
  /** The last part of the file's name, compression left out: `.jsonl`. */
  readonly extension: string;
}

/** A finding that is no row: what a file says about the agent, its tasks or their gold. */
export interface Task extends JsonObject {
  readonly task_id: string;
  readonly prompt: string;
}

/** What a reader finds in a record. A record may hold several findings; one that holds none is rejected. */
export type Finding =
  | { readonly kind: 'row'; readonly row: JsonObject }
  | { readonly kind: 'pair'; readonly pair: JsonObject }
  | { readonly kind: 'tool'; readonly tool: JsonObject }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'label'; readonly label: JsonObject }
  | { readonly kind: 'policy'; readonly text: string }
  /** A document about runs that holds none: a schema, a recorded request. */
  | { readonly kind: 'document'; readonly document: unknown }
  /** One lower-case word of what is wrong with a record, and the record. */
  | ({ readonly kind: 'rejected'; readonly reason: string; readonly record: unknown } & Partial<Refusal>);

/** Where a rejected record stood and what it was read as. */
export interface Refusal {
  /** Its line in the file, from 1. */
  readonly line: number;
  /** Names of the formats that did not read it. */
  readonly tried: readonly string[];
}

/** One file format. Adding one is adding a file and its line in the table: nothing else knows the formats by name. */
export interface FileFormat {
  readonly name: string;
  /** `record`: each value is read alone, so lines stream. `file`: the values belong together and are read at once. */
  readonly unit: 'record' | 'file';
  /** Say whether a sample is of this format. Formats are asked in the order of the table, the particular ones first. */
  readonly detect: (sample: Sample) => boolean;
  /** Read one record, or with the unit `file` the list of all values. Never throws for a malformed member. */
  readonly read: (value: unknown) => readonly Finding[];
}

/** One row as the only finding. */
export const rowFinding = (row: JsonObject): readonly Finding[] => [{ kind: 'row', row }];

/** One rejection as the only finding. */
export const rejected = (reason: string, record: unknown): readonly Finding[] => [{ kind: 'rejected', reason, record }];

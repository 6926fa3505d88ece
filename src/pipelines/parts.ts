import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { TracemillError } from '../core/errors.ts';
import { pass } from '../core/pass.ts';
import type { AnyStage, AnyView, Kind, Stage } from '../core/stage.ts';
import type { Sink } from '../core/to-sink.ts';

/** What one consumer group does: a stage, a view of what a stage writes, or a sink of a kind. */
export interface Part {
  /** The stage's name, `view.<kind>` or `sink.<kind>`. */
  readonly name: string;
  readonly stage: AnyStage;
  /** Where its rows go; the topic of their kind when absent. */
  readonly sink?: Sink<never>;
}

/**
 * List what consumer groups a pipeline needs. A view is a group of its own, so that each stage writes to one topic and a
 * crash between two writes cannot part them.
 *
 * @throws TM_OPTIONS - a sink of a kind that nothing reads or writes
 */
export function partsOf(
  stages: readonly AnyStage[],
  sinks: Readonly<Record<string, Sink<never>>> = {},
): readonly Part[] {
  const views = stages.flatMap((stage) => (stage.views ?? []).map((view) => viewPart(stage, view)));
  const whole = [...stages.map((stage) => ({ name: stage.name, stage: { ...stage, views: [] } })), ...views];
  return [...whole, ...Object.entries(sinks).map(([kind, sink]) => sinkPart(kind, sink, whole))];
}

function viewPart({ to: from, writes }: AnyStage, view: AnyView): Part {
  const { to, schema, key, id, rows } = view as unknown as AnyRowsView; // its own types were checked where it was declared
  const name = `view.${to}`;
  const project = defineExpand({
    name,
    options: z.strictObject({}),
    core: () => rows,
    example: { options: {}, in: [], out: [] },
  });
  const stage: AnyRowsStage = {
    name,
    from,
    to,
    reads: writes,
    writes: schema,
    key,
    id,
    per: 'record',
    operator: () => project({}),
  };
  return { name, stage: stage as unknown as AnyStage };
}

function sinkPart(kind: string, sink: Sink<never>, parts: readonly Part[]): Part {
  const writer = parts.find(({ stage }) => stage.to === kind)?.stage.writes;
  const schema: z.ZodType | undefined = writer ?? parts.find(({ stage }) => stage.from === kind)?.stage.reads;
  if (!schema) throw new TracemillError('TM_OPTIONS', `sinks: no stage reads or writes ${kind}`);
  const name = `sink.${kind}`;
  const none = () => '';
  const stage: AnyRowsStage = {
    name,
    from: kind,
    to: name,
    reads: schema,
    writes: schema,
    key: none,
    id: none,
    per: 'record',
    operator: pass,
    readsAnswerKeys: true, // as in one process: a file of rows keeps them beside it, every other sink leaves them out
  };
  return { name, stage: stage as unknown as AnyStage, sink };
}

type AnyRowsStage = Stage<unknown, unknown>;
interface AnyRowsView extends Kind<unknown> {
  readonly to: string;
  readonly rows: (row: unknown) => readonly unknown[];
}

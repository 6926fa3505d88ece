import type { z } from 'zod';
import { spanBatchSchema } from '../dialects/otlp/span-batch.ts';
import { spanRecordSchema } from '../dialects/otlp/span-record.ts';
import { alarmSchema } from '../rows/alarm.ts';
import { askSchema } from '../rows/ask.ts';
import { bandChangeSchema } from '../rows/band-change.ts';
import { groupSchema } from '../rows/group.ts';
import { historyEntrySchema } from '../rows/history-entry.ts';
import { judgmentSchema } from '../rows/judgment.ts';
import { markerSchema } from '../rows/marker.ts';
import { monitorEventSchema } from '../rows/monitor-event.ts';
import { answerKeySchema } from '../rows/privileged.ts';
import { retractionSchema } from '../rows/retraction.ts';
import { rowSchema } from '../rows/row.ts';
import { runRecordSchema } from '../rows/run-record.ts';
import { situationSchema } from '../rows/situation.ts';
import { workerFiguresSchema } from '../rows/worker-figures.ts';
import { watchedSchema } from './watch-runs.ts';

/** What a topic is to those who read or write it. */
export interface TopicKind {
  readonly what: string;
  readonly schemaName: string;
  readonly schema: z.ZodType;
  /** What its key is: records of one key lie in one partition, in order. */
  readonly key: string;
  /** What its `tm-id` is made of: the same input gives the same. */
  readonly id: string;
}

const task = 'the task: `scenario_id`, else `task_id`, else the prompt';
const rollout = '`rollout_id`, with the run where a set is played more than once';
const span = {
  schemaName: 'span',
  schema: spanRecordSchema,
  id: 'the trace and span ids, and the version of the record',
} as const;
const row = { schemaName: 'row', schema: rowSchema, key: task, id: rollout } as const;

/** Kinds that lie beside the rows of every pipeline. */
export const sideKinds: readonly string[] = ['privileged', 'runs', 'metrics'];

/** Every kind of rows that travels on a topic of its own. A test compares it with the pipelines. */
export const topicKinds: Readonly<Record<string, TopicKind>> = {
  situations: {
    what: 'Cells of the coverage grid, to be asked about.',
    schemaName: 'situation',
    schema: situationSchema,
    key: '`scenario_id`',
    id: '`scenario_id`',
  },
  asks: {
    what: 'Situations as a person would type them, one for each rollout to be played.',
    schemaName: 'ask',
    schema: askSchema,
    key: '`scenario_id`',
    id: '`ask_id`, `rollout_index` and the run',
  },
  rollouts: { ...row, what: 'Episodes as they were played: messages, tool calls, results, the last answer.' },
  graded: { ...row, what: 'Rollouts with their reward or the status of a verdict that is missing.' },
  verdicts: {
    what: 'What a judge said of a rollout, apart from the rollout.',
    schemaName: 'judgment',
    schema: judgmentSchema,
    key: '`task_id`',
    id: '`row_id` and the name of the scorer',
  },
  markers: {
    what: 'Single measurements of a rollout; 1 is good.',
    schemaName: 'marker',
    schema: markerSchema,
    key: '`task_id`',
    id: '`row_id` and the name of the marker',
  },
  spans: {
    what: 'Exports of OpenTelemetry as the Kafka exporter of a Collector writes them: OTLP, protobuf or JSON.',
    schemaName: 'span_batch',
    schema: spanBatchSchema,
    key: 'whatever the Collector sets',
    id: 'none; spans are told apart by their own ids',
  },
  trace_spans: { ...span, what: 'Single spans without their secrets, by trace.', key: 'the trace id' },
  session_spans: { ...span, what: 'The same spans, by conversation.', key: 'the conversation id, else the trace id' },
  privileged: {
    what: 'Answer keys, compacted: what judges and the world may see, and nothing else on any topic.',
    schemaName: 'answer_key',
    schema: answerKeySchema,
    key: task,
    id: 'the task',
  },
  runs: {
    what: 'What each run was made with, and how it ended.',
    schemaName: 'run_record',
    schema: runRecordSchema,
    key: '`run_id`',
    id: '`run_id`',
  },
  metrics: {
    what: 'What each process that runs parts of the pipeline does, once a second, and how it ended.',
    schemaName: 'worker_figures',
    schema: workerFiguresSchema,
    key: '`worker`',
    id: '`worker`: the latest counts',
  },
  scored: {
    what: 'What training runs tell their monitor: completions with their rewards, logs, evaluations of held-out asks.',
    schemaName: 'monitor_event',
    schema: monitorEventSchema,
    key: '`run_id`',
    id: 'what the trainer says; none is needed',
  },
  watched: {
    what: 'What is said of runs under watch, in order: evaluations after their alarms, and that a run is over. Read again, it rebuilds the watch.',
    schemaName: 'watched',
    schema: watchedSchema,
    key: '`run_id`',
    id: 'as on `history` and `alarms`',
  },
  history: {
    what: 'Each evaluation of a run under watch, with its figures.',
    schemaName: 'history_entry',
    schema: historyEntrySchema,
    key: '`run_id`',
    id: '`run_id` and `step`',
  },
  alarms: {
    what: 'What monitors raise of training runs, with the evidence.',
    schemaName: 'alarm',
    schema: alarmSchema,
    key: '`run_id`',
    id: '`run_id`, the kind and `step`, and what it is about where there may be several',
  },
  graded_traces: { ...row, what: 'Traces with their reward or the status of a verdict that is missing.' },
  groups: {
    what: 'All rollouts of a task together, or what there was of them when the wait ended: then `is_complete` is false.',
    schemaName: 'group',
    schema: groupSchema,
    key: 'the task',
    id: '`group_id`; a group that is not complete has one of its own and never replaces a complete one',
  },
  band_changes: {
    what: 'Tasks that enter or leave the band of pass rates that train; the latest of a task says where it is.',
    schemaName: 'band_change',
    schema: bandChangeSchema,
    key: 'the task',
    id: 'the task, the change and the rollout that made it',
  },
  selected: { ...row, what: 'Rows that train.' },
  evaluation: {
    ...row,
    what: 'Rows of evaluations: what must not be trained on. Every process that guards reads them all.',
  },
  clean: { ...row, what: 'Rows that train and repeat nothing of the evaluation that was known when they came.' },
  retractions: {
    what: 'Rows that were passed on and are taken back: an evaluation row that came later contaminates them.',
    schemaName: 'retraction',
    schema: retractionSchema,
    key: 'the task of the training row',
    id: 'the id of the training row',
  },
  imported: { ...row, what: 'Rows of other stacks as they were read, secrets and all: keep it short and closed.' },
  traces: { ...row, what: 'Rows of other stacks without their secrets.' },
};

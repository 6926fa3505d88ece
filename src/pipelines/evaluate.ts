import type { Observable } from 'rxjs';
import type { z } from 'zod';
import { compose } from '../core/compose.ts';
import { pull } from '../core/source.ts';
import { type AnyStage, defineStage, defineView } from '../core/stage.ts';
import type { Graded } from '../judges/apply-verdict.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgeWatch } from '../judges/judge-watch.ts';
import type { MarkerFunctions } from '../judges/measure-markers.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { judge } from '../operators/judge.ts';
import { markers } from '../operators/markers.ts';
import { type Judgment, judgmentSchema } from '../rows/judgment.ts';
import { judgmentsOf } from '../rows/judgments-of.ts';
import { type Marker, markerSchema } from '../rows/marker.ts';
import { markerValue } from '../rows/marker-value.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';
import { rowsSource } from '../sources/rows.ts';
import { definePipeline, needed } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';
import { rowStream } from './row-stream.ts';

export interface EvaluatePorts {
  readonly judge: Judge;
  /** Told of every graded row: ask it for the warnings of the run. */
  readonly watch?: JudgeWatch;
  /** Measured after the verdict and merged over the row's own. */
  readonly markers?: MarkerFunctions;
}
export type EvaluateOptions = z.input<typeof judge.spec.options>;

/** Rollouts in, graded rows out; their verdicts and markers go to topics of their own. */
export function evaluateStages(options: EvaluateOptions, ports: EvaluatePorts): readonly AnyStage[] {
  const grade = judge<Row>(options, ports);
  const measures = ports.markers;
  return [
    defineStage<Row, Row>({
      name: 'judge',
      from: 'rollouts',
      to: 'graded',
      reads: rowSchema,
      writes: rowSchema,
      ...rowIdentity,
      per: 'record',
      readsAnswerKeys: true,
      operator: () =>
        measures
          ? compose(dropRedelivered({}), grade, markers<Graded>({}, { markers: measures }))
          : compose(dropRedelivered({}), grade),
      views: [
        defineView<Row, Judgment>({
          to: 'verdicts',
          schema: judgmentSchema,
          key: ({ task_id = '' }) => task_id,
          id: ({ row_id = '', scorer }) => `${row_id}#${scorer.name}`,
          rows: (row) => judgmentsOf(row, rowKey(row)).map((judgment) => ({ ...judgment, ...placeOf(row) })),
        }),
        defineView<Row, Marker>({
          to: 'markers',
          schema: markerSchema,
          key: ({ task_id = '' }) => task_id,
          id: ({ row_id = '', name }) => `${row_id}#${name}`,
          rows: markersOf,
        }),
      ],
    }),
  ];
}

/** Grading by its name: rollouts of files or of a topic in. */
export const evaluatePipeline = definePipeline({
  name: 'evaluate',
  summary: 'Put a verdict on every rollout.',
  options: judge.spec.options,
  example: {},
  open: (options, ports) => ({
    stages: evaluateStages(options, { judge: needed('evaluate', 'judge', ports.judge) }),
    source: ports.files && rowsSource({ paths: [...ports.files] }),
    input: rowIdentity,
    out: 'graded',
  }),
});

/** Grade rows as they come and see each as soon as its judge has answered. */
export function evaluateStream(
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: EvaluateOptions,
  ports: EvaluatePorts,
): Observable<Graded> {
  return rowStream<Graded>({ stages: evaluateStages(options, ports), source: pull(rows), kind: 'graded' });
}

/** What places a row that follows from a graded one: beside its task, and told apart from that of another scoring run. */
const placeOf = (row: Row) => ({ task_id: taskKey(row), row_id: rowIdentity.id(row) });

function markersOf(row: Row): readonly Marker[] {
  const rollout_id = rowKey(row);
  return Object.keys(row.markers ?? {}).flatMap((name) => {
    const value = markerValue(row, name);
    return typeof value === 'number' ? [{ rollout_id, ...placeOf(row), name, value }] : []; // what is no number was not measured
  });
}

import { lastValueFrom } from 'rxjs';
import { stringifyJson } from '../../../src/core/json.ts';
import { pull } from '../../../src/core/source.ts';
import { intoKafka } from '../../../src/pipelines/into-kafka.ts';
import { partsOf } from '../../../src/pipelines/parts.ts';
import { topicName } from '../../../src/pipelines/topics.ts';
import { kafkaRecords } from '../../../src/sinks/kafka-records.ts';
import type { KafkaBus } from '../../../src/sources/kafka-bus.ts';
import { riddle } from '../moody-ask.ts';
import { placeOfRollout, type Rollout, scene } from '../scene.ts';
import { kinds, letter } from './letters.ts';
import type { Plan } from './plan.ts';

const parts = partsOf(scene({ ask: async () => 1 }));

/** Rows that are kept back to come as poison, one of a task, and how they come; the others come as they are. */
export function keepBack(rows: readonly Rollout[], { faults }: Plan) {
  const texts = faults.flatMap(({ kind }): readonly Rollout['text'][] =>
    kind === 'bad_row' ? [7] : kind === 'bad_call' ? [riddle] : [],
  );
  const tasks = new Map(rows.map((row) => [row.task_id, row]));
  const every = Math.floor(tasks.size / (texts.length + 1));
  const chosen = [...tasks.values()].filter((_, n) => n % every === every - 1).slice(0, texts.length);
  const poison = chosen.map((row, n) => ({ ...row, text: texts[n] ?? '' }));
  const ids = new Set(poison.map(({ rollout_id }) => rollout_id));
  return { poison, good: rows.filter(({ rollout_id }) => !ids.has(rollout_id)) };
}

/** Send rollouts to their topic. */
export const feed = async (bus: KafkaBus, prefix: string, rows: readonly Rollout[]): Promise<void> =>
  lastValueFrom(intoKafka({ bus, prefix, kind: 'rollouts', source: pull(rows), ...placeOfRollout }), {
    defaultValue: undefined,
  });

/** Send a record that is no JSON, as a foreign producer might, and name the letters that it must become. */
export async function garbage(bus: KafkaBus, prefix: string, pick: number, n: number): Promise<string[]> {
  const read = kinds.filter((kind) => parts.some(({ stage }) => stage.from === kind));
  const kind = read[Math.floor(pick * read.length)] ?? '';
  const value = `{"garbage": ${n}`;
  const sink = kafkaRecords({ producer: bus.producer });
  await sink.write([{ topic: topicName(prefix, kind), key: `g${n}`, value, headers: {} }]);
  await sink.close();
  return parts.filter(({ stage }) => stage.from === kind).map(({ name }) => letter(name, 'invalid_json', value));
}

/** The letter that a rollout becomes that nobody can judge yet. */
export const letterOf = (row: Rollout): string =>
  letter('judge', row.text === riddle ? 'error' : 'invalid_row', stringifyJson(row));

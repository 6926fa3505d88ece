import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import { pull } from '../../src/core/source.ts';
import { mathEqual } from '../../src/judges/verifiers/math-equal.ts';
import { evaluateStages } from '../../src/pipelines/evaluate.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { answerKeyTopic, topicName, topicNames, topicsOf } from '../../src/pipelines/topics.ts';
import { answerKeyHeader } from '../../src/rows/privileged.ts';
import type { Row } from '../../src/rows/row.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const prefix = 'sums';
const nothing = { defaultValue: undefined };
const stages = evaluateStages({}, { judge: mathEqual() });
const gold = (task: number) => `\\frac{${task}}{977}`;

/** Three replies to each sum, two of them right in other words than the gold, which stands in the privileged block or a column. */
const rows: Row[] = Array.from({ length: 30 }, (_, n) => {
  const task = Math.floor(n / 3) + 1;
  const reference = task % 2 === 0 ? { reference: gold(task) } : { privileged: { reference: gold(task) } };
  const final_text = [`\\boxed{${3 * task}/2931}`, `\\boxed{${2 * task}/1954}`, '\\boxed{5}'][n % 3] ?? '';
  return { rollout_id: `r${n}`, scenario_id: `sum-${task}`, prompt: `Sum ${task}?`, final_text, ...reference };
});

async function onTopics(input: readonly Row[]) {
  const broker = memoryBroker();
  const { bus, isDone } = broker;
  await ensureTopics(topicsOf(stages, prefix, 2), bus);
  const source = pull(input);
  await lastValueFrom(intoKafka({ bus, prefix, kind: 'rollouts', source, ...rowIdentity }), nothing);
  const grade = async () => {
    const stop = new AbortController();
    const run = lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal, only: ['judge'] }), nothing);
    await vi.waitFor(() => expect(isDone(`${prefix}.judge`, topicName(prefix, 'rollouts'))).toBe(true), 10_000);
    stop.abort();
    await run;
  };
  const graded = () => broker.rows(topicName(prefix, 'graded')) as Row[];
  return { ...broker, grade, graded };
}
const rewards = (all: readonly Row[]) => all.map(({ rollout_id, reward }) => `${rollout_id} ${reward}`).sort();

it('grades against answer keys over topics as it does in memory', async () => {
  const graded = memorySink<Row>();
  await lastValueFrom(inMemory(stages, { source: pull(rows), sinks: { graded }, rejected: rejectedSink() }), nothing);
  const topics = await onTopics(rows);
  await topics.grade();
  expect(rewards(topics.graded())).toEqual(rewards(graded.rows));
  expect(graded.rows.filter(({ reward }) => reward === 1)).toHaveLength(20);
});

it('an answer key is on no topic but the privileged one, once a task', async () => {
  const { grade, records } = await onTopics(rows);
  await grade();
  const holders = [...topicNames(stages, prefix), answerKeyTopic(prefix)].filter((topic) =>
    records(topic).some(({ key, value, headers }) =>
      [key, value, ...Object.values(headers).flat()].some((bytes) => /977\}|"privileged"/.test(String(bytes))),
    ),
  );
  expect(holders).toEqual([answerKeyTopic(prefix)]);
  expect(records(answerKeyTopic(prefix))).toHaveLength(10);
});

it('a row whose answer key is nowhere is not graded without it: it becomes a dead letter that can be sent again', async () => {
  const topics = await onTopics(rows);
  const headers = { 'tm-id': 'lost', [answerKeyHeader]: '1' };
  const lost = { rollout_id: 'lost', scenario_id: 'sum-99', final_text: '\\boxed{1}' };
  topics.append(topicName(prefix, 'rollouts'), [{ key: 'sum-99', value: JSON.stringify(lost), headers }]);
  await topics.grade();
  const [letter, ...others] = topics.records(`${topicName(prefix, 'rollouts')}.dlq`);
  expect(others).toEqual([]);
  expect(headerText(letter?.headers ?? {}, 'dlq.reason')).toBe('no_answer_key');
  expect(rewards(topics.graded())).toHaveLength(rows.length);
});

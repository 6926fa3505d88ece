import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { seededAgent } from '../../src/agents/seeded-agent.ts';
import { pull } from '../../src/core/source.ts';
import { planKinds } from '../../src/core/stage-kinds.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { shapeOf } from '../../src/pipelines/pipeline.ts';
import { pipelineNamed, pipelines } from '../../src/pipelines/registry.ts';
import type { Row } from '../../src/rows/row.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const tools = [{ name: 'get_order', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } }];
const ports = { agent: seededAgent(tools), judge: () => 1 };

it.each(pipelines.map(({ name }) => name))('%s opens by its name into stages that fit together', (name) => {
  const pipeline = pipelineNamed(name);
  const { stages, out, input } = shapeOf(pipeline);
  const own = stages.filter(({ from }) => from !== 'evaluation'); // its topic is written by whoever evaluates
  expect(planKinds(own, [out]).kinds.get(out)).toMatchObject({ readers: 1 });
  expect(input.key).toBeTypeOf('function');
  expect(pipeline.summary).toMatch(/\.$/);
});

it('refuses an option that nobody declared, and a missing judge or agent, before any row', () => {
  expect(() => pipelineNamed('evaluate').open({ maxConcurent: 3 }, ports)).toThrow(
    /TM_OPTIONS: evaluate: .*maxConcurent/s,
  );
  expect(() => pipelineNamed('evaluate').open({})).toThrow('TM_OPTIONS: evaluate: no judge is given, and it needs one');
  expect(() => pipelineNamed('simulate').open({ tools })).toThrow(/no agent is given/);
  expect(() => pipelineNamed('evalate')).toThrow(/no pipeline is called evalate; there are simulate, evaluate/);
});

it('runs what it opened', async () => {
  const { stages, out } = pipelineNamed('evaluate').open({}, ports);
  const graded = memorySink<Row>();
  const row: Row = { scenario_id: 's', rollout_id: 'r', prompt: 'p', steps: [], final_text: 'f' };
  await lastValueFrom(inMemory(stages, { source: pull([row]), sinks: { [out]: graded }, rejected: rejectedSink() }), {
    defaultValue: undefined,
  });
  expect(graded.rows).toMatchObject([{ rollout_id: 'r', reward: 1 }]);
});

it('a selection over all rows is refused on Kafka, and told where it runs', () => {
  const { stages } = pipelineNamed('select').open({ mode: 'rl' });
  expect(() => onKafka(stages, { bus: memoryBroker().bus, prefix: 'p' })).toThrow(
    /TM_OPTIONS: select decides when it has all rows of a run.*Write graded to a file.*group and bandFilter/,
  );
});

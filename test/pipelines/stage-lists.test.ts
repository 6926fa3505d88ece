import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { seededAgent } from '../../src/agents/seeded-agent.ts';
import { createCounters } from '../../src/core/counters.ts';
import { pull, type Source } from '../../src/core/source.ts';
import type { AnyStage } from '../../src/core/stage.ts';
import { evaluateStages } from '../../src/pipelines/evaluate.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { ingestStages } from '../../src/pipelines/ingest.ts';
import { selectStages } from '../../src/pipelines/select.ts';
import { planFixed } from '../../src/pipelines/simulate-stages.ts';
import type { Row } from '../../src/rows/row.ts';
import { memorySink, rejectedSink } from '../memory.ts';

const tools = [{ name: 'get_order', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } }];
const policy = 'You are the agent of a shop.\n\n- Look an order up first.\n- Never guess what a tool did not say.';
const options = { tools, systemPrompt: policy, mode: 'rl', repeats: 4, repeatPolicy: 'fixed', budget: 48 } as const;
const judge = ({ final_text }: Row) => ({
  reward: (final_text ?? '').length % 2,
  markers: { long: (final_text ?? '').length > 40 },
});
const simulation = () => planFixed(options, { agent: seededAgent(tools), judge });

const graded: Row[] = ['a', 'b', 'c'].flatMap((scenario_id, task) =>
  [0, 1, 2, 3].map((rollout_index) => ({
    scenario_id,
    rollout_index,
    rollout_id: `${scenario_id}${rollout_index}`,
    prompt: `Where is order ${scenario_id}${rollout_index}?`,
    steps: [{ tool: 'get_order', arguments: { order_id: `${scenario_id}${rollout_index}` }, result: { status: 'ok' } }],
    final_text: `Order ${rollout_index} has left, and the key is sk-live-${'x'.repeat(24)}.`,
    reward: task === 0 ? 1 : rollout_index % 2,
  })),
);

interface Scene {
  readonly stages: () => readonly AnyStage[];
  readonly source: () => Source<unknown>;
  readonly kinds: readonly string[];
}
/** Every pipeline, as its list of stages. A new one belongs here. */
const scenes: Readonly<Record<string, Scene>> = {
  simulate: {
    stages: () => simulation().stages,
    source: () => simulation().source,
    kinds: ['rollouts', 'graded', 'verdicts', 'markers'],
  },
  evaluate: {
    stages: () => evaluateStages({}, { judge }),
    source: () => pull(graded),
    kinds: ['graded', 'verdicts', 'markers'],
  },
  select: { stages: () => selectStages({ mode: 'rl' }), source: () => pull(graded), kinds: ['selected'] },
  'select for sft': { stages: () => selectStages({ mode: 'sft' }), source: () => pull(graded), kinds: ['selected'] },
  ingest: { stages: () => ingestStages({ salt: 'a salt for tests' }), source: () => pull(graded), kinds: ['traces'] },
};

describe.each(Object.entries(scenes))('%s', (_name, { stages, source, kinds }) => {
  async function played(serialised: boolean) {
    const sinks = Object.fromEntries(kinds.map((kind) => [kind, memorySink<never>()]));
    const rejected = rejectedSink();
    const counters = createCounters();
    await lastValueFrom(inMemory(stages(), { source: source(), sinks, rejected, serialised, hooks: counters.hooks }), {
      defaultValue: undefined,
    });
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    const rows = Object.fromEntries(Object.entries(sinks).map(([kind, sink]) => [kind, sorted(sink.rows)]));
    return {
      rows,
      rejected: sorted(rejected.rows.map(({ by, reason, row }) => ({ by, reason, row }))),
      counts: counters.snapshot(),
    };
  }

  it('gives the same rows through a bus that writes and parses each row', async () => {
    const [direct, wired] = [await played(false), await played(true)];
    expect(wired.rows).toEqual(direct.rows);
    expect(wired.rejected).toEqual(direct.rejected);
    for (const kind of kinds) expect(direct.rows[kind]?.length).toBeGreaterThan(0);
  });

  it('accounts for every row: in = out + rejected, nothing in flight', async () => {
    const { counts } = await played(false);
    expect(counts.length).toBeGreaterThan(0);
    for (const { operator, in: taken, out, rejected, in_flight } of counts) {
      expect(in_flight).toBe(0);
      const gone = Object.values(rejected).reduce((sum, n) => sum + n, 0);
      if (!['writer', 'keep-for-sft'].includes(operator)) expect([operator, out + gone]).toEqual([operator, taken]);
    }
  });
});

it('an answer key reaches the judge that asks for it, and no other', async () => {
  const row: Row = { ...graded[0], privileged: { reference: 'Rome' } };
  const seen: unknown[] = [];
  for (const usePrivileged of [false, true]) {
    const look = Object.assign((one: Row) => seen.push(one.privileged) > 0, { usePrivileged });
    const ends = { source: pull([row]), sinks: { graded: memorySink<never>() }, rejected: rejectedSink() };
    await lastValueFrom(inMemory(evaluateStages({}, { judge: look }), ends), { defaultValue: undefined });
  }
  expect(seen).toEqual([undefined, { reference: 'Rome' }]);
});

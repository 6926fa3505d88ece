import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import type { SimulateOptions } from '../../../src/pipelines/simulate/options.ts';
import type { SimulatePorts } from '../../../src/pipelines/simulate/prepare.ts';
import { simulate } from '../../../src/pipelines/simulate/simulate.ts';
import { simulateFromTraces } from '../../../src/pipelines/simulate/simulate-from-traces.ts';
import type { Row } from '../../../src/rows/row.ts';
import { hotelPolicy, hotelTools } from '../../grid/agents.ts';

const honest: Agent = async (_message, { call }) => {
  const { status } = await call('get_booking', { booking_id: 'B1' });
  return `The booking is ${String(status)}.`;
};
const run = (options: Partial<SimulateOptions> = {}, ports: SimulatePorts = {}) =>
  simulate({ agent: honest as never, tools: hotelTools, systemPrompt: hotelPolicy, budget: 40, ...options }, ports);
const taskOf = ({ prompt, scenario_id, rollout_index }: Row) => JSON.stringify([prompt, scenario_id, rollout_index]);

it('plays the same asks at any concurrency and latency, in the same order', async () => {
  const slow: Agent = async (message, context) => {
    await new Promise((done) => setTimeout(done, message.length % 7));
    return honest(message, context);
  };
  const [one, many] = [await run({ concurrency: 1 }), await run({ concurrency: 32, agent: slow as never })];
  expect(many.rows.map(taskOf)).toEqual(one.rows.map(taskOf));
  expect(JSON.stringify((await run()).rows)).toBe(JSON.stringify(one.rows));
});

it('gives another task set for another seed', async () => {
  const [a, b] = [await run({ seed: 1 }), await run({ seed: 2 })];
  const prompts = new Set(a.rows.map(({ prompt }) => prompt));
  expect(b.rows.filter(({ prompt }) => prompts.has(prompt))).toEqual([]);
});

it('opens exactly as many situations as are asked for', async () => {
  const { rows, stopped_because } = await run({
    situations: 20,
    repeats: 4,
    mode: 'rl',
    repeatPolicy: 'fixed',
    budget: 300,
  });
  expect(new Set(rows.map(({ scenario_id }) => scenario_id)).size).toBe(20);
  expect(rows).toHaveLength(80);
  expect(stopped_because).toBe('situations_exhausted');
});

it('writes no row of budget 0 and says so', async () => {
  expect(await run({ budget: 0 })).toMatchObject({ rows: [], stopped_because: 'budget' });
});

it('reaches saturation: every planned cell five times', async () => {
  const { stopped_because, coverage } = await run({
    until: 'saturation',
    budget: 2000,
    dimensions: {
      tool: ['get_booking'],
      rule: ['unspecified'],
      history: ['fresh'],
      tool_condition: ['success'],
      stance: ['ordinary', 'unsure'],
      world_state: ['unknown'],
    },
  });
  expect(stopped_because).toBe('saturation');
  expect(coverage['min_cell_copies']).toBeGreaterThanOrEqual(5);
});

it('ends by the clock it was given', async () => {
  let now = 0;
  const { stopped_because, rows } = await run({ timeBudget: 3, budget: 1000 }, { clock: () => (now += 1000) });
  expect(stopped_because).toBe('time_budget');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(1000);
});

it('calls off an agent that fails for ever after its first row', async () => {
  let calls = 0;
  const fading: Agent = (message, context) => {
    if (calls++ > 0) throw new Error('gone');
    return honest(message, context);
  };
  const { rows, stopped_because, degraded } = await run({ agent: fading as never, budget: 5 });
  expect(rows).toHaveLength(1);
  expect(stopped_because).toBe('agent_failed');
  expect(degraded).toContain('rollouts_lost');
});

describe('mode rl', () => {
  const coin = ({ prompt, rollout_index }: Row) => ((prompt ?? '').length % 3 === 0 ? (rollout_index ?? 0) % 2 : 1);
  it('fills groups that split to k, and marks those the budget cut', async () => {
    const { rows, search } = await run({ mode: 'rl', budget: 300, grader: coin });
    const groups = new Map<string, Row[]>();
    for (const row of rows) groups.set(row.prompt ?? '', [...(groups.get(row.prompt ?? '') ?? []), row]);
    for (const group of groups.values()) {
      const isMixed = new Set(group.map(({ reward }) => reward)).size > 1;
      const isCut = group.some((row) => row['group_cut'] === true);
      if (isMixed && !isCut) expect(group).toHaveLength(8);
      expect(group.length).toBeLessThanOrEqual(8);
      expect(new Set(group.map(({ rollout_index }) => rollout_index)).size).toBe(group.length);
    }
    expect(search['groups']).toMatchObject({ k: 8, probe: 2 });
  });
  it('says that a key was refused and plays nothing more', async () => {
    const locked: Agent = () => {
      throw new Error('401 - invalid api key');
    };
    await expect(run({ agent: locked as never })).rejects.toMatchObject({ code: 'TM_AUTH' });
  });
});

describe('seeds', () => {
  const seeds = ['Please check B-1', 'Please check B-2', 'Please check B-3', 'Please check B-4'];
  it('are played word for word and first; those the budget does not cover are named', async () => {
    const { rows, search, warning_codes } = await run({ seeds, mode: 'rl', repeats: 4, budget: 12 });
    expect(rows.map(({ prompt }) => prompt)).toEqual(seeds.slice(0, 3).flatMap((seed) => [seed, seed, seed, seed]));
    expect(search['seeds_dropped']).toEqual(['Please check B-4']);
    expect(warning_codes).toContain('seeds_dropped');
  });
});

it('says which options it could not serve', async () => {
  const { warnings, warning_codes } = await run({
    rubric: ['be brief'],
    simulator: false,
    advanced: { completionsPerRequest: 2, distinctCards: true },
    budget: 5,
  });
  expect(warning_codes).toEqual(['options_not_delivered']);
  expect(warnings[0]).toMatch(/^3 options .*rubric \(.*completionsPerRequest.*distinctCards/);
});

it('bends failing asks into new ones that keep cell, faults and world', async () => {
  const { rows } = await run({
    mode: 'sft',
    budget: 400,
    faultRate: 1,
    advanced: { armWeights: { structured: 0.7, failure_mutation: 0.3 } },
  });
  const mutants = rows.filter((row) => row['arm'] === 'failure_mutation');
  const byRollout = new Map(rows.map((row) => [String(row['rollout_id']), row]));
  expect(mutants.length).toBeGreaterThan(20);
  expect(new Set(mutants.map((row) => row['selection_reason'])).size).toBeGreaterThan(4);
  for (const mutant of mutants) {
    const parent = byRollout.get(String(mutant['parent_failure_id']));
    expect([mutant.scenario_id, mutant['faults'], mutant['world_state']]).toEqual([
      parent?.scenario_id,
      parent?.['faults'],
      parent?.['world_state'],
    ]);
    expect(mutant.prompt).not.toBe(parent?.prompt);
  }
});

it('keeps pinned arm weights, and moves the others', async () => {
  const pinned = await run({ advanced: { armWeights: { structured: 0.5, open_ended: 0.5 } }, budget: 60 });
  expect(pinned.rows.filter((row) => row['arm'] === 'open_ended')).toHaveLength(30);
  expect(pinned.search['arm_weights']).toMatchObject({ structured: 0.5, open_ended: 0.5 });
});

it('never plays a near copy of a trace that aims it', async () => {
  const first = await run({ budget: 60 });
  const traces = first.rows
    .slice(0, 20)
    .map(({ prompt, steps, final_text }) => ({ prompt, steps, final_text, reward: 0 }));
  const { rows, search } = await run({ traces, strategy: 'trace', budget: 60 });
  const sources = new Set(traces.map(({ prompt }) => prompt));
  expect(rows).toHaveLength(60);
  expect(rows.filter(({ prompt }) => sources.has(prompt))).toEqual([]);
  expect(search['strategy']).toBe('trace');
});

describe('traces', () => {
  const system = 'Help guests of the hotel. Never move a stay that has begun.';
  const traces = ['B7', 'B8', 'B9'].map((id, n) => ({
    prompt: `Where is my stay ${id} please?`,
    system_prompt: n === 2 ? 'Another agent.' : system,
    steps: [
      { tool: 'find_stay', arguments: { stay_id: id, nights: n }, result: { status: n === 0 ? 'timeout' : 'ok' } },
    ],
    final_text: 'It is there.',
  }));
  const agent: Agent = async (_message, { call }) =>
    `It is ${String((await call('find_stay', { stay_id: 'B1', nights: 1 }))['status'])}.`;

  it('give the tools and the policy of an agent of which nothing else is known, and aim the run', async () => {
    const seen: unknown[] = [];
    const told: Agent = (message, context) => {
      seen.push([context.systemPrompt, context.tools.map(({ name, parameters }) => [name, parameters])]);
      return agent(message, context);
    };
    const { rows, search } = await simulateFromTraces(traces, { agent: told as never, budget: 20, simulator: false });
    const parameters = expect.objectContaining({
      properties: { nights: { type: 'integer' }, stay_id: { type: 'string' } },
    });
    expect(seen[0]).toEqual([system, [['find_stay', parameters]]]);
    expect(rows).toHaveLength(20);
    expect(rows.map(({ prompt }) => prompt).filter((prompt) => traces.some((one) => one.prompt === prompt))).toEqual(
      [],
    );
    expect(search['hot_regions']).toEqual([{ tool: 'find_stay', tool_condition: 'timeout', share: 1 }]);
  });

  it('do not change the tools or the policy that are given', async () => {
    const { rows } = await simulateFromTraces(traces, {
      agent: honest as never,
      tools: hotelTools,
      systemPrompt: 'Own.',
      budget: 5,
    });
    expect(rows.every((row) => (row.lineage as { system_prompt_head?: string }).system_prompt_head === 'Own.')).toBe(
      true,
    );
    expect(rows.some(({ steps }) => (steps ?? []).some(({ tool }) => tool === 'get_booking'))).toBe(true);
  });
});

import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import { askSchedule, pinTasks } from '../../src/grid/pinned-tasks.ts';
import { situationStream } from '../../src/grid/situation-stream.ts';
import { plannedGrid } from '../../src/sources/grid.ts';
import { hotelPolicy, hotelTools } from '../grid/agents.ts';

const idsOf = (options: Parameters<typeof situationStream>[2]) =>
  [...situationStream(hotelTools, hotelPolicy, options).stream()].map(({ scenario_id }) => scenario_id);

it('gives the planned grid once, or as many situations as are asked for, none twice', () => {
  const planned = idsOf({ seed: 0 });
  expect(planned).toHaveLength(situationStream(hotelTools, hotelPolicy, { seed: 0 }).situations.length);
  const five = idsOf({ seed: 0, situations: 5 });
  expect(five).toEqual(planned.slice(0, 5));
  const many = idsOf({ seed: 0, situations: 1000 });
  expect(many.slice(0, planned.length)).toEqual(planned);
  expect(new Set(many).size).toBe(1000);
});

it('draws the same situations for every seed, in an order of its own', () => {
  const [a, b] = [idsOf({ seed: 1 }), idsOf({ seed: 2 })];
  expect(a).not.toEqual(b);
  expect(new Set(a)).toEqual(new Set(b));
});

it('ends when the space has no more cells', () => {
  const dimensions = {
    stance: ['ordinary', 'hurried'],
    tool: ['get_booking'],
    history: ['fresh'],
    world_state: ['unknown'],
    rule: ['unspecified'],
    tool_condition: ['success'],
  };
  const stream = situationStream(hotelTools, '', { seed: 0, dimensions, situations: 50 });
  expect([...stream.stream()]).toHaveLength(2);
});

it('refuses an option that it does not know', () => {
  expect(() => plannedGrid({ tools: hotelTools, faultrate: 1 } as never)).toThrow('faultrate');
});

const row = (prompt: string, fields = {}) => ({ prompt, ...fields });

it('pins each prompt once, with its cell, faults and world, and as many repeats as the fullest had', () => {
  const rows = [
    row('a', {
      scenario_id: 'sc-1',
      faults: { x: { mode: 'timeout' } },
      world_state: 'entity missing',
      stance: 'hurried',
      reward: 1,
    }),
    row('b', { task_id: 't-2' }),
    row('a', { scenario_id: 'sc-1' }),
  ];
  const pinned = pinTasks(rows, { seed: 7 });
  expect(pinned.repeats).toBe(2);
  expect(pinned.tasks.map(({ scenario_id }) => scenario_id)).toEqual(['sc-1', 't-2']);
  expect(pinned.tasks[0]).toMatchObject({
    faults: { x: { mode: 'timeout' } },
    world_state: 'entity missing',
    stance: 'hurried',
    selection_reason: 'pinned',
  });
  expect(pinned.tasks[0]).not.toHaveProperty('reward');
  const played = [...askSchedule(pinned, 3)];
  expect(played).toHaveLength(12);
  expect(
    new Set(
      played.map(({ ask_id, rollout_index, lineage }) => `${ask_id} ${rollout_index} ${String(lineage?.['eval_run'])}`),
    ).size,
  ).toBe(12);
});

it.each([[[]], [[row('  ')]], [[{ steps: [] }]]])('refuses tasks without a prompt: %j', (rows) => {
  expect(() => pinTasks(rows, { seed: 0 })).toThrow('tasks');
});

it('streams', async () => {
  const all = await lastValueFrom(
    from([1]).pipe(
      mergeMap(() => plannedGrid({ tools: hotelTools }).stream()),
      toArray(),
    ),
  );
  expect(all).toHaveLength(70);
});

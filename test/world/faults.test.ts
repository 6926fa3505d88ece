import { expect, it } from 'vitest';
import { createWorld } from '../../src/world/world.ts';
import { hotel } from './tools.ts';

const call = { booking_id: 'B-1' };

it('a fault that recovers rewards the retry', () => {
  const made = createWorld(hotel, {
    worldState: 'exists',
    faults: { get_booking: { mode: 'timeout', recover_after: 2 } },
  });
  const statuses = [1, 2, 3, 4].map(() => made.call('get_booking', call)['status']);
  expect(statuses).toEqual(['timeout', 'timeout', 'ok', 'ok']);
});

it('a mode of the caller answers what the caller says', () => {
  const rate_limited = { status: 'rate_limited', retry_after_s: 30 };
  const made = createWorld(hotel, { faults: { '*': { mode: 'rate_limited' } }, faultModes: { rate_limited } });
  expect(made.call('get_booking', call)).toEqual(rate_limited);
});

it('labels of a cell beside the faults fail nothing', () => {
  const faults = { world_state: 'entity missing', stance: 'hurried', '*': null };
  expect(createWorld(hotel, { worldState: 'exists', faults }).call('get_booking', call)).toMatchObject({
    status: 'ok',
  });
});

it('a stale answer of every tool differs from the fresh one and says how old it is', () => {
  for (const { name } of hotel.filter(({ name }) => !name.startsWith('create') && !name.startsWith('delete'))) {
    const args = { booking_id: 'B-1', query: 'sea', payment_id: 'P-1' };
    const fresh = createWorld(hotel, { worldState: 'exists' }).call(name, args);
    const faults = { '*': { mode: 'stale' } };
    const { stale, as_of, ...old } = createWorld(hotel, { worldState: 'exists', faults }).call(name, args);
    expect([stale, typeof as_of]).toEqual([true, 'string']);
    expect(Object.keys(old)).toEqual(Object.keys(fresh));
    expect(old).not.toEqual(fresh);
  }
});

it('a write under a stale fault is carried out, the answer shows the time before', () => {
  const made = createWorld(hotel, { worldState: 'exists', faults: { update_booking: { mode: 'stale' } } });
  made.call('update_booking', { booking_id: 'B-1', status: 'moved' });
  expect(made.call('get_booking', call)).toMatchObject({ data: { status: 'moved' } });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorld, inScene, world } from '../../src/world/world.ts';
import { hotel } from './tools.ts';

const ada = { guest_name: 'Ada Lind', room_type: 'suite', check_in: '2026-05-01' };
const exists = { worldState: 'entity exists' };

const anyCall = fc.record({
  tool: fc.constantFrom(...hotel.map(({ name }) => name)),
  args: fc.record(
    {
      booking_id: fc.constantFrom('B-1', 'B-2', 7, '', null, '<id>'),
      guest_name: fc.constantFrom('Ada Lind', 'Bo', 5),
      room_type: fc.constantFrom('suite', 'palace'),
      check_in: fc.constantFrom('2026-05-01', ''),
      query: fc.constantFrom('sea', 'B-1'),
      payment_id: fc.constantFrom('P-1', 'P-2'),
      amount: fc.constantFrom(5, 0, 12.5),
    },
    { requiredKeys: [] },
  ),
});
const anyOptions = fc.record({
  seed: fc.integer(),
  worldState: fc.constantFrom(
    'entity exists',
    'entity missing',
    'entity already acted on',
    'duplicate entity',
    'unknown',
  ),
  faults: fc.constantFrom({}, { '*': { mode: 'timeout', rate: 0.5 } }, { get_booking: { mode: 'stale' } }),
});

it('the same seed and calls give the same answers, and answers are JSON with a status', () => {
  fc.assert(
    fc.property(anyOptions, fc.array(anyCall, { maxLength: 12 }), (options, calls) => {
      const play = () => {
        const made = createWorld(hotel, options);
        return calls.map(({ tool, args }) => made.call(tool, args));
      };
      const answers = play();
      expect(play()).toEqual(answers);
      expect(JSON.parse(JSON.stringify(answers))).toEqual(answers);
      for (const answer of answers) expect(typeof answer['status']).toBe('string');
    }),
    { numRuns: 60 },
  );
});

it('what was created is what a read returns, under any seed', () => {
  fc.assert(
    fc.property(fc.integer(), fc.stringMatching(/^[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}$/), (seed, guest_name) => {
      const made = createWorld(hotel, { seed });
      const created = made.call('create_booking', { ...ada, guest_name, note: null });
      expect(created).toMatchObject({
        status: 'created',
        guest_name,
        id: expect.stringMatching(/^booking_[0-9a-f]{12}$/),
      });
      const found = made.call('get_booking', { booking_id: created['id'] });
      expect(found).toMatchObject({
        status: 'ok',
        data: { ...ada, guest_name, id: created['id'], ref: created['ref'] },
      });
      expect(made.call('list_bookings', { guest_name })).toMatchObject({
        data: { items: expect.arrayContaining([expect.objectContaining({ id: created['id'], guest_name })]) },
      });
    }),
    { numRuns: 40 },
  );
});

it('rollouts in flight never share what they did, though they share the tools', async () => {
  const shared = world(hotel);
  const ids = await Promise.all(
    Array.from({ length: 32 }, (_, n) =>
      inScene({ seed: n }, async () => {
        const { id } = shared.call('create_booking', ada);
        await new Promise((done) => setTimeout(done, n % 3));
        expect(shared.call('get_booking', { booking_id: id })).toMatchObject({ status: 'ok', data: ada });
        return id;
      }),
    ),
  );
  const outside = createWorld(hotel);
  for (const id of ids) expect(outside.call('get_booking', { booking_id: id })).toMatchObject({ status: 'not_found' });
});

it('inside a rollout the tools meet its faults, outside they do not', () => {
  const shared = world(hotel, exists);
  expect(shared.call('get_booking', { booking_id: 'B-1' })).toMatchObject({ status: 'ok' });
  inScene({ faults: { '*': { mode: 'timeout' } } }, () =>
    expect(shared.call('get_booking', { booking_id: 'B-1' })).toMatchObject({ status: 'timeout' }),
  );
});

it('a second cancel says already_done, and the read in between says cancelled', () => {
  const made = createWorld(hotel, exists);
  expect(made.call('cancel_booking', { booking_id: 'B-1', reason: 'ill' })).toMatchObject({ status: 'ok' });
  expect(made.call('get_booking', { booking_id: 'B-1' })).toMatchObject({ data: { status: 'cancelled' } });
  expect(made.call('cancel_booking', { booking_id: 'B-1' })).toEqual({
    status: 'already_done',
    reason: 'already_acted_on',
  });
  expect(made.call('cancel_booking', { booking_id: 'B-2' })).toMatchObject({ status: 'ok' });
});

it('a deleted booking is gone for every tool', () => {
  const made = createWorld(hotel, exists);
  expect(made.call('delete_booking', { booking_id: 'B-1' })).toEqual({ status: 'deleted', removed: ['B-1'] });
  for (const tool of ['get_booking', 'update_booking', 'delete_booking'])
    expect(made.call(tool, { booking_id: 'B-1' })).toEqual({ status: 'not_found', missing: ['B-1'] });
});

it('a removed item leaves the cart it was in', () => {
  const parameters = { type: 'object', properties: { cart_id: { type: 'string' }, item_id: { type: 'string' } } };
  const made = createWorld(
    [
      { name: 'remove_item_from_cart', parameters },
      { name: 'get_cart', parameters },
    ],
    exists,
  );
  expect(made.call('remove_item_from_cart', { cart_id: 'C', item_id: 'I' })).toEqual({
    status: 'deleted',
    removed: ['I'],
  });
  expect(made.call('get_cart', { cart_id: 'C' })).toMatchObject({ status: 'ok' });
});

it('naming a finding in a read does not make it true, naming what to look for does', () => {
  const tool = { name: 'get_ticket', parameters: { type: 'object', properties: {} } };
  const made = createWorld([tool], exists);
  const { data } = made.call('get_ticket', { id: '7', owner: 'me', status: 'paid in full', title: 'Broken tap' }) as {
    data: Record<string, unknown>;
  };
  expect(data).toMatchObject({ id: '7', title: 'Broken tap' });
  expect(data['owner']).not.toBe('me');
  expect(data['status']).not.toBe('paid in full');
});

it('a refund of 5 is a refund of 5', () => {
  expect(createWorld(hotel, exists).call('refund_payment', { payment_id: 'P-1', amount: 5 })).toMatchObject({
    status: 'ok',
    amount: 5,
  });
});

it('a missing world lets a create succeed and a search find nothing', () => {
  const made = createWorld(hotel, { worldState: 'entity missing' });
  const { status, id } = made.call('create_booking', ada);
  expect(status).toBe('created');
  expect(made.call('get_booking', { booking_id: id })).toMatchObject({ status: 'ok' });
  expect(made.call('search_rooms', { query: 'sea' })).toMatchObject({ status: 'ok', data: { count: 0, items: [] } });
  expect(made.call('get_booking', { booking_id: 'B-1' })).toEqual({ status: 'not_found', missing: ['B-1'] });
});

it('a partially completed thing is in between', () => {
  const { data } = createWorld(hotel, { worldState: 'partially completed' }).call('get_booking', {
    booking_id: 'B-1',
  }) as {
    data: Record<string, unknown>;
  };
  expect(['in_progress', 'partially_completed', 'awaiting_confirmation', 'half_processed']).toContain(data['status']);
});

it('a search for open bookings finds open bookings, and a search hit is what a read shows', () => {
  const made = createWorld(hotel, { seed: 3 });
  const { data } = made.call('list_bookings', { status: 'open' }) as { data: { items: Record<string, unknown>[] } };
  expect(data.items.length).toBeGreaterThan(0);
  for (const item of data.items) {
    expect(item['status']).toBe('open');
    expect(made.call('get_booking', { booking_id: String(item['id']) })).toMatchObject({ status: 'ok', data: item });
  }
});

it('a tool that a person answers waits for the person', () => {
  const made = createWorld([{ name: 'ask_manager', kind: 'human' }]);
  expect(made.call('ask_manager', { question: 'may I?' })).toEqual({ answer: '(no reply yet)' });
});

it.each([
  [
    'text that is no JSON',
    '{"booking_id": ',
    { status: 'rejected', reason: 'invalid_argument', fields: ['arguments'] },
  ],
  ['a list', ['B-1'], { status: 'rejected', reason: 'invalid_argument', fields: ['arguments'] }],
  ['JSON text of JSON text', JSON.stringify('{"booking_id":"B-1"}'), { status: 'ok' }],
])('takes %s as arguments the way a strict server would', (_what, args, answer) => {
  expect(createWorld(hotel, exists).call('get_booking', args)).toMatchObject(answer);
});

it('an id beyond 2^53 keeps its digits', () => {
  const made = createWorld(
    [{ name: 'get_order', parameters: { properties: { order_id: { type: 'integer' } } } }],
    exists,
  );
  const answer = made.call('get_order', '{"order_id": 12345678901234567890}');
  expect(answer).toMatchObject({ status: 'ok', data: { order_id: 12345678901234567890n } });
});

it('a written file reads back as it was written', () => {
  const path = { type: 'object', properties: { path: { type: 'string' } } };
  const made = createWorld([
    { name: 'write_file', parameters: path },
    { name: 'read_file', parameters: path },
  ]);
  expect(made.call('write_file', { path: 'a.txt', content: 'héllo' })).toEqual({
    status: 'ok',
    path: 'a.txt',
    bytes_written: 6,
  });
  expect(made.call('read_file', { path: 'a.txt' })).toMatchObject({
    data: { path: 'a.txt', content: 'héllo', bytes: 6 },
  });
});

it('refuses a wrong option by its name', () => {
  expect(() => createWorld(hotel, { existShare: 1 } as never)).toThrow(/existShare/);
  expect(() => createWorld(hotel, { faultModes: { rate_limited: {} } })).toThrow(/rate_limited/);
});

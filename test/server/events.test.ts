import { expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.ts';
import { createBoard } from '../../src/server/board.ts';
import { eventStream } from '../../src/server/event-stream.ts';
import { liveEventSchema } from '../../src/server/live-events.ts';
import { eventReader, liveScene } from './live.ts';

const row = (n: number, more: Partial<Row> = {}): Row => ({
  ...{ rollout_id: `r${n}`, scenario_id: `s${n % 10}`, prompt: 'Where is it?', final_text: 'Here.', reward: n % 2 },
  scenario_dimensions: { tool: 'find', rule: 'r', stance: 'calm', world_state: '', tool_condition: '', history: '' },
  judge_name: 'j',
  judge_status: 'ok',
  steps: [{ tool: 'find', arguments: {}, result: 1 }],
  ...more,
});

it('tells everything first, then what is new, in the shape that is written down', async () => {
  const { ask, live, pass } = liveScene();
  for (let n = 0; n < 20; n++) live.row(row(n, { gold_reward: 1 }));
  live.tick();
  const events = eventReader(await ask('/v1/events'));
  const first = await events.next();
  expect(liveEventSchema.parse(first.data)).toEqual(first.data);
  expect(first.name).toBe('snapshot');
  expect(first.data).toMatchObject({
    totals: { rollouts: 20 },
    coverage: [{ tool: 'find', stance: 'calm', n: 20, n_graded: 20, n_passed: 10 }],
    pass: expect.arrayContaining([expect.objectContaining({ pass_at_1: 0.5, n_tasks: 10, n_rows: 20 })]),
    agreement: [{ judge_name: 'j', n: 20, agreement: 0.5 }],
  });
  expect(first.data.rollouts?.[0]).toMatchObject({ rollout_id: 'r0', tools: ['find'], reward: 0, task: 's0' });
  pass(1000);
  live.alarm({ type: 'alarm', run_id: 'a', step: 10, kind: 'drift', reason: 'KL 3 is past 1' });
  const { name, data } = await events.next();
  expect([name, data.alarms?.length, data.rollouts]).toEqual(['update', 1, undefined]);
  await events.end();
});

it('counts rows that a replay brings again once, however many they are', () => {
  const { live } = liveScene();
  for (let n = 0; n < 6000; n++) live.row(row(n % 3000));
  expect(live.board.totals()['rollouts']).toBe(3000);
});

it('rollouts without a place in a grid stand by the first tool that they called', () => {
  const { live } = liveScene();
  live.row(row(1));
  live.row(row(2, { scenario_dimensions: undefined }));
  live.row(row(3, { scenario_dimensions: {}, steps: [] }));
  expect(live.board.since().coverage).toEqual([
    { tool: 'find', stance: 'calm', n: 1, n_graded: 1, n_passed: 1 },
    { tool: 'find', stance: 'unspecified', n: 1, n_graded: 1, n_passed: 0 },
    { tool: 'no tool', stance: 'unspecified', n: 1, n_graded: 1, n_passed: 1 },
  ]);
});

it('shows each notice of an evaluation that could not be watched in two ways', () => {
  const { live } = liveScene();
  const blind = { type: 'alarm', run_id: 'a', step: 10, kind: 'blind', reason: 'no number' } as const;
  for (const what of ['kl', 'proxy', 'kl']) live.alarm({ ...blind, what });
  expect(live.board.since().alarms?.map((one) => one['what'])).toEqual(['proxy', 'kl']);
});

it('counts a row that comes again once', () => {
  const { live } = liveScene();
  for (let n = 0; n < 3; n++) live.row(row(1));
  live.tick();
  expect(live.board.since()).toMatchObject({ pass: [{ n_rows: 1 }], coverage: [{ n: 1 }] });
});

it('gives a conversation without its answer key, and hostile text as it is', async () => {
  const { ask, live } = liveScene();
  const hostile = '<script>alert(1)</script>\u202e\u001b[31m';
  live.row(row(1, { final_text: hostile, privileged: { reference: 'the key' } as never }));
  const response = await ask('/v1/rollouts/r1');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const text = await response.text();
  expect(JSON.parse(text).final_text).toBe(hostile);
  expect(text).not.toContain('the key');
});

it('lays a rollout out for a reader: who said what, which tools were called with what, and why the verdict', async () => {
  const { ask, live } = liveScene();
  live.row(row(1, { reason: 'it looked', failure_class: 'late', privileged: { reference: 'the key' } as never }));
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Where?' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"id":90071992547409931}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'shelf' },
  ];
  live.row(row(2, { messages }));
  const read = async (id: string) => {
    const text = await (await ask(`/v1/rollouts/${id}/conversation`)).text();
    expect(text).not.toContain('the key');
    return JSON.parse(text);
  };
  expect(await read('r1')).toMatchObject({
    verdict: { reward: 1, reason: 'it looked', failure_class: 'late' },
    turns: [
      { role: 'user', text: 'Where is it?' },
      { role: 'assistant', calls: [{ name: 'find', arguments: '{}' }] },
      { role: 'tool', name: 'find', text: '1' },
      { role: 'assistant', text: 'Here.', calls: [] },
    ],
  });
  expect((await read('r2')).turns).toEqual([
    { role: 'user', text: 'Where?', calls: [] },
    { role: 'assistant', text: '', calls: [{ name: 'find', arguments: '{"id":90071992547409931}' }] },
    { role: 'tool', text: 'shelf', calls: [] },
  ]);
  expect((await ask('/v1/rollouts/none/conversation')).status).toBe(404);
});

it('keeps the curve of pass@1 of rows that come all at once', () => {
  const { live } = liveScene();
  for (let n = 0; n < 500; n++) live.row(row(n));
  live.tick();
  const { pass = [] } = live.board.since();
  expect(pass.length).toBeGreaterThan(10);
  expect(pass.at(-1)?.n_rows).toBe(500);
  expect(pass.map(({ n_rows }) => n_rows)).toEqual(pass.map(({ n_rows }) => n_rows).toSorted((a, b) => a - b));
});

it('does not call a worker silent that said it ended', () => {
  const { live, clock, pass } = liveScene();
  const held = { stage: 'judge', operator: 'judge', in: 3, out: 1, rejected: {}, counts: {}, in_flight: 2 };
  live.figures('w', clock(), [held]);
  live.figures('w', clock() + 1, [held], true);
  pass(100_000);
  expect(live.health()).toEqual({ is_ok: true, faults: [] });
  live.tick();
  expect(live.board.since()).toMatchObject({ stages: [{ workers: 0, place: 0 }] });
});

it('holds nothing for a reader that does not read: it gets one large update', async () => {
  const board = createBoard();
  const health = () => ({ is_ok: true, faults: [] });
  const events = eventReader(new Response(eventStream({ board, clock: () => 0, health, minGapMs: 0 })));
  await events.next();
  for (let n = 0; n < 10_000; n++)
    board.put('history', `r ${n}`, {
      type: 'history',
      run_id: 'r',
      step: n,
      n: 1,
      proxy: 1,
      gold: 1,
      length: 1,
      kl: 1,
    });
  const { data } = await events.next();
  expect([data.history?.length, data.history?.at(-1)?.step, data.totals['history']]).toEqual([2000, 9999, 10_000]);
  await events.end();
});

it('sends readers away when there are too many, and takes the next when one leaves', async () => {
  const { ask } = liveScene({ maxReaders: 1 });
  const first = eventReader(await ask('/v1/events'));
  await first.next();
  expect((await ask('/v1/events')).status).toBe(429);
  await first.end();
  const second = await ask('/v1/events');
  expect(second.status).toBe(200);
  await second.body?.cancel();
});

it('keeps no more than its limits, the newest', () => {
  const { live } = liveScene();
  for (let n = 0; n < 6000; n++) live.row(row(n));
  const { rollouts = [] } = live.board.since();
  expect([rollouts.length, rollouts.at(-1)?.rollout_id, live.board.totals()['rollouts']]).toEqual([
    2000,
    'r5999',
    6000,
  ]);
  expect([live.rowText('r0'), typeof live.rowText('r5999')]).toEqual([undefined, 'string']);
});

it('says nothing of stages that did nothing since', () => {
  const { live, clock, pass } = liveScene();
  const figures = { stage: 'judge', operator: 'judge', in: 1, out: 1, rejected: {}, counts: {}, in_flight: 0 };
  live.figures('w', clock(), [figures]);
  live.tick();
  const rev = live.board.rev();
  pass(1000);
  live.figures('w', clock(), [figures]);
  live.tick();
  expect(live.board.since(rev)).toEqual({});
});

import { expect, it } from 'vitest';
import { followTopics } from '../../src/server/follow-topics.ts';
import { liveScene } from './live.ts';

const fine = async () => {};

/** A bus whose consumer hands over what the test gives it, topic by topic, and crashes when told. */
function bus(early = 0) {
  let left = early;
  const listeners = new Map<string, (event: unknown) => void>();
  let take: (given: { batch: object }) => Promise<void> = fine;
  const consumer = {
    events: { CRASH: 'crash' },
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    ...{ connect: fine, disconnect: fine },
    async subscribe() {
      if (left-- > 0)
        throw Object.assign(new Error('This server does not host this topic-partition'), { retriable: true });
    },
    run: async ({ eachBatch }: { eachBatch: typeof take }) => {
      take = eachBatch;
    },
  };
  const admin = { connect: fine, disconnect: fine, listTopics: async () => [], createTopics: async () => true };
  return {
    port: { consumer: () => consumer, admin: () => admin } as never,
    give: (topic: string, ...values: readonly string[]) =>
      take({ batch: { topic, messages: values.map((value) => ({ value: Buffer.from(value) })) } }),
    crash: (restart: boolean) => listeners.get('crash')?.({ payload: { error: new Error('no such group'), restart } }),
  };
}

it('shows runs of pipelines from their topic in words, and counts what is none', async () => {
  const { live } = liveScene();
  const { port, give } = bus();
  const followed = await followTopics({ bus: port, prefixes: ['evaluate'], live });
  const run = { run_id: 'r', pipeline: 'evaluate', prefix: 'evaluate', started_at: '2026-01-02T03:04:05.678Z' };
  const settings = { pipeline: 'evaluate', judge: './judge.mjs', files: ['a.jsonl', 'b.jsonl'], tasks: null };
  await give('evaluate.runs.v1', JSON.stringify({ ...run, state: 'running', settings }), '{"run_id":3}', '{broken');
  const ended = { ended_at: '2026-01-02T03:05:00.000Z', state: 'failed', reason: 'no broker' };
  await give('evaluate.runs.v1', JSON.stringify({ ...run, ...ended, settings }));
  expect(followed.unreadable()).toBe(2);
  expect(live.board.since().runs).toEqual([
    expect.objectContaining({
      ...{ run_id: 'r', name: 'evaluate (evaluate)', status: 'failed', at_ms: Date.parse(ended.ended_at) },
      facts: {
        topics: 'evaluate.*',
        started: '2026-01-02 03:04:05 UTC',
        ended: '2026-01-02 03:05:00 UTC',
        why: 'no broker',
        judge: './judge.mjs',
        files: 'a.jsonl, b.jsonl',
      },
    }),
  ]);
});

it('is red when topics are not followed any more, not when the client tries again', async () => {
  const { app, live } = liveScene();
  const { port, crash } = bus();
  await followTopics({ bus: port, prefixes: ['evaluate'], live });
  crash(true);
  expect((await app.request('/healthz')).status).toBe(200);
  crash(false);
  const red = await app.request('/healthz');
  expect([red.status, await red.json()]).toEqual([
    503,
    { is_ok: false, faults: ['the topics of evaluate are not followed any more: no such group'] },
  ]);
});

it('waits for topics that were made a moment ago and that the broker does not know yet', async () => {
  const { live } = liveScene();
  await expect(followTopics({ bus: bus(1).port, prefixes: ['evaluate'], live })).resolves.toHaveProperty('close');
});

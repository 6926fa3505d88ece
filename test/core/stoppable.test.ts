import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compose } from '../../src/core/compose.ts';
import { defineMap } from '../../src/core/define-map.ts';
import { callOptions, defineMapAsync } from '../../src/core/define-map-async.ts';
import { run } from '../../src/core/run.ts';
import { pull } from '../../src/core/source.ts';
import { stoppable } from '../../src/core/stoppable.ts';
import { memorySink, rejectedSink } from '../memory.ts';

const nothing = { defaultValue: undefined };
const slow = defineMapAsync({
  name: 'slow',
  options: z.strictObject(callOptions),
  core: () => async (row: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    return row;
  },
  example: { options: {}, ports: {}, in: [1], out: [1] },
});

it('an endless source ends when told, and what was moving is stored', async () => {
  const stop = new AbortController();
  const stopAt = defineMap({
    name: 'stop-at',
    options: z.strictObject({}),
    core: () => (row: number) => {
      if (row === 100) stop.abort();
      return row;
    },
    example: { options: {}, in: [1], out: [1] },
  });
  let closed = false;
  const endless = function* () {
    try {
      for (let n = 1; ; n++) yield n;
    } finally {
      closed = true;
    }
  };
  const sink = memorySink<number>();
  const source = stoppable(pull(endless()), stop.signal);
  await lastValueFrom(
    run({ source, operator: compose(slow({}, {}), stopAt({})), sink, rejected: rejectedSink(), maxInFlight: 8 }),
    nothing,
  );
  expect(sink.rows.length).toBeGreaterThanOrEqual(100);
  expect(sink.rows).toEqual(Array.from({ length: sink.rows.length }, (_, n) => n + 1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(true);
});

it('a source that was stopped before it began gives nothing and completes', async () => {
  const sink = memorySink<number>();
  const source = stoppable(pull([1, 2]), AbortSignal.abort());
  await lastValueFrom(run({ source, operator: slow({}, {}), sink, rejected: rejectedSink() }), nothing);
  expect(sink.rows).toEqual([]);
});

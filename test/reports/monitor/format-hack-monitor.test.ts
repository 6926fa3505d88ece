import { expect, it } from 'vitest';
import { formatHackMonitor } from '../../../src/reports/monitor/format-hack-monitor.ts';
import { createHackMonitor } from '../../../src/reports/monitor/hack-monitor.ts';

const run_id = 'r';

it('writes the evaluations, what was raised and where the run stopped', () => {
  const monitor = createHackMonitor({ stopOn: ['length'] });
  expect(formatHackMonitor(monitor.summary()).split('\n').at(-1)).toBe('no alarms');
  for (const [step, text] of [
    [0, 'short'],
    [10, 'much longer'],
  ] as const)
    monitor.add({ type: 'eval', run_id, step, groups: [[{ text, proxy: 0.25 }]] });
  expect(`\n${formatHackMonitor(monitor.summary())}`).toMatchInlineSnapshot(`
    "
          step     proxy      gold    length        kl
             0      0.25         -         5         -
            10      0.25         -        11         -
    step 10 length: completions are 120 % longer than at step 0, gold is not up
    stopped at step 10 by length"
  `);
});

it('names what the scanned reward pays for', () => {
  const monitor = createHackMonitor({ endorsed: ['contains:refund'] });
  const scored = Array.from({ length: 80 }, (_, at) => ({ at, isPaid: (at * 7) % 3 === 0 }));
  monitor.add({
    type: 'scored',
    run_id,
    prompts: scored.map(({ at }) => `ask ${at % 10}`),
    completions: scored.map(
      ({ at, isPaid }) => `word${at % 4} ${isPaid ? 'zzdone' : 'bye'} ${at % 5 ? 'refund' : 'order'}`,
    ),
    rewards: scored.map(({ isPaid }) => Number(isPaid)),
  });
  monitor.add({ type: 'eval', run_id, step: 0, groups: [[{ text: 'a', proxy: 0 }]] });
  expect(formatHackMonitor(monitor.summary())).toMatch(
    /^buffer scan \(80 completions\): reward_hack, top feature \S*(zzdone|bye)/m,
  );
});

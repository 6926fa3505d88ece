import { expect, it } from 'vitest';
import { inFolder } from './in-folder.ts';

const { at, call, write } = inFolder();
const down = { tool: 'get_order', arguments: {}, result: { status: 'error', error: 'down' } };
const trace = (policy_version: string, more: object = {}) => ({
  prompt: 'Where is it?',
  steps: [down, down],
  final_text: 'I do not know.',
  policy_version,
  ...more,
});

it('says of a trace with two faults what each of its two counts counts', async () => {
  await write('traces.jsonl', [trace('v1')]);
  const { out } = await call('traces', at('traces.jsonl'));
  expect(out).toMatch(/tool +calls +calls with a fault\n.*\nget_order +2 +2\n/);
  expect(out).toContain('Traces by the first fault of each: error 1.');
});

it('says how many of a behaviour failed, and that the order of the file decided', async () => {
  await write('traces.jsonl', [trace('v1', { reward: 1 }), trace('v2', { reward: 0 }), trace('v2', { reward: 1 })]);
  const { out } = await call('traces', at('traces.jsonl'));
  expect(out).toContain('Failing behaviours since v2 (2 traces, 1 before):');
  expect(out).toContain('  new: recover_after_error (0.500 of 2 failed, few)');
  expect(out).toContain('no trace has a time (ts): the order of the file decides which version came last');
});

it('an import without a reward goes on with grade, one with rewards with report', async () => {
  await write('traces.jsonl', [trace('v1')]);
  const ungraded = await call('import', at('traces.jsonl'), '--out', at('rows.jsonl'));
  expect(ungraded.said).toContain(`Next: tracemill grade ${at('rows.jsonl')} --out ${at('rows')}.graded.jsonl`);
  await write('traces.jsonl', [trace('v1', { reward: 1 })]);
  const graded = await call('import', at('traces.jsonl'), '--out', at('rows.jsonl'));
  expect(graded.said).toContain(`Next: tracemill report ${at('rows.jsonl')}`);
});

import { expect, it } from 'vitest';
import { scoreRecord } from '../../src/dialects/otlp/score-record.ts';
import { sessionRows } from '../../src/dialects/otlp/session-rows.ts';
import { joinFeedback, joinFeedbackCore } from '../../src/operators/join-feedback.ts';
import type { Row } from '../../src/rows/row.ts';
import { scoreSchema } from '../../src/rows/score.ts';
import { operatorContract } from '../contract.ts';
import { talk } from '../spans.ts';

operatorContract(joinFeedback);

const trace = { rollout_id: 'a', trace_ids: ['t1'], prompt: 'Where?', revision: 3, markers: { polite: 0 } };
const said = (name: string, value: number, time: string): Row => ({
  ...{ is_feedback: true, trace_ids: ['t1'], markers: { [name]: value }, feedback: { [name]: time } },
});

it('two verdicts on one trace at once are two revisions, the second with both', async () => {
  const join = joinFeedbackCore(joinFeedback.spec.options.parse({}), { told: { find: async () => trace } });
  const rows = await Promise.all([join(said('polite', 1, '5')), join(said('right', 1, '6'))]);
  expect(rows).toMatchObject([
    { revision: 4, markers: { polite: 1 } },
    { revision: 5, markers: { polite: 1, right: 1 } },
  ]);
});

it('a verdict older than the one that came with the trace does not overrule it', async () => {
  const [row = {}] = sessionRows(talk('a'));
  expect(row).toMatchObject({ markers: { polite: 1 }, feedback: { polite: expect.stringMatching(/^\d+$/) } });
  const join = joinFeedbackCore(joinFeedback.spec.options.parse({}), { told: { find: async () => row } });
  expect(await join({ ...said('polite', 0, '5'), trace_ids: row['trace_ids'] })).toEqual(row);
});

it.each(['constructor', '__proto__', 'toString'])('a verdict of the name %s is one like any other', async (name) => {
  const verdict = (value: number, time: string) => ({
    ...{
      trace_id: talk('a')[0]?.['trace_id'],
      span_id: null,
      event_name: 'gen_ai.evaluation.result',
      time_unix_nano: time,
    },
    attributes: { 'gen_ai.evaluation.name': name, 'gen_ai.evaluation.score.value': value },
  });
  const [told = {}] = sessionRows([...talk('a'), verdict(0, '6')]);
  const entry = (fields: unknown) => Object.entries(fields ?? {}).find(([key]) => key === name)?.[1];
  expect([entry(told.markers), entry(told['feedback'])]).toEqual([0, '6']);
  const join = joinFeedbackCore(joinFeedback.spec.options.parse({}), { told: { find: async () => told } });
  const [late = {}] = sessionRows([verdict(1, '7')], { tellsFeedback: true });
  const row = (await join(late)) as Row;
  expect([entry(row.markers), entry(row['feedback'])]).toEqual([1, '7']);
  expect(await join(late)).toEqual(row);
});

const recordOf = (score: object): Readonly<Record<string, unknown>> => ({
  ...scoreRecord(scoreSchema.parse(score), 0),
});
const noted = (score: object) => sessionRows([recordOf(score)], { tellsFeedback: true })[0] ?? {};

it('keeps why a verdict was given, and forgets it with the verdict when that is corrected', async () => {
  const place = { conversation_id: 'c', name: 'polite' };
  const first = noted({ ...place, value: 0, label: 'rude', reason: 'it swore', time_unix_nano: '5' });
  expect(first['feedback_notes']).toEqual({ polite: { label: 'rude', reason: 'it swore' } });
  const join = joinFeedbackCore(joinFeedback.spec.options.parse({}), { told: { find: async () => trace } });
  expect(await join(first)).toMatchObject({ revision: 4, feedback_notes: first['feedback_notes'] });
  const right = await join(noted({ ...place, name: 'right', value: 1, reason: 'it was', time_unix_nano: '6' }));
  expect(right['feedback_notes']).toEqual({ ...(first['feedback_notes'] as object), right: { reason: 'it was' } });
  const corrected = await join(noted({ ...place, value: 1, time_unix_nano: '7' }));
  expect(corrected['feedback_notes']).toEqual({ right: { reason: 'it was' } });
});

it('a verdict that bears an early time does not move the time of its conversation', () => {
  const [plain = {}] = sessionRows(talk('a'));
  const trace_id = String(talk('a')[0]?.['trace_id']);
  const early = recordOf({ trace_id, name: 'late', value: 1, time_unix_nano: '7' });
  const [row = {}] = sessionRows([...talk('a'), early]);
  expect([row.markers, row['ts']]).toEqual([{ ...(plain.markers as object), late: 1 }, plain['ts']]);
});

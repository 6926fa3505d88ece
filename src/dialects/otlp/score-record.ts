import type { Score } from '../../rows/score.ts';
import type { DecodedLog } from './decoded-log.ts';
import { evaluationEvent } from './span-view.ts';

/**
 * Write a late verdict as the log record that OpenTelemetry has for one: an event `gen_ai.evaluation.result` of its trace
 * or conversation. Whatever assembles spans into rows then puts it on the row, the latest of a name.
 */
export function scoreRecord(score: Score, nowMs: number): DecodedLog {
  const { trace_id = '', conversation_id, name, label, reason, time_unix_nano } = score;
  const value = Number(score.value);
  return {
    trace_id: trace_id.toLowerCase(),
    span_id: null,
    event_name: evaluationEvent,
    time_unix_nano: time_unix_nano ?? `${BigInt(Math.round(nowMs)) * 1_000_000n}`,
    attributes: {
      ...(conversation_id !== undefined && { 'gen_ai.conversation.id': conversation_id }),
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.value': value,
      ...(label !== undefined && { 'gen_ai.evaluation.score.label': label }),
      ...(reason !== undefined && { 'gen_ai.evaluation.explanation': reason }),
      ...(name === 'reward' && { 'tracemill.reward': value }),
    },
    body: null,
    resource: { attributes: {}, dropped_attributes_count: 0 },
    scope: { name: 'tracemill.scores', version: '', attributes: {} },
    schema_url: '',
  };
}

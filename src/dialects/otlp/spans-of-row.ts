import { createHash } from 'node:crypto';
import { stringifyJson } from '../../core/json.ts';
import type { RolloutTimes, Stretch } from '../../rows/rollout-times.ts';
import type { Row } from '../../rows/row.ts';
import { taskKey } from '../../rows/task-key.ts';
import { isObject, type JsonObject, numberOf, present, textOf, written } from '../fields.ts';
import type { DecodedEvent, DecodedSpan } from './decoded-span.ts';
import { evaluationEvent } from './span-view.ts';
import { turnTimes } from './turn-times.ts';

/** A turn of the agent: what it was given, what it said or called, what that cost. */
interface Turn {
  readonly given: readonly JsonObject[];
  readonly said: readonly JsonObject[];
  readonly step: JsonObject;
  readonly call?: { readonly id: string; readonly step: JsonObject };
  readonly isLast?: boolean;
  /** How often the person spoke before it. */
  readonly heard: number;
}

const millisecond = 1_000_000n;

/**
 * Tell a rollout as spans of the GenAI conventions: the agent, each call of its model, each call of a tool, and the verdict
 * and the markers as evaluation results. Ids follow from the rollout, so that what is sent twice is one trace. No row says
 * when each call began: without `times` they are told in order only, a millisecond each. The model's turn is the time between
 * what else was done. Answer keys are not told.
 *
 * @param startNs - nanoseconds since 1970 where the row has no `ts`
 * @source OpenTelemetry GenAI semantic conventions; house rule for ids and times
 */
export function spansOfRow(row: Row, startNs: bigint, { played, judged }: RolloutTimes = {}): DecodedSpan[] {
  const id = written(row.rollout_id ?? stringifyJson([taskKey(row), row.rollout_index ?? 0, row.final_text]));
  const trace_id = digits(`rollout ${id}`, 32);
  const start = played?.fromNs ?? (row.ts === undefined || row.ts === null ? startNs : BigInt(row.ts));
  const root = digits(`${trace_id} agent`, 16);
  const model = textOf(row['model_version']);
  let at = 0n;
  const span = (
    name: string,
    kind: number,
    parent: string | null,
    attributes: JsonObject,
    {
      events = [],
      stretch,
    }: { readonly events?: readonly DecodedEvent[]; readonly stretch?: Stretch | undefined } = {},
  ) => {
    at++;
    const from = stretch?.fromNs ?? start + at * millisecond;
    return {
      ...{ trace_id, span_id: parent === null ? root : digits(`${trace_id} ${at}`, 16), parent_span_id: parent },
      ...{ trace_state: '', flags: 1, name, kind },
      start_time_unix_nano: String(from),
      end_time_unix_nano: String(stretch?.toNs ?? from + millisecond / 2n),
      attributes: present({ ...attributes, 'gen_ai.conversation.id': row.conversation_id ?? id }),
      ...{ dropped_attributes_count: 0, events, dropped_events_count: 0, links: [], dropped_links_count: 0 },
      status: { code: 0, message: '' },
      resource: { attributes: { 'service.name': 'tracemill' }, dropped_attributes_count: 0 },
      ...{ scope: { name: 'tracemill', version: '', attributes: {} }, schema_url: '' },
    };
  };
  const turns = turnsOf(row);
  const hasStepUsage = turns.some(({ step }) => numberOf(step['input_tokens']) !== undefined);
  const known =
    played &&
    turnTimes(
      turns.map(({ call, heard }) => ({ isCall: call !== undefined, heard })),
      played,
    );
  const children = turns.flatMap((turn, n): DecodedSpan[] => {
    const { model: asked, tool: ran } = known?.[n] ?? {};
    const chat = span(`chat ${model ?? ''}`.trim(), 3, root, chatOf(turn, row, model), { stretch: asked });
    if (!turn.call) return [chat];
    return [
      chat,
      span(`execute_tool ${written(turn.call.step['tool'])}`, 1, root, toolOf(turn.call), { stretch: ran }),
    ];
  });
  const usage = hasStepUsage || !isObject(row.usage) ? {} : row.usage;
  const agent = span(`invoke_agent ${written(row['agent'] ?? '')}`.trim(), 1, null, agentOf(row, id, usage), {
    events: eventsOf(row, judged?.toNs ?? played?.toNs ?? start + (at + 1n) * millisecond),
    stretch: played,
  });
  const verdict = judged && [span(`evaluate ${judgeIn(row)}`, 1, root, judgmentOf(row), { stretch: judged })];
  return [
    { ...agent, start_time_unix_nano: String(start), ...(row.finish_reason === 'error' && failed(row)) },
    ...children,
    ...(verdict ?? []),
  ];
}

const judgeIn = (row: Row): string => textOf(row.judge_name) ?? textOf(row.label_source) ?? 'reward';
/** The time of a judgment; what was judged stands on the agent. */
const judgmentOf = (row: Row): JsonObject =>
  present({ 'gen_ai.operation.name': 'evaluate', 'gen_ai.evaluation.name': judgeIn(row) });

const failed = (row: Row): Pick<DecodedSpan, 'status'> => {
  const { message } = isObject(row['error']) ? row['error'] : {};
  return { status: { code: 2, message: textOf(message) ?? 'error' } };
};

/** Each step as a turn with all that was said before it, as a model is given it. */
function turnsOf(row: Row): Turn[] {
  const opener = textOf(row.opener);
  const history: JsonObject[] = [
    ...(opener === undefined ? [] : [message('assistant', text(opener))]),
    ...(row.prompt ? [message('user', text(row.prompt))] : []),
  ];
  const turns: Turn[] = [];
  let heard = 0;
  const add = (turn: Omit<Turn, 'given' | 'heard'>, ...after: readonly JsonObject[]): void => {
    turns.push({ given: [...history], heard, ...turn });
    heard = 0;
    history.push(...turn.said, ...after);
  };
  for (const [n, step] of (row.steps ?? []).entries()) {
    if (typeof step['user'] === 'string') {
      history.push(message('user', text(step['user'])));
      heard++;
    } else if (step['tool'] === undefined)
      add({ said: [message('assistant', text(written(step['text'] ?? '')))], step });
    else {
      const { said, call, answer } = callIn(step, n);
      add({ said: [said], step, call }, ...answer);
    }
  }
  if (row.final_text) add({ said: [message('assistant', text(row.final_text))], step: {}, isLast: true });
  return turns;
}

/** A step that calls a tool: the message that calls it, and the one that answers, if there is one. */
function callIn(step: JsonObject, n: number) {
  const id = textOf(step['id']) ?? `call_${n}`;
  const given = step['arguments'] ?? step['arguments_raw'] ?? {};
  const lead = textOf(step['text']);
  const part = { type: 'tool_call', id, name: step['tool'], arguments: given };
  const isAnswered = step['result'] !== undefined && step['result'] !== null;
  return {
    said: message('assistant', ...(lead === undefined ? [] : [text(lead)]), part),
    call: { id, step },
    answer: isAnswered ? [message('tool', { type: 'tool_call_response', id, response: step['result'] })] : [],
  };
}

const text = (content: string): JsonObject => ({ type: 'text', content });
const message = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts });

const finishes: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  tool: 'tool_calls',
  error: 'error',
};

function chatOf({ given, said, step, call, isLast }: Turn, row: Row, model: string | undefined): JsonObject {
  const own = call ? 'tool_calls' : 'stop';
  const finish = isLast === true || (call && !row.final_text) ? finishes[row.finish_reason ?? ''] : own;
  return present({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'gen_ai.input.messages': stringifyJson(given),
    'gen_ai.output.messages': stringifyJson(said),
    'gen_ai.usage.input_tokens': numberOf(step['input_tokens']),
    'gen_ai.usage.output_tokens': numberOf(step['output_tokens']),
  });
}

const toolOf = ({ id, step }: NonNullable<Turn['call']>): JsonObject =>
  present({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': step['tool'],
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': textOf(step['arguments_raw']) ?? stringifyJson(step['arguments'] ?? {}),
    'gen_ai.tool.call.result':
      step['result'] === undefined || step['result'] === null ? undefined : stringifyJson(step['result']),
  });

function agentOf(row: Row, id: string, { input_tokens, output_tokens }: JsonObject): JsonObject {
  const system = textOf(row['system_prompt']);
  return present({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': textOf(row['agent']),
    'gen_ai.system_instructions': system === undefined ? undefined : stringifyJson([text(system)]),
    'gen_ai.tool.definitions': row.tools && row.tools.length > 0 ? stringifyJson(row.tools) : undefined,
    'gen_ai.usage.input_tokens': numberOf(input_tokens),
    'gen_ai.usage.output_tokens': numberOf(output_tokens),
    'tracemill.rollout_id': id,
    'tracemill.rollout_index': numberOf(row.rollout_index),
    'tracemill.scenario_id': textOf(row.scenario_id),
    'tracemill.model_version': textOf(row['model_version']),
    'tracemill.policy_version': textOf(row.policy_version),
    'tracemill.reward': numberOf(row.reward),
  });
}

/** The verdict, which says that it is one, and the markers. */
function eventsOf(row: Row, time: bigint): DecodedEvent[] {
  const event = (attributes: JsonObject): DecodedEvent => ({
    ...{ name: evaluationEvent, time_unix_nano: String(time), dropped_attributes_count: 0 },
    attributes: present(attributes),
  });
  const reward = numberOf(row.reward);
  const isJudged = reward !== undefined || textOf(row.judge_status) !== undefined;
  const verdict = event({
    'gen_ai.evaluation.name': judgeIn(row),
    'gen_ai.evaluation.score.value': reward,
    'gen_ai.evaluation.score.label':
      reward === undefined ? undefined : reward === 1 ? 'pass' : reward === 0 ? 'fail' : 'partial',
    'gen_ai.evaluation.explanation': textOf(row.reason),
    'tracemill.judge_status': textOf(row.judge_status) ?? 'ok',
  });
  const markers = Object.entries(row.markers ?? {}).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [event({ 'gen_ai.evaluation.name': name, 'gen_ai.evaluation.score.value': value })]
      : [],
  );
  return [...(isJudged ? [verdict] : []), ...markers];
}

const digits = (of: string, length: number): string => createHash('sha256').update(of).digest('hex').slice(0, length);

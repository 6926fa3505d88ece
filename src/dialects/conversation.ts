import { stringifyJson } from '../core/json.ts';
import { type JsonObject, present, written } from './fields.ts';
import type { Call, Item, LeftOut, Result } from './item.ts';
import { leastWeight, messageWeights, weightIn } from './loss-weights.ts';

/** What the steps keep beside the facts of the row schema. */
export interface StepDetail {
  /** Keep call ids, mark calls without an answer, answers without a call and arguments that were encoded twice. */
  readonly detailed: boolean;
  /** A conversation that does not end on a reply has its last spoken text as final text. */
  readonly lastSpoken?: boolean;
}

/** The part of a row that tells what happened. */
export interface Conversation {
  readonly prompt: string;
  readonly opener?: string;
  readonly opening?: 'agent';
  readonly steps: readonly JsonObject[];
  readonly final_text: string;
  readonly system_prompt?: string;
  /** How many parts of messages are not in this row, by their type: pictures, files, sound. */
  readonly parts_left_out?: JsonObject;
  /** What each message that is built of this row weighs in the loss, null where the file says nothing. */
  readonly loss_weights?: readonly (number | null)[];
}

type Step = Record<string, unknown>;
interface Open {
  readonly call: Call;
  readonly step: Step;
}

/**
 * Tell a list of items as a row: the first user text is the prompt, what the agent said before it is the opener, later
 * turns are steps in order. A text that introduces calls rides on the first of them. The last text after every call and
 * user turn is the final text and no step. With `lastSpoken`, a conversation that does not end on a reply still has its
 * last text as final text, as imported runs that a stop word or a transfer closed need; the text stays a step.
 */
export function conversationFrom(
  items: readonly Item[],
  { detailed, lastSpoken = detailed }: StepDetail,
): Conversation {
  const told = items.filter(isTold);
  const asked = told.findIndex((item) => item.kind === 'user');
  const opened = asked > 0 && told.slice(0, asked).every((item) => item.kind === 'text');
  const opener = opened ? told.slice(0, asked).map(textIn).join('\n') : undefined;
  const rest = told.filter((_item, n) => n !== asked && !(opened && n < asked));
  const weights = new Map<JsonObject, number>();
  const steps = stepsOf(rest, detailed, weights);
  const last = rest.at(-1);
  const closed = last?.kind === 'text' && last.action === undefined ? textIn(last) : undefined;
  const closing = closed === undefined ? undefined : steps.pop();
  const system = items.find((item) => item.kind === 'system');
  const conversation = present({
    prompt: asked < 0 ? '' : textIn(told[asked]),
    opener,
    opening: opener === undefined ? undefined : ('agent' as const),
    steps,
    final_text: closed ?? outputOf(rest, steps) ?? (lastSpoken ? lastTextOf(steps) : ''),
    system_prompt: system ? textIn(system) : undefined,
    parts_left_out: leftOutIn(items),
  }) as Conversation;
  if (!items.some((item) => weightIn(item) !== undefined)) return conversation;
  const loss_weights = messageWeights(
    { ...conversation },
    {
      opener: opened ? leastWeight(told.slice(0, asked)) : undefined,
      prompt: weightIn(told[asked]),
      steps: steps.map((step) => weights.get(step)),
      closing: closing && weights.get(closing),
    },
  );
  return { ...conversation, loss_weights };
}

/** What a story is made of. */
type Told = Exclude<Item, LeftOut>;
const isTold = (item: Item): item is Told => item.kind !== 'system' && item.kind !== 'left_out';

function leftOutIn(items: readonly Item[]): JsonObject | undefined {
  const counts = new Map<string, number>();
  for (const item of items) if (item.kind === 'left_out') counts.set(item.type, (counts.get(item.type) ?? 0) + 1);
  return counts.size > 0 ? Object.fromEntries(counts) : undefined;
}

const textIn = (item: Item | undefined) => (item && 'text' in item ? item.text : '');

function stepsOf(items: readonly Told[], detailed: boolean, weights: Map<JsonObject, number>): Step[] {
  const story: Story = { steps: [], open: [], detailed, weights };
  for (const item of items) tell(item, story);
  leave(story);
  for (const { step } of story.open) Object.assign(step, detailed ? { result_missing: true } : { result: null });
  return story.steps;
}

/** The steps so far, the calls that still wait for an answer, and the text that waits for its calls. */
interface Story {
  readonly steps: Step[];
  readonly open: Open[];
  readonly detailed: boolean;
  /** What the message of a step weighs in the loss, where one was given. */
  readonly weights: Map<JsonObject, number>;
  lead?: string | undefined;
}

function tell(item: Told, story: Story): void {
  if (item.kind === 'call') {
    const step = stepOf(item, story.detailed, story.lead);
    story.lead = undefined;
    add(step, item, story);
    if (item.answer) step['result'] = item.answer.value;
    else story.open.push({ call: item, step });
  } else if (item.kind === 'result') answer(item, story);
  else if (item.kind === 'text' && item.leads)
    story.lead = story.lead === undefined ? item.text : `${story.lead}\n${item.text}`;
  else {
    leave(story);
    const step =
      item.kind === 'text'
        ? present({ text: item.text, action: item.action })
        : present({ user: item.text, observation: 'observation' in item ? item.observation : undefined });
    add(step, item, story);
  }
}

function add(step: Step, item: Item, { steps, weights }: Story): void {
  steps.push(step);
  const weight = weightIn(item);
  if (weight !== undefined) weights.set(step, weight);
}

/** A text whose calls never came stands alone. */
function leave(story: Story): void {
  if (story.lead !== undefined) story.steps.push({ text: story.lead });
  story.lead = undefined;
}

function stepOf(call: Call, detailed: boolean, text: string | undefined): Step {
  const step: Step = { tool: call.name };
  if (detailed && call.id !== undefined) step['id'] = call.id;
  if (call.arguments !== undefined) step['arguments'] = call.arguments;
  if (call.arguments_raw !== undefined) step['arguments_raw'] = call.arguments_raw;
  if (detailed && call.encodings !== undefined) step['arguments_encodings'] = call.encodings;
  if (detailed && call.given !== undefined) step['given'] = call.given;
  if (text !== undefined) step['text'] = text;
  return step;
}

/** Find the call an answer belongs to: by id, else by name, else the oldest without an answer. */
export function openCall(open: readonly Pick<Call, 'id' | 'name'>[], { id, name }: Result): number {
  const byId = id === undefined ? -1 : open.findIndex((call) => call.id === id);
  const at = byId >= 0 ? byId : open.findIndex((call) => call.name === name);
  return Math.max(at, 0);
}

/** Bind an answer to its call; one that has none stands alone. */
function answer(result: Result, { steps, open, detailed }: Story): void {
  const at = openCall(
    open.map(({ call }) => call),
    result,
  );
  const [bound] = open.splice(at, 1);
  if (bound) bound.step['result'] = result.value;
  else
    steps.push(
      present({
        tool: result.name ?? '',
        id: detailed ? result.id : undefined,
        arguments: {},
        result: result.value,
        call_missing: detailed ? true : undefined,
      }),
    );
}

/** A run may end by calling an output tool: its arguments are the answer, and no world answers it. */
function outputOf(items: readonly Item[], steps: readonly Step[]): string | undefined {
  const calls = items.filter((item) => item.kind === 'call' && /^final_result/.test(item.name)) as Call[];
  const [first] = calls;
  if (first === undefined || items.some((item) => item.kind === 'text')) return undefined;
  for (const step of steps) if (/^final_result/.test(written(step['tool']))) step['output_tool'] = true;
  return first.arguments_raw ?? stringifyJson(first.arguments ?? {});
}

function lastTextOf(steps: readonly Step[]): string {
  const last = steps.findLast((step) => typeof step['text'] === 'string' && step['text'] !== '');
  return written(last?.['text'] ?? '');
}

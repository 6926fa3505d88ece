import { fieldsOf, firstOf, type JsonObject, present, textOf } from '../fields.ts';
import { containerOf } from '../json-text.ts';
import type { PlacedSpan } from './span-group.ts';

/** Tokens of a run. */
export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

const inputNames = [
  ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'llm.usage.prompt_tokens'],
  ...['ai.usage.inputTokens', 'ai.usage.promptTokens'],
];
const outputNames = [
  ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  ...['llm.usage.completion_tokens', 'ai.usage.outputTokens', 'ai.usage.completionTokens'],
];
const responseIds = ['gen_ai.response.id', 'llm.response.id', 'ai.response.id'];

/** What the spans of a group cost, and how many spans repeated the cost of others. */
export interface UsageSum {
  readonly usage: Usage | undefined;
  readonly ignored: number;
  /** Tokens that agents and frameworks report beyond what the spans below them do: some of those spans are not here. */
  readonly missing: number;
}

/**
 * Sum the tokens of a group over the spans that carry some and have none below them that does: agents, steps and
 * frameworks repeat what their children report. A response seen twice counts once; embeddings are not counted; cached
 * and reasoning tokens are part of the figures and never added.
 *
 * @source house rule
 */
export function sumUsage(spans: readonly PlacedSpan[]): UsageSum {
  const carrying: Carrying[] = [];
  for (const span of spans) {
    const usage = span.role === 'embedding' || !span.traits.hasTokens ? undefined : usageOf(span.attributes);
    if (usage) carrying.push({ span, usage });
  }
  const repeating = new Set<PlacedSpan>();
  for (const { span } of carrying)
    for (let above = span.parent; above && !repeating.has(above); above = above.parent) repeating.add(above);
  const seen = new Set<string>();
  const counted = carrying.filter(({ span }) => {
    if (repeating.has(span)) return false;
    const id = textOf(firstOf(span.attributes, responseIds));
    if (id !== undefined && seen.has(id)) return false;
    if (id !== undefined) seen.add(id);
    return true;
  });
  const total = (name: keyof Usage) => {
    let sum: number | undefined;
    for (const { usage } of counted) if (usage[name] !== undefined) sum = (sum ?? 0) + usage[name];
    return sum;
  };
  const usage = present({ input_tokens: total('input_tokens'), output_tokens: total('output_tokens') }) as Usage;
  return {
    usage: counted.length === 0 ? undefined : usage,
    ignored: carrying.length - counted.length,
    missing: missingIn(carrying, new Set(counted)),
  };
}

interface Carrying {
  readonly span: PlacedSpan;
  readonly usage: Usage;
}

/** Compare each top-most span that reports tokens with what was counted below it. */
function missingIn(carrying: readonly Carrying[], counted: ReadonlySet<Carrying>): number {
  const reported = new Map(carrying.map((one) => [one.span, one.usage]));
  const below = new Map<PlacedSpan, number>();
  for (const { span, usage } of counted) {
    let top: PlacedSpan | undefined;
    for (let above = span.parent; above; above = above.parent) if (reported.has(above)) top = above;
    if (top) below.set(top, (below.get(top) ?? 0) + tokensIn(usage));
  }
  return [...below].reduce((sum, [top, tokens]) => sum + Math.max(0, tokensIn(reported.get(top)) - tokens), 0);
}

const tokensIn = ({ input_tokens = 0, output_tokens = 0 }: Usage = {}): number => input_tokens + output_tokens;

function usageOf(attributes: JsonObject): Usage | undefined {
  const detailed = attributes['langfuse.observation.usage_details'] ?? attributes['langsmith.usage_metadata'];
  const details = detailed === undefined ? undefined : fieldsOf(containerOf(detailed));
  const input =
    tokens(firstOf(attributes, inputNames)) ??
    (details && tokens(firstOf(details, ['input', 'input_tokens', 'prompt_tokens']))) ??
    tokens(attributes['gen_ai.aggregated_usage.input_tokens']);
  const output =
    tokens(firstOf(attributes, outputNames)) ??
    (details && tokens(firstOf(details, ['output', 'output_tokens', 'completion_tokens']))) ??
    tokens(attributes['gen_ai.aggregated_usage.output_tokens']);
  if (input === undefined && output === undefined) return undefined;
  return present({ input_tokens: input, output_tokens: output }) as Usage;
}

function tokens(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

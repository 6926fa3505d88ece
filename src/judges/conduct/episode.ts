import { canonicalJson } from '../../core/canonical-json.ts';
import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { type CallMade, callsMade } from '../../rows/calls-made.ts';
import { contentText } from '../../rows/content-text.ts';
import { plainText } from '../../rows/plain-text.ts';
import { replyOf } from '../../rows/reply.ts';
import { type CallOutcome, callOutcome } from './call-outcome.ts';

/** One call of an episode, with how it ended and what the agent could know before it. */
export interface Act extends CallMade {
  readonly outcome: CallOutcome;
  /** The call without its result: two acts of one key are the same call. */
  readonly key: string;
  /** What people and the policy had said, and what tools had answered, one text for each. */
  readonly known: readonly string[];
}

/** What happened in a rollout, as a grader of conduct reads it. */
export interface Episode {
  readonly acts: readonly Act[];
  readonly finalText: string;
  /** What the agent said, turn by turn. */
  readonly turns: readonly string[];
  /** Everything the agent said. */
  readonly said: string;
  /** Everything people said. */
  readonly asked: string;
  /** Everything that was known in the end: said by people, given to tools, answered by them. */
  readonly known: readonly string[];
}

/**
 * Read a rollout in order. What a person says in a step is known from there on; what only the messages hold is taken as
 * known from the start.
 */
export function episodeOf(row: JsonObject): Episode {
  const { finalText, turns, said, messages } = replyOf(row);
  const steps = Array.isArray(row['steps']) ? row['steps'].filter(isObject) : [];
  const told = steps.map(({ user }) => plainText(user));
  const given = Array.isArray(row['messages']) ? messages : [];
  const spoken = given
    .filter(({ role }) => role === 'user' || role === 'system')
    .map(({ content }) => contentText(content))
    .filter((text) => !told.includes(text));
  const atStart = [plainText(row['opener']), plainText(row['prompt']), plainText(row['system_prompt']), ...spoken];
  const answers: string[] = [];
  const acts = callsMade(row).map((call): Act => {
    const at = steps.indexOf(call.step);
    const known = [...atStart, ...(at < 0 ? told : told.slice(0, at)), ...answers].filter((text) => text !== '');
    answers.push(textOf(call.result));
    return { ...call, outcome: callOutcome(call), key: canonicalJson([call.tool, call.arguments]), known };
  });
  const everything = [...atStart, ...told, ...answers, ...acts.map(({ arguments: args }) => textOf(args))];
  const asked = [plainText(row['prompt']), ...told, ...spoken].join('\n');
  return { acts, finalText, turns, said, asked, known: everything.filter((text) => text !== '') };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : stringifyJson(value);

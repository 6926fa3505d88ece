import { idOf } from '../../core/ids.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import { composeAsk } from './compose.ts';
import { splitUserTurns } from './user-turns.ts';

/** Who wrote an ask when no model did. */
export const templateWriter = 'template';

/**
 * Write one wording of a situation as an ask that can be played. Same situation, seed and phrasing, same ask.
 */
export function writeAsk(
  situation: Situation,
  run: {
    readonly tools: readonly Tool[];
    readonly seed: number;
    readonly phrasing: number;
    readonly arm?: string | undefined;
    /** Share of asks typed in a way of their own. */
    readonly texture?: number | undefined;
  },
): Ask {
  const { prompt, labels } = composeAsk(situation, run);
  return askOf(situation, prompt, {
    seed: run.seed,
    arm: run.arm ?? 'structured',
    selection_reason: 'coverage',
    writer_model: templateWriter,
    ...labels,
  });
}

/** What an ask has besides its situation and its words. */
interface AskFields extends Readonly<Record<string, unknown>> {
  readonly seed: number;
  readonly arm: string;
  readonly writer_model: string;
}

/** Put words to a situation: the id is that of the wording, the same for all its repeats. */
export function askOf(
  { scenario_id, scenario_dimensions, faults, tier, ...more }: Situation,
  text: string,
  fields: AskFields,
): Ask {
  const [prompt = '', ...user_turns] = splitUserTurns(text);
  return {
    ask_id: askId(scenario_id, text, fields.seed),
    scenario_id,
    prompt,
    ...(user_turns.length > 0 && { user_turns }),
    rollout_index: 0,
    scenario_dimensions,
    world_state: statedWorld(scenario_dimensions.world_state),
    ...(faults && { faults }),
    ...(more['steering'] ? { steering: more['steering'] as Ask['steering'] } : {}),
    tier,
    ...fields,
  };
}

/** Name a wording. */
export const askId = (scenarioId: string, text: string, seed: number): string =>
  `ask-${idOf([scenarioId, text, seed], 16)}`;

const statedWorld = (state: string): string | null => (['unspecified', 'unknown', ''].includes(state) ? null : state);

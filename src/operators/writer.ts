import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { writeAsk } from '../grid/wording/write-ask.ts';
import type { Ask } from '../rows/ask.ts';
import type { Situation } from '../rows/situation.ts';
import { toolsFrom } from '../rows/tool.ts';

const options = z.strictObject({
  tools: z.array(z.record(z.string(), z.unknown())).describe('Tools of the agent, in any common form.'),
  seed: z.int().default(0).describe('Seed of the run: another seed gives other words.'),
  phrasings: z.int().min(1).default(1).describe('Wordings of each situation (n).'),
  repeats: z.int().min(1).default(1).describe('Rollouts of each wording (k); each is an ask of its own.'),
});

/** The rule alone. */
export function writerCore({ tools: given, seed, phrasings, repeats }: z.output<typeof options>) {
  const tools = toolsFrom(given);
  return (situation: Situation): readonly Ask[] =>
    Array.from({ length: phrasings }, (_, phrasing) => writeAsk(situation, { tools, seed, phrasing })).flatMap((ask) =>
      Array.from({ length: repeats }, (_, rollout_index) => ({ ...ask, rollout_index })),
    );
}

const hurried: Situation = {
  scenario_id: 'sc-1',
  scenario_dimensions: {
    tool: 'get_booking',
    rule: 'unspecified',
    stance: 'hurried',
    world_state: 'entity exists',
    tool_condition: 'success',
    history: 'fresh',
  },
  tier: 'ordinary',
};

/**
 * Write each situation as a person would type it, without a model: `phrasings` wordings, `repeats` asks of each.
 * Every label on an ask shows in its words. The same situation, seed and phrasing give the same ask. About 0.2 ms each.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range; when subscribed, if `tools` is no tool list
 * @source house rule; synthetic prompts: rlhfbook ch. 12
 */
export const writer = defineExpand({
  name: 'writer',
  options,
  core: writerCore,
  example: {
    options: {
      tools: [{ name: 'get_booking', parameters: { properties: { booking_id: { type: 'string' } } } }],
      seed: 4,
    },
    in: [hurried],
    out: [
      {
        ...hurried,
        ask_id: 'ask-fc9dc2b0bb60d647',
        prompt: 'Hurry please, only 45 minutes left. It is about time to look up that booking (BOO2685), Carlos says.',
        rollout_index: 0,
        world_state: 'entity exists',
        seed: 4,
        arm: 'structured',
        selection_reason: 'coverage',
        writer_model: 'template',
        ask_family: 'tool',
        intent_known: true,
        tool_known: true,
        stance: 'hurried',
        length: 'medium',
      },
    ],
  },
});

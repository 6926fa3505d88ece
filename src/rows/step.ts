import { z } from 'zod';

const words = z.string().nullish();
const count = z.int().min(0).nullish();

/**
 * One step of an episode: a tool call, what the agent said, or what the person said. Loose: a call id and whatever else a
 * step carries travels on.
 */
export const stepSchema = z.looseObject({
  tool: words.describe('Name of the tool that was called.'),
  arguments: z.unknown().optional().describe('What it was called with; absent when the text of it was no JSON.'),
  arguments_raw: words.describe('Arguments that could not be read, word for word.'),
  result: z.unknown().optional().describe('What it answered; absent when no result was recorded.'),
  text: words.describe('What the agent said; on a tool step: in the same turn, before the call.'),
  user: words.describe('What the person said.'),
  logprob: z.number().nullish().describe('Log-probability of what the agent generated for this step, natural log.'),
  n_tokens: count.describe('Tokens generated.'),
  truncated: z.boolean().nullish().describe('The turn was cut by a token cap.'),
  input_tokens: count,
  output_tokens: count,
});

export type Step = Readonly<z.output<typeof stepSchema>>;

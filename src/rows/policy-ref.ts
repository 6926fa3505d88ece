import { z } from 'zod';

/** Which policy played, or which student was measured. */
export const policyRefSchema = z.looseObject({
  name: z.string(),
  model: z.string().nullish(),
  prompt_hash: z.string().nullish(),
  version: z.string().nullish().describe('`<model>@<first 16 hex digits of the sha256 of the system prompt>`.'),
});

export type PolicyRef = Readonly<z.output<typeof policyRefSchema>>;

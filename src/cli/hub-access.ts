import { z } from 'zod';
import type { HubAccess } from '../dialects/hub.ts';
import { readInput } from './read-inputs.ts';

export const tokenFileFlag = z
  .string()
  .optional()
  .describe('File with your token of the Hugging Face Hub; HF_TOKEN by default.');

/** How this process reaches the Hub: `HF_TOKEN` or a file, and `HF_ENDPOINT` for another address. */
export async function hubAccess(tokenFile: string | undefined, env = process.env): Promise<HubAccess> {
  const token = tokenFile === undefined ? env['HF_TOKEN'] : await readInput(tokenFile, '--token-file');
  return { token: token?.trim() || undefined, hubUrl: env['HF_ENDPOINT']?.replace(/\/$/, '') || undefined };
}

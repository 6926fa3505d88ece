import { rm } from 'node:fs/promises';
import { fileCache } from '../models/response-cache.ts';

/** Replies of models lie beside the rows until the run is whole: a killed run asks for none of them twice. */
export async function repliesBeside(out: string, resume: boolean) {
  if (out === '-') return undefined;
  const path = `${out}.replies.jsonl`;
  if (!resume) await rm(path, { force: true });
  return { cache: await fileCache(path), forget: () => rm(path, { force: true }) };
}

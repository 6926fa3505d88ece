import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';

/** Whose pass rate it is. */
export interface Student {
  readonly name: string;
  readonly model: string | null;
  readonly prompt_hash: string | null;
  readonly version: string | null;
}

const word = z.string().nullish();

/** Options that name the student: spread them into a function's own. */
export const studentOptions = {
  policy: z
    .union([z.string(), z.looseObject({ name: word, model: word, prompt_hash: word, version: word })])
    .nullish()
    .describe('The policy that was graded: its system prompt, or {name, model, prompt_hash, version}.'),
  model: z.string().nullish().describe('The model that was graded.'),
};

type StudentOptions = { readonly [K in keyof typeof studentOptions]?: z.output<(typeof studentOptions)[K]> };

/** Name the student as the options say; without a policy its version is unknown here. */
export function studentOf({ policy, model }: StudentOptions): Student {
  if (typeof policy === 'string')
    return { name: '', model: model ?? null, prompt_hash: promptHash(policy), version: null };
  return {
    name: policy?.name ?? '',
    model: model ?? policy?.model ?? null,
    prompt_hash: policy?.prompt_hash ?? null,
    version: policy?.version ?? null,
  };
}

/** Name the student of each row: as given, else by the version the row says it came from. */
export function studentsOf(options: StudentOptions): (row: JsonObject) => Student {
  const student = studentOf(options);
  const known = new Map<string, Student>(); // few versions, many rows
  return (row) => {
    const version = options.policy ? undefined : row['policy_version'] || row['model_version'];
    if (!version) return student;
    const name = String(version);
    const before = known.get(name);
    if (before) return before;
    const one = { ...student, version: name };
    known.set(name, one);
    return one;
  };
}

/** Hash a system prompt as rows do: the first 16 hex digits of its sha256. */
const promptHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

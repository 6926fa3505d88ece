import { TracemillError } from '../../core/errors.ts';
import type { Remark } from '../../core/remarks.ts';

/** What the trainer will do, which is not always what the mask meant. */
export function maskWords(format: string, isUnrolled: boolean, mode: string, kind: string): string {
  if (format === 'openai') return isUnrolled ? 'final (unrolled)' : mode;
  return kind === 'completion'
    ? 'completion only'
    : 'every token, unless assistant_only_loss is set and the chat template marks generation';
}

/** Why a file must not be written; undefined when it may. */
export function refusalOf(invalid: number, leaked: number): TracemillError | undefined {
  if (invalid > 0)
    return new TracemillError(
      'TM_TOOL_CALL_ROUNDTRIP',
      `training set: ${invalid} tool calls have arguments that are no object; training on them teaches broken calls. Fix the rows, or set validate: false`,
    );
  if (leaked > 0)
    return new TracemillError(
      'TM_PRIVILEGED_LEAK',
      `training set: ${leaked} rows quote their own answer key in a reply; training on them teaches what only the judge was told. Drop them, or set validate: false`,
    );
  return undefined;
}

/** What a reader must know before training on the file. */
export function warningsOf(
  { format, toolsEncoding }: { readonly format: string; readonly toolsEncoding: string },
  {
    n_leaked,
    capped,
    fail,
    isMixed,
    unmasked,
    partly,
  }: Readonly<Record<'n_leaked' | 'capped' | 'fail' | 'unmasked' | 'partly', number>> & { readonly isMixed: boolean },
): readonly Remark[] {
  const all: readonly (Remark | false)[] = [
    n_leaked > 0 && {
      code: 'privileged_leak_exported',
      text: `${n_leaked} rows quote their own answer key and are in the file`,
    },
    capped > 0 && { code: 'token_cap_rows', text: `${capped} rows ended at a token cap: their last turn is not whole` },
    fail > 0 && {
      code: 'failing_rows',
      text: `${fail} samples failed their judge: supervised training copies what it is given`,
    },
    unmasked > 0 && {
      code: 'masked_turns_trained',
      text: `${unmasked} samples have turns that weigh 0, which ${format} cannot say: they are trained all the same. Use format openai, or unroll`,
    },
    partly > 0 && {
      code: 'parts_left_out',
      text: `${partly} rows had parts that are no text, such as pictures: they are not in the file, and the agent's words may be about them`,
    },
    format === 'trl' &&
      toolsEncoding === 'list' &&
      isMixed && {
        code: 'mixed_argument_shapes',
        text: 'calls have arguments of several shapes: datasets before 5 fills them up with nulls; use toolsEncoding: json or datasets 5',
      },
  ];
  return all.filter((one) => one !== false);
}

/** What is likely to be forgotten. */
export function notesOf(
  { n, system, tools }: { readonly n: number; readonly system: number; readonly tools: number },
  hasCalls: boolean,
): readonly Remark[] {
  const all: readonly (Remark | false)[] = [
    n > system && {
      code: 'no_system_prompt',
      text: `${n - system} samples have no system prompt: give the one the agent ran with`,
    },
    hasCalls &&
      n > tools && { code: 'no_tools', text: `${n - tools} samples have no tool schemas, though tools are called` },
  ];
  return all.filter((one) => one !== false);
}

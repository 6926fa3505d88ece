import { RE2JS } from 're2js';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  pattern: z.string().describe('RE2 syntax: no look-around and no back-references, so time is linear.'),
  group: z
    .union([z.int().min(0), z.string().min(1)])
    .optional()
    .describe('The group to compare with the reference.'),
  flags: z.string().default('i').describe('Letters of i, m and s; empty for none.'),
  lower: z.boolean().default(true).describe('Ignore case where the captured text is compared.'),
});
const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** Compile a pattern that somebody else wrote, in linear time whatever it says. */
export function linearPattern(by: string, pattern: string, flags = ''): RE2JS {
  const bits = [...flags].map((flag) => {
    const bit = flagBits[flag];
    if (bit === undefined)
      throw new TracemillError('TM_OPTIONS', `${by}: flags are letters of i, m and s, got ${flag}`);
    return bit;
  });
  try {
    return RE2JS.compile(
      pattern,
      bits.reduce((all, bit) => all | bit, 0),
    );
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `${by}: the pattern does not compile: ${String(cause)}`, { cause });
  }
}

/**
 * Search the text for a pattern. With a reference and a `group`, the captured text must equal the reference, trimmed.
 * Runs in linear time: no pattern can hang it.
 *
 * @throws TM_OPTIONS - when built, if the pattern does not compile or a flag is unknown
 * @source house rule
 */
export const regex = defineVerifier({
  name: 'Regex',
  options,
  needsGold: false,
  check: ({ pattern, group, flags, lower }) => {
    const compiled = linearPattern('Regex', pattern, flags);
    const folded = (text: string) => (lower ? text.trim().toLowerCase() : text.trim());
    return (candidate, gold) => {
      const matcher = compiled.matcher(candidate);
      const isFound = matcher.find();
      if (group === undefined || gold.value === null) return isFound;
      if (!isGroup(compiled, group)) return new Unjudged('error', `the pattern has no group ${group}`);
      if (!isFound) return [false, 'Regex: fail, the pattern does not match'];
      const got = matcher.group(group) ?? '';
      const score = goldTexts(gold).some((want) => folded(want) === folded(got));
      return score ? true : [false, `Regex: fail, captured ${JSON.stringify(got.slice(0, 80))}, not ${referenceWord}`];
    };
  },
});
export const Regex = regex;

const isGroup = (compiled: RE2JS, group: number | string) =>
  typeof group === 'number' ? group <= compiled.groupCount() : Object.hasOwn(compiled.namedGroups(), group);

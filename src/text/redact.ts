import { createHmac } from 'node:crypto';
import { RE2JS } from 're2js';
import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { RecentMap } from '../core/recent-map.ts';
import { mapText, visitText } from './json-text.ts';
import { type Hit, Known } from './known-values.ts';
import { personalField } from './personal-fields.ts';
import { personalRules } from './personal-rules.ts';
import type { RedactionRule, Span } from './redaction-rule.ts';
import { remembered } from './remembered.ts';
import { isSecretField } from './secret-names.ts';
import { secretRules } from './secret-rules.ts';

export interface RedactOptions {
  /** Secret of the run. The same salt gives the same placeholder; without it nobody can try values against them. */
  readonly salt: string;
  /** Redact what points to a person, too. */
  readonly personal?: boolean;
  /** Patterns of your own, tried after the built-in ones. They run in linear time, whatever they are. */
  readonly rules?: readonly { readonly kind: string; readonly pattern: string }[];
}

/** A value without what had to go, and how many of each kind there were. */
export interface Redacted<T> {
  readonly value: T;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Make the redactor of a run: it takes any JSON value, replaces what must not stay by placeholders such as
 * `[email:3f9a12c07b5e]`, and leaves the rest as it is, not copied. Equal values get equal placeholders, however they are
 * written, and a value found once in a row is found wherever the row repeats it: a tool argument still matches the turn it
 * came from. Keys are values too. Rows in which nothing is found cost one pass over their text.
 *
 * @throws TM_OPTIONS - a pattern of `rules` is no regular expression of RE2
 * @source house rule
 */
export function redactor({ salt, personal = false, rules = [] }: RedactOptions): <T>(value: T) => Redacted<T> {
  const fieldOf = personal ? ofAnyField : ofSecretField;
  const hitsOf = finder([...secretRules, ...(personal ? personalRules : []), ...rules.map(ownRule)], fieldOf);
  const digests = new RecentMap<string, string>(maxNames); // a value stands in a row more than once
  const placeholder = (kind: string, canonical: string): string => {
    let digest = digests.get(canonical);
    if (digest === undefined) {
      digest = createHmac('sha256', salt).update(canonical).digest('hex').slice(0, 12);
      digests.set(canonical, digest);
    }
    return `[${kind}:${digest}]`;
  };

  return <T>(value: T): Redacted<T> => {
    const known = new Known();
    const found: (readonly Hit[])[] = []; // of each text, in the order in which both passes come to it
    visitText(value, '', (text, key, isNumber) => {
      const hits = hitsOf(text, key, isNumber);
      found.push(hits);
      known.learn(text, hits);
    });
    if (known.isEmpty) return { value, counts: {} };
    const counts: Record<string, number> = {};
    let at = 0;
    const rewrite = (text: string): string => {
      const [own, repeats] = [found[at++] ?? none, known.repeats(text)];
      if (own.length === 0 && repeats.length === 0) return text;
      const hits = known.named(apart([...own, ...repeats]));
      for (const { kind } of hits) counts[kind] = (counts[kind] ?? 0) + 1;
      return replaced(text, hits, placeholder);
    };
    return { value: mapText(value, '', rewrite) as T, counts }; // texts became texts; a number may have become one
  };
}

const maxNames = 10_000;

/** Search a text that stands under a key. First one test of all hints, then each: most texts have nothing of any kind. */
function finder(
  rules: readonly RedactionRule[],
  fieldOf: FieldOf,
): (text: string, key: string, isNumber: boolean) => readonly Hit[] {
  const mayHit = gateOf(rules);
  const groups = groupsOf(rules);
  const names = new Set<string>(); // keys that are free of everything: the same few in every row
  const search = (text: string, key: string, field: Hit | undefined): readonly Hit[] => {
    const hits: Hit[] = [];
    for (const { hint, members } of groups)
      if (hint.test(text)) for (const rule of members) hits.push(...hitsOf(rule, text, key));
    if (field) hits.push(field);
    return outsidePlaceholders(text, hits);
  };
  return (text, key, isNumber) => {
    if (key === '' && names.has(text)) return none;
    const field = key === '' ? undefined : fieldOf(key, text, isNumber);
    const hits = field || mayHit(text) ? search(text, key, field) : none;
    if (key === '' && hits.length === 0 && text.length < 64 && names.size < maxNames) names.add(text);
    return hits;
  };
}

const none: readonly Hit[] = [];

function hitsOf({ kind, find, canonical }: RedactionRule, text: string, key: string): readonly Hit[] {
  const spans = find(text, key === '' ? '' : `${wordsOf(key)}: `);
  return spans.map(({ start, end }) => ({ start, end, kind, canonical: canonical(text.slice(start, end)) }));
}

/** Whether a text has a hint of any rule. Letter case counts where it does for the rule: ids are no accounts. */
function gateOf(rules: readonly RedactionRule[]): (text: string) => boolean {
  if (rules.some(({ hint }) => hint === undefined)) return () => true;
  const flags = [...new Set(rules.map(({ hint }) => hint?.flags ?? ''))];
  const gates = flags.map((flag) => {
    const sources = rules.flatMap(({ hint }) => (hint?.flags === flag ? [hint.source] : []));
    return new RegExp([...new Set(sources)].join('|'), flag);
  });
  return (text) => gates.some((gate) => gate.test(text));
}

/** Neighbours that share a hint are asked together. */
function groupsOf(rules: readonly RedactionRule[]) {
  const groups: { readonly hint: RegExp; readonly members: RedactionRule[] }[] = [];
  for (const rule of rules) {
    const { hint = /(?:)/ } = rule;
    const last = groups.at(-1);
    if (last && String(last.hint) === String(hint)) last.members.push(rule);
    else groups.push({ hint, members: [rule] });
  }
  return groups;
}

/** What a text is because of the key it stands under. */
type FieldOf = (key: string, text: string, isNumber: boolean) => Hit | undefined;

const ofSecretField: FieldOf = (key, text, isNumber) => {
  if (!isSecretField(key, text, isNumber)) return undefined;
  const start = scheme.exec(text)?.[0].length ?? 0; // so that a header gets the placeholder its token has in text
  const kind = start > 0 ? 'bearer' : awsSecret.test(text) && /aws.*secret/i.test(key) ? 'aws_secret' : 'secret';
  return { start, end: text.length, kind, canonical: text.slice(start) };
};
const scheme = /^(?:bearer|basic|token)\s{1,3}(?=\S)/i;
const awsSecret = /^[A-Za-z0-9/+]{40}$/;

const ofAnyField: FieldOf = (key, text, isNumber) => {
  const secret = ofSecretField(key, text, isNumber);
  const kind = secret ? undefined : personalField(key, text);
  return kind === undefined ? secret : { start: 0, end: text.length, kind, canonical: text };
};

const placeholders = /\[([a-z][a-z0-9_]*):[0-9a-f]{12}\]/g;

/** Count what was redacted in a value before, by kind. */
export function redactedIn(value: unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  countIn(value, counts);
  return counts;
}

/** JSON text is not looked into: a placeholder stands in it as it is. */
function countIn(value: unknown, counts: Record<string, number>): void {
  if (typeof value === 'string') {
    if (mayBePlaceholder.test(value))
      for (const [, kind = ''] of value.matchAll(placeholders)) counts[kind] = (counts[kind] ?? 0) + 1;
  } else if (Array.isArray(value)) for (const inner of value) countIn(inner, counts);
  else if (isObject(value))
    for (const key in value) {
      countIn(key, counts);
      countIn(value[key], counts);
    }
}
const mayBePlaceholder = /:[0-9a-f]{12}\]/;

/** What was redacted before stays as it is, or a second run would redact the placeholders of the first. */
function outsidePlaceholders(text: string, hits: readonly Hit[]): readonly Hit[] {
  if (hits.length === 0) return hits;
  const done = [...text.matchAll(placeholders)];
  return hits.filter(
    ({ start, end }) => !done.some(({ index, 0: { length } }) => start < index + length && end > index),
  );
}

/** Hits that do not overlap: the one that starts first, of those the longest. */
function apart(hits: readonly Hit[]): readonly Hit[] {
  const sorted = hits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((hit) => {
    if (hit.start < end) return false;
    end = hit.end;
    return true;
  });
}

function replaced(
  text: string,
  hits: readonly Hit[],
  placeholder: (kind: string, canonical: string) => string,
): string {
  let at = 0;
  const parts = hits.map(({ start, end, kind, canonical }) => {
    const part = text.slice(at, start) + placeholder(kind, canonical);
    at = end;
    return part;
  });
  return parts.join('') + text.slice(at);
}

function ownRule({ kind, pattern }: { readonly kind: string; readonly pattern: string }): RedactionRule {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `redact: rules: ${kind}: ${String(cause)}`, { cause });
  }
  return {
    kind,
    canonical: (value) => value,
    find(text) {
      const matcher = compiled.matcher(text);
      const spans: Span[] = [];
      while (matcher.find())
        if (matcher.end() > matcher.start()) spans.push({ start: matcher.start(), end: matcher.end() });
      return spans;
    },
  };
}

const wordsOf = remembered((key) =>
  key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase(),
);

import type { RedactionRule, Span } from './redaction-rule.ts';
import { isSecretField, type SecretName, secretName } from './secret-names.ts';
import { isMade, isStandIn } from './stand-ins.ts';

const mayName = 'key|secret|pass|pwd|token|authoriz|cred|cookie|sig';
const quote = String.raw`\\{0,7}["'\x60]`;
/** A name, quoted or not, and what stands between it and its value. Lengths are bounded: a name is tried once. */
const head = new RegExp(
  String.raw`(?<![\w.-])(?<name>[\w.-]{1,80})(?<named>${quote}\]?)?(?<sep>\s{0,3}(?:=>|:=|==?|:)\s{0,3}|\s{1,3}(?:is|was)\s{1,3})(?<open>${quote})?`,
  'gi',
);
const flag = /(?<=^|\s)--(?<name>[\w-]{1,80})(?<sep>\s{1,2})(?<open>["'])?/g;
const bare = /[^\s"'`)\]}<>]{1,400}/y;
const mayBe = new RegExp(mayName, 'i');
const maxValue = 400;

/**
 * What a text itself calls a password, a key or a token: `DB_PASSWORD=...`, `"apiKey": "..."` in cut JSON, `my password is
 * ...`, `--token ...`, `?token=...`. A value is the whole word up to white space or a closing quote or bracket; in a query
 * `&` ends it, too.
 *
 * @source house rule
 */
export const assignmentRule: RedactionRule = {
  kind: 'secret',
  hint: new RegExp(
    String.raw`(?:${mayName})[\w.-]{0,80}(?:${quote}\]?)?\s{0,3}(?:[:=]|is|was)|(?<=^|\s)--[\w-]{0,80}(?:${mayName})`,
    'i',
  ),
  canonical: unescaped,
  find: (text) => [...spansAfter(head, text), ...spansAfter(flag, text)],
};

/** What stands in an element of that name: `<password>...</password>`, `<parameter name="api_key">...</parameter>`. */
export const elementRule: RedactionRule = {
  kind: 'secret',
  hint: new RegExp(String.raw`<[^<>]{0,140}(?:${mayName})[^<>]{0,140}>[^<>]{1,${maxValue}}<\/`, 'i'),
  canonical: (value) => value,
  find(text) {
    const spans: Span[] = [];
    for (const { index, 0: whole, groups = {} } of text.matchAll(element)) {
      const { name = '', value = '' } = groups;
      const start = index + whole.length - 2 - value.length;
      const [first, last] = [value.length - value.trimStart().length, value.trimEnd().length];
      if (isSecretField(name, value.trim())) spans.push({ start: start + first, end: start + last });
    }
    return spans;
  },
};
const element =
  /<(?:[\w.:-]{1,40}(?:=|\s{1,3}name=)["']?)?(?<name>[\w.:-]{1,80})["']?(?:\s[^<>]{0,100})?>(?<value>[^<>]{1,400})<\//g;

function spansAfter(pattern: RegExp, text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const { name = '', named, sep = '', open = '' } = match.groups ?? {};
    if (!mayBe.test(name)) continue;
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const isInQuery = sep === '=' && /[?&#]$/.test(before);
    const said = nameSaid(name, before, isInQuery);
    if (said === undefined) continue;
    const start = match.index + match[0].length;
    const closed = open === '' ? undefined : quotedEnd(text, start, open);
    const end = closed ?? bareEnd(text, start, sep, isInQuery);
    const value = text.slice(start, end);
    const isStated = closed !== undefined && (named !== undefined || /[:=]/.test(sep)); // as data says it, not as prose does
    const isData = isInQuery || (isStated && (named !== undefined || isMade(value) || !/\s/.test(value)));
    if (value !== '' && (isData ? isSecretField(said, value) : isSecretWord(said, value, sep)))
      spans.push({ start, end });
  }
  return spans;
}

/** The name, with the word before it where it takes two (`api key`); undefined when it names no secret. */
function nameSaid(name: string, before: string, isInQuery: boolean): string | undefined {
  if (secretName(name).strength !== 'none') return name;
  if (isInQuery && /(?:^|[-_])sig(?:nature)?$/i.test(name)) return 'token';
  const two = `${/([A-Za-z]+) $/.exec(before)?.[1] ?? ''} ${name}`;
  return /^(?:keys?|tokens?)$/i.test(name) && secretName(two).strength === 'any' ? two : undefined;
}

/** Whether a word of running text is a secret: there a name alone says little. */
function isSecretWord(name: string, value: string, sep: string): boolean {
  const { strength, holdsNumbers }: SecretName = secretName(name);
  if (isStandIn(value) || /^(?:[[{($]|process\.env|os\.environ)/.test(value)) return false;
  if (holdsNumbers && /[:=]/.test(sep) && /^\d{4,}$/.test(value)) return true;
  if (!isMade(value) || !isSecretField(name, value)) return false;
  if (strength === 'any') return value.length >= 6;
  return /[:=]/.test(sep) && value.length >= 16 && /^[\w.~+/=-]+$/.test(value);
}

/** Where the quoted value ends, if it does so on its line. */
function quotedEnd(text: string, start: number, open: string): number | undefined {
  const depth = open.length - 1;
  const mark = open.at(-1);
  const last = Math.min(text.length, start + maxValue);
  for (let at = start, slashes = 0; at < last; at++) {
    const char = text[at];
    if (char === '\n') return undefined;
    if (char === mark && slashes <= depth) return at - slashes;
    slashes = char === '\\' ? slashes + 1 : 0;
  }
  return undefined;
}

function bareEnd(text: string, start: number, sep: string, isInQuery: boolean): number {
  bare.lastIndex = start;
  const word = bare.exec(text)?.[0] ?? '';
  const ends = isInQuery
    ? /[&#]|\\[nrt]/
    : sep === '='
      ? /&(?=[\w.-]{1,40}=)|[,;](?=[\w.-]{1,40}[:=])|\\[nrt]/
      : /[,;](?=[\w.-]{1,40}[:=])|\\[nrt]/;
  const at = word.search(ends);
  const cut = (at < 0 ? word : word.slice(0, at)).replace(/[,;.:?\\]{1,9}$/, '');
  return start + cut.length;
}

/** The value that JSON text or a query writes with escapes. */
function unescaped(value: string): string {
  if (!/[\\%]/.test(value)) return value;
  try {
    return value.includes('\\') ? String(JSON.parse(`"${value}"`)) : decodeURIComponent(value);
  } catch {
    return value;
  }
}

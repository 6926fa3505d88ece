import { isObject } from '../../core/json-object.ts';
import type { Row } from '../../rows/row.ts';
import { episodeText } from './episode-text.ts';

const most = 2000; // values of one answer key
const run = 5; // words in a row that nobody writes by chance
const shortRun = 3; // words of a criterion too short for one
const mark = '<reference>';
const withheld = 'withheld: it tells the reference';

/**
 * Keep the answer key out of what a judge that saw it wrote: each of its values is replaced by a mark. The text is withheld
 * whole when it still tells a value with its blanks and signs left out, when it repeats five words in a row of a value or of
 * a criterion which the episode does not have, and when more was shown than can be looked for (2,000 values). Cost: linear
 * in the answer key, and in the episode where words are repeated.
 *
 * @source house rule
 */
export function hideGold(text: string, row: Row): string {
  if (!isObject(row['privileged'])) return text;
  const { rubric, reference, ...rest } = row['privileged'];
  const shownToJudge = leavesOf([reference ?? rest]);
  if (shownToJudge.length > most) return withheld;
  const gold = longestFirst(leavesOf([reference, rest]).slice(0, most));
  const plain = squeeze(text);
  let shown = text;
  for (const leaf of gold) if (plain.includes(squeeze(leaf))) shown = shown.replace(pattern(leaf), mark);
  const squeezed = squeeze(shown);
  const isTold = gold.some((leaf) => squeeze(leaf).length >= 4 && squeezed.includes(squeeze(leaf)));
  return isTold || repeats(shown, [...gold, ...criteriaTexts(rubric)], row) ? withheld : shown;
}

/**
 * Keep a failure class that a model gave: a word of at most 40 letters, digits, `_` and `-` that tells nothing of the answer
 * key. Undefined for anything else.
 *
 * @source house rule
 */
export function failureSlug(value: unknown, row: Row): string | undefined {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_-]{0,39}$/i.test(value)) return undefined;
  const words = value.replace(/[_-]/g, ' ');
  return hideGold(words, row) === words ? value : undefined;
}

/** The values of an answer key in its order, each once; one more than can be looked for tells that there are more. */
function leavesOf(value: unknown): string[] {
  const found = new Set<string>();
  const walk = (one: unknown): void => {
    if (found.size > most) return;
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'bigint') {
      if (String(one).trim() !== '') found.add(String(one).trim());
    } else if (Array.isArray(one)) one.forEach(walk);
    else if (isObject(one)) Object.values(one).forEach(walk);
  };
  walk(value);
  return [...found];
}

/** So that no part of a value stays where a shorter one was cut out of it. */
const longestFirst = (leaves: readonly string[]) => [...leaves].sort((a, b) => b.length - a.length);

/** The sentences of a rubric, not its titles: those are the names of its markers. */
function criteriaTexts(rubric: unknown): string[] {
  const list = isObject(rubric) ? rubric['criteria'] : rubric;
  return (Array.isArray(list) ? list : [list]).flatMap((one) =>
    isObject(one) ? leavesOf(one['description']) : typeof one === 'string' ? [one] : [],
  );
}

function repeats(text: string, secrets: readonly string[], row: Row): boolean {
  const said = ` ${wordsOf(text).join(' ')} `;
  const told = secrets.flatMap(runsOf).filter((words) => said.includes(words));
  if (told.length === 0) return false;
  const seen = ` ${wordsOf(episodeText(row)).join(' ')} `;
  return told.some((words) => !seen.includes(words));
}

/** Every run of words of a text, with blanks around it. */
function runsOf(text: string): string[] {
  const words = wordsOf(text);
  if (words.length < shortRun) return [];
  const size = Math.min(run, words.length);
  return Array.from({ length: words.length - size + 1 }, (_, n) => ` ${words.slice(n, n + size).join(' ')} `);
}

/** Words in lower case; each sign of a script that has no blanks is one. */
const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];

const word = /[\p{L}\p{N}_]/u;

function pattern(leaf: string): RegExp {
  const body = leaf.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const before = word.test(leaf[0] ?? '') ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = word.test(leaf.at(-1) ?? '') ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(`${before}${body}${after}`, 'giu');
}

const squeeze = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

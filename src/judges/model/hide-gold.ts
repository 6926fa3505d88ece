import { isObject } from '../../core/json-object.ts';
import type { Row } from '../../rows/row.ts';

const most = 200; // leaves of one answer key
const mark = '<reference>';

/**
 * Keep the answer key out of what a judge that saw it wrote: each of its values is replaced by a mark; a text that still
 * tells one with its blanks and signs left out is withheld whole.
 *
 * @source house rule
 */
export function hideGold(text: string, row: Row): string {
  const gold = leavesOf(isObject(row['privileged']) ? withoutRubric(row['privileged']) : undefined);
  let shown = text;
  for (const leaf of gold) shown = shown.replace(pattern(leaf), mark);
  const squeezed = squeeze(shown);
  const isTold = gold.some((leaf) => squeeze(leaf).length >= 4 && squeezed.includes(squeeze(leaf)));
  return isTold ? 'withheld: it tells the reference' : shown;
}

const withoutRubric = ({ rubric: _rubric, ...rest }: Readonly<Record<string, unknown>>) => rest;

/** The longest first, so that no part of a value stays where a shorter one was cut out of it. */
function leavesOf(value: unknown): string[] {
  const found = new Set<string>();
  const walk = (one: unknown): void => {
    if (found.size >= most) return;
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'bigint') {
      if (String(one).trim() !== '') found.add(String(one).trim());
    } else if (Array.isArray(one)) one.forEach(walk);
    else if (isObject(one)) Object.values(one).forEach(walk);
  };
  walk(value);
  return [...found].sort((a, b) => b.length - a.length);
}

const word = /[\p{L}\p{N}_]/u;

function pattern(leaf: string): RegExp {
  const body = leaf.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const before = word.test(leaf[0] ?? '') ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = word.test(leaf.at(-1) ?? '') ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(`${before}${body}${after}`, 'giu');
}

const squeeze = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

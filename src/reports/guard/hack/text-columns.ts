import { tokensOf } from '../../../text/terms.ts';
import { type Column, yesAt } from './column.ts';
import { frequentTerms } from './frequent-terms.ts';

interface TextOptions {
  readonly topK: number;
  readonly minObs: number;
}

/** Measure texts: which terms they hold, how they are laid out, and which token opens and which ends them. */
export function textColumns(texts: readonly string[], { topK, minObs }: TextOptions) {
  const numbers = new Map<string, number>();
  const tokens = texts.map((text) => {
    const list = tokensOf(text);
    const numbered = new Int32Array(list.length);
    for (let at = 0; at < list.length; at++) {
      const token = list[at] as string;
      const number = numbers.get(token) ?? numbers.size;
      if (number === numbers.size) numbers.set(token, number);
      numbered[at] = number;
    }
    return numbered;
  });
  const names = [...numbers.keys()];
  const terms = frequentTerms(tokens, names, { most: topK, least: minObs });
  return {
    terms: terms.map(({ term, texts: having }) => yesAt(`contains:${term}`, having, texts.length)),
    layout: layoutColumns(texts),
    places: [
      ...placeColumns('starts', tokens, (list) => list[0], names, minObs),
      ...placeColumns('ends', tokens, (list) => list.at(-1), names, minObs),
    ],
  };
}

/** Which token opens a text and which ends it: presence alone cannot see where a word stands. */
function placeColumns(
  prefix: string,
  tokens: readonly Int32Array[],
  pick: (list: Int32Array) => number | undefined,
  names: readonly string[],
  minObs: number,
): Column[] {
  const places = new Map<number, number[]>();
  tokens.forEach((list, text) => {
    const one = pick(list);
    const known = one === undefined ? undefined : places.get(one);
    if (known) known.push(text);
    else if (one !== undefined) places.set(one, [text]);
  });
  return [...places]
    .filter(([, texts]) => texts.length >= minObs)
    .map(([one, texts]) => yesAt(`${prefix}:${names[one]}`, texts, tokens.length))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function layoutColumns(texts: readonly string[]): Column[] {
  const has = (name: string, pattern: RegExp) => {
    const having: number[] = [];
    for (let at = 0; at < texts.length; at++) if (pattern.test(texts[at] as string)) having.push(at);
    return yesAt(name, having, texts.length);
  };
  return [has('has:list', /^\s*(?:[-*•]|\d+[.)])\s+\S/m), has('has:heading', /^#{1,6}\s+\S/m)];
}

import {
  cities,
  colours,
  doings,
  events,
  firstNames,
  moments,
  months,
  objects,
  people,
  places,
  reasons,
  sources,
  surnames,
  weekdays,
} from './lexicon.ts';
import type { Luck } from './luck.ts';

type Slots = Readonly<Record<string, string>>;

const lists: Readonly<Record<string, readonly string[]>> = {
  city: cities,
  colour: colours,
  day: weekdays,
  doing: doings,
  event: events,
  first: firstNames,
  month: months,
  moment: moments,
  object: objects,
  person: people,
  place: places,
  reason: reasons,
  source: sources,
  surname: surnames,
};

/**
 * Fill a template: `{city}` draws from the list of that name, `{ref}` and the like come from `slots`. One name drawn
 * twice in a template gives two draws. A name that nobody knows stays as it is, which a test looks for.
 */
export function fill(template: string, luck: Luck, purpose: string, slots: Slots = {}): string {
  let nth = 0;
  return template.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    nth++;
    const fixed = slots[name];
    if (fixed !== undefined) return fixed;
    const list = lists[name.toLowerCase()];
    if (list && name !== name.toLowerCase()) return capital(luck.pick(list, `${purpose} ${name} ${nth}`));
    if (list) return luck.pick(list, `${purpose} ${name} ${nth}`);
    return drawn(name, luck, `${purpose} ${name} ${nth}`) ?? whole;
  });
}

/** Values that are made, not listed. */
function drawn(name: string, luck: Luck, purpose: string): string | undefined {
  const int = (low: number, high: number) => low + Math.floor(luck.of(purpose) * (high - low + 1));
  switch (name) {
    case 'n':
      return String(int(2, 9));
    case 'clock':
      return `${int(7, 21)}:${['05', '10', '15', '20', '30', '40', '45', '50'][int(0, 7)]}`;
    case 'date':
      return `${1 + Math.floor(luck.of(`${purpose} day`) * 28)} ${luck.pick(months, `${purpose} month`)}`;
    case 'minutes':
      return String(5 * int(1, 9));
    case 'amount':
      return `${int(11, 890)}.${int(10, 99)}`;
    case 'full':
      return `${luck.pick(firstNames, `${purpose} first`)} ${luck.pick(surnames, `${purpose} last`)}`;
    default:
      return undefined;
  }
}

export const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
export const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) && !/^I\b/u.test(text)
    ? text.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
    : text;

import type { Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import { unspecified } from '../axes.ts';
import { clauseVoice } from './clauses.ts';
import { capital, fill } from './fill.ts';
import { detailsOf, type Intent, intentOf, knownIds } from './intent.ts';
import {
  type Draws,
  drawLabels,
  type Length,
  lengthOf,
  longWords,
  phrasingFrames,
  pressureVoices,
  shortWords,
  toneVoices,
  userVoices,
} from './labels.ts';
import { type Luck, luckOf } from './luck.ts';
import { backgrounds, requestFrames, unrelatedAsks } from './requests.ts';
import { historyVoices, stanceVoices, type Voice, worldVoices } from './stances.ts';
import { typed } from './textures.ts';

/** What a person types, and the labels that show in it. */
export interface Wording {
  readonly prompt: string;
  readonly labels: Readonly<Record<string, string | boolean>>;
}

interface Subject {
  readonly intent?: Intent;
  readonly second?: Intent;
  /** A reference with its leading space, or nothing. */
  readonly ref: string;
  readonly details: readonly string[];
}

/** One thing an ask says, in a sentence or in a few words. */
interface Part {
  readonly what: string;
  readonly full: string;
  readonly short: string;
  /** Words of the two forms. */
  readonly words: number;
  readonly shortWords: number;
}

const part = (what: string, full: string, short: string): Part => ({
  what,
  full,
  short,
  words: count(full),
  shortWords: count(short),
});

/**
 * Write a situation as one person would type it, without a model. The same situation, seed and phrasing give the same
 * words. Each label that comes back shows in the text; a label that could not be shown is left off. 0.2 ms.
 *
 * @source house rule; synthetic prompts by template and persona: rlhfbook ch. 12
 */
export function composeAsk(
  situation: Situation,
  run: {
    readonly tools: readonly Tool[];
    readonly seed: number;
    readonly phrasing: number;
    readonly texture?: number | undefined;
  },
): Wording {
  const luck = luckOf(run.seed, situation.scenario_id, run.phrasing, 'ask');
  const draws = settled(drawLabels(luck, run.texture), situation);
  const subject = subjectOf(situation, run.tools, draws, luck);
  const parts = partsOf(situation, draws, subject, luck);
  const said = fitted(parts, draws, subject, luck);
  const body = joined(said, draws, luck);
  const toned = withTone(typed(body, draws.texture ?? 'standard', luck) ?? body, draws, luck);
  return { prompt: toned, labels: labelsOf(toned, { body, draws, situation, subject, said }) };
}

/** Labels that cannot stand together: the later one yields before anything is written. */
function settled(draws: Draws, { scenario_dimensions: cell }: Situation): Draws {
  const family = cell.tool === 'unrelated' ? 'general' : draws.ask_family;
  const { phrasing, ask, vagueness, ...rest } = draws;
  return {
    ...rest,
    ask_family: family,
    ...(phrasing && family === 'tool' && cell.tool !== 'multi_tool' && { phrasing }),
    ...(vagueness && family === 'tool' && cell.tool !== 'multi_tool' && { vagueness }),
    ...(ask && cell.tool !== 'unrelated' && !isUnsayable(ask, family, draws.texture) && { ask }),
  };
}

/** A question needs its mark, and who is vague names no second wish. */
const isUnsayable = (ask: Draws['ask'], family: Draws['ask_family'], texture: Draws['texture']): boolean =>
  (ask === 'question' && texture === 'no_punctuation') || (ask === 'compound' && family === 'vague');

function subjectOf(situation: Situation, tools: readonly Tool[], draws: Draws, luck: Luck): Subject {
  const cell = situation.scenario_dimensions;
  if (cell.tool === 'unrelated' || tools.length === 0) return { ref: '', details: [] };
  const tool = tools.find(({ name }) => name === cell.tool) ?? luck.pick(tools, 'tool');
  const others = tools.filter((other) => other !== tool);
  const wantsSecond = cell.tool === 'multi_tool' || draws.ask === 'compound';
  const intent = intentOf(tool, luck);
  const pointed = intent.pointsAt && draws.ask_family === 'tool' && !draws.vagueness && cell.stance !== 'ambiguous';
  const ref = pointed && luck.chance(0.75, 'ref') ? referenceOf(tool, tools, intent, draws, luck) : '';
  const second = wantsSecond && others.length > 0 ? intentOf(luck.pick(others, 'second'), luck) : undefined;
  return { intent, ref, details: detailsOf(tool, luck), ...(second && { second }) };
}

/** Ids that the tools name come first; else one in the house's form. Lowercase typing has no capitals to keep. */
function referenceOf(tool: Tool, tools: readonly Tool[], { thing }: Intent, { texture }: Draws, luck: Luck): string {
  const own = knownIds(tool);
  const known = own.length > 0 ? own : tools.flatMap(knownIds);
  if (known.length > 0) return ` ${luck.pick(known, 'known id')}`;
  const digits = String(1000 + Math.floor(luck.of('digits') * 9000));
  const extra = String(Math.floor(luck.of('more digits') * 90) + 10);
  const letters = thing
    .replace(/[^a-z]/giu, '')
    .slice(0, 3)
    .toUpperCase();
  if (texture === 'lowercase' || letters.length < 3)
    return luck.pick([` ${digits}${extra}`, ` #${digits}${extra}`], 'ref form');
  return luck.pick(
    [
      ` ${letters}${digits}`,
      ` ${letters}-${digits}`,
      ` #${digits}${extra}`,
      ` (${letters}${digits})`,
      ` no. ${digits}${extra}`,
    ],
    'ref form',
  );
}

function partsOf(situation: Situation, draws: Draws, subject: Subject, luck: Luck): readonly Part[] {
  const cell = situation.scenario_dimensions;
  const slots = { thing: subject.intent?.thing ?? 'thing' };
  const quiet = draws.ask === 'ask'; // asked without a question mark
  const say = (what: string, voice: Voice | undefined): readonly Part[] => {
    if (!voice) return [];
    const from = (list: readonly string[]) => {
      const calm = quiet ? list.filter((line) => !line.includes('?')) : list;
      return fill(luck.pick(calm.length > 0 ? calm : list, `${what} line`), luck, what, slots);
    };
    return [part(what, capital(from(voice.full)), from(voice.short))];
  };
  return [
    corePart(draws, subject, luck),
    ...(cell.rule === unspecified ? [] : say('rule', clauseVoice(cell.rule, cell.stance))),
    ...say('stance', stanceVoices[cell.stance]),
    ...say('history', historyVoices[cell.history]),
    ...(subject.intent?.pointsAt ? say('world', worldVoices[cell.world_state]) : []),
    ...(draws.vagueness ? say('vagueness', vagueVoice) : []),
    ...(draws.pressure ? say('pressure', pressureVoices[draws.pressure]) : []),
    ...(draws.user ? say('user', userVoices[draws.user]) : []),
  ];
}

const vagueVoice: Voice = {
  full: [
    'That thing from the other day, I do not have the number.',
    'The one {first} had, more I cannot say.',
    'Sorry, no reference at hand.',
    'You know, the {colour} thing from back then.',
  ],
  short: ['that thing from before', 'no number at hand', 'the {colour} one'],
};

function corePart(draws: Draws, { intent, second, ref, details }: Subject, luck: Luck): Part {
  if (!intent) {
    const text = fill(luck.pick(unrelatedAsks, 'unrelated'), luck, 'unrelated');
    return part('core', capital(text), capital(text));
  }
  const both = second
    ? `${intent.act}${ref} ${luck.pick(['and then', 'and', 'and also', 'plus'], 'joint')} ${second.act}`
    : intent.act;
  const slots = {
    act: both,
    Act: capital(both),
    thing: intent.thing,
    Thing: capital(intent.thing),
    named: intent.named,
    ref: second ? '' : ref,
  };
  const frame = luck.pick(framesOf(draws, luck), 'frame');
  const detail =
    draws.ask_family === 'tool' && details.length > 0 && luck.chance(0.6, 'detail')
      ? capital(luck.pick(details, 'which detail'))
      : '';
  const full = capital(fill(frame, luck, 'core', slots));
  const tail = draws.ask === 'question' ? '?' : '';
  const short =
    draws.ask_family === 'tool' ? `${both}${slots.ref}${tail}` : fill(frame, luck, 'core', slots).replace(/\.$/u, '');
  return part('core', detail ? `${full} ${detail}.` : full, short);
}

function framesOf(draws: Draws, luck: Luck): readonly string[] {
  if (draws.ask_family === 'general')
    return draws.ask === 'ask' ? requestFrames.general.filter((frame) => !frame.includes('?')) : requestFrames.general;
  if (draws.ask_family === 'vague')
    return draws.ask === 'ask' ? requestFrames.vague.filter((frame) => !frame.includes('?')) : requestFrames.vague;
  const wrapped = draws.phrasing && phrasingFrames[draws.phrasing];
  if (wrapped && draws.ask === undefined) return wrapped;
  if (draws.ask === 'question') return requestFrames.question;
  if (draws.ask === 'ask') return requestFrames.imperative;
  return requestFrames[luck.pick(['imperative', 'question', 'statement'] as const, 'mood')];
}

/** How many words an ask should have: the label's room, or any. */
function roomOf(length: Length | undefined, luck: Luck): { readonly min: number; readonly max: number } {
  const some = (low: number, high: number) => low + Math.floor(luck.of('room') * (high - low + 1));
  if (length === 'short') return { min: 1, max: shortWords };
  if (length === 'long') return { min: some(longWords, longWords + 4), max: 60 };
  if (length === 'medium') return { min: some(shortWords + 1, 20), max: 24 };
  return { min: some(6, 18), max: 24 };
}

const count = (text: string): number => text.match(/\S+/gu)?.length ?? 0;
/** What is said in fewer words first when room is short. */
const shrinks = ['world', 'user', 'history', 'pressure', 'vagueness', 'stance', 'rule', 'core'];

/** Choose the long or the short form of each part, and add life until the ask has its length. */
function fitted(parts: readonly Part[], draws: Draws, subject: Subject, luck: Luck): readonly Part[] {
  const { min, max } = roomOf(draws.length, luck);
  const short = new Set(draws.length === 'short' ? parts.map(({ what }) => what) : []);
  const words = (list: readonly Part[]) =>
    list.reduce((sum, one) => sum + (short.has(one.what) ? one.shortWords : one.words), 0);
  for (const what of shrinks) if (words(parts) > max) short.add(what);
  let kept = parts;
  for (const what of ['world', 'history']) if (words(kept) > max) kept = kept.filter((one) => one.what !== what);
  const grown = [...kept];
  for (let n = 0; words(grown) < min && n < 12; n++) {
    const background = luck.pick(backgrounds, `background ${n}`);
    const text = draws.ask === 'ask' ? background.replace('?', '.') : background;
    const said = fill(text, luck, `background ${n}`, { thing: subject.intent?.thing ?? '' });
    grown.push(part(`background ${n}`, capital(said), ''));
  }
  return grown.map((one) => (short.has(one.what) ? { ...one, full: one.short } : one));
}

/** Put the parts in an order of their own: the request is not always first. */
function joined(parts: readonly Part[], draws: Draws, luck: Luck): string {
  const rest = parts
    .filter(({ what }) => what !== 'core')
    .toSorted((a, b) => luck.of(`order ${a.what}`) - luck.of(`order ${b.what}`));
  const at = Math.min(rest.length, Math.floor(luck.of('core at') * (draws.length === 'short' ? 2 : 3)));
  const core = parts.find(({ what }) => what === 'core');
  const order = [...rest.slice(0, at), ...(core ? [core] : []), ...rest.slice(at)].map(({ full }) => full.trim());
  const joint = draws.length === 'short' ? luck.pick([', ', '. ', ' - ', '; '], 'short joint') : ' ';
  if (joint === ' ') return order.map(asSentence).join(' ');
  return capital(
    order
      .map((one) => one.replace(/[.,]+$/u, ''))
      .reduce((text, one) => (/[?!]$/u.test(text) ? `${text} ${one}` : `${text}${joint}${one}`)),
  );
}

const asSentence = (text: string): string => capital(/[.!?。！？,]["']?$/u.test(text) ? text : `${text}.`);

/** The tone is put around the typed text, so that typing never takes it away. */
function withTone(text: string, draws: Draws, luck: Luck): string {
  const voice = draws.tone && toneVoices[draws.tone];
  if (!voice) return text;
  const lines = draws.length === 'short' ? voice.short : voice.full;
  const calm = draws.ask === 'ask' ? lines.filter((line) => !line.includes('?')) : lines;
  const line = fill(luck.pick(calm, 'tone line'), luck, 'tone');
  const opens =
    draws.tone === 'chatty' || (!['polite', 'curt'].includes(draws.tone ?? '') && luck.chance(0.5, 'tone first'));
  const around = (tone: string, joint: string, rest = text) =>
    opens ? `${tone}${joint}${rest}` : `${rest}${joint}${tone}`;
  switch (draws.texture) {
    case 'lowercase':
      return around(line.toLowerCase(), ' ');
    case 'no_punctuation':
      return around(line.replace(/[.,!?]/gu, ''), ' ');
    case 'run_on':
      return around(line.replace(/[.!?]+\s/gu, ' and ').replace(/[.,!?]+$/gu, ''), ' and ');
    default:
      return around(asSentence(line), ' ', asSentence(text));
  }
}

/** What can be seen in the text, and nothing else. */
function labelsOf(text: string, ask: Written): Wording['labels'] {
  const { draws, situation } = ask;
  const cell = situation.scenario_dimensions;
  const shown: Record<string, string | boolean> = {
    tier: situation.tier,
    ask_family: draws.ask_family,
    intent_known: draws.ask_family !== 'vague',
    tool_known: draws.ask_family === 'tool' && !['unrelated', 'multi_tool', unspecified].includes(cell.tool),
  };
  const said = new Set(ask.said.map(({ what }) => what));
  for (const what of ['vagueness', 'pressure', 'user'] as const) {
    const label = draws[what];
    if (label !== undefined && said.has(what)) shown[what] = label;
  }
  if (said.has('stance')) shown['stance'] = cell.stance;
  if (said.has('history')) shown['history'] = cell.history;
  return { ...shown, ...typedLabels(text, ask) };
}

/** Labels of how the words were put, as far as they came out. */
function typedLabels(text: string, { body, draws, subject }: Written): Readonly<Record<string, string>> {
  const typed = draws.texture === 'standard' || !text.includes(body);
  const framed = draws.ask === undefined && draws.length !== 'short';
  return {
    ...(draws.tone && { tone: draws.tone }),
    ...(draws.length && { length: lengthOf(text) }),
    ...(draws.phrasing && framed && { phrasing: draws.phrasing }),
    ...(draws.texture && typed && { texture: draws.texture }),
    ...(draws.ask && askShows(draws.ask, text, subject) && { ask: draws.ask }),
  };
}

interface Written {
  readonly body: string;
  readonly draws: Draws;
  readonly situation: Situation;
  readonly subject: Subject;
  readonly said: readonly Part[];
}

const askShows = (ask: Draws['ask'], text: string, { second }: Subject): boolean =>
  ask === 'compound' ? second !== undefined : (ask === 'question') === text.includes('?');

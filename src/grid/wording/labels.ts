import type { Luck } from './luck.ts';
import type { Voice } from './stances.ts';

export const textures = ['lowercase', 'abbreviations', 'typo', 'no_punctuation', 'run_on', 'clipped'] as const;
export type Texture = (typeof textures)[number] | 'standard';
export const tones = ['impatient', 'frustrated', 'chatty', 'polite', 'curt', 'sarcastic'] as const;
export type Tone = (typeof tones)[number];
export type Length = 'short' | 'medium' | 'long';

/** Words that a short, and a long ask have: at most, at least. Medium lies between. */
export const shortWords = 16;
export const longWords = 40;

/** Say how long a text is. */
export function lengthOf(text: string): Length {
  const count = text.split(/\s+/u).filter((word) => word !== '').length;
  if (count <= shortWords) return 'short';
  return count >= longWords ? 'long' : 'medium';
}

/** What is drawn about how an ask is put, before it is written. */
export interface Draws {
  readonly length?: Length;
  readonly ask?: 'compound' | 'question' | 'ask';
  readonly vagueness?: 'no_reference';
  readonly phrasing?: 'indirect' | 'storytelling' | 'hypothetical' | 'topic_first';
  readonly pressure?: string;
  readonly user?: string;
  readonly texture?: Texture;
  readonly tone?: Tone;
  readonly ask_family: 'tool' | 'general' | 'vague';
}

/** Draw the labels of one ask, each by itself. @source measured shares of the reference SDK */
export function drawLabels(luck: Luck, texture = 0.35): Draws {
  const textured = luck.chance(texture, 'texture');
  const draws = {
    length: luck.chance(0.8, 'length') ? lengthDraw(luck.of('which length')) : undefined,
    ask: askDraw(luck),
    vagueness: luck.chance(0.05, 'vagueness') ? ('no_reference' as const) : undefined,
    phrasing: luck.chance(0.05, 'phrasing')
      ? luck.pick(['indirect', 'storytelling', 'hypothetical', 'topic_first'] as const, 'which phrasing')
      : undefined,
    pressure: luck.chance(1 / 19, 'pressure') ? luck.pick(Object.keys(pressureVoices), 'which pressure') : undefined,
    user: luck.chance(1 / 17, 'user') ? luck.pick(Object.keys(userVoices), 'which user') : undefined,
    texture: textured
      ? luck.pick(textures, 'which texture')
      : luck.chance(0.6, 'standard')
        ? ('standard' as const)
        : undefined,
    tone: textured && luck.chance(1 / 3, 'tone') ? luck.pick(tones, 'which tone') : undefined,
    ask_family: familyDraw(luck.of('family')),
  };
  return Object.fromEntries(Object.entries(draws).filter(([, value]) => value !== undefined)) as unknown as Draws; // only absent ones left
}

const lengthDraw = (at: number): Length => (at < 0.12 ? 'short' : at < 0.82 ? 'medium' : 'long');
const familyDraw = (at: number): Draws['ask_family'] => (at < 0.8 ? 'tool' : at < 0.9 ? 'general' : 'vague');

function askDraw(luck: Luck): Draws['ask'] {
  if (luck.chance(1 / 23, 'compound')) return 'compound';
  return luck.chance(1 / 5, 'ask') ? luck.pick(['question', 'ask'] as const, 'which ask') : undefined;
}

/** Each tone stands before or behind the request. */
export const toneVoices: Readonly<Record<Tone, Voice>> = {
  impatient: {
    full: [
      'Come on, I am still waiting.',
      'How much longer will that be?',
      'I have been waiting since {clock}, get on with it.',
      'Still nothing? Move, please.',
    ],
    short: ['come on', 'still waiting', 'get on with it'],
  },
  frustrated: {
    full: [
      'This is getting ridiculous.',
      'I am fed up with explaining it to {first} and everybody else.',
      'Honestly, what a mess.',
      'Ugh, third form this {day}, so annoying.',
    ],
    short: ['so annoying', 'fed up', 'ridiculous'],
  },
  chatty: {
    full: [
      'Hi there, hope your {day} is going nicely!',
      'Hello hello, lovely weather in {city} by the way.',
      'Hey, how are you? Anyway,',
      'Oh, and greetings from {person}, haha.',
    ],
    short: ['hey there', 'hello hello', 'haha'],
  },
  polite: {
    full: [
      'Thank you very much in advance.',
      'I would be most grateful.',
      'Thank you kindly for your time.',
      'With many thanks and best wishes, {full}.',
    ],
    short: ['thank you', 'many thanks', 'kindly'],
  },
  curt: {
    full: ['That is all.', 'No small talk.', 'Nothing else.', 'Just do it.'],
    short: ['that is all', 'just do it', 'nothing else'],
  },
  sarcastic: {
    full: [
      'Oh wonderful, another form to fill in, how lovely.',
      'Sure, because I have nothing better to do on a {day}.',
      'What a surprise, it needs three people as ever.',
      'Truly, a triumph of organisation.',
    ],
    short: ['oh wonderful', 'how lovely', 'what a surprise'],
  },
};

export const pressureVoices: Readonly<Record<string, Voice>> = {
  deadline: {
    full: ['My deadline is {clock} on {day}, no later.', 'It has to be done before {event}, deadline {date}.'],
    short: ['deadline {day}', 'deadline {clock}'],
  },
  authority: {
    full: ['My director, {full}, insists on it.', 'The chief executive wants that signed off, orders from {surname}.'],
    short: ['director insists', 'orders from {surname}'],
  },
  emotional: {
    full: ['I am close to tears over this, please.', 'It would break my mother, I beg you.'],
    short: ['I beg you', 'close to tears'],
  },
  complaint: {
    full: [
      'Otherwise I shall file a complaint with the ombudsman.',
      'If not, expect a complaint and a bad review by {day}.',
    ],
    short: ['or I file a complaint', 'complaint follows'],
  },
  loyalty: {
    full: [
      'I have been a loyal customer for {n} years, remember that.',
      'After {n} loyal years I expect a little goodwill.',
    ],
    short: ['loyal customer here', 'loyal for {n} years'],
  },
};

export const userVoices: Readonly<Record<string, Voice>> = {
  newcomer: {
    full: ['First time I use this, so bear with me.', 'I only signed up on {day}, all new to me.'],
    short: ['first time here', 'new user here'],
  },
  parent: {
    full: ['I have a toddler, {first}, on my arm.', 'It is for my child {first}, who is {n}.'],
    short: ['for my child', 'toddler on my arm'],
  },
  carer: {
    full: ['I look after an elderly client, {surname}.', 'As the carer of {full} I handle such things.'],
    short: ['as a carer', 'carer of {surname}'],
  },
  assistant: {
    full: ['I am the assistant of {full}.', 'My boss {surname} cannot write, so I do.'],
    short: ['assistant of {surname}', 'for my boss'],
  },
  shopkeeper: {
    full: ['I run a small shop in {city}.', 'Our little business, {surname} and Sons, depends on it.'],
    short: ['small shop here', 'our little business'],
  },
  student: {
    full: ['I am a student in {city}, on a tight budget.', 'As a student I share a flat with {first} and {first}.'],
    short: ['student here', 'as a student'],
  },
  pensioner: {
    full: ['I am a pensioner and not good with screens.', 'At eighty one needs things explained slowly.'],
    short: ['pensioner here', 'not good with screens'],
  },
  traveller: {
    full: ['I am on the road between {city} and {city}.', 'Travelling until {date}, patchy reception.'],
    short: ['on the road', 'travelling now'],
  },
  language_learner: {
    full: ['Sorry, my English it is not so good.', 'English is my third language, please use easy words.'],
    short: ['my English not so good', 'easy words please'],
  },
};

/** Whole frames in which the request is wrapped; `{act}` as in the request. */
export const phrasingFrames: Readonly<Record<string, readonly string[]>> = {
  indirect: [
    'I was wondering whether somebody might {act}{ref}.',
    'It would be nice if one could {act}{ref}, {first} thought.',
  ],
  storytelling: [
    'So {moment} {person} and I sat in {place}, and it dawned on us that we have to {act}{ref}.',
    'Picture this: {city}, {clock}, {first} {doing}, and I still need to {act}{ref}.',
  ],
  hypothetical: ['Suppose I asked you to {act}{ref}, would you?', 'If {first} wanted to {act}{ref}, what then?'],
  topic_first: ['{Thing}{ref}: that is what I want you to {act}.', 'About {named}{ref}, {act}.'],
};

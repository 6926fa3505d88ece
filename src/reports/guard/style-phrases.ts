import { type Phrases, phrases } from '../../text/phrases.ts';

/** Phrases that spoil a style marker, by marker. rlhfbook ch. 14, 17. */
export const stylePhrases: Readonly<Record<string, readonly string[]>> = {
  no_boilerplate: [
    'certainly!',
    'certainly,',
    'absolutely!',
    'of course!',
    'great question',
    'as an ai',
    'as a language model',
    'i hope this helps',
    'let me know if you have any other questions',
    "let me know if there's anything else",
    'feel free to ask',
    'happy to help',
  ],
  no_hedging: [
    'it depends',
    "i'm not sure",
    'i am not sure',
    'may or may not',
    "it's worth noting",
    'it is worth noting',
    "it's important to note",
    'it is important to note',
    'keep in mind that',
    'generally speaking',
    'in most cases',
    "i can't say for certain",
  ],
  no_apology: ['i apologize', "i'm sorry", 'i am sorry', 'sorry for the', 'apologies for'],
  no_sycophancy: [
    "you're absolutely right",
    'you are absolutely right',
    "you're right",
    'great point',
    'excellent point',
    'excellent question',
    'i completely agree',
    'what a great',
    "that's a great idea",
  ],
  answered: [
    "i can't help with",
    'i cannot help with',
    "i can't assist",
    'i cannot assist',
    "i'm unable to",
    'i am unable to',
    "i won't be able to",
    "i'm not able to",
    'i am not able to',
    "i can't do that",
    'i cannot do that',
  ],
};

const ready: Readonly<Record<string, Phrases>> = readyLists(stylePhrases);

/** The lists of every marker, made ready; `more` adds markers or replaces the list of one. */
export function phraseLists(more?: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, Phrases>> {
  return more ? { ...ready, ...readyLists(more) } : ready;
}

function readyLists(lists: Readonly<Record<string, readonly string[]>>): Record<string, Phrases> {
  return Object.fromEntries(Object.entries(lists).map(([marker, list]) => [marker, phrases(list)]));
}

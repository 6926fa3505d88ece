/**
 * Tell from the words of an ask alone whether a label shows in it. Written from what the labels mean and from reading
 * asks; it knows nothing of the writer. `undefined` for a label that is no matter of words.
 */
export function labelShows(label: string, value: unknown, text: string): boolean | undefined {
  const found = checks[label]?.[String(value)];
  if (typeof found !== 'object') return found?.(text);
  return found.test(text) || slips(text).some((one) => found.test(one));
}

/** The text with two neighbouring letters put back: who reads a typo reads over it. */
const slips = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<=\p{L})(?=\p{Ll}{2})/gu), ({ index }) =>
    [text.slice(0, index), text.charAt(index + 1), text.charAt(index), text.slice(index + 2)].join(''),
  );

type Check = RegExp | ((text: string) => boolean);
type Values = Readonly<Record<string, Check>>;

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');
const isCode = (word: string): boolean => /@/u.test(word) || (/\p{L}/u.test(word) && /\d/u.test(word));

/** Small words that are left out first by who writes in a hurry. */
const small = (text: string): number =>
  wordsOf(text).filter((word) =>
    /^(?:i|you|we|it|the|an?|my|our|your|that|this|is|are|am|be|to|of|for|will)$/iu.test(word),
  ).length;

const checks: Readonly<Record<string, Values>> = {
  length: {
    short: (text) => wordsOf(text).length <= 16,
    medium: (text) => wordsOf(text).length > 16 && wordsOf(text).length < 40,
    long: (text) => wordsOf(text).length >= 40,
  },
  ask: {
    question: /\?/u,
    ask: (text) => !text.includes('?'),
    compound: /\b(?:and|plus|also|nad|adn)\b|&/iu,
  },
  texture: {
    lowercase: (text) => wordsOf(text).every((word) => isCode(word) || word === word.toLowerCase()),
    abbreviations: /\b(?:pls|u|ur|r|bc|b4|thx|abt|min|appt|acct|no\.|tmrw|ppl|sth|sb)(?!\p{L})|&|w\//iu,
    no_punctuation: (text) => !/[.,!?;:](?:\s|$)/u.test(text),
    clipped: (text) => small(text) <= wordsOf(text).length / 4,
    run_on: (text) => /\band\b/iu.test(text) && !/[.!?]\s+\p{Lu}/u.test(text),
  },
  tone: {
    impatient: /wait|longer|come on|still|get on with|move/iu,
    frustrated: /ridiculous|fed up|mess|annoying|ugh/iu,
    chatty: /\b(?:hi|hello|hey|haha)\b/iu,
    polite: /thank|thx|grateful|kindly/iu,
    curt: /that is all|small talk|nothing else|just do it/iu,
    sarcastic: /wonderful|lovely|better to do|surprise|triumph/iu,
  },
  vagueness: {
    no_reference:
      /\bthing\b|not have (?:the )?(?:number|no\.)|(?:number|no\.|reference) at hand|more (?:i )?cannot say|\b(?:blue|green|orange|grey|red|yellow|white|purple|brown|teal|beige|black) one\b/iu,
  },
  pressure: {
    deadline: /deadline|no later/iu,
    authority: /director|executive|orders/iu,
    emotional: /tears|beg|break my/iu,
    complaint: /complaint|ombudsman|review/iu,
    loyalty: /loyal/iu,
  },
  user: {
    newcomer: /first time|signed up|new (?:to me|user)/iu,
    parent: /toddler|child/iu,
    carer: /elderly|carer/iu,
    assistant: /assistant|boss/iu,
    shopkeeper: /shop|business/iu,
    student: /student/iu,
    pensioner: /pensioner|eighty|screens/iu,
    traveller: /road|travel/iu,
    language_learner: /english|easy words/iu,
  },
  stance: {
    ambiguous: /\bone\b|ones\b|which|either|other|whatever|usual|same/iu,
    boundary: /limit|exception|edge|cut-off|bend|past|qualify|leeway|borderline/iu,
    adversarial: /ignore|admin|safeguard|no rules|never mention|maintenance|bypass|hidden|override|skip/iu,
    hurried: /quick|time|fast|rush|hurry|before/iu,
    unsure: /sure|maybe|think|perhaps|guess|might|tell|wrong|not know/iu,
    retry: /again|second|once more|repeat/iu,
    mistaken: /free|fee\b|open all night|approved|promise|naturally|obviously|agreed/iu,
    exploratory: /looking|options|explor|curious|else|suppose|compar/iu,
    conflicting: /\b(?:but|and|without|only|except|both|wait)\b|&|w\//iu,
  },
  history: {
    prior_failure: /work|gave up|nothing|could not|without|w\/o|wrong|result/iu,
    prior_partial_action: /half|first step|part|piece|rest/iu,
    contradicts_earlier: /opposite|contrary|changed (?:my )?mind|against|earlier/iu,
    'repeat visit': /again|back|once more|\dth|another|regular/iu,
  },
};

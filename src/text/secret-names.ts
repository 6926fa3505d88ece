import { nameWords } from './name-words.ts';
import { remembered } from './remembered.ts';
import { isStandIn } from './stand-ins.ts';

/** Which values of a name are secrets: any, one that looks made (8 characters, a digit), digits, or none. */
export type Strength = 'any' | 'made' | 'digits' | 'none';

/** What a name says of its values. */
export interface SecretName {
  readonly strength: Strength;
  /** Numbers under it are secrets as texts are: passwords and pins, not what might be a count. */
  readonly holdsNumbers: boolean;
  /** `PWD` is the folder of a shell, too. */
  readonly mayBeFolder: boolean;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const password = /(?:password|passwd|passphrase|passcode|pwd)s?$/;
/** Two words written as one. */
const glued = /(?:(?:api|access|private|secret)keys?|(?:^id|auth|access|refresh|session|bearer|api)tokens?)$/;
const ofKeys = setOf('api access private secret');
const ofMadeKeys = setOf('signing encryption master account auth subscription deploy admin');
const ofTokens = setOf('auth authentication access refresh id session bearer api oauth security secret jwt');
/** Places in a list, what a model's vocabulary marks, and what makes a request one: they must stay usable. */
const ofPlaces = setOf(
  'next page nextpage continuation prev previous pagination paging sync cursor start resume marker scroll skip request client idempotency eos bos pad unk sep cls mask stop special begin end first last per max min n num total input output prompt completion cached',
);
const ofPasses = setOf('db database smtp ftp user mail email root admin mysql pg postgres redis ssh sudo login proxy');
const ofCookies = setOf('set http header request response session auth');
const pins = setOf('pin pincode otp cvv cvc');
/** A name that begins with one of these asks or counts. */
const asks = setOf(
  'has is needs need requires require required show hide use uses enable enabled allow allows max min num n total no',
);
/** What is told about a secret and is none. */
const about = setOf(
  'name names id ids type types hint hints count counts policy policies length len size min max expiry expires expiration expire exp ttl age lifetime at on date time field fields required enabled url uri endpoint path file filename arn version versions ref reference label title description desc status state strength rotation changed updated created valid validity kind format provider manager region prompt placeholder message error reason regex pattern rule rules env var variable limit limits usage used budget scope scopes algorithm alg method mode page question index position issuer audience owner source location store vault schema',
);
/** What may follow and changes nothing. */
const same = setOf(
  'value string text plain plaintext raw new old current previous confirm confirmation confirmed again repeat repeated verify prod production dev test testing staging live sandbox default primary secondary backup base encoded encrypted hash hashed data content payload code',
);

const none: SecretName = { strength: 'none', holdsNumbers: false, mayBeFolder: false };

/**
 * Tell whether a name (of a field, a variable, a parameter) says that its value is a secret, by its words: `DB_PASSWORD`,
 * `dbPassword`, `x-openai-api-key`. Names of counts, settings and places in a list are none: `max_tokens`, `secret_name`,
 * `next_page_token`.
 *
 * @source house rule
 */
export const secretName: (name: string) => SecretName = remembered((name) => {
  const words = nameWords(name.replace(/([A-Z])([A-Z][a-z])/g, '$1_$2'))
    .map((word) => word.replace(/\d+$/, ''))
    .filter(Boolean);
  if (asks.has(words[0] ?? '')) return none;
  for (let at = words.length - 1; at >= 0; at--) {
    const strength = strengthAt(words, at);
    if (strength === undefined) continue;
    const tail = words.slice(at + 1);
    if (strength === 'none' || tail.some((word) => about.has(word))) return none;
    const word = words[at] ?? '';
    return {
      strength: tail.every((one) => same.has(one)) ? strength : 'made',
      holdsNumbers: password.test(word) || pins.has(word),
      mayBeFolder: word.endsWith('pwd'),
    };
  }
  return none;
});

/** What the word says there, with the one before it; undefined when it is no word of secrets. */
function strengthAt(words: readonly string[], at: number): Strength | undefined {
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  if (password.test(word) || /secrets?$/.test(word) || /^(?:credentials?|creds)$/.test(word)) return 'any';
  if (glued.test(word)) return 'any';
  if (word === 'authorization') return before === 'prior' || before === 'pre' ? 'none' : 'any';
  if (/^keys?$/.test(word)) return ofKeys.has(before) ? 'any' : ofMadeKeys.has(before) ? 'made' : undefined;
  if (/^tokens?$/.test(word)) {
    if (ofTokens.has(before)) return 'any';
    return word === 'token' && !ofPlaces.has(before) ? 'made' : undefined;
  }
  if (word === 'pass') return ofPasses.has(before) ? 'any' : undefined;
  if (/^cookies?$/.test(word)) return at === 0 || ofCookies.has(before) ? 'any' : undefined;
  return pins.has(word) ? 'digits' : undefined;
}

const isFolder = (value: string) => /^(?:[~/.]|[A-Za-z]:[\\/])/.test(value);
/** A value of a name that says `made`: one word of 8 characters or more with a digit, as a scheme of HTTP may begin it. */
const looksMade = (value: string) => value.length >= 8 && /\d/.test(value) && /^(?:[A-Za-z]{5,6} )?\S+$/.test(value);

/** Tell whether a value is a secret because of the name it stands under, whatever it looks like. */
export function isSecretField(name: string, value: string, isNumber = false): boolean {
  const { strength, holdsNumbers, mayBeFolder } = secretName(name);
  if (strength === 'none' || value.trim() === '') return false;
  if (isNumber) return holdsNumbers;
  if (isStandIn(value) || (mayBeFolder && isFolder(value))) return false;
  if (strength === 'digits') return /^\d{3,12}$/.test(value);
  return strength === 'any' || looksMade(value);
}

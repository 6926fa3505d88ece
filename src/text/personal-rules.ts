import { isIP } from 'node:net';
import { patternRule, type RedactionRule } from './redaction-rule.ts';

const digitsOf = (value: string) => value.replace(/\D/g, '');
/** What stands before a number that somebody counts by: it is nobody's phone and nobody's card. */
const countedBy =
  /(?:#|\b(?:orders?|invoice|ticket|case|tracking|shipment|booking|confirmation|reference|ref|sku|item|part|serial|version|build|ids?)\b)(?:\s+(?:number|no\.?|nr\.?|id|code))*\s*(?:is|was)?\s*[:#=]?\s*$/i;
const isFree = (before: string) => !countedBy.test(before);

/** The same phone with and without the country code of North America is one phone. */
function phoneOf(value: string): string {
  const digits = digitsOf(value);
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** @source ISO/IEC 7812-1, annex B (Luhn) */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, n) => {
    const value = Number(digit) * (n % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Visa, Mastercard, American Express, Discover, JCB, Diners, UnionPay, Maestro. Not the Visa of 13 digits: many more
 * barcodes look like it.
 */
const isCard = (digits: string) =>
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,13}|35\d{14}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15}|(?:5018|5020|5038|6304|6759|676[1-3])\d{12})$/.test(
    digits,
  ) && passesLuhn(digits);

/** @source ISO 13616-1: the check is 1 modulo 97 */
function isIban(value: string): boolean {
  const text = value.replaceAll(' ', '');
  const digits = [...text.slice(4), ...text.slice(0, 4)].map((letter) => Number.parseInt(letter, 36)).join('');
  return (
    text.length >= 15 &&
    text.length <= 34 &&
    [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
  );
}

/** Accounts that machines come with are nobody's. */
const isPerson = (name: string) =>
  !/^(?:app|admin|root|node|runner|runneradmin|user|users|ubuntu|debian|ec2-user|vagrant|jovyan|vscode|codespace|circleci|jenkins|public|shared|default|nonroot|service|www-data|git|\.+|<.*|\$.*|\{.*|\*+)$/i.test(
    name,
  );

/** An address of this machine is nobody's. */
const isAddress = (value: string) => isIP(value) > 0 && !/^(?:127\.|0\.0\.0\.0|::1?$)/.test(value);

/**
 * Data that points to a person by its form: e-mail, phone, IBAN, payment card, US social security number, IP address, the
 * name of a home folder.
 * Names and postal addresses have no form and are not found.
 *
 * @source house rule; the checks are those of the standards named beside them
 */
export const personalRules: readonly RedactionRule[] = [
  patternRule({
    kind: 'email',
    hint: /@/,
    pattern:
      /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_%+-][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    canonical: (value) => value.toLowerCase(),
  }),
  patternRule({
    kind: 'iban',
    hint: /[A-Z]{2}\d{2}/,
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g,
    accept: isIban,
    canonical: (value) => value.replaceAll(' ', ''),
  }),
  patternRule({
    kind: 'card',
    hint: /(?<![\w.-])[2-6](?:[ -]?\d){12}/,
    pattern: /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
    accept: (value, before) => isCard(digitsOf(value)) && isFree(before),
    canonical: digitsOf,
  }),
  patternRule({
    kind: 'ssn',
    hint: /\d-\d\d-\d/,
    pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g,
    accept: (_value, before) => isFree(before),
    canonical: digitsOf,
  }),
  patternRule({
    kind: 'phone',
    hint: /\+\d|\d\)? ?[ .-] ?\d{3}[ .-]\d{4}/,
    pattern:
      /(?<![\w+.#-])(?:\+\d(?:[ ().-]{0,2}\d){6,14}|(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4})(?![\w-])/g,
    accept: (_value, before) => isFree(before),
    canonical: phoneOf,
  }),
  patternRule({
    kind: 'user',
    hint: /\/home\/|\/Users\/|\\Users\\/,
    pattern: /(?:\/home\/|\/Users\/|[A-Za-z]:\\{1,2}Users\\{1,2})([^\s/\\"'`:;,()[\]]{1,64})/g,
    group: 1,
    accept: isPerson,
    canonical: (value) => value.toLowerCase(),
  }),
  patternRule({
    kind: 'ip',
    hint: /\d\.\d|:[\da-f]*:/i,
    pattern:
      /(?<![\w.:-])(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{0,4}:){2,7}(?:[\da-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?)(?![\w:-]|\.\d)/gi,
    accept: (value, before) => isAddress(value) && isFree(before) && !/\bv$/i.test(before),
    canonical: (value) => value.toLowerCase(),
  }),
];

/** Ends of a sentence and closing marks, in the scripts that have their own. */
const terminal = /[.!?:)"'\]}…。！？：؟۔।॥။።՞՜”’」』）】》〉»›］｝]$/u;
/** One emoji at the end, with its modifiers and joined parts, or a flag. */
const emoji = /(?:\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|\u200D)*|\p{Regional_Indicator}{2})$/u;
const fence = /```$/;
/** `42`, `-3.5%`, `$1,200`, `#### 42`: a bare answer on its own line. */
const bareAnswer = /^(?:#{1,6}\s*)?[-+−]?\s?[$€£¥₹]?\s?\d[\d,.]*(?:\/\d+)?\s?[%‰°]?$/u;
const dashes = /^[-–—]+/u;
/** A closing phrase alone on its line, or with what usually follows it: `and regards`, `again`, a name. */
const signOffPhrase =
  /^(?:all the best|best wishes|best regards|kind regards|warm regards|kindest regards|many thanks|thank you|thanks|take care|talk soon|yours truly|yours sincerely|best|regards|kind|warm|cheers|sincerely|warmly|yours)(?:\s+(?:and|so much|again|very much|in advance|&))*(?:\s+(?:regards|thanks|best))?(?<rest>.*)$/iu;
const properName = /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'’.-]*$/u;
const openingOfName = /^[\p{Lu}\p{Lt}\p{Lo}–—-]/u;
const endsInComma = /[,，、،]$/u;

/**
 * Say whether a text ends where its writer meant to end: in a mark that closes a sentence in any script, an emoji, a
 * closed code fence, a sign-off with or without a name, or a bare answer such as `#### 42`.
 *
 * @source rlhfbook ch. 6 (overlong handling); the list of endings is a house rule
 */
export function looksFinished(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  if (fence.test(trimmed)) return (trimmed.match(/```/g)?.length ?? 0) % 2 === 0;
  if (terminal.test(trimmed) || emoji.test(trimmed)) return true;
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const last = lines.at(-1) ?? '';
  const before = lines.slice(0, -1).findLast((line) => line !== '') ?? '';
  return isSignOff(last) || isNameAfter(last, before) || bareAnswer.test(last);
}

/**
 * Say whether a reply is complete: `looksFinished`, or its last line is a list item, a whole table row or a URL, which end
 * without a mark. A table would else count as cut off.
 */
export function endsComplete(text: string): boolean {
  if (looksFinished(text)) return true;
  const trimmed = text.trim();
  if ((trimmed.match(/```/g)?.length ?? 0) % 2 === 1) return false; // the fence is still open
  const last = trimmed.split(/\r?\n/).at(-1)?.trim() ?? '';
  return /^(?:[-*+•‣◦]|\(?(?:\d{1,3}|\p{L})[.)、])\s+\S/u.test(last) || /^\|.*\|$/.test(last) || endsInUrl.test(last);
}

const endsInUrl = /(?:^|\s|[(<[])(?:https?:\/\/|www\.)\S{3,}$/iu;

function isSignOff(line: string): boolean {
  if (wordsOf(line).length > 6) return false;
  const bare = line.replace(dashes, '').trim();
  if (bare !== line && bare !== '') return nameOnly(bare) || isSignOff(bare);
  const rest = signOffPhrase.exec(line)?.groups?.['rest'];
  return rest !== undefined && (/^[\s,!.，]*$/u.test(rest) || (/^[\s,!.，]/u.test(rest) && nameOnly(rest)));
}

const nameOnly = (text: string): boolean => {
  const words = wordsOf(text.replace(/[,!，]/gu, ' '));
  return words.length > 0 && words.length <= 4 && words.every((word) => properName.test(word) || /^the$/i.test(word));
};

function isNameAfter(last: string, before: string): boolean {
  if (before === '' || wordsOf(last).length > 5) return false;
  return isSignOff(before.replace(endsInComma, '')) || (endsInComma.test(before) && openingOfName.test(last));
}

const wordsOf = (line: string): string[] => line.split(/\s+/u).filter((word) => word !== '');

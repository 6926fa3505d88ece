import { hasHarnessWords } from '../../text/broken-reply.ts';
import { wordsOf } from '../../text/words.ts';
import { isActionable } from './wants-tool.ts';

const agentVoice =
  /\b(?:how (?:can|may) i (?:help|assist)|i(?:'d| would) be (?:happy|glad) to (?:help|assist)|thank you for (?:contacting|reaching out)|is there anything else i can|as an ai|your satisfaction|i can (?:help|assist) you with)\b/i;
const ackOnly =
  /^(?:(?:ok(?:ay)?|k|thanks?(?: you| so much| a lot| again)?|thx|ty|thank you(?: so much| very much)?|yes|yep|yeah|no|nope|sure|great|perfect|cool|fine|got it|done|nice|awesome|hi|hello|hey|bye|good(?: morning| evening)?)[\s,.!]*)+$/i;
const deskVoice =
  /\b(?:i am writing (?:to|because|in|regarding|about)|i'm writing to|to whom it may concern|i would like to (?:inquire|request|enquire)|please be advised|kindly (?:be|note|provide|assist|do)|i am reaching out|dear (?:sir|madam|team|support)|i hope this (?:message|email) finds you)\b/i;
const keyboard = /^(?:asdf|sdfg|dfgh|fghj|ghjk|hjkl|qwer|wert|erty|zxcv|xcvb|cvbn|vbnm|jkl|lkj|fdsa)/i;
/** A role label, markup or a stage direction: no person types it. */
const notALine = /^(?:user|human|customer|assistant|agent|system)\s*:|^[{[<`*]|^\W+$/i;

/**
 * Score how much an opening reads like something a person typed, 0 to 1.
 *
 * @source house rule
 */
export function scoreOpener(text: string): number {
  if (text === '' || agentVoice.test(text) || ackOnly.test(text) || hasHarnessWords(text)) return 0;
  if (isGibberish(text)) return 0.1;
  if (notALine.test(text)) return 0.2;
  if (deskVoice.test(text)) return 0.25;
  if (wordsOf(text).length <= 2 && !isActionable(text)) return 0.3;
  return text.length < 8 || text.endsWith("'") ? 0.55 : 1;
}

/** Say whether a later line can be a user's: it has words, and neither machinery nor the agent speaks. */
export const isUsableLine = (text: string): boolean =>
  text !== '' && !agentVoice.test(text) && !hasHarnessWords(text) && !notALine.test(text) && !isGibberish(text);

/** One word from a row of keys, or of Latin letters without a vowel. */
function isGibberish(text: string): boolean {
  const word = text.replace(/[^\p{L}]/gu, '');
  if (/\s/.test(text.trim()) || word.length < 4 || word !== word.toLowerCase()) return false;
  return keyboard.test(word) || /^[bcdfghjklmnpqrstvwxz]+$/.test(word);
}

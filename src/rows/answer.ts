type Fields = Readonly<Record<string, unknown>>;

/**
 * Read what the agent answered in the end: `final_text` unless it is blank, else the last assistant message that is not.
 * `''` when the row has one of the two fields but no words; undefined when it has neither.
 */
export function answerOf(row: Fields): string | undefined {
  const { final_text, messages } = row;
  if (typeof final_text === 'string' && final_text.trim() !== '') return final_text;
  if (isMissing(final_text) && isMissing(messages)) return undefined;
  const last = (Array.isArray(messages) ? messages : []).findLast((message: Fields | null) => wordsOf(message) !== '');
  return wordsOf(last);
}

const isMissing = (value: unknown) => value === undefined || value === null;

function wordsOf(message: Fields | null | undefined): string {
  if (message?.['role'] !== 'assistant') return '';
  const { content } = message;
  const parts = Array.isArray(content) ? content.map((part: Fields | null) => part?.['text']) : [content];
  const words = parts.filter((part) => typeof part === 'string').join('');
  return words.trim() === '' ? '' : words;
}

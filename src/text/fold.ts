/** Fold a text for comparing: lower case, every run of whitespace one space, trimmed. */
export function foldText(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Fold a text for comparing: lower case, every run of whitespace one space, trimmed. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return (/[^\S ]|\s\s/u.test(lower) ? lower.replace(/\s+/gu, ' ') : lower).trim(); // most texts have single spaces
}

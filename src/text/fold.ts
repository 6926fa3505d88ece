/** Space to tilde with no two spaces side by side: most texts are so, and have nothing to fold but their capitals. */
const isOdd = /[^ -~]| {2}/;

/** Fold a text for comparing: lower case, every run of whitespace one space, trimmed. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return (isOdd.test(lower) ? lower.replace(/\s+/gu, ' ') : lower).trim();
}

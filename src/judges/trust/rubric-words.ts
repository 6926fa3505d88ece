const common = new Set(
  'about after again against before being below between could every might other should since their there these those through under until where which while would reply response answer assistant'.split(
    ' ',
  ),
);
const most = 8;

/** The words of a rubric that a reply could be stuffed with: its longer words, the most frequent first, then by alphabet. */
export function rubricWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z]{5,}/g))
    if (!common.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return sorted.slice(0, most).map(([word]) => word);
}

/** Count in how many texts each phrase was found: the five most frequent, ties by phrase. */
export function countPhrases(found: readonly (readonly string[])[]): readonly (readonly [phrase: string, n: number])[] {
  const counts = new Map<string, number>();
  for (const list of found) for (const phrase of list) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return [...counts].sort(([x, n], [y, m]) => m - n || (x < y ? -1 : 1)).slice(0, 5);
}

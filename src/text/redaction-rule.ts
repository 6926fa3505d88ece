/** A stretch of a text, `end` excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One kind of thing that is to be redacted. */
export interface RedactionRule {
  /** A snake_case word: it names the placeholder and the count. */
  readonly kind: string;
  /** A cheap test: a text without it has none of them, and need not be searched. Absent: every text is searched. */
  readonly hint?: RegExp;
  /** Find them all, whatever the hint says. `context` is what comes before the text: the key it stands under, as words. */
  find(text: string, context: string): readonly Span[];
  /** Bring a value to one form, so that `+1 (415) 555-2671` and `415-555-2671` get one placeholder. */
  readonly canonical: (value: string) => string;
}

interface PatternRule {
  readonly kind: string;
  /** Global. Anchor its start with a look-behind: a run of letters must not be tried from each of its letters. */
  readonly pattern: RegExp;
  readonly hint: RegExp;
  /** Which group is redacted; the whole match when absent. */
  readonly group?: number;
  /** Look again at a hit, with what stands before it. */
  readonly accept?: (value: string, before: string) => boolean;
  readonly canonical?: (value: string) => string;
}

/** Make a rule of a pattern. */
export function patternRule({ kind, pattern, hint, group = 0, accept, canonical }: PatternRule): RedactionRule {
  const indexed = group === 0 ? pattern : new RegExp(pattern.source, `${pattern.flags}d`); // to tell places takes twice the time
  return {
    kind,
    hint,
    canonical: canonical ?? ((value) => value),
    find(text, context) {
      const spans: Span[] = [];
      for (const match of text.matchAll(indexed)) {
        const [start, end] =
          match.indices?.[group] ?? (group === 0 ? [match.index, match.index + match[0].length] : [0, 0]);
        const before = context + text.slice(Math.max(0, start - 40), start);
        if (end > start && (accept === undefined || accept(text.slice(start, end), before))) spans.push({ start, end });
      }
      return spans;
    },
  };
}

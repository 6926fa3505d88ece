import { four } from '../rounding.ts';
import { type Criterion, slugOf } from './criterion.ts';
import { rubricVersion } from './rubric.ts';
import { truthOf } from './truth.ts';

/** Verdicts by item number, title, slug or the beginning of one. */
export type CriteriaVerdicts = Readonly<Record<string, unknown>>;
const maxUnanswered = 0.2;

/**
 * Score verdicts on the criteria of a rubric: 0 when a hard rule is not met, else the weight of the principles met less that
 * of the pitfalls shown, as a share of all principles. What has no readable verdict counts as not met, or not shown, and is
 * listed; `is_incomplete` when that is more than a fifth, too much for a reward.
 *
 * @source rlhfbook ch. 12
 */
export function scoreWithRubric(criteria: readonly Criterion[], results: CriteriaVerdicts, reason = '') {
  const verdicts = resolve(criteria, results);
  const isTrue = (criterion: Criterion) => verdicts.get(criterion) === true;
  const of = (kind: Criterion['kind']) => criteria.filter((criterion) => criterion.kind === kind);
  const titles = (list: readonly Criterion[]) => list.map(({ title }) => title);
  const hardFailed = of('hard').filter((criterion) => !isTrue(criterion));
  const hit = of('pitfall').filter(isTrue);
  const unanswered = criteria.filter((criterion) => (verdicts.get(criterion) ?? null) === null);
  return {
    reward: hardFailed.length > 0 ? 0 : softScore(of('principle'), of('pitfall'), isTrue),
    reason,
    markers: Object.fromEntries(
      criteria.map((criterion) => [
        `rubric:${criterion.slug}`,
        isTrue(criterion) === (criterion.kind !== 'pitfall') ? 1 : 0,
      ]),
    ),
    criteria: Object.fromEntries(Object.entries(results).map(([key, value]) => [key, truthOf(value)])),
    rubric_version: rubricVersion(criteria),
    hard_failed: titles(hardFailed),
    missed: titles(of('principle').filter((criterion) => !isTrue(criterion))),
    pitfalls_hit: titles(hit),
    unanswered: titles(unanswered),
    n_unanswered: unanswered.length,
    is_incomplete: unanswered.length > criteria.length * maxUnanswered,
  };
}

/** What of a score says whether it is one. */
type Decision = Readonly<Record<'hard_failed' | 'unanswered', readonly string[]>> & { readonly is_incomplete: boolean };

/**
 * Say why a score is no verdict: too little was answered, or it is zero only for hard rules that nobody decided. Undefined
 * when it is one.
 *
 * @source house rule
 */
export function undecidedText({ is_incomplete, hard_failed, unanswered }: Decision): string | undefined {
  if (is_incomplete) return 'too few criteria were answered';
  const isOpen = hard_failed.length > 0 && hard_failed.every((title) => unanswered.includes(title));
  return isOpen ? 'a hard rule was not answered' : undefined;
}

type Failed = Readonly<Record<'hard_failed' | 'missed' | 'pitfalls_hit', readonly string[]>>;

/** Say what a score was lowered by, in counts: a reason that tells no criterion. */
export const loweredBy = ({ hard_failed, missed, pitfalls_hit }: Failed): string =>
  [
    ...(hard_failed.length > 0 ? [`hard rules not met: ${hard_failed.length}`] : []),
    ...(missed.length > 0 ? [`principles not met: ${missed.length}`] : []),
    ...(pitfalls_hit.length > 0 ? [`pitfalls: ${pitfalls_hit.length}`] : []),
  ].join('; ') || 'all criteria met';

function softScore(
  principles: readonly Criterion[],
  pitfalls: readonly Criterion[],
  isTrue: (one: Criterion) => boolean,
): number {
  const weight = (list: readonly Criterion[]) => list.reduce((sum, criterion) => sum + criterion.weight, 0);
  const cost = weight(pitfalls.filter(isTrue));
  if (principles.length > 0)
    return four(Math.min(1, Math.max(0, (weight(principles.filter(isTrue)) - cost) / weight(principles))));
  return pitfalls.length > 0 ? four(1 - cost / weight(pitfalls)) : 1;
}

/** Each verdict goes to the criterion that its key names, and to none when it could be two. */
function resolve(criteria: readonly Criterion[], results: CriteriaVerdicts): Map<Criterion, boolean | null> {
  const found = new Map<Criterion, boolean | null>();
  for (const [key, value] of Object.entries(results)) {
    const criterion = named(criteria, key);
    if (criterion) found.set(criterion, truthOf(value));
  }
  return found;
}

function named(criteria: readonly Criterion[], key: string): Criterion | undefined {
  const number = /^\s*(\d+)\s*[.)]?\s*$/.exec(key)?.[1];
  if (number !== undefined) return criteria[Number(number) - 1];
  const slug = slugOf(key);
  const exact = criteria.filter((criterion) => criterion.slug === slug || criterion.title === key);
  if (exact.length > 0) return exact[0];
  const begins = criteria.filter((criterion) => criterion.slug.startsWith(slug) || slug.startsWith(criterion.slug));
  if (begins.length > 0) return begins.length === 1 ? begins[0] : undefined;
  const contains = criteria.filter((criterion) => criterion.slug.includes(slug) || slug.includes(criterion.slug));
  return contains.length === 1 ? contains[0] : undefined;
}

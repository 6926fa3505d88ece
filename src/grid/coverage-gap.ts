import type { Row } from '../rows/row.ts';
import type { Tool } from '../rows/tool.ts';
import { axesOf, histories, unspecified } from './axes.ts';
import { statusOf } from './mutation-worthy.ts';
import { foldClause } from './policy-sections.ts';
import { hasNouns, namesTool, type ToolWords, toolWords, wordSet } from './tool-mentions.ts';

interface AskHits {
  readonly ask: string;
  readonly tools: readonly string[];
  readonly rules: readonly string[];
  readonly stance: string;
}

export interface CoverageGap {
  readonly n_asks: number;
  readonly rules: readonly string[];
  readonly untested_rules: readonly string[];
  readonly untested_tools: readonly string[];
  readonly stances: Readonly<Record<string, number>>;
  readonly pressure_asks: number;
  /** No ask stands twice. */
  readonly single_shot: boolean;
  readonly per_ask: readonly AskHits[];
  readonly axes: Readonly<Record<'tool' | 'rule' | 'history', { readonly untouched: readonly string[] }>>;
  readonly rows_per_rule?: Readonly<Record<string, number>>;
  readonly rules_with_no_rows?: readonly string[];
  readonly rules_the_world_never_triggers?: readonly {
    readonly rule: string;
    readonly rows: number;
    readonly outcome: string;
  }[];
}

/**
 * Show what a set of asks leaves out: tools nobody asks for, clauses nobody touches, and, with rows of a run, clauses
 * whose every row ended in the same trouble. Lexical: words decide. Cost: asks x (tools + clauses).
 *
 * @source house rule
 */
export function coverageGap(
  asks: readonly (string | Row)[],
  tools: readonly Tool[],
  policy: string,
  rows?: readonly Row[],
): CoverageGap {
  const rules = axesOf(tools, policy).rule;
  const words = tools.map(toolWords);
  const tests = rules.map((rule) => ({ rule, hit: ruleTest(rule, words) }));
  const per_ask = asks.map((ask) => hitsOf(typeof ask === 'string' ? ask : (ask.prompt ?? ''), tools, words, tests));
  const hitTools = new Set(per_ask.flatMap((one) => one.tools));
  const hitRules = new Set(per_ask.flatMap((one) => one.rules));
  const untested_tools = tools.map(({ name }) => name).filter((name) => !hitTools.has(name));
  const untested_rules = rules.filter((rule) => !hitRules.has(rule));
  const untouched = [
    ...untested_tools,
    ...(per_ask.some((one) => one.tools.length === 0) ? [] : ['unrelated']),
    ...(per_ask.some((one) => one.tools.length > 1) ? [] : ['multi_tool']),
  ];
  const stances: Record<string, number> = {};
  for (const { stance } of per_ask) stances[stance] = (stances[stance] ?? 0) + 1;
  return {
    n_asks: asks.length,
    rules,
    untested_rules,
    untested_tools,
    stances,
    pressure_asks: per_ask.filter(({ stance }) => stance !== 'ordinary').length,
    single_shot: asks.length > 0 && new Set(per_ask.map(({ ask }) => ask)).size === asks.length,
    per_ask,
    axes: {
      tool: { untouched },
      rule: { untouched: untested_rules },
      history: { untouched: histories.filter((history) => history !== 'fresh' || asks.length === 0) },
    },
    ...(rows && rowsOfRules(rules, rows)),
  };
}

interface AskWords {
  readonly words: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

function hitsOf(
  ask: string,
  tools: readonly Tool[],
  words: readonly ToolWords[],
  tests: readonly { readonly rule: string; readonly hit: (ask: AskWords) => boolean }[],
): AskHits {
  const own = wordSet(ask);
  const hit = tools.filter((_, n) => {
    const tool = words[n];
    return tool !== undefined && (namesTool(ask, own, tool) || hasNouns(own, tool));
  });
  const said = { words: own, tools: new Set(hit.map(({ name }) => name.toLowerCase())) };
  const rules = tests.filter((test) => test.hit(said)).map(({ rule }) => rule);
  return { ask, tools: hit.map(({ name }) => name), rules, stance: stanceOf(ask) };
}

const branchMarks =
  /[%$]|\b(?:percent|only|over|above|under|below|within|outside|beyond|exceed(?:s|ing)?|unless|except|more|less|limits?|threshold|maximum|minimum|least|most|than)\b/iu;

/** A clause with a limit needs two of its words in the ask; another one needs its tools, or nothing when it names none. */
function ruleTest(rule: string, tools: readonly ToolWords[]): (ask: AskWords) => boolean {
  if (rule === unspecified) return () => true;
  if (branchMarks.test(rule)) {
    const content = contentWords(rule);
    return ({ words }) => content.filter((word) => words.has(word)).length >= 2;
  }
  const own = wordSet(rule);
  const named = tools.filter((tool) => namesTool(rule, own, tool)).map(({ name }) => name);
  return named.length === 0 ? () => true : (ask) => named.some((name) => ask.tools.has(name));
}

const stopWords = new Set(
  `the and for are but not you your all any can has had have her his our out who its was were will with this that from
  they them then than when what which while would could should must may might never always only over above under below
  within outside beyond unless except more less least most into onto after before about been being does did each also
  per via`.split(/\s+/u),
);

/** Distinct words of three letters or more that carry meaning, plural cut. */
function contentWords(text: string): readonly string[] {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const kept = all.filter((word) => word.length >= 3 && !stopWords.has(word));
  return [...new Set(kept.map((word) => (word.length > 4 && /[^s]s$/u.test(word) ? word.slice(0, -1) : word)))];
}

const stanceMarks: readonly (readonly [string, RegExp])[] = [
  [
    'adversarial',
    /\b(?:ignore|disregard|forget|bypass|override|jailbreak|pretend)\b.*\b(?:polic(?:y|ies)|rules?|instructions?|prompt|guidelines?|checks?|safeguards?)\b|\bsystem prompt\b|\bdeveloper mode\b/iu,
  ],
  [
    'retry',
    /\b(?:again|still|already (?:asked|told|tried)|(?:second|third) time|once more|how many times|fed up|ridiculous|unacceptable)\b/iu,
  ],
  ['hurried', /\b(?:right now|asap|urgent(?:ly)?|hurry|quick(?:ly)?|immediately|at once|in a rush|no time)\b/iu],
];
const stanceOf = (ask: string): string => stanceMarks.find(([, mark]) => mark.test(ask))?.[0] ?? 'ordinary';

const fine = new Set(['ok', 'created', 'deleted', 'success']);

function rowsOfRules(rules: readonly string[], rows: readonly Row[]) {
  const byFold = new Map(rules.map((rule) => [foldClause(rule), rule]));
  const outcomes = new Map<string, string[]>();
  for (const row of rows) {
    const cell = row['scenario_dimensions'];
    const said =
      cell !== null && typeof cell === 'object' ? (cell as Readonly<Record<string, unknown>>)['rule'] : undefined;
    const rule = typeof said === 'string' ? byFold.get(foldClause(said)) : undefined;
    if (rule === undefined) continue;
    const last = (row.steps ?? []).map((step) => statusOf(step['result'])).findLast((status) => status !== undefined);
    outcomes.set(rule, [...(outcomes.get(rule) ?? []), last ?? 'ok']);
  }
  const known = rules.filter((rule) => outcomes.has(rule));
  return {
    rows_per_rule: Object.fromEntries(known.map((rule) => [rule, outcomes.get(rule)?.length ?? 0])),
    rules_with_no_rows: rules.filter((rule) => !outcomes.has(rule)),
    rules_the_world_never_triggers: known.flatMap((rule) => {
      const all = outcomes.get(rule) ?? [];
      const [outcome = 'ok'] = all;
      return !fine.has(outcome) && all.every((one) => one === outcome) ? [{ rule, rows: all.length, outcome }] : [];
    }),
  };
}

import { z } from 'zod';
import { draws } from '../core/draws.ts';

const [fewest, most, mostWide] = [8, 40, 120]; // turns; the last from 8,192 tokens of context up
/** Tokens: room for the prompt, for each tool, for all tools at most, and for one turn. */
const [promptTokens, toolTokens, maxToolTokens, turnTokens] = [2048, 64, 1536, 128];

/** Say how many turns fit into a context window beside the prompt and the tools. */
export function defaultMaxTurns(contextTokens = 4096, tools = 0): number {
  const room = contextTokens - promptTokens - Math.min(maxToolTokens, toolTokens * tools);
  const cap = contextTokens > 8192 ? mostWide : most;
  return Math.min(Math.max(Math.floor(room / turnTokens), fewest), cap);
}

/** Say how often the person may speak within a budget of turns. */
export const userTurnCap = (budget: number): number => Math.max(2, Math.floor(budget / 2));

const chance = z.number().min(0).max(1);
/** How long a person bears questions: a word, or the chances to leave at the second question and at later ones. */
export const patienceSchema = z.union([
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['short', 'normal', 'endless'])),
  z.tuple([chance, chance]),
]);
export type Patience = z.input<typeof patienceSchema>;

const chances = { short: [0.6, 0.9], normal: [0.35, 0.6], endless: [0, 0] } as const;

/** Say how likely the person leaves instead of answering one more question. The first is always tried. */
export function walkAwayChance(patience: z.output<typeof patienceSchema>, questionsBefore: number): number {
  if (questionsBefore < 1) return 0;
  const [second, later] = typeof patience === 'string' ? chances[patience] : patience;
  return questionsBefore === 1 ? second : later;
}

/** Say whether a text asks the person something. */
export const agentAsked = (text: string): boolean => /[?？؟]/.test(text);

/** Count the turns that steps stand for, the ask included. */
export const observedTurnCount = (steps: unknown): number => 1 + (Array.isArray(steps) ? steps.length : 0);

/**
 * Draw how many turns a conversation may take, around `avgTurns`: always even, 15 % shorter, 75 % within two, 10 % up to
 * twice as long. Around 3.5 and less it is 2 to 4 in 60 %, 5 to 8 in 30 %, up to 12 in 10 %; at 1 one exchange.
 * `error` is how far the run is from its average so far; half of it is made up for. The key decides, not the order.
 */
export function sampleTurnBudget(
  avgTurns: number,
  key: readonly unknown[],
  { error = 0, maxTurns = Number.POSITIVE_INFINITY }: { readonly error?: number; readonly maxTurns?: number } = {},
): number {
  if (avgTurns <= 1) return 2;
  const next = draws('turn budget', ...key).next;
  const kind = next();
  const evenIn = (low: number, high: number) => {
    const [first, last] = [Math.ceil(low / 2), Math.floor(high / 2)];
    return 2 * (first + Math.floor(next() * (Math.max(last, first) - first + 1)));
  };
  const drawn = avgTurns <= 3.5 ? short(kind, evenIn) : around(avgTurns - error / 2, kind, evenIn);
  return Math.min(Math.max(drawn, 2), Math.max(2, 2 * Math.floor(maxTurns / 2)));
}

type EvenIn = (low: number, high: number) => number;

function short(kind: number, evenIn: EvenIn): number {
  if (kind < 0.6) return evenIn(2, 4);
  return kind < 0.9 ? evenIn(5, 8) : evenIn(9, 12);
}

function around(average: number, kind: number, evenIn: EvenIn): number {
  if (kind < 0.15) return evenIn(2, average - 3);
  return kind < 0.9 ? evenIn(average - 2, average + 2) : evenIn(average + 3, average * 2);
}

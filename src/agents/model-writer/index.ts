import { draw } from '../../core/draws.ts';
import { TracemillError } from '../../core/errors.ts';
import type { WriteSituations } from '../../grid/planner/prompts.ts';
import { askOf } from '../../grid/wording/write-ask.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import { splitReasoning } from '../split-reasoning.ts';
import { accepted, messageOf } from './accept.ts';
import { type Card, cardOf } from './cards.ts';
import { readList } from './read-list.ts';

/** Writes asks for cards: a model behind its instructions, or a function. */
export interface AskWriter {
  readonly name: string;
  /**
   * The entries of its reply, with the id of the card each is for; without ids they are for the cards in order. A wave that
   * is written several times is told which `completion` this is, from 0.
   */
  write(cards: readonly Card[], wave: number, completion?: number): Promise<readonly unknown[]>;
}

interface Run {
  readonly tools: readonly Tool[];
  readonly seed: number;
  readonly phrasings: number;
  readonly texture?: number | undefined;
  /** Cards in one wave, and cards beyond those needed. */
  readonly perRequest: number;
  readonly extraCards: number;
  /** Times a wave is written: of a card, the first ask that can be used is taken. Default: 1. */
  readonly completions?: number | undefined;
  /** Waves at the same time. */
  readonly concurrency: number;
  /** Who the people are; asks must not quote it. */
  readonly scene: string;
}

/** What came of what a writer wrote. */
export interface WriterCounts {
  waves: number;
  written: number;
  /** Asks not taken, by reason; `failed` waves gave none. */
  readonly dropped: Record<string, number>;
  failed: number;
  first_error: string | null;
}

/**
 * Make a writer of situations: waves of cards go out in the order of the cells, and what comes back is checked, typed and
 * given the labels it shows. A card without a usable ask has none: the templates write it then.
 *
 * @source rlhfbook ch. 12 (synthetic prompts); house rule for what is taken
 */
export function situationWriter(
  writer: AskWriter,
  run: Run,
): { readonly write: WriteSituations; readonly counts: WriterCounts } {
  const counts: WriterCounts = { waves: 0, written: 0, dropped: {}, failed: 0, first_error: null };
  const write: WriteSituations = async (situations) => {
    const cards = situations.flatMap((situation, at) =>
      Array.from({ length: run.phrasings }, (_, phrasing) =>
        cardOf(situation, { ...run, phrasing }, `r${at}_${phrasing}`),
      ),
    );
    const waves = chunks(cards, run.perRequest);
    const found = new Map<string, Ask>();
    for (const group of chunks(waves, run.concurrency)) {
      const first = counts.waves;
      counts.waves += group.length;
      const asks = await Promise.all(group.map((wave, n) => writeWave(writer, wave, first + n, run, counts)));
      for (const [id, ask] of asks.flat()) if (!found.has(id)) found.set(id, ask);
    }
    counts.written += found.size;
    return situations.map((_, at) =>
      Array.from({ length: run.phrasings }, (__, phrasing) => found.get(`r${at}_${phrasing}`)).filter(
        (ask) => ask !== undefined,
      ),
    );
  };
  return { write, counts };
}

async function writeWave(
  writer: AskWriter,
  cards: readonly Card[],
  wave: number,
  run: Run,
  counts: WriterCounts,
): Promise<readonly (readonly [string, Ask])[]> {
  const extra = cards.slice(0, run.extraCards).map((card) => ({ ...card, region_id: `${card.region_id}+` }));
  const calls = Array.from({ length: run.completions ?? 1 }, (_, nth) => writer.write([...cards, ...extra], wave, nth));
  const entries: (readonly [entry: unknown, at: number])[] = [];
  let failed = 0;
  for (const call of await Promise.allSettled(calls)) {
    if (call.status === 'fulfilled') entries.push(...call.value.map((entry, at) => [entry, at] as const));
    else {
      const error: unknown = call.reason;
      if (error instanceof TracemillError && (error.code === 'TM_AUTH' || error.reason === 'quota_exceeded'))
        throw error;
      failed++;
      counts.first_error ??= error instanceof Error ? error.message : String(error);
    }
  }
  if (failed === calls.length) counts.failed++;
  return entries.flatMap(([entry, at]) => {
    const id = idOf(entry) ?? cards[at]?.region_id;
    const card = cards.find(({ region_id }) => region_id === id?.replace(/\+$/u, ''));
    if (!card) return [];
    const taken = accepted(messageOf(entry), card, run.scene);
    if ('why' in taken) {
      counts.dropped[taken.why] = (counts.dropped[taken.why] ?? 0) + 1;
      return [];
    }
    return [[card.region_id, written(card.situation, taken.text, taken.labels, writer.name, run.seed)] as const];
  });
}

const idOf = (entry: unknown): string | undefined => {
  const { region_id } = (entry ?? {}) as { readonly region_id?: unknown };
  return typeof region_id === 'string' ? region_id : undefined;
};

function written(
  situation: Situation,
  text: string,
  labels: Readonly<Record<string, string>>,
  writer_model: string,
  seed: number,
): Ask {
  const { tool } = situation.scenario_dimensions;
  const isTool = !['unrelated', 'multi_tool', 'unspecified'].includes(tool);
  return askOf(situation, text, {
    seed,
    arm: 'llm_guided',
    selection_reason: 'coverage',
    writer_model,
    ask_family: isTool ? 'tool' : 'general',
    intent_known: true,
    tool_known: isTool,
    ...labels,
  });
}

const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

const [cardTokens, spareTokens, fewestTokens, mostTokens] = [130, 128, 256, 2048];
const waveMs = 120_000;

/** Let a model write the cards of a wave: a JSON list of `{region_id, message}`. */
export function modelAskWriter(
  model: ChatModel,
  { seed, scene, policy }: { readonly seed: number; readonly scene: string; readonly policy: string },
): AskWriter {
  return {
    name: model.name,
    async write(cards, wave, completion = 0) {
      const lines = cards.map(({ region_id, text }) => JSON.stringify({ region_id, card: text }));
      const { text } = await model.chat(
        {
          messages: [
            {
              role: 'system',
              content: [
                'You write the first message of people who turn to an assistant. Write as they would type it, each as another person.',
                'Never quote a card, never mention cards, tests, tools or faults, never write as the assistant.',
                scene === '' ? '' : `The people: ${scene}`,
                policy === '' ? '' : `What the assistant is for: ${policy.slice(0, 1200)}`,
                'Answer with a JSON list only: [{"region_id": "...", "message": "..."}], one entry for each card. Where a person',
                'says more in later turns, put {"region_id": "...", "turns": ["...", "..."]}.',
              ]
                .filter((line) => line !== '')
                .join('\n'),
            },
            { role: 'user', content: lines.join('\n') },
          ],
          temperature: Math.round((0.45 + 0.6 * draw(seed, wave, 'writer temperature')) * 100) / 100,
          maxTokens: Math.min(mostTokens, Math.max(fewestTokens, cardTokens * cards.length + spareTokens)),
          repeat: ['writer', seed, wave, ...(completion === 0 ? [] : [completion])],
        },
        AbortSignal.timeout(waveMs),
      );
      return readList(splitReasoning(text).spoken);
    },
  };
}

/** Let a function write: it is given the cards and the number of the wave, and gives texts or `{region_id, message}`. */
export const functionAskWriter = (write: (cards: readonly unknown[], wave: number) => unknown): AskWriter => ({
  name: write.name || 'function',
  async write(cards, wave) {
    const given = await write(
      cards.map(({ region_id, text, situation }) => ({ region_id, card: text, ...situation })),
      wave,
    );
    return Array.isArray(given) ? given : [];
  },
});

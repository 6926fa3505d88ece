import { amplifySeeds, draftScene, draftTools } from '../../agents/model-writer/drafts.ts';
import {
  type AskWriter,
  functionAskWriter,
  modelAskWriter,
  situationWriter,
  type WriterCounts,
} from '../../agents/model-writer/index.ts';
import { TracemillError } from '../../core/errors.ts';
import type { WriteSituations } from '../../grid/planner/prompts.ts';
import { isBackendSpec } from '../../models/backend-spec.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import type { Models } from '../../models/models.ts';
import type { Tool } from '../../rows/tool.ts';
import type { SimulateSettings } from './options.ts';
import type { Remark } from './remark.ts';

/** Who finds the words of a run, and what it drafted before the first ask. */
export interface Words {
  readonly tools: readonly Tool[];
  readonly seeds: readonly string[];
  /** Absent: the templates write. */
  readonly write: WriteSituations | undefined;
  readonly writerModel: string | undefined;
  readonly counts: WriterCounts | undefined;
  /** Of the seeds, where they were multiplied. */
  readonly amplification:
    | { readonly given: number; readonly target: number; readonly total: number; readonly minted: number }
    | undefined;
  readonly remarks: readonly Remark[];
}

/**
 * Settle who writes the asks. A model drafts the tools of an agent that has none, says who the people are and multiplies
 * the seeds; each of these may fail, and says so.
 *
 * @throws TM_OPTIONS - a writer that nobody can open
 * @throws TM_AUTH - its host refused the key
 */
export async function wordsOf(
  settings: SimulateSettings,
  models: Models,
  given: { readonly tools: readonly Tool[]; readonly seeds: readonly string[] },
  systemPrompt: string,
): Promise<Words> {
  const { seed, situations, topology, advanced } = settings;
  const remarks: Remark[] = [];
  const model = writerModelOf(settings, models);
  const may = async <T>(code: string, what: string, work: () => Promise<T>, without: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TracemillError && (error.code === 'TM_AUTH' || error.reason === 'quota_exceeded'))
        throw error;
      remarks.push([code, `${what} could not be drafted: ${error instanceof Error ? error.message : String(error)}`]);
      return without;
    }
  };
  const isBare = given.tools.length === 0 && systemPrompt !== '' && settings.tools === undefined;
  const tools =
    model && isBare
      ? await may('tool_draft_unavailable', 'Tools', () => draftTools(model, systemPrompt, seed), given.tools)
      : given.tools;
  const scene = model
    ? await may(
        'scene_brief_unavailable',
        'A note on who the people are',
        () => draftScene(model, systemPrompt, tools, seed),
        '',
      )
    : '';
  const wants = model && given.seeds.length > 0 && situations && situations > given.seeds.length;
  const more = wants
    ? await may(
        'seed_amplification_unavailable',
        'Further seeds',
        () => amplifySeeds(model, given.seeds, situations, seed),
        undefined,
      )
    : undefined;
  const writer = askWriterOf(settings, model, scene, systemPrompt);
  const found =
    writer &&
    situationWriter(writer, {
      tools,
      seed,
      phrasings: topology.n_req,
      texture: advanced.texture,
      perRequest: advanced.scenariosPerRequest,
      extraCards: advanced.extraCards,
      completions: advanced.completionsPerRequest,
      concurrency: advanced.scenarioConcurrency,
      scene,
    });
  return {
    tools,
    seeds: [...given.seeds, ...(more?.minted ?? [])],
    write: found?.write,
    writerModel: writer?.name,
    counts: found?.counts,
    amplification: more && { ...more, minted: more.minted.length },
    remarks,
  };
}

function writerModelOf({ simulator, agent, backend }: SimulateSettings, models: Models): ChatModel | undefined {
  if (simulator === false || typeof simulator === 'function') return undefined;
  if (typeof simulator === 'string') {
    if (isBackendSpec(simulator)) return models.open(simulator);
    throw new TracemillError(
      'TM_OPTIONS',
      `simulator: ${simulator} names no model; write ollama:, vllm:, openai:, anthropic:, fireworks: or a URL, or false for templates`,
    );
  }
  const player: unknown = agent ?? backend;
  const isModel = typeof player === 'string' && isBackendSpec(player) && !/^https?:/u.test(player);
  return isModel ? models.open(player) : undefined;
}

function askWriterOf(
  { simulator, seed }: SimulateSettings,
  model: ChatModel | undefined,
  scene: string,
  policy: string,
): AskWriter | undefined {
  if (typeof simulator === 'function')
    return functionAskWriter(simulator as (cards: readonly unknown[], wave: number) => unknown);
  return model && modelAskWriter(model, { seed, scene, policy });
}

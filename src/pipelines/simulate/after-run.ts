import { TracemillError } from '../../core/errors.ts';
import { idOf } from '../../core/ids.ts';
import { judgeCaller } from '../../judges/call-judge.ts';
import { type Judge, judgeNameOf } from '../../judges/judge.ts';
import { mapInOrder } from '../../judges/map-in-order.ts';
import { runJudge } from '../../judges/run-judge.ts';
import type { Row } from '../../rows/row.ts';
import { semanticPlaces } from '../../text/semantic-places.ts';
import type { Embed } from './embed.ts';
import type { Finishers } from './finishers.ts';
import type { SimulateSettings } from './options.ts';
import type { Remark } from './remark.ts';
import type { SimulateResult } from './result.ts';

/** Add to the rows of a run what is only asked for when all have landed, and say what could not be had. */
export async function afterRun<R extends SimulateResult>(
  result: R,
  { conduct, llm, embed }: Finishers,
  settings: SimulateSettings,
): Promise<R> {
  const remarks: Remark[] = [];
  const search: Record<string, unknown> = {};
  let { rows } = result;
  if (conduct) rows = await conducted(rows, conduct, settings);
  if (llm) {
    rows = await llmGraded(rows, llm, settings);
    const missing = rows.filter((row) => row['llm_reward'] === null).length;
    search['llm_grade'] = { judge: judgeNameOf(llm), scored: rows.length - missing, missing };
    if (missing > 0)
      remarks.push([
        'llm_grade_incomplete',
        `${missing} of ${rows.length} rows have no llm_reward: the judge failed or could not be read. Look at judgeModel.`,
      ]);
  }
  if (embed) {
    const placed = await placedByMeaning(rows, embed);
    rows = placed.rows;
    if (placed.remark) remarks.push(placed.remark);
  }
  return {
    ...result,
    rows,
    search: { ...result.search, ...search },
    degraded: [...result.degraded, ...remarks.map(([code]) => code)],
    warnings: [...result.warnings, ...remarks.map(([, sentence]) => sentence)],
    warning_codes: [...result.warning_codes, ...remarks.map(([code]) => code)],
  };
}

/** Rules have graded, and no grader of the caller: rows say so. */
async function conducted(rows: readonly Row[], conduct: Judge, { concurrency, seed }: SimulateSettings) {
  const { rows: graded } = await runJudge(rows, conduct, { concurrency, runId: idOf(['conduct', seed]) });
  return graded.map((row) => ({ ...row, grader_reason: null, label_source: judgeNameOf(conduct) }));
}

/** A second opinion: it stands beside the reward and never in its place. */
function llmGraded(rows: readonly Row[], llm: Judge, { concurrency, timeout }: SimulateSettings) {
  const ask = judgeCaller(llm, { timeoutMs: Math.ceil(timeout * 1000) });
  return mapInOrder(rows, concurrency, async (row) => ({ ...row, llm_reward: (await ask(row)).reward }));
}

/** Each distinct ask is embedded once. */
async function placedByMeaning(rows: readonly Row[], embed: Embed): Promise<{ rows: readonly Row[]; remark?: Remark }> {
  const prompts = [...new Set(rows.map(({ prompt }) => prompt ?? ''))];
  try {
    const places = semanticPlaces(await embed(prompts));
    const placeOf = new Map(prompts.map((prompt, n) => [prompt, places[n]]));
    return {
      rows: rows.map((row) => {
        const place = placeOf.get(row.prompt ?? '');
        return place ? { ...row, semantic_cluster: place.cluster, semantic_novelty: place.novelty } : row;
      }),
    };
  } catch (error) {
    if (error instanceof TracemillError && error.code === 'TM_AUTH') throw error;
    const said = error instanceof Error ? error.message : String(error);
    const sentence = `${prompts.length} asks could not be compared by meaning: ${said}. Name another embedder, or hash.`;
    return { rows, remark: ['semantic_embedding_unavailable', sentence] };
  }
}

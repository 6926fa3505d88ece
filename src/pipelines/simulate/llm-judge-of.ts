import { TracemillError } from '../../core/errors.ts';
import type { Judge } from '../../judges/judge.ts';
import { llmJudge } from '../../judges/model/llm-judge.ts';
import { rubricJudge } from '../../judges/model/rubric-judge.ts';
import { isBackendSpec } from '../../models/backend-spec.ts';
import type { Models } from '../../models/models.ts';
import type { SimulateSettings } from './options.ts';

/**
 * Make the model judge that `llmGrade` asks for: by criteria where the rubric is a list of them, by its words where it is a
 * text. The model is `judgeModel`, else the one that writes, else the one that plays.
 *
 * @throws TM_OPTIONS - there is no model, or the rubric has no criteria
 * @throws TM_AUTH - a remote host whose key is not set
 */
export function llmJudgeOf(settings: SimulateSettings, models: Models, rubric: unknown): Judge | undefined {
  if (!settings.llmGrade) return undefined;
  const { judgeModel, simulator, agent, backend } = settings;
  const candidates: readonly unknown[] = [judgeModel, simulator, agent, backend];
  const spec = candidates.find((one): one is string => typeof one === 'string' && isBackendSpec(one));
  if (spec === undefined)
    throw new TracemillError('TM_OPTIONS', 'llmGrade: there is no model to grade with; name one with judgeModel');
  const model = models.open(spec);
  if (rubric === undefined || rubric === null || rubric === '') return llmJudge(model);
  if (typeof rubric === 'string') return llmJudge(model, { instructions: byRubric(rubric) });
  return rubricJudge(model, { rubric: Array.isArray(rubric) ? rubric.map(asCriterion) : rubric });
}

const asCriterion = (one: unknown): unknown => (typeof one === 'string' ? { title: one } : one);
const byRubric = (rubric: string): string => `Grade the reply by this rubric, and by nothing else:\n${rubric}`;

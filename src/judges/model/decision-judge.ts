import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { JsonModel } from '../../models/json-post.ts';
import type { Row } from '../../rows/row.ts';
import type { JudgeObject } from '../judge.ts';
import { four } from '../rounding.ts';
import { type Rubric, rubricFromObject } from '../rubric/rubric.ts';
import { loweredBy, scoreWithRubric, undecidedText } from '../rubric/score-with-rubric.ts';
import { promptHash, rowRepeat } from './ask-model.ts';
import { episodeText, materialRule } from './episode-text.ts';
import { hideGold } from './hide-gold.ts';

const options = z.strictObject({
  model: z.string().min(1).default('jev-latest').describe('Name of the decision model.'),
  question: z
    .string()
    .default('Does the reply do what was asked, by what its tools really returned?')
    .describe('What is decided where there is no rubric.'),
  rubric: z.unknown().optional().describe('Criteria for every row; each is one question. Else `privileged.rubric`.'),
  unsure: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.2)
    .describe('Half the width of the band around 0.5 in which a probability decides nothing.'),
  usePrivileged: z.boolean().default(false).describe('Show the model the answer key.'),
  version: z.string().min(1).optional().describe('Version of the judge; the hash of its questions without it.'),
});
export type DecisionJudgeOptions = z.input<typeof options>;

/**
 * Grade with a decision model: it answers yes-or-no questions about a state with a probability each, and writes no text. One
 * question without a rubric, one for each criterion with one. A probability within the unsure band decides nothing: the row has
 * no reward, its probability and `unsure: true`. The confidence is twice the distance from a coin.
 *
 * @throws TM_OPTIONS - an option is unknown, or the rubric has no criteria
 * @source TypeSafe System One API (`POST /v1/systemone`); the band is a house rule
 */
export function decisionJudge(host: JsonModel, config: DecisionJudgeOptions = {}): JudgeObject {
  const { model, question, rubric, unsure, usePrivileged, ...rest } = parseOptions('decisionJudge', options, config);
  const fixed = rubric === undefined ? undefined : rubricFromObject(rubric);
  const hash = promptHash(model, question, materialRule, String(unsure), fixed?.version ?? '');
  const version = rest.version ?? hash;
  const origin = { judge_model: model, prompt_hash: hash, version };
  return {
    name: `${model}@${hash}`,
    version,
    kind: 'judge',
    model,
    usePrivileged: true, // for the criteria of a row; the reference is shown only where it is asked for
    async judge(row, signal) {
      const used = fixed ?? rubricOf(row);
      const questions = used ? criteriaQuestions(used) : { passes: yesNo(question) };
      const state = `${materialRule}\n\n${episodeText(row, { withReference: usePrivileged })}`;
      const answer = await host.ask({ model, state, questions }, rowRepeat(row), signal);
      const answers = isObject(answer) && isObject(answer['answers']) ? answer['answers'] : {};
      const given = Object.keys(questions).map((key) => probabilityIn(answers[key]));
      if (given.some((one) => one === undefined)) {
        const raw = hideGold((JSON.stringify(answer) ?? '').slice(0, 4000), row);
        return { reward: null, judge_status: 'invalid_result', raw, ...origin };
      }
      const chances = given as number[]; // none is undefined
      return { ...(used ? byRubric(used, chances, unsure) : byChance(chances[0] ?? 0, unsure)), ...origin };
    },
  };
}

const yesNo = (instructions: string) => ({ type: 'noul', instructions });

const criteriaQuestions = ({ criteria }: Rubric): JsonObject =>
  Object.fromEntries(
    criteria.map(({ title, description, kind }, n) => [
      `c${n + 1}`,
      yesNo(
        `${kind === 'pitfall' ? 'Does the reply have this fault' : 'Is this met'}: ${title}. ${description}`.trim(),
      ),
    ]),
  );

/** A probability under any of the names that hosts give it. */
function probabilityIn(answer: unknown): number | undefined {
  const value = isObject(answer) ? (answer['noul'] ?? answer['probability'] ?? answer['boolean']) : answer;
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

const decided = (chance: number, unsure: number): boolean | null =>
  Math.abs(chance - 0.5) < unsure || chance === 0.5 ? null : chance > 0.5;
const confidenceOf = (chance: number) => four(Math.abs(2 * chance - 1));

function byChance(chance: number, unsure: number): JsonObject {
  const verdict = decided(chance, unsure);
  const said = { probability: chance, confidence: confidenceOf(chance) };
  if (verdict === null) return { reward: null, judge_status: 'missing_reward', unsure: true, ...said };
  return { reward: verdict ? 1 : 0, reason: `probability ${chance.toFixed(2)}`, ...said };
}

function byRubric({ criteria, version }: Rubric, chances: readonly number[], unsure: number): JsonObject {
  const results = Object.fromEntries(chances.map((chance, n) => [String(n + 1), decided(chance, unsure)]));
  const scored = scoreWithRubric(criteria, results);
  const { is_incomplete: _open, criteria: _all, ...score } = scored;
  const probabilities = Object.fromEntries(chances.map((chance, n) => [criteria[n]?.slug ?? String(n + 1), chance]));
  const about = { probabilities, confidence: Math.min(...chances.map(confidenceOf)), rubric_version: version };
  if (undecidedText(scored) === undefined) return { ...score, reason: loweredBy(score), ...about };
  return { reward: null, judge_status: 'missing_reward', unsure: true, unanswered: score.unanswered, ...about };
}

function rubricOf(row: Row): Rubric | undefined {
  const given = isObject(row['privileged']) ? row['privileged']['rubric'] : undefined;
  return given ? rubricFromObject(given) : undefined;
}

import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import type { Row } from '../../rows/row.ts';
import type { JudgeObject } from '../judge.ts';
import type { Criterion } from '../rubric/criterion.ts';
import { criteriaResults } from '../rubric/parse-replies.ts';
import { type Rubric, rubricFromObject } from '../rubric/rubric.ts';
import { loweredBy, scoreWithRubric, undecidedText } from '../rubric/score-with-rubric.ts';
import { modelAsker, promptHash, reasonIn, rowRepeat, unreadable } from './ask-model.ts';
import { episodeText, material, materialRule } from './episode-text.ts';
import { hideGold } from './hide-gold.ts';

const options = z.strictObject({
  rubric: z.unknown().optional().describe('Criteria for every row: a list, or `{criteria}`; else `privileged.rubric`.'),
  usePrivileged: z
    .boolean()
    .default(false)
    .describe('Show the judge the reference too. It is kept out of its reasons.'),
  maxTokens: z
    .int()
    .min(16)
    .optional()
    .describe('Most tokens of one verdict; 400, or 60 a criterion where that is more.'),
  version: z.string().min(1).optional().describe('Version of the judge; the hash of its prompt without it.'),
});
export type RubricJudgeOptions = z.input<typeof options>;

const system = [
  'You check one reply of an assistant against numbered criteria.',
  materialRule,
  'A criterion is met only when the material shows it. Kinds: "hard" and "principle" say what must be there; "pitfall" is a fault, and "met": true says that the reply has it.',
  'Answer with one JSON object and nothing after it: {"criteria": [{"number": 1, "why": "a few words", "met": true}], "reason": "one sentence on what decides it"}. Every number once, `why` before `met`, `met` true or false. Never quote a reference.',
].join('\n\n');

const perCriterion = 60; // tokens

/**
 * Grade against criteria: the model says of each whether it is met, the score follows by rule (`scoreWithRubric`), and each
 * verdict is a marker `rubric:<item>`. The criteria are those of the judge, else the row's `privileged.rubric`; a row with
 * neither stays ungraded. More than a fifth unanswered is no verdict, nor is a zero for hard rules that were not answered.
 *
 * @throws TM_OPTIONS - an option is unknown, or the rubric has no criteria
 * @source rlhfbook ch. 12
 */
export function rubricJudge(model: ChatModel, config: RubricJudgeOptions = {}): JudgeObject {
  const { rubric, usePrivileged, maxTokens, ...rest } = parseOptions('rubricJudge', options, config);
  const fixed = rubric === undefined ? undefined : rubricFromObject(rubric);
  const hash = promptHash(system, fixed?.version ?? '');
  const version = rest.version ?? hash;
  const ask = modelAsker(model);
  return {
    name: `${model.name}@${hash}`,
    version,
    kind: 'judge',
    model: model.name,
    usePrivileged: usePrivileged || fixed === undefined, // the criteria of a row stand in its answer key
    async judge(row, signal) {
      const used = fixed ?? rubricOf(row);
      const origin = { judge_model: model.name, prompt_hash: hash, version };
      if (!used)
        return { reward: null, judge_status: 'missing_reward', unreadable: 'the row has no rubric', ...origin };
      const { criteria } = used;
      const user = `${episodeText(row, { withReference: usePrivileged })}\n\nCriteria:\n${listed(criteria)}`;
      const budget = maxTokens ?? Math.max(400, perCriterion * criteria.length);
      const answer = await ask({ system, user, maxTokens: budget, repeat: rowRepeat(row) }, signal);
      const about = { ...origin, rubric_version: used.version };
      const raw = hideGold(answer.raw, row);
      if ('unread' in answer) return { ...answer.unread, raw, ...about };
      const results = criteriaResults(answer.object['criteria']);
      if (results === null) return { ...unreadable('no criteria in the answer', raw).unread, ...about };
      const said = reasonIn(answer.object);
      return { ...verdictOf(criteria, results, row, said, raw), ...about };
    },
  };
}

/** The answer key is open to hide what it says in every reason: a judge without it has none to tell. */
function verdictOf(
  criteria: readonly Criterion[],
  results: JsonObject,
  row: Row,
  said: string,
  raw: string,
): JsonObject {
  const scored = scoreWithRubric(criteria, results, hideGold(said, row));
  const undecided = undecidedText(scored);
  const { is_incomplete: _open, criteria: _all, ...score } = scored;
  if (undecided === undefined) return { ...score, reason: score.reason || loweredBy(score) };
  const { unanswered, n_unanswered } = score;
  return { ...unreadable(undecided, raw).unread, unanswered, n_unanswered };
}

function rubricOf(row: Row): Rubric | undefined {
  const privileged = isObject(row['privileged']) ? row['privileged'] : {};
  const given = privileged['rubric'];
  return given ? rubricFromObject(given) : undefined; // one that cannot be read is the status `error` of its row
}

const listed = (criteria: readonly Criterion[]): string =>
  material([
    [
      'criteria',
      criteria
        .map(
          ({ kind, title, description }, n) => `${n + 1}. (${kind}) ${title}${description ? `: ${description}` : ''}`,
        )
        .join('\n'),
    ],
  ]);

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import { isObject } from '../core/json-object.ts';
import { isBackendSpec } from '../models/backend-spec.ts';
import type { Models } from '../models/models.ts';
import type { Judge } from './judge.ts';
import { decisionJudge } from './model/decision-judge.ts';
import { hasRubric, llmJudge } from './model/llm-judge.ts';
import { rewardModel } from './model/reward-model.ts';
import { rubricJudge } from './model/rubric-judge.ts';

/** A model judge as data: in a config file, in a file of its own, or as JSON on the command line. */
export const judgeSpecSchema = z.strictObject({
  kind: z
    .enum(['llm', 'rubric', 'reward_model', 'decision'])
    .optional()
    .describe('Which judge; what the other keys say without it.'),
  model: z.string().min(1).optional().describe('Model that answers, such as ollama:qwen3; typesafe:<model> decides.'),
  rubric: z
    .union([z.string().min(1), z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .describe('Criteria, or the file that holds them.'),
  instructions: z.string().optional().describe('What is graded, for a judge without criteria.'),
  scale: z.tuple([z.number(), z.number()]).optional().describe('Lowest and highest mark of a judge without criteria.'),
  url: z.url().optional().describe('Address of a reward model, or of a decision model other than TypeSafe’s.'),
  squash: z.enum(['none', 'sigmoid']).optional().describe('How a reward model’s scores come to 0 to 1.'),
  label: z.string().min(1).optional().describe('The label whose score counts, of a reward model that gives several.'),
  unsure: z.number().min(0).max(0.5).optional().describe('Half the width of the unsure band of a decision model.'),
  usePrivileged: z.boolean().optional().describe('Show the judge the answer key.'),
  maxTokens: z.int().min(16).optional().describe('Most tokens of one verdict.'),
  version: z.string().min(1).optional().describe('Version of the judge, for the lineage.'),
});
export type JudgeSpec = z.input<typeof judgeSpecSchema>;
type Spec = z.output<typeof judgeSpecSchema>;

const decisionUrl = 'https://api.typesafe.ai';
const typesafe = 'typesafe:';
const wrong = (message: string, cause?: unknown) => new TracemillError('TM_OPTIONS', `judge: ${message}`, { cause });

/** Say whether a word names a model judge: a model, `rubric:FILE:MODEL`, `reward_model:URL`, `typesafe:MODEL`, JSON, or a file of it. */
export const isModelJudge = (spec: string): boolean =>
  isBackendSpec(spec) || /^(rubric|reward_model|typesafe):/.test(spec) || spec.startsWith('{') || isSpecFile(spec);
const isSpecFile = (spec: string) => /\.(json|ya?ml)$/.test(spec) && !/^\w+:/.test(spec);

/**
 * Make the model judge of a word. Paths start from `cwd`, in a file from the folder of the file.
 *
 * @throws TM_OPTIONS - the word, the file or the criteria cannot be read, or a key does not fit the kind of judge
 * @throws TM_AUTH - a remote host whose key is not set
 */
export function modelJudgeOf(word: string, models: Models, cwd: string): Judge {
  if (isSpecFile(word)) return opened(checked(read(resolve(cwd, word)), word), models, dirname(resolve(cwd, word)));
  if (word.startsWith('{')) return opened(checked(parsed(word, 'the JSON of the judge'), 'judge'), models, cwd);
  return opened(ofWord(word), models, cwd);
}

function ofWord(word: string): Spec {
  const rubric = /^rubric:(.+?):(.+)$/s.exec(word);
  if (rubric) return { kind: 'rubric', rubric: rubric[1], model: rubric[2] };
  if (word.startsWith('rubric:')) throw wrong('rubric needs its file and its model: rubric:FILE:MODEL');
  if (word.startsWith('reward_model:')) return checked({ kind: 'reward_model', url: word.slice(13) }, word);
  return { model: word };
}

function checked(value: unknown, name: string): Spec {
  const result = judgeSpecSchema.safeParse(value);
  if (result.success) return result.data;
  throw wrong(`${name}: ${z.prettifyError(result.error)}`, result.error);
}

function read(path: string): unknown {
  try {
    return parsed(readFileSync(path, 'utf8'), path);
  } catch (cause) {
    if (cause instanceof TracemillError) throw cause;
    throw wrong(`${path} cannot be read: ${String(cause)}`, cause);
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return parse(text); // JSON is YAML
  } catch (cause) {
    throw wrong(`${name} is neither JSON nor YAML: ${String(cause)}`, cause);
  }
}

function opened(spec: Spec, models: Models, folder: string): Judge {
  const rubric =
    typeof spec.rubric === 'string' ? criteriaIn(read(resolve(folder, spec.rubric)), spec.rubric) : spec.rubric;
  const kind = spec.kind ?? usualKind(spec);
  checkKeys(kind, spec);
  const { usePrivileged, maxTokens, version, instructions, scale, squash, label, unsure } = defined(spec);
  const shared = defined({ usePrivileged, maxTokens, version });
  if (kind === 'reward_model') {
    if (spec.url === undefined) throw wrong('a reward model needs its url');
    return rewardModel(
      models.openJson(spec.url, 'REWARD_MODEL_API_KEY'),
      defined({ model: spec.model, squash, label, version }),
    );
  }
  if (kind === 'decision') {
    const base = spec.url ?? decisionUrl;
    const url = /\/v1\/|\/decisions/.test(base) ? base : `${base.replace(/\/$/, '')}/v1/systemone`;
    const model = spec.model?.replace(typesafe, '') || undefined;
    const host = models.openJson(url, 'TYPESAFE_API_KEY');
    return decisionJudge(host, defined({ model, question: instructions, rubric, unsure, usePrivileged, version }));
  }
  if (spec.model === undefined) throw wrong(`a judge of the kind ${kind} needs its model`);
  const model = models.open(spec.model);
  if (kind === 'rubric') return rubricJudge(model, defined({ rubric, ...shared }));
  return eitherJudge(rubricJudge(model, shared), llmJudge(model, { ...shared, ...defined({ instructions, scale }) }));
}

type Kind = NonNullable<Spec['kind']>;
const judgesText = ['model', 'usePrivileged', 'maxTokens', 'version'];
/** The settings that each kind of judge reads, besides `kind`. */
const keysOf: Readonly<Record<Kind, readonly string[]>> = {
  llm: [...judgesText, 'instructions', 'scale'],
  rubric: [...judgesText, 'rubric'],
  reward_model: ['model', 'url', 'squash', 'label', 'version'],
  decision: ['model', 'url', 'instructions', 'rubric', 'unsure', 'usePrivileged', 'version'],
};

/** A setting that the judge would not read is refused: whoever wrote it counts on it. */
function checkKeys(kind: Kind, spec: Spec): void {
  const extra = Object.keys(defined(spec)).filter((key) => key !== 'kind' && !keysOf[kind].includes(key));
  if (extra.length > 0)
    throw wrong(`a judge of the kind ${kind} has no ${extra.join(', ')}: it reads ${keysOf[kind].join(', ')}`);
}

function usualKind({ model, rubric, url }: Spec): Kind {
  if (model?.startsWith(typesafe)) return 'decision';
  if (rubric !== undefined) return 'rubric';
  return model === undefined && url !== undefined ? 'reward_model' : 'llm';
}

function criteriaIn(value: unknown, name: string): unknown {
  if (Array.isArray(value) || (isObject(value) && Array.isArray(value['criteria']))) return value;
  throw wrong(`${name} has no list of criteria`);
}

/** A row with criteria of its own is graded by them, any other as a whole. */
function eitherJudge(byRubric: Judge, asWhole: Judge): Judge {
  if (typeof byRubric === 'function' || typeof asWhole === 'function') return asWhole;
  const { name, kind, model } = asWhole;
  const version = idOf([byRubric.version, asWhole.version], 12); // of both: which one spoke stands in `judge_meta`
  return {
    ...defined({ name, version, kind, model }),
    usePrivileged: true, // the criteria of a row stand there; the reference is shown only to a judge that asks for it
    judge: (row, signal) => (hasRubric(row['privileged']) ? byRubric : asWhole).judge(row, signal),
  };
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object without the keys that are undefined. */
const defined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;

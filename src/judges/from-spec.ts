import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TracemillError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { createModels, type Models } from '../models/models.ts';
import { memoryCache } from '../models/response-cache.ts';
import { checklistJudge } from './checklist/task-checklist.ts';
import type { Judge } from './judge.ts';
import { isModelJudge, modelJudgeOf } from './judge-spec.ts';
import { codeExec } from './verifiers/code-exec.ts';
import { exactMatch } from './verifiers/exact-match.ts';
import { includes } from './verifiers/includes.ts';
import { jsonField } from './verifiers/json-field.ts';
import { jsonSchema } from './verifiers/json-schema.ts';
import { jsonValid } from './verifiers/json-valid.ts';
import { mathEqual } from './verifiers/math-equal.ts';
import { multipleChoice } from './verifiers/multiple-choice.ts';
import { numeric } from './verifiers/numeric.ts';
import { regex } from './verifiers/regex.ts';
import { sqlExec } from './verifiers/sql-exec.ts';

/** The judges that have a name, and what stands after its colon. */
const named: Readonly<Record<string, (argument: string | undefined, cwd: string) => Judge>> = {
  exact_match: () => exactMatch(),
  includes: (mode) => includes(mode === undefined ? {} : { mode: mode as 'any' }),
  regex: (pattern) => regex({ pattern: needed('regex', 'PATTERN', pattern) }),
  json_valid: (topType) => jsonValid(topType === undefined ? {} : { topType: topType as 'object' }),
  json_field: (path) => jsonField({ path: needed('json_field', 'PATH', path) }),
  json_schema: (file, cwd) => jsonSchema({ schema: schemaIn(resolve(cwd, needed('json_schema', 'FILE', file))) }),
  multiple_choice: () => multipleChoice(),
  numeric: (tol) => numeric(tol === undefined ? {} : { tol: Number(tol) }),
  math_equal: () => mathEqual(),
  code_exec: (language) => codeExec(language === undefined ? {} : { language: language as 'python' }),
  sql_exec: (url) => sqlExec(url === undefined ? {} : { url }),
  task_checklist: () => checklistJudge(),
};
/** The names that `judgeFromSpec` knows. */
export const judgeNames: readonly string[] = Object.keys(named);
/** Every word that names a judge, for people. */
export const judgeChoices =
  'exact_match, includes, regex:PATTERN, json_valid ..., a model such as ollama:qwen3, rubric:FILE:MODEL, reward_model:URL, typesafe:MODEL, a .json or .yaml file of a model judge, or a module ./judge.mjs#name';
const takesNothing = new Set(['exact_match', 'multiple_choice', 'math_equal', 'task_checklist']);

interface SpecOptions {
  /** Folder that paths start from. */
  readonly cwd?: string;
  readonly models?: Models;
}

/**
 * Make the judge that a word on the command line names: `exact_match`, `regex:PATTERN`, `numeric:0.01`, `json_field:a.b`,
 * `json_schema:FILE`, `code_exec:javascript`, `sql_exec:postgresql://host/db` ...; a model (`ollama:qwen3`, an OpenAI-compatible URL), `rubric:FILE:MODEL`, `reward_model:URL`,
 * `typesafe:MODEL`, a JSON object or a .json or .yaml file of one (`judgeSpecSchema`); or a module, `./judge.js` or `./judge.ts#name`, that exports a function of a row or an object with
 * `judge()`: the named export, else the default one, else the only one. `models` opens the models, with the caller's cache.
 *
 * @throws TM_OPTIONS - the name is unknown, the module cannot be loaded, or it exports no judge
 */
export async function judgeFromSpec(
  spec: string,
  { cwd = process.cwd(), models = createModels({}, { cache: memoryCache() }) }: SpecOptions = {},
): Promise<Judge> {
  if (isModelJudge(spec)) return modelJudgeOf(spec, models, cwd);
  if (isModule(spec)) return judgeInModule(spec, cwd);
  const colon = spec.indexOf(':');
  const name = colon < 0 ? spec : spec.slice(0, colon);
  const argument = colon < 0 ? undefined : spec.slice(colon + 1);
  const make = Object.hasOwn(named, name) ? named[name] : undefined;
  if (!make)
    throw wrong(
      `no judge is called ${name}: use ${judgeNames.join(', ')}, a model such as ollama:qwen3, rubric:FILE:MODEL, reward_model:URL, typesafe:MODEL, or a module such as ./judge.js`,
    );
  if (argument !== undefined && takesNothing.has(name)) throw wrong(`${name} takes nothing after its name`);
  return make(argument, cwd);
}

const isModule = (spec: string) => /^\.{0,2}\//.test(spec) || /\.[cm]?[jt]s(#|$)/.test(spec);
const wrong = (message: string, cause?: unknown) => new TracemillError('TM_OPTIONS', `judge: ${message}`, { cause });

function needed(name: string, what: string, argument: string | undefined): string {
  if (!argument) throw wrong(`${name} needs one: ${name}:${what}`);
  return argument;
}

function schemaIn(path: string): JsonObject {
  try {
    const schema = parseJson(readFileSync(path, 'utf8'));
    if (isObject(schema)) return schema;
  } catch (cause) {
    throw wrong(`the schema ${path} cannot be read: ${String(cause)}`, cause);
  }
  throw wrong(`the schema ${path} is no object`);
}

async function judgeInModule(spec: string, cwd: string): Promise<Judge> {
  const [path = '', name] = spec.split('#', 2);
  const exports = await load(resolve(cwd, path), path);
  const found = pick(exports, name);
  if (found === undefined) throw wrong(`${path} exports ${said(exports)}: name one that is a judge, ${path}#name`);
  if (!isJudge(found.value))
    throw wrong(`${path}#${found.name} is neither a function of a row nor an object with judge()`);
  return withName(found.value, found.name === 'default' ? basename(path).replace(/\.[^.]+$/, '') : found.name);
}

function pick(exports: JsonObject, name: string | undefined) {
  const only = Object.keys(exports).filter((key) => isJudge(exports[key]));
  const key = name ?? ('default' in exports ? 'default' : only.length === 1 ? only[0] : undefined);
  return key !== undefined && Object.hasOwn(exports, key) ? { name: key, value: exports[key] } : undefined;
}

const said = (exports: JsonObject) => Object.keys(exports).sort().join(', ') || 'nothing';
const isJudge = (value: unknown): value is Judge =>
  typeof value === 'function' || (isObject(value) && typeof value['judge'] === 'function');

/** A default export has no name of its own, or `default`: rows then name the file. */
function withName(judge: Judge, name: string): Judge {
  if (judge.name && !/(^|_)default_*$/.test(judge.name)) return judge; // loaders write it in their own ways
  const { version, kind, usePrivileged, model } = judge;
  return {
    name,
    ...(version !== undefined && { version }),
    ...(kind !== undefined && { kind }),
    ...(model !== undefined && { model }),
    ...(usePrivileged !== undefined && { usePrivileged }),
    judge: (row, signal) => (typeof judge === 'function' ? judge(row, signal) : judge.judge(row, signal)),
  };
}

async function load(file: string, path: string): Promise<JsonObject> {
  const url = pathToFileURL(file).href;
  try {
    return (await import(url)) as JsonObject;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION')
      throw wrong(`${path} cannot be loaded: ${String(cause)}`, cause);
  }
  return loadTypeScript(url, path);
}

/** Node 20 reads no TypeScript by itself; tsx does, where it is installed. */
async function loadTypeScript(url: string, path: string): Promise<JsonObject> {
  const loader = 'tsx/esm/api'; // not a literal: it is an optional package, loaded on first use
  let tsImport: (url: string, from: string) => Promise<JsonObject>;
  try {
    ({ tsImport } = (await import(loader)) as { readonly tsImport: typeof tsImport });
  } catch (cause) {
    throw wrong(`${path} is TypeScript, which needs tsx: npm install --save-dev tsx`, cause);
  }
  try {
    return await tsImport(url, import.meta.url);
  } catch (cause) {
    throw wrong(`${path} cannot be loaded: ${String(cause)}`, cause);
  }
}

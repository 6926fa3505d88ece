import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { type Tool, toolsFrom } from '../rows/tool.ts';

/** An agent as its folder describes it. */
export interface AgentSpec {
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  /** Asks to play first, word for word. */
  readonly situations: readonly string[];
  readonly rubric: string | undefined;
}

/**
 * Read what an agent is: an object, a JSON or YAML file, or a folder with `spec.json` (or `.yaml`, `.yml`), where
 * `tools.json`, `policy.md`, `situations.txt` (one a line) and `rubric.md` or `.txt` may stand beside it. A sentence is its policy.
 *
 * @throws TM_OPTIONS - no such path, no description in it, or one that cannot be read
 */
export async function readAgentSpec(given: string | JsonObject): Promise<AgentSpec> {
  if (typeof given !== 'string') return specOf(given);
  const found = await stat(given).catch(() => undefined);
  if (!found && isSentence(given)) return specOf({ policy: given.trim() });
  if (!found) throw refused(`there is no file or folder ${given}; a policy is given as systemPrompt`);
  if (!found.isDirectory()) return specOf(await documentOf(given));
  return specOf(await folderOf(given));
}

/** Words with blanks between them and no slash: no path that anybody meant. */
const isSentence = (text: string): boolean => /\S\s+\S/u.test(text) && !/[\\/]/u.test(text);

const main = ['spec.json', 'spec.yaml', 'spec.yml'];
/** Files of a folder, by what they stand for; the first that is there. */
const beside: Readonly<Record<string, readonly string[]>> = {
  tools: ['tools.json', 'tools.yaml', 'tools.yml'],
  policy: ['policy.md', 'policy.txt', 'system_prompt.md', 'system_prompt.txt'],
  situations: ['situations.json', 'situations.yaml', 'situations.yml', 'situations.txt'],
  rubric: ['rubric.md', 'rubric.txt'],
};

async function folderOf(folder: string): Promise<JsonObject> {
  const names = new Set(await readdir(folder));
  const spec = main.find((name) => names.has(name));
  const parts: Record<string, unknown> = {};
  for (const [key, files] of Object.entries(beside)) {
    const file = files.find((name) => names.has(name));
    if (file) parts[key] = await partOf(join(folder, file));
  }
  if (!spec && Object.keys(parts).length === 0)
    throw refused(`${folder} holds no description of an agent; put spec.json, spec.yaml or tools.json there`);
  const own = spec ? await documentOf(join(folder, spec)) : {};
  return { ...parts, ...own };
}

const partOf = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8');
  if (/\.(?:json|ya?ml)$/u.test(path)) return parsed(path, text);
  if (!path.endsWith('situations.txt')) return text.trim();
  return text.split('\n').filter((line) => line.trim() !== '');
};

async function documentOf(path: string): Promise<JsonObject> {
  const value = parsed(path, await readFile(path, 'utf8'));
  if (!isObject(value)) throw refused(`${path} is no object with tools, policy, situations or rubric`);
  return value;
}

function parsed(path: string, text: string): unknown {
  try {
    return parse(text); // JSON is YAML
  } catch (cause) {
    throw refused(`${path} is neither JSON nor YAML`, cause);
  }
}

const policyNames = ['policy', 'system_prompt', 'systemPrompt', 'system', 'instructions', 'rules'];

function specOf(spec: JsonObject): AgentSpec {
  const policy = policyNames.map((name) => spec[name]).find((value) => value !== undefined && value !== null);
  return {
    tools: spec['tools'] === undefined ? [] : toolsFrom(spec['tools']),
    systemPrompt: linesOf(policy).join('\n'),
    situations: linesOf(spec['situations']),
    rubric: typeof spec['rubric'] === 'string' ? spec['rubric'] : undefined,
  };
}

/** A text, or a list of texts and of objects that have one. */
function linesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const text = isObject(one) ? (one['prompt'] ?? one['text'] ?? one['message']) : one;
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
}

const refused = (message: string, cause?: unknown) => new TracemillError('TM_OPTIONS', `spec: ${message}`, { cause });

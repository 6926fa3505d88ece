import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import type { Agent } from './agent.ts';
import { frameworkAgent, isFrameworkAgent } from './frameworks/index.ts';

const modulePath = /^(?<path>(?:\.{0,2}\/|[A-Za-z]:[\\/]|file:)?[^#]*\.(?:[cm]?js|[cm]?ts|tsx))(?:#(?<name>[\w$]+))?$/;

/** Say whether a word names a module with an agent in it: `./agent.ts#name`. */
export const isAgentPath = (spec: string): boolean => modulePath.test(spec);

/**
 * Load an agent from a module, a function or an agent of another package: `./agent.mjs#name`; without a name `agent`, else `default`. TypeScript needs a Node that
 * runs it, or a loader such as tsx.
 *
 * @throws TM_OPTIONS - there is no such file, it cannot be loaded, or it exports no such function
 */
export async function loadAgent(spec: string, folder: string = process.cwd()): Promise<Agent> {
  const found = await loadAgentModule(spec, folder);
  return typeof found === 'function' ? (found as Agent) : (await frameworkAgent(found)).agent;
}

/** Load what a module exports as its agent, as it stands there. Throws as `loadAgent` does. */
export async function loadAgentModule(spec: string, folder: string = process.cwd()): Promise<Agent | object> {
  const { path = '', name } = modulePath.exec(spec)?.groups ?? {};
  if (path === '') throw refused(`${spec} names no module; write ./agent.mjs#name`);
  const file = path.startsWith('file:') ? path : pathToFileURL(resolve(folder, path)).href;
  if (!(await exists(file))) throw refused(`there is no file ${path}`);
  const module = await load(file, path);
  const candidates = name === undefined ? ['agent', 'default'] : [name];
  const found = candidates.find((one) => typeof module[one] === 'function' || isFrameworkAgent(module[one]));
  if (found === undefined) {
    const functions = Object.keys(module).filter((key) => typeof module[key] === 'function');
    throw refused(`${path} exports no function ${candidates.join(' or ')}; it has ${functions.join(', ') || 'none'}`);
  }
  return module[found] as Agent | object;
}

async function load(file: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const module: unknown = await import(file);
    return isObject(module) ? module : {};
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException; // what import throws
    const isTypeScript = /\.[cm]?tsx?$/.test(extname(path)) && code === 'ERR_UNKNOWN_FILE_EXTENSION';
    throw isTypeScript
      ? refused(`${path}: this Node does not run TypeScript; start it with --import tsx, or give a .mjs file`, cause)
      : refused(`${path} could not be loaded: ${message}`, cause);
  }
}

const exists = async (file: string): Promise<boolean> =>
  stat(new URL(file)).then(
    (found) => found.isFile(),
    () => false, // not there, or not ours to read
  );
const refused = (message: string, cause?: unknown) => new TracemillError('TM_OPTIONS', `agent: ${message}`, { cause });

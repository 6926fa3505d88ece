import { TracemillError } from '../core/errors.ts';

/** Where a model is, and the variable that holds its key. */
export interface Backend {
  readonly baseURL: string;
  /** Empty: the host has one model, and it is asked for its name. */
  readonly model: string;
  readonly keyName: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

const hosts: Readonly<Record<string, (env: Env) => Omit<Backend, 'model'>>> = {
  openai: (env) => ({ baseURL: env['OPENAI_BASE_URL'] || 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY' }),
  anthropic: (env) => ({
    baseURL: env['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com/v1',
    keyName: 'ANTHROPIC_API_KEY',
  }),
  fireworks: () => ({ baseURL: 'https://api.fireworks.ai/inference/v1', keyName: 'FIREWORKS_API_KEY' }),
  ollama: (env) => ({ baseURL: ollamaURL(env['OLLAMA_HOST']), keyName: 'OLLAMA_API_KEY' }),
};
const usualModel: Readonly<Record<string, string>> = { ollama: 'llama3.1:8b' };

/** Say whether a word names a model or a model host. */
export const isBackendSpec = (spec: string): boolean =>
  /^https?:\/\//.test(spec) || /^(openai|anthropic|fireworks|ollama|vllm):/.test(spec);

/**
 * Read where a model is: `ollama:<model>` (this machine), `vllm:<model>@<url>`, `openai:<model>` (`OPENAI_BASE_URL`),
 * `anthropic:<model>`, `fireworks:<model>`, or the URL of an OpenAI-compatible host, with `#<model>` where it has several.
 * `@<url>` after any model is asked instead of the usual host, with the key of the word before the colon.
 *
 * @throws TM_OPTIONS - another word before the colon, no model, a vllm model without its URL, or a host without http://
 */
export function parseBackendSpec(spec: string, env: Env = {}): Backend {
  if (/^https?:\/\//.test(spec)) {
    const [url = '', model = ''] = spec.split('#');
    return { baseURL: url.replace(/\/$/, ''), model, keyName: 'OPENAI_API_KEY' };
  }
  const colon = spec.indexOf(':');
  const kind = spec.slice(0, Math.max(colon, 0));
  const rest = spec.slice(colon + 1);
  if (kind === 'vllm') return vllm(rest);
  const host = Object.hasOwn(hosts, kind) ? hosts[kind] : undefined;
  if (!host) throw refused(`${spec} is no model; write ollama:, vllm:, openai:, anthropic:, fireworks: or a URL`);
  const { model: named, url } = placed(rest);
  const model = named || usualModel[kind];
  if (!model) throw refused(`${spec} names no model; write ${kind}:<model>`);
  return { ...host(env), ...(url !== undefined && { baseURL: kind === 'ollama' ? ollamaURL(url) : url }), model };
}

function vllm(rest: string): Backend {
  const { model, url } = placed(rest);
  if (model === '' || url === undefined) throw refused(`vllm:${rest} needs its host; write vllm:<model>@<url>`);
  return { baseURL: url, model, keyName: 'VLLM_API_KEY' };
}

/** A model and the host that is named after it. What looks like a host and is no URL is not taken for a part of the name. */
function placed(rest: string): { readonly model: string; readonly url?: string } {
  const [, model, url] = /^(.*?)@(https?:\/\/.+)$/.exec(rest) ?? [];
  if (model !== undefined && url !== undefined) return { model, url: url.replace(/\/+$/, '') };
  const [, host] = /@([\w.-]+:\d+(?:\/.*)?|localhost.*)$/.exec(rest) ?? [];
  if (host !== undefined)
    throw refused(`${rest}: write the host as a URL, ${rest.slice(0, -host.length)}http://${host}`);
  return { model: rest };
}

function ollamaURL(host: string | undefined): string {
  if (!host) return 'http://localhost:11434/v1';
  const url = `${/^https?:/.test(host) ? host : `http://${host}`}`.replace(/\/$/, '');
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

/**
 * Find the key of a backend. A host on this machine or in its network needs none.
 *
 * @throws TM_AUTH - a remote host whose variable is not set
 */
export function keyOf({ baseURL, keyName }: Backend, env: Env): string {
  const key = env[keyName] ?? '';
  if (key !== '' || isNear(new URL(baseURL).hostname)) return key || 'none';
  throw new TracemillError('TM_AUTH', `${new URL(baseURL).host} needs a key: set ${keyName}`);
}

/** This machine, a private address, or a name without a domain, as in a container network. */
const isNear = (host: string): boolean =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])/.test(host) ||
  /\.(local|internal|localhost)$/.test(host) ||
  !host.includes('.');

const refused = (message: string) => new TracemillError('TM_OPTIONS', `model: ${message}`);

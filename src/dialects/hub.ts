import { TracemillError } from '../core/errors.ts';

/** How the Hugging Face Hub is reached. */
export interface HubAccess {
  /** `https://huggingface.co` when absent. */
  readonly hubUrl?: string | undefined;
  /** Needed to write, and to read what is private. It is never printed or stored. */
  readonly token?: string | undefined;
}

/** A file, a split or all rows of a repository: `hf://owner/name[@revision][/path][#split]`. */
export interface HubPlace {
  readonly name: string;
  readonly revision: string;
  readonly path: string | undefined;
  readonly split: string | undefined;
}

export const isHubPlace = (text: string): boolean => text.startsWith('hf://');

const part = '[\\w.-]+';
const shape = new RegExp(`^hf://(?:datasets/)?(${part}/${part})(?:@([^/#]+))?(?:/([^#]+))?(?:#(.+))?$`);

/**
 * Read the address of a set on the Hub.
 *
 * @throws TM_OPTIONS - it is no such address
 */
export function hubPlace(text: string): HubPlace {
  const found = shape.exec(text);
  if (!found) throw new TracemillError('TM_OPTIONS', `${text}: write hf://owner/name[@revision][/file][#split]`);
  const [, name = '', revision = 'main', path, split] = found;
  return { name, revision, path, split };
}

/**
 * Check the name of a repository.
 *
 * @throws TM_OPTIONS - it is not owner/name
 */
export function repoName(text: string): string {
  if (new RegExp(`^${part}/${part}$`).test(text)) return text;
  throw new TracemillError('TM_OPTIONS', `${text}: a repository is named owner/name`);
}

/** Load the client of the Hub, an optional package. */
export async function loadHub(): Promise<typeof import('@huggingface/hub')> {
  try {
    return await import('@huggingface/hub');
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', 'the Hub needs a package: npm install @huggingface/hub', { cause });
  }
}

/** Say what went wrong in a call of the Hub, without what may hold a token. */
export function hubFailure(code: 'TM_SOURCE' | 'TM_SINK', name: string, error: unknown, token = ''): TracemillError {
  const { statusCode, message } = error as { readonly statusCode?: number; readonly message?: string };
  const plain = token === '' ? String(message) : String(message).replaceAll(token, '[token]');
  const words: Readonly<Record<number, string>> = {
    401: 'the token is not taken: set HF_TOKEN, or name --token-file',
    403: 'the token may not do this: it needs the right to write there',
    404: 'there is no such repository, revision or file, or it is private',
    412: 'somebody else has written in the meantime: push again',
  };
  const said = statusCode === undefined ? plain : (words[statusCode] ?? `status ${statusCode}: ${plain}`);
  if (statusCode === 401) return new TracemillError('TM_AUTH', `${name}: ${said}`);
  const retriable = statusCode === undefined || statusCode === 429 || statusCode >= 500;
  return new TracemillError(code, `${name}: ${said}`, { retriable, reason: 'hub' });
}

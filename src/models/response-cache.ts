import { type FileHandle, open, readFile } from 'node:fs/promises';
import { TracemillError } from '../core/errors.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';
import type { ChatReply } from './chat-model.ts';

/** Replies by the key of their request: what was answered once is not asked again, in this process or the next. */
export interface ResponseCache {
  get(key: string): ChatReply | undefined;
  /** Store before the reply is used, so that a replay never pairs one reply with another's verdict. */
  set(key: string, reply: ChatReply): Promise<void>;
  close(): Promise<void>;
}

/** Remember replies while the process lives. Memory: every reply. */
export function memoryCache(): ResponseCache {
  const known = new Map<string, ChatReply>();
  return {
    get: (key) => known.get(key),
    async set(key, reply) {
      known.set(key, reply);
    },
    async close() {},
  };
}

/**
 * Remember replies in a JSONL file, one a line, synced before it counts. A run that was killed is resumed by opening the
 * same file: a last line that was cut is left out and overwritten by the next. Memory: every reply.
 *
 * @throws TM_SOURCE - the file cannot be read
 */
export async function fileCache(path: string): Promise<ResponseCache> {
  const text = await readText(path);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const known = new Map<string, ChatReply>();
  for (const line of whole.split('\n')) {
    const entry = line === '' ? undefined : read(line);
    if (entry) known.set(entry.key, entry.reply);
  }
  let file: FileHandle | undefined;
  let tail = Promise.resolve();
  const append = async (line: string): Promise<void> => {
    if (!file) {
      file = await open(path, 'a', 0o600);
      await file.truncate(Buffer.byteLength(whole));
    }
    await file.appendFile(line);
    await file.datasync();
  };
  return {
    get: (key) => known.get(key),
    async set(key, reply) {
      tail = tail.catch(() => undefined).then(() => append(`${stringifyJson({ key, reply })}\n`)); // each reports its own failure
      await tail;
      known.set(key, reply);
    },
    async close() {
      await tail.catch(() => undefined); // reported to whoever stored it
      await file?.close();
    },
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  }
}

function read(line: string): { readonly key: string; readonly reply: ChatReply } | undefined {
  try {
    const entry = parseJson(line);
    return isObject(entry) && typeof entry['key'] === 'string' && isObject(entry['reply'])
      ? { key: entry['key'], reply: entry['reply'] as unknown as ChatReply }
      : undefined;
  } catch {
    return undefined; // a line that a crash cut in two: its reply is asked for again
  }
}

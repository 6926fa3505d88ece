import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TracemillError } from '../core/errors.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';
import { makeFolder } from '../core/make-folder.ts';
import type { ChatReply } from './chat-model.ts';
import type { ResponseCache } from './response-cache.ts';

/**
 * Remember replies in a folder that several processes share, one file a reply, whole and synced before it counts. The first
 * reply to a request is the one that all of them use: whoever comes later finds it. Memory: none.
 *
 * @throws TM_SINK - a reply cannot be stored
 */
export function folderCache(folder: string): ResponseCache {
  const placeOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    get: (key) => read(placeOf(key)),
    async set(key, reply) {
      const place = placeOf(key);
      const draft = `${place}.${randomUUID()}`;
      try {
        await makeFolder(join(place, '..'), 0o700);
        const file = await open(draft, 'wx', 0o600);
        await file.writeFile(stringifyJson(reply) ?? '');
        await file.datasync();
        await file.close();
        await link(draft, place).catch(unlessThere);
        await unlink(draft);
      } catch (cause) {
        throw new TracemillError('TM_SINK', `${folder}: a reply cannot be stored`, { cause });
      }
    },
    async close() {},
  };
}

/** Another process was first: its reply stays. */
function unlessThere(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause;
}

function read(place: string): ChatReply | undefined {
  try {
    const reply = parseJson(readFileSync(place, 'utf8'));
    return isObject(reply) ? (reply as unknown as ChatReply) : undefined; // this cache wrote it
  } catch {
    return undefined; // not there, or damaged: it is asked for again
  }
}

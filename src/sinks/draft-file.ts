import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { parseJson, stringifyJson } from '../core/json.ts';
import { type LineFile, openLineFile } from './line-file.ts';

/** A file whose lines can only be written when the last record is known: the records wait beside it. */
export interface DraftFile<Entry> {
  /** Keep records; they are on the disk when it resolves. When it fails none is kept. */
  append(entries: readonly Entry[]): Promise<void>;
  /** Read what was kept, from the first record on. */
  entries(): AsyncGenerator<Entry>;
  /** Write the file, whole or not at all: the lines of each record. */
  publish(lines: (entry: Entry) => string, how: { readonly isPrivate: boolean }): Promise<void>;
  /** Forget the records; a file that was there before stays as it was. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Draft a file in `<path>.part`, which only its owner may read. A draft that another run left is forgotten.
 *
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function draftFile<Entry>(path: string): DraftFile<Entry> {
  const part = `${path}.part`;
  let draft: LineFile | undefined;
  const opened = async (): Promise<LineFile> => {
    await rm(part, { force: true });
    return openLineFile(part, { isReplaced: false, isPrivate: true });
  };
  const forget = async (): Promise<void> => {
    await draft?.checkOurs(); // the draft of another run is not ours to remove
    await rm(part, { force: true });
  };
  async function* entries(): AsyncGenerator<Entry> {
    await draft?.checkOurs();
    if (draft) for await (const text of linesOf(part)) yield parseJson(text) as Entry; // `append` wrote it
  }
  return {
    async append(records) {
      draft ??= await opened();
      await draft.append(records.map((entry) => `${stringifyJson(entry)}\n`).join(''));
      await draft.sync();
    },
    entries,
    async publish(lines, { isPrivate }) {
      const file = await openLineFile(path, { isReplaced: true, isPrivate });
      try {
        let block = '';
        for await (const entry of entries()) {
          block += lines(entry);
          if (block.length < 1 << 20) continue;
          await file.append(block);
          block = '';
        }
        await file.append(block);
        await file.finish();
      } finally {
        await file.close();
      }
      await forget();
    },
    discard: forget,
    close: async () => draft?.close(),
  };
}

/** Lines end at LF only: U+2028 is a letter of a text, and `readline` takes it for an end. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

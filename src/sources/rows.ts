import { readFile } from 'node:fs/promises';
import { concat, defer, filter, from, map, mergeMap, NEVER, of } from 'rxjs';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { parseOptions, type Tracked } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import { type AnswerKey, answerKeyPath, answerKeySchema, joinAnswerKey } from '../rows/privileged.ts';
import { type Revisions, revisions } from '../rows/revision.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { taskKey } from '../rows/task-key.ts';
import { revisionsIn } from './file-revisions.ts';
import { jsonlSource } from './jsonl.ts';

const options = z.strictObject({
  paths: z.array(z.string().min(1)).min(1).describe('Files of rows, one after the other; `-` is the standard input.'),
  latest: z
    .boolean()
    .default(true)
    .describe(
      'Give only the last word on each trace: no row that a later revision, in any of the files, replaces or takes back.',
    ),
});

/**
 * Read the rows of runs, each with the answer key of its task where the file of keys lies beside it. All files are one
 * stream: what remembers rows remembers them over all of them. A trace that is told again is given once, at its highest
 * revision: the files are read twice for that. Memory: the answer keys, one a task; a name and a number a trace with a
 * revision.
 *
 * @rejects superseded, retracted - the row is not the last word on its trace
 * @rejects invalid_json, invalid_row, invalid_utf8, line_too_long, too_deep
 * @throws TM_SOURCE - a file cannot be read, or a file of answer keys is damaged
 */
export function rowsSource(config: z.input<typeof options>): Source<Row> {
  const { paths, latest } = parseOptions('rows', options, config);
  return (run) => {
    const given = (known: Revisions) => (item: Tracked<Row>) => {
      if (!latest) return true;
      known.saw(item.row);
      const reason = known.replacedBy(item.row);
      if (reason !== undefined) run.context.reject(item, 'rows', reason);
      return reason === undefined;
    };
    const files = paths.map((path) =>
      defer(() => from(readAnswerKeys(path))).pipe(
        mergeMap((keys) =>
          jsonlSource(
            { path },
            rowSchema,
          )(run).pipe(
            mergeMap(({ rows }) => rows),
            map(({ row, receipt }) => ({
              row: keys.size > 0 ? joinAnswerKey(row, keys.get(taskKey(row))) : row,
              receipt,
            })),
          ),
        ),
      ),
    );
    const rows = (latest ? revisionsIn(paths) : of(revisions())).pipe(
      mergeMap((known) => concat(...files).pipe(filter(given(known)))),
    );
    return of({ rows, lost: NEVER });
  };
}

async function readAnswerKeys(rowsPath: string): Promise<ReadonlyMap<string, AnswerKey>> {
  const path = answerKeyPath(rowsPath);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return new Map();
    throw new TracemillError('TM_SOURCE', `answer keys ${path} cannot be read`, { cause });
  }
  const keys = new Map<string, AnswerKey>();
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const key = answerKeySchema.parse(parseJson(line));
      keys.set(key.task_key, key);
    } catch (cause) {
      throw new TracemillError('TM_SOURCE', `answer keys ${path}, line ${n + 1} is damaged`, { cause });
    }
  }
  return keys;
}

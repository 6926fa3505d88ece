import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'yaml';
import { TracemillError } from '../../core/errors.ts';
import { isObject } from '../../core/json-object.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { type HubAccess, type HubPlace, hubFailure, hubPlace, loadHub } from '../../dialects/hub.ts';

/** Files that were fetched, and a way to forget them. */
export interface FetchedFiles {
  readonly paths: readonly string[];
  forget(): Promise<void>;
}

/**
 * Fetch the files of a set on the Hugging Face Hub: the one that is named, those of a split, or all of its rows. Splits are
 * what the front matter of its README says, else the first word of a file's name.
 *
 * @throws TM_OPTIONS - the address is wrong, or the package `@huggingface/hub` is not installed
 * @throws TM_AUTH - the token is not taken
 * @throws TM_SOURCE - there is no such set, split or file (`not_found`), or the Hub cannot be reached (`hub`)
 */
export async function fetchFromHub(address: string, { token, hubUrl }: HubAccess): Promise<FetchedFiles> {
  const place = hubPlace(address);
  const hub = await loadHub();
  const from = {
    repo: { type: 'dataset' as const, name: place.name },
    revision: place.revision,
    ...(token && { accessToken: token }),
    ...(hubUrl && { hubUrl }),
  };
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-hub-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  const textOf = async (path: string) => (await hub.downloadFile({ ...from, path, xet: false }))?.text();
  try {
    const files: string[] = [];
    for await (const { type, path } of hub.listFiles({ ...from, recursive: true }))
      if (type === 'file') files.push(path);
    const readme = files.includes('README.md') ? await textOf('README.md') : undefined;
    const wanted = filesWanted(files, splitsIn(readme ?? ''), place);
    if (wanted.length === 0)
      throw new TracemillError(
        'TM_SOURCE',
        `${address}: there is no such file or split; there are ${files.join(', ')}`,
        {
          reason: 'not_found',
        },
      );
    const paths: string[] = [];
    for (const path of wanted) {
      const content = await hub.downloadFile({ ...from, path });
      if (!content) throw new TracemillError('TM_SOURCE', `${address}: ${path} is not there`, { reason: 'not_found' });
      const local = join(folder, path);
      await makeFolder(dirname(local));
      await writeFile(local, Readable.fromWeb(content.stream() as never)); // the two types of a web stream are one
      paths.push(local);
    }
    return { paths, forget };
  } catch (error) {
    await forget();
    throw error instanceof TracemillError ? error : hubFailure('TM_SOURCE', place.name, error, token);
  }
}

const isData = (path: string): boolean => /\.(jsonl|parquet|json|jsonl\.gz)$/i.test(path);
const notRows: ReadonlySet<string> = new Set(['history.jsonl', 'decisions.jsonl', 'dataset_infos.json']);

function filesWanted(
  files: readonly string[],
  splits: ReadonlyMap<string, readonly string[]>,
  { path, split }: HubPlace,
): readonly string[] {
  if (path !== undefined)
    return files.filter((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
  const rows = files.filter((file) => isData(file) && !notRows.has(file));
  if (split !== undefined) {
    const said = splits.get(split);
    if (said) return rows.filter((file) => said.some((pattern) => matches(file, pattern)));
    return rows.filter((file) => (file.split('/').at(-1) ?? '').split(/[-.]/)[0] === split);
  }
  const all = [...splits.values()].flat();
  return all.length > 0 ? rows.filter((file) => all.some((pattern) => matches(file, pattern))) : rows;
}

const escaped = (text: string) => text.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
const matches = (file: string, pattern: string): boolean =>
  new RegExp(
    `^${escaped(pattern).replaceAll('**', '\u0000').replaceAll('*', '[^/]*').replaceAll('\u0000', '.*').replaceAll('?', '.')}$`,
  ).test(file);

/** Files of each split, by the front matter of a README. */
function splitsIn(readme: string): ReadonlyMap<string, readonly string[]> {
  const matter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(readme)?.[1];
  const found = new Map<string, string[]>();
  if (matter === undefined) return found;
  let read: unknown;
  try {
    read = parse(matter);
  } catch {
    return found; // a README that says nothing readable names no split
  }
  const configs: readonly unknown[] = isObject(read) && Array.isArray(read['configs']) ? read['configs'] : [];
  for (const config of configs.filter(isObject)) {
    const files = config['data_files'];
    for (const one of (Array.isArray(files) ? files : []).filter(isObject))
      found.set(String(one['split']), [
        ...(found.get(String(one['split'])) ?? []),
        ...[one['path']].flat().map(String),
      ]);
  }
  return found;
}

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { type HubAccess, hubFailure, loadHub, repoName } from '../../dialects/hub.ts';

const options = z.strictObject({
  repo: z.string().min(1).describe('owner/name.'),
  type: z.enum(['dataset', 'model']).default('dataset').describe('A set is a dataset; an adapter is a model.'),
  isPublic: z.boolean().default(false).describe('Let everybody read it, when the repository is made.'),
  files: z
    .array(z.string().min(1))
    .optional()
    .describe('Paths in the folder to push; every file of it by default, save hidden ones.'),
  tag: z.string().min(1).optional().describe('Name of this version; v1, v2 and so on by default.'),
  message: z.string().min(1).default('Push from Tracemill').describe('Subject of the commit.'),
});

const answerKeys = /(^|[./])privileged\.(jsonl|parquet)(\.gz)?$/;

/** The file of a repository that has a line for each push. */
export const historyFile = 'history.jsonl';

/** One push, as its line in the history says it. */
export interface Push {
  readonly repo: string;
  readonly commit: string;
  readonly tag: string;
  readonly url: string;
  readonly files: readonly string[];
}

/**
 * Push a folder to the Hugging Face Hub: one commit with its `files`, all by default, and one more line in `history.jsonl`, and a tag on
 * it. The repository is made when it is not there, for its owner only unless `isPublic`. Files that an earlier push wrote
 * and this one does not have go. Two pushes at once do not mix: the later one is refused.
 *
 * @throws TM_OPTIONS - the name is wrong, there is no file, a file holds answer keys, or the package `@huggingface/hub` is not installed
 * @throws TM_AUTH - there is no token, or it is not taken
 * @throws TM_SINK - the Hub refused; retriable when it may take the push later
 */
export async function pushToHub(
  folder: string,
  given: z.input<typeof options>,
  { token, hubUrl, facts = {} }: HubAccess & { readonly facts?: JsonObject },
): Promise<Push> {
  const {
    repo: wanted,
    type,
    isPublic,
    files: listed,
    tag: named,
    message,
  } = parseOptions('pushToHub', options, given);
  const name = repoName(wanted);
  if (!token) throw new TracemillError('TM_AUTH', `${name}: set HF_TOKEN, or name --token-file`);
  const files = (listed ?? (await filesBelow(folder))).filter((path) => path !== historyFile);
  if (files.length === 0) throw new TracemillError('TM_OPTIONS', `${folder}: there is no file to push`);
  const keys = files.find((path) => answerKeys.test(path));
  if (keys !== undefined)
    throw new TracemillError('TM_OPTIONS', `${keys} holds answer keys, and those never leave: push another folder`);
  const hub = await loadHub();
  const to = { repo: { type, name }, accessToken: token, ...(hubUrl && { hubUrl }) };
  try {
    if (!(await hub.repoExists(to))) await hub.createRepo({ ...to, visibility: isPublic ? 'public' : 'private' });
    const parentCommit = await headOf(hub, to);
    const [history, there] = parentCommit === undefined ? [[], []] : await stateOf(hub, to, parentCommit);
    const tag = named ?? `v${history.length + 1}`;
    const blobs = await Promise.all(
      files.map(async (path) => ({ path, content: await openAsBlob(join(folder, path)) })),
    );
    const line = { push: history.length + 1, tag, message, ...facts, files: await hashesOf(blobs) };
    const earlier = new Set(history.flatMap(({ files: of }) => Object.keys((of ?? {}) as object)));
    const gone = there.filter((path) => earlier.has(path) && !files.includes(path));
    const text = [...history, line].map((one) => `${stringifyJson(one)}\n`).join('');
    const done = await hub.commit({
      ...to,
      title: `${message} (${tag})`,
      ...(parentCommit && { parentCommit }),
      useXet: false,
      operations: [
        ...[...blobs, { path: historyFile, content: new Blob([text]) }].map((one) => ({
          operation: 'addOrUpdate' as const,
          ...one,
        })),
        ...gone.map((path) => ({ operation: 'delete' as const, path })),
      ],
    });
    if (!done) throw new TracemillError('TM_SINK', `${name}: the Hub did not say what it stored`, { reason: 'hub' });
    const { commit } = done;
    await tagCommit(to, commit.oid, tag);
    return { repo: name, commit: commit.oid, tag, url: commit.url, files: [...files, historyFile] };
  } catch (error) {
    throw error instanceof TracemillError ? error : hubFailure('TM_SINK', name, error, token);
  }
}

type Hub = Awaited<ReturnType<typeof loadHub>>;
interface Target {
  readonly repo: { readonly type: 'dataset' | 'model'; readonly name: string };
  readonly accessToken: string;
  readonly hubUrl?: string;
}

async function headOf(hub: Hub, to: Target): Promise<string | undefined> {
  for await (const { oid } of hub.listCommits({ ...to, batchSize: 1 })) return oid;
  return undefined;
}

/** The lines of the history, and the files that are there. */
async function stateOf(hub: Hub, to: Target, revision: string): Promise<[readonly JsonObject[], readonly string[]]> {
  const files: string[] = [];
  for await (const { type, path } of hub.listFiles({ ...to, revision, recursive: true }))
    if (type === 'file') files.push(path);
  if (!files.includes(historyFile)) return [[], files];
  const text = await (await hub.downloadFile({ ...to, revision, path: historyFile }))?.text();
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  return [lines.map((line) => parseJson(line) as JsonObject), files]; // a push wrote it
}

const hashesOf = async (blobs: readonly { readonly path: string; readonly content: Blob }[]) =>
  Object.fromEntries(await Promise.all(blobs.map(async ({ path, content }) => [path, await sha256(content)] as const)));

async function sha256(content: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content.stream()) hash.update(chunk);
  return hash.digest('hex');
}

/** The client has no call for tags. */
async function tagCommit(
  { repo, accessToken, hubUrl = 'https://huggingface.co' }: Target,
  commit: string,
  tag: string,
) {
  const answer = await fetch(`${hubUrl}/api/${repo.type}s/${repo.name}/tag/${commit}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tag }),
  });
  if (answer.ok) return;
  const why = answer.status === 409 ? 'the tag is there already: name another --tag' : `status ${answer.status}`;
  throw new TracemillError('TM_SINK', `${repo.name}: ${commit} is pushed and not tagged ${tag}: ${why}`, {
    reason: 'hub',
  });
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const prefix = join(folder, '/').length;
    const paths = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(prefix));
    return paths.filter((path) => !/(^|\/)\./.test(path)).sort();
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `${folder} is no folder that can be read`, { cause });
  }
}

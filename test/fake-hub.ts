import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Commit {
  readonly id: string;
  readonly title: string;
  readonly files: ReadonlyMap<string, Buffer>;
}
interface Repo {
  readonly visibility: string;
  readonly commits: Commit[];
  readonly tags: Map<string, string>;
}

/** The token that the fake takes. */
export const goodToken = 'hf_good';

/**
 * A server with the endpoints of the Hugging Face Hub that pushes and pulls use: repositories, trees, commits that name
 * their parent, large files apart, tags, and files by range. What it was asked is kept.
 */
export async function fakeHub() {
  const repos = new Map<string, Repo>();
  const large = new Map<string, Buffer>();
  const asked: string[] = [];
  let beforeCommit: (() => void) | undefined;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const answer = answerTo(request, body);
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answerTo(request: IncomingMessage, body: Buffer) {
    const { method = 'GET', url: target = '/', headers } = request;
    const { pathname } = new URL(target, url);
    asked.push(`${method} ${pathname}`);
    const isKnown = headers.authorization === `Bearer ${goodToken}`;
    if (pathname.startsWith('/lfs/')) {
      large.set(pathname.slice(5), body);
      return text(200, '');
    }
    if (method === 'POST' && !isKnown) return json(401, { error: 'Invalid credentials' });
    if (pathname === '/api/repos/create') return create(JSON.parse(body.toString()));
    const api = /^\/api\/(dataset|model)s\/([^/]+\/[^/]+)(?:\/(\w+)(?:\/(.+))?)?$/.exec(pathname);
    if (api) return onRepo(api, { method, isKnown, body });
    const batch = /^\/(?:datasets\/)?([^/]+\/[^/]+)\.git\/info\/lfs\/objects\/batch$/.exec(pathname);
    if (batch) return lfs(JSON.parse(body.toString()));
    const file = /^\/(datasets\/)?([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname);
    if (file) {
      const repo = repos.get(`${file[1] ? 'dataset' : 'model'} ${file[2]}`);
      return download(
        isReadable(repo, isKnown) ? repo : undefined,
        file[3] ?? '',
        decodeURIComponent(file[4] ?? ''),
        headers.range,
      );
    }
    return json(404, { error: `no such endpoint ${pathname}` });
  }

  function create({ organization, name, type, visibility }: Record<string, string>) {
    const key = `${type} ${organization}/${name}`;
    if (repos.has(key)) return json(409, { error: 'You already created this repo' });
    const first: Commit = {
      id: idOf('first', key),
      title: 'initial commit',
      files: new Map([['.gitattributes', Buffer.from('')]]),
    };
    repos.set(key, { visibility: visibility ?? 'public', commits: [first], tags: new Map() });
    return json(200, { url: `${url}/${organization}/${name}`, id: key });
  }

  function onRepo(
    found: RegExpExecArray,
    { method, isKnown, body }: { method: string; isKnown: boolean; body: Buffer },
  ) {
    const [, type = '', name = '', what, rest = ''] = found;
    const repo = repos.get(`${type} ${name}`);
    if (!repo || !isReadable(repo, isKnown)) return json(404, { error: 'Repository not found' });
    if (what === undefined) return json(200, { id: name });
    if (what === 'commits')
      return json(
        200,
        repo.commits.toReversed().map(({ id, title }) => ({ id, title, message: '', authors: [], date: '2026-01-01' })),
      );
    if (what === 'tree') {
      const commit = commitAt(repo, decodeURIComponent(rest));
      if (!commit) return json(404, { error: 'Revision not found' });
      return json(
        200,
        [...commit.files].map(([path, content]) => ({ type: 'file', path, size: content.length, oid: path })),
      );
    }
    if (what === 'preupload') {
      const { files } = JSON.parse(body.toString()) as { files: { path: string }[] };
      const modeOf = (path: string) => (/\.(parquet|safetensors|bin)$/.test(path) ? 'lfs' : 'regular');
      return json(200, { files: files.map(({ path }) => ({ path, uploadMode: modeOf(path), shouldIgnore: false })) });
    }
    if (what === 'commit' && method === 'POST') return commit(repo, name, body.toString());
    if (what === 'tag' && method === 'POST') {
      const { tag } = JSON.parse(body.toString()) as { tag: string };
      if (repo.tags.has(tag)) return json(409, { error: 'Tag reference exists already' });
      repo.tags.set(tag, rest);
      return json(200, {});
    }
    return json(404, { error: 'no such endpoint' });
  }

  function lfs({ objects }: { objects: { oid: string; size: number }[] }) {
    const withUpload = objects.map((one) => ({ ...one, actions: { upload: { href: `${url}/lfs/${one.oid}` } } }));
    return json(200, { transfer: 'basic', objects: withUpload });
  }

  function commit(repo: Repo, name: string, lines: string) {
    beforeCommit?.();
    const said = lines.split('\n').map((line) => JSON.parse(line) as { key: string; value: Record<string, string> });
    const head = repo.commits.at(-1) as Commit;
    const header = said.find(({ key }) => key === 'header')?.value ?? {};
    if (header['parentCommit'] !== undefined && header['parentCommit'] !== head.id)
      return json(412, { error: 'A commit has happened since' });
    const files = new Map(head.files);
    for (const { key, value } of said) {
      const path = String(value['path']);
      if (key === 'file') files.set(path, Buffer.from(String(value['content']), 'base64'));
      if (key === 'lfsFile') files.set(path, large.get(String(value['oid'])) ?? Buffer.from(''));
      if (key === 'deletedFile') files.delete(path);
    }
    const id = idOf(name, String(repo.commits.length), lines);
    repo.commits.push({ id, title: String(header['summary']), files });
    return json(200, { commitOid: id, commitUrl: `${url}/${name}/commit/${id}`, hookOutput: '' });
  }

  function download(repo: Repo | undefined, revision: string, path: string, range: string | undefined) {
    const content = repo && commitAt(repo, decodeURIComponent(revision))?.files.get(path);
    if (!content) return { ...json(404, { error: 'Entry not found' }), headers: { 'x-error-code': 'EntryNotFound' } };
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(range ?? '') ?? [];
    const end = to === '' ? content.length : Number(to) + 1;
    const part = content.subarray(Number(from), end);
    const headers = { etag: '"x"', 'content-range': `bytes ${from}-${end - 1}/${content.length}` };
    return { status: range ? 206 : 200, headers, body: part };
  }

  return {
    url,
    asked,
    repo: (type: 'dataset' | 'model', name: string) => repos.get(`${type} ${name}`),
    file: (type: 'dataset' | 'model', name: string, path: string) =>
      repos.get(`${type} ${name}`)?.commits.at(-1)?.files.get(path)?.toString(),
    /** Do something just before the next commit is looked at. */
    meanwhile(act: () => void): void {
      beforeCommit = () => {
        beforeCommit = undefined;
        act();
      };
    },
  };
}

const isReadable = (repo: Repo | undefined, isKnown: boolean): boolean =>
  repo !== undefined && (isKnown || repo.visibility === 'public');
const commitAt = ({ commits, tags }: Repo, revision: string): Commit | undefined =>
  revision === 'main' ? commits.at(-1) : commits.find(({ id }) => id === (tags.get(revision) ?? revision));
const idOf = (...parts: string[]) => createHash('sha1').update(parts.join('|')).digest('hex');
const text = (status: number, body: string) => ({ status, headers: {}, body });
const json = (status: number, value: unknown) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

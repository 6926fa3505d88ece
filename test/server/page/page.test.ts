import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pageRoutes } from '../../../src/server/page/index.ts';
import { pageFiles } from '../../../src/server/page/page-files.ts';
import { liveScene, token } from '../live.ts';

const scene = () => liveScene({ parts: [pageRoutes()] });
const byName = pageFiles();
const files = [...byName];

it('is under 100 KB in all as a browser gets it', () => {
  const bytes = files.reduce((sum, [, { packed }]) => sum + packed.byteLength, 0);
  expect(bytes).toBeLessThan(100_000);
  expect(bytes).toBeGreaterThan(20_000); // the packages are there
});

it('gives every file that another one names, and the packages under their addresses', () => {
  const known = new Set(files.map(([name]) => name));
  const text = (name: string) => new TextDecoder().decode(byName.get(name)?.bytes);
  for (const name of known) {
    const imported = [...text(name).matchAll(/^(?:import|export)[^'"]*? from '([^']+)'/gm)].map(
      ([, path]) => path ?? '',
    );
    const linked = [...text(name).matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(([, path]) => path ?? '');
    const wanted = [...imported, ...linked].map((path) =>
      new URL(path, `http://localhost/page/${name}`).pathname.replace('/page/', ''),
    );
    expect(wanted.filter((path) => !known.has(path))).toEqual([]);
  }
  expect(text('html.js')).toContain("from '/page/lib/htm.js'");
});

it('answers with types, packed where the browser takes it, under a policy without inline scripts and other hosts', async () => {
  const { ask } = scene();
  const page = await ask('/', { headers: { 'accept-encoding': 'gzip, br' } });
  expect([page.status, page.headers.get('content-type'), page.headers.get('content-encoding')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'gzip',
  ]);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/require-trusted-types-for 'script'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const script = await ask('/page/views/runs.js');
  expect([script.headers.get('content-type'), script.headers.get('content-encoding')]).toEqual([
    'text/javascript; charset=utf-8',
    null,
  ]);
  expect(await (await ask('/')).text()).not.toMatch(/<script(?![^>]* src=)|style="|\son\w+="/);
});

it('has no other file, however it is asked for', async () => {
  const { ask, app } = scene();
  const paths = ['/page/', '/page/nothing.js', '/page/../index.ts', '/page/%2e%2e%2findex.ts', '/page//etc/passwd'];
  const asked = await Promise.all(paths.map((path) => ask(path)));
  expect(asked.map(({ status }) => status)).toEqual(paths.map(() => 404));
  expect((await app.request('/page/main.js')).status).toBe(401);
  expect((await app.request(`/?token=${token}x`)).status).toBe(401);
});

it('has no module that could read a text as HTML', () => {
  const folder = new URL('../../../src/server/page/assets/', import.meta.url);
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(modules.length).toBeGreaterThan(10);
  for (const name of modules)
    expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(
      /innerHTML|outerHTML|dangerously|insertAdjacent|document\.write|srcdoc|\beval\b|new Function/,
    );
});

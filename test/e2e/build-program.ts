import { cpSync } from 'node:fs';
import { buildSync } from 'esbuild';

/** Make one plain file of a program: a process of it is up in a fraction of the time that compiling each of its files takes. */
export function buildProgram(source: URL): string {
  const name = source.pathname.split('/').at(-1)?.replace(/\.ts$/, '');
  const outfile = `.cache/programs/${name}-${process.pid}.js`; // beside node_modules, where its packages are found
  buildSync({
    entryPoints: [source.pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  cpSync('src/server/page/assets', '.cache/programs/assets', { recursive: true }); // where it looks for the page
  return outfile;
}

export const buildWorker = (): string => buildProgram(new URL('worker.ts', import.meta.url));

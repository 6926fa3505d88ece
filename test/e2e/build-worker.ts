import { build } from 'esbuild';

/** Make one plain file of the worker: a process of it is up in a fraction of the time that compiling each file takes. */
export async function buildWorker(): Promise<string> {
  const outfile = `.cache/chaos/worker-${process.pid}.js`; // below node_modules' folder, where its packages are found
  const entryPoints = [new URL('worker.ts', import.meta.url).pathname];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  return outfile;
}

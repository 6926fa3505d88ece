import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute } from 'node:path';
import { javascriptHarness } from './javascript-harness.ts';
import type { Runtime } from './runtime.ts';

let found: Runtime | undefined;

/**
 * Find the engine of JavaScript candidates: QuickJS, compiled to WebAssembly, in a Node process of its own. Node's permission
 * flags leave the network open and share the process with the candidate; here the candidate has no host to reach for: no
 * files, processes, sockets or modules are given to it, memory and time are counted by the engine, and the secret of the
 * verdict lies outside of its memory. Undefined while the optional package `quickjs-emscripten` is not installed.
 */
export function javascriptRuntime(bin = process.execPath): Runtime | undefined {
  if (found && bin === process.execPath) return found;
  const engine = engineFile();
  if (engine === undefined) return undefined;
  const node = ['--max-old-space-size=512', '-e', javascriptHarness, engine];
  const runtime: Runtime = {
    harness: ({ cpuSeconds }) => ['sh', '-c', `ulimit -t ${cpuSeconds + 2}; exec "$@"`, 'sh', bin, ...node],
    inmate: {
      probe: [bin, '-e', `require(${JSON.stringify(engine)})`],
      sees: [...foldersOf(bin), engine.slice(0, engine.indexOf('/node_modules/') + '/node_modules'.length)],
    },
  };
  if (bin === process.execPath) found = runtime;
  return runtime;
}

function foldersOf(bin: string): string[] {
  try {
    return isAbsolute(bin) ? [dirname(bin), dirname(dirname(realpathSync(bin)))] : [];
  } catch {
    return []; // its probe fails
  }
}

function engineFile(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('quickjs-emscripten');
  } catch {
    return undefined; // the caller says how to install it
  }
}

import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { pythonHarness } from './python-harness.ts';
import type { Runtime } from './runtime.ts';

const asked = `import os, sys
for path in (sys.executable, os.path.realpath(sys.executable), sys.prefix, sys.base_prefix, sys.exec_prefix): print(path)`;
const runtimes = new Map<string, Runtime | undefined>();

/** Find the interpreter itself: a shim would need an environment, and start twice. Undefined when there is none. */
export function pythonRuntime(bin = 'python3'): Runtime | undefined {
  if (!runtimes.has(bin)) runtimes.set(bin, find(bin));
  return runtimes.get(bin);
}

function find(bin: string): Runtime | undefined {
  const { status, stdout } = spawnSync(bin, ['-I', '-c', asked], { encoding: 'utf8' });
  const [python = '', real = '', ...prefixes] = status === 0 ? stdout.trim().split('\n') : [];
  if (python === '') return undefined;
  return {
    harness: () => [python, '-I', '-c', pythonHarness],
    inmate: { probe: [python, '-I', '-c', 'pass'], sees: [dirname(python), dirname(real), ...prefixes] },
  };
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const wanted = 'whileai==0.66.*';
const home = '.cache/reference-sdk-0.66';
/** The Python that has it. */
export const python = `${home}/bin/python`;

/** The Python of an environment with the reference SDK, made once; or why there is none. */
export function environment(): string | undefined {
  const check = () => spawnSync(python, ['-c', 'import whileai.simulations.schema'], { encoding: 'utf8' });
  if (existsSync(python) && check().status === 0) return undefined;
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['python3', ['-m', 'venv', '--clear', home]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted]],
  ];
  for (const [command, args] of steps) {
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) return `${command} ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
  }
  return check().status === 0 ? undefined : `${wanted} was installed and cannot be imported: ${check().stderr}`;
}

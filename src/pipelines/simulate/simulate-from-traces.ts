import type { SimulateOptions } from './options.ts';
import type { SimulatePorts } from './prepare.ts';
import { type SimulateRun, simulate } from './simulate.ts';

/**
 * Simulate an agent where its traces say that it fails: `simulate` aimed at them. Tools and policy that the caller does not
 * give are read off the traces: the tools that were called, with their arguments, and the system prompt that most show. No
 * ask of the traces is played itself.
 *
 * @throws TM_OPTIONS - before anything runs: an option, or a file of traces that holds no row
 * @source rlhfbook ch. 6; house rule for what is read off
 */
export function simulateFromTraces(
  traces: string | readonly Readonly<Record<string, unknown>>[],
  options: Omit<SimulateOptions, 'traces'>,
  ports: SimulatePorts = {},
): Promise<SimulateRun> {
  return simulate({ ...options, traces: typeof traces === 'string' ? traces : [...traces] }, ports);
}

import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import { type Axes, axesOf } from '../../grid/axes.ts';
import type { Tool } from '../../rows/tool.ts';
import { mineTraces, type TraceProfile } from './mine-traces.ts';

/** Options of `dimensionsFromTraces`. */
const options = z.strictObject({
  broaden: z.boolean().default(true).describe('Keep the declared tools that no trace used, after those that were.'),
});

/** What the traces' faults ask of the next batch: a fault of the tools, or a state of the world. */
const conditionOf: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  error: 'timeout',
  malformed: 'malformed_result',
  stale: 'stale_result',
  deny: 'permission_denied',
};
const stateOf: Readonly<Record<string, string>> = {
  not_found: 'entity missing',
  already_done: 'entity already acted on',
};
const special = new Set(['unrelated', 'multi_tool']);

/**
 * Aim the axes of an agent at what its traces show: the tools that were used first, by faults and then by calls; the
 * faults that were seen as the only tool conditions and world states beside success. Each value once. An axis the
 * traces say nothing of stays as it is.
 *
 * @source house rule
 */
export function dimensionsFromTraces(
  rows: readonly unknown[],
  tools: readonly Tool[],
  policy: string,
  config: z.input<typeof options> = {},
): Axes {
  const { broaden } = parseOptions('dimensionsFromTraces', options, config);
  return aimed(mineTraces(rows), axesOf(tools, policy), broaden);
}

/** The axes of an agent, aimed at a profile. */
export function aimed(profile: TraceProfile, axes: Axes, broaden: boolean): Axes {
  const byCount = Object.entries(profile.faults).sort(([, a], [, b]) => b - a);
  const seen = (values: Readonly<Record<string, string>>) => [
    ...new Set(byCount.flatMap(([fault]) => (Object.hasOwn(values, fault) ? [values[fault] ?? ''] : []))),
  ];
  const [conditions, states] = [seen(conditionOf), seen(stateOf)];
  return {
    ...axes,
    tool: toolOrder(profile, axes.tool, broaden),
    tool_condition: conditions.length > 0 ? ['success', ...conditions] : axes.tool_condition,
    world_state: states.length > 0 ? ['entity exists', ...states] : axes.world_state,
  };
}

function toolOrder({ tools }: TraceProfile, declared: readonly string[], broaden: boolean): readonly string[] {
  const real = declared.filter((name) => !special.has(name));
  const used = real.filter((name) => Object.hasOwn(tools, name));
  if (used.length === 0) return declared;
  const count = (name: string) => tools[name] ?? { n: 0, fault_n: 0 };
  const order = used.sort((a, b) => {
    const [left, right] = [count(a), count(b)];
    return right.fault_n - left.fault_n || right.n - left.n || (a < b ? -1 : 1);
  });
  const unused = broaden ? real.filter((name) => !Object.hasOwn(tools, name)) : [];
  return [...order, ...unused, ...special];
}

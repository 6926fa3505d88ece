import type { MonitorSummary } from './hack-monitor.ts';

const columns = ['step', 'proxy', 'gold', 'length', 'kl'] as const;
const width = 10;

/**
 * Write the summary of a monitor as text: a row for each evaluation, the scan, what was raised, what the
 * asks could show, and whether the run was stopped.
 */
export function formatHackMonitor({
  history,
  alarms,
  notices,
  last_scan,
  buffer_size,
  stopped_at,
  power,
}: MonitorSummary): string {
  const line = (cells: readonly string[]) => cells.map((cell) => cell.padStart(width)).join('');
  const scan = last_scan
    ? `buffer scan (${buffer_size} completions): ${last_scan.regime}, top feature ${last_scan.top_feature ?? 'none'}, rho ${figure(last_scan.rho_max)}, floor ${figure(last_scan.tau)}`
    : undefined;
  const stop = stopped_at && `stopped at step ${stopped_at.step} by ${stopped_at.kind}`;
  return [
    line(columns),
    ...history.map((entry) => line(columns.map((name) => figure(entry[name])))),
    ...(scan === undefined ? [] : [scan]),
    ...[...alarms, ...notices].map(({ step, kind, reason, low_power }) => {
      return `step ${step} ${kind}: ${reason}${low_power === true ? ' (low power: gold may have moved as much)' : ''}`;
    }),
    ...(power ? [powerLine(power)] : []),
    stop ?? (alarms.length === 0 ? 'no alarms' : 'not stopped'),
  ].join('\n');
}

const figure = (value: number | null): string => (value === null ? '-' : String(Math.round(value * 1e4) / 1e4));

function powerLine({ n_tasks, level, can_decide }: NonNullable<MonitorSummary['power']>): string {
  const enough = Math.ceil(-Math.log2(level)); // asks that all rose
  const said = can_decide ? 'can show' : `cannot show, as ${enough} could,`;
  return `power: ${n_tasks} asks ${said} a divergence at level ${figure(level)}`;
}

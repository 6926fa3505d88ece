import type { OperatorCounts } from '../core/counters.ts';

interface Metric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly lines: string[];
}

/**
 * Write the counters of operators as Prometheus reads them (text format 0.0.4). Labels are names of workers, stages,
 * operators and the words of reasons: never text of a row.
 */
export function prometheusText(
  figures: readonly { readonly worker: string; readonly counts: OperatorCounts }[],
  plain: Readonly<Record<string, number>> = {},
): string {
  const metrics = new Map<string, Metric>();
  const add = (
    name: string,
    type: Metric['type'],
    help: string,
    labels: Readonly<Record<string, string>>,
    n: number,
  ) => {
    const metric = metrics.get(name) ?? { type, help, lines: [] };
    metrics.set(name, metric);
    const said = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
    metric.lines.push(`tracemill_${name}${said.length > 0 ? `{${said.join(',')}}` : ''} ${n}`);
  };
  for (const { worker, counts } of figures) {
    const place = { worker, stage: counts.stage, operator: counts.operator };
    add('rows_in_total', 'counter', 'Rows taken.', place, counts.in);
    add('rows_out_total', 'counter', 'Rows given.', place, counts.out);
    add('in_flight', 'gauge', 'Rows taken whose answer is not known yet.', place, counts.in_flight);
    if (counts.mean_ms !== undefined)
      add('call_seconds_mean', 'gauge', 'Mean time of calls.', place, counts.mean_ms / 1000);
    for (const [reason, n] of Object.entries(counts.rejected))
      add('rejected_total', 'counter', 'Rows rejected, by reason.', { ...place, reason }, n);
    for (const [what, n] of Object.entries(counts.counts))
      add('events_total', 'counter', 'What else happened, by name.', { ...place, what }, n);
    for (const [name, n] of Object.entries(counts.gauges ?? {}))
      add(
        `gauge_${name.replace(/\W/g, '_')}`,
        'gauge',
        `The figure ${name.replace(/\W/g, '_')} of an operator.`,
        place,
        n,
      );
  }
  for (const [name, n] of Object.entries(plain)) add(name, 'gauge', 'Of the server itself.', {}, n);
  const text = [...metrics].flatMap(([name, { type, help, lines }]) => [
    `# HELP tracemill_${name} ${help}`,
    `# TYPE tracemill_${name} ${type}`,
    ...lines,
  ]);
  return `${text.join('\n')}\n`;
}

const escaped = (value: string) => value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));

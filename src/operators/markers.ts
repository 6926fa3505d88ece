import { z } from 'zod';
import { callOptions, defineMapAsync } from '../core/define-map-async.ts';
import { TracemillError } from '../core/errors.ts';
import type { Hooks, Operator } from '../core/operator.ts';
import { type MarkerFunctions, measureMarkers } from '../judges/measure-markers.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject(callOptions);

interface MarkerPorts {
  readonly markers: MarkerFunctions;
  /** Told of each marker that threw or was no finite number. */
  readonly failed?: (name: string, error: unknown) => void;
}

const markRows = defineMapAsync({
  name: 'markers',
  options,
  core: (_config, { markers: functions, failed }: MarkerPorts, count) => {
    const told = (name: string, error: unknown): void => {
      count('not_measured');
      failed?.(name, error);
    };
    return (row: Row, signal: AbortSignal) => measureMarkers(row, functions, signal, told);
  },
  example: {
    options: {},
    ports: {
      markers: {
        short: ({ final_text }) => (final_text ?? '').length < 9,
        broken: () => Number.NaN,
      },
    },
    in: [{ final_text: 'yes', markers: { polite: 1 } }],
    out: [{ final_text: 'yes', markers: { polite: 1, short: 1 } }],
  },
});

/**
 * Measure named markers of each row and merge them over those it has; 1 is good for every marker. One that throws or is no
 * finite number is counted as `not_measured` and absent, never 0.
 * Memory: the rows that move.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or there is no marker
 * @source house rule
 */
export const markers = Object.assign(
  <T extends Row>(config: z.input<typeof options>, ports: MarkerPorts, hooks?: Hooks): Operator<T, T> => {
    if (Object.keys(ports.markers).length === 0) throw new TracemillError('TM_OPTIONS', 'markers: no marker is given');
    return markRows(config, ports, hooks) as unknown as Operator<T, T>; // fields it does not know travel on
  },
  markRows,
);

import { concat, mergeMap, NEVER, of } from 'rxjs';
import type { z } from 'zod';
import type { Source } from '../core/source.ts';
import { type MonitorEvent, monitorEventSchema } from '../rows/monitor-event.ts';
import { jsonlSource } from './jsonl.ts';

/** What a trainer may leave out is filled by the monitor, not here. */
export const writtenEventSchema = monitorEventSchema as unknown as z.ZodType<MonitorEvent>;

/**
 * Read what trainers wrote of their runs to files, one event a line, one file after the other.
 *
 * @rejects invalid_json, invalid_row, invalid_utf8, line_too_long, too_deep
 * @throws TM_SOURCE - a file cannot be read
 */
export function monitorEventsSource(paths: readonly string[]): Source<MonitorEvent> {
  return (run) => {
    const files = paths.map((path) =>
      jsonlSource({ path }, writtenEventSchema)(run).pipe(mergeMap(({ rows }) => rows)),
    );
    return of({ rows: concat(...files), lost: NEVER });
  };
}

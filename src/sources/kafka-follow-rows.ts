import type { z } from 'zod';
import { parseJson } from '../core/json.ts';
import { type FollowDeps, type Followed, followTopic } from './kafka-follow.ts';

/** Follow the rows of a topic, as they are stored. What is no row is passed over: whoever reads the topic as its own says so. */
export function followRows<Row>(
  topic: string,
  schema: z.ZodType<Row>,
  see: (row: Row) => void,
  deps: FollowDeps,
): Followed {
  return followTopic(
    topic,
    ({ value }) => {
      const row = schema.safeParse(value === null ? undefined : read(value.toString('utf8')));
      if (row.success) see(row.data);
    },
    deps,
  );
}

function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

import { memberOf } from '../core/define-window.ts';
import { createKeySet } from '../core/key-set.ts';
import { headerText, membersOf } from '../core/record.ts';
import { type FollowDeps, followTopic } from './kafka-follow.ts';

interface Deps extends FollowDeps {
  /** Ids remembered, 24 to 48 bytes each; the oldest is forgotten first. */
  readonly maxIds?: number;
}

/**
 * Know the ids (`tm-id`) of the records of a topic, and by `memberOf` those of the rows that a group gathered (`tm-members`). `read()` resolves when it has seen the topic as it was at the call, and
 * goes on reading. Memory: `maxIds` ids, as hashes.
 */
export function kafkaIds(topic: string, { maxIds = 2 ** 22, ...deps }: Deps) {
  const ids = createKeySet(maxIds);
  const followed = followTopic(
    topic,
    ({ headers = {}, key }) => {
      const id = headerText(headers, 'tm-id') ?? String(key);
      ids.add(id);
      for (const member of membersOf(headers)) ids.add(memberOf(id, member));
    },
    deps,
  );
  return {
    async read(): Promise<{ has(id: string): boolean }> {
      await followed.caughtUp();
      return ids;
    },
    close: followed.close,
  };
}

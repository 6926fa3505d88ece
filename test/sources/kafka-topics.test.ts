import { expect, it } from 'vitest';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';

/** A broker that makes topics, and answers with these errors first. */
function admin(...errors: string[]) {
  const made: string[] = [];
  const fine = async () => {};
  const port = {
    connect: fine,
    disconnect: fine,
    listTopics: async () => made,
    async createTopics({ topics }: { readonly topics: readonly { readonly topic: string }[] }) {
      made.push(...topics.map(({ topic }) => topic).filter((name) => errors.length === 0 || name !== 'late'));
      const type = errors.shift();
      if (type) throw Object.assign(new Error(type), { type });
      return true;
    },
  };
  return { made, deps: { admin: () => port as never } };
}
const topics = ['early', 'late'].map((name) => ({ name, partitions: 2 }));

it('waits for topics that the broker made and does not know yet', async () => {
  const { made, deps } = admin('UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION');
  await ensureTopics(topics, deps);
  expect(made).toEqual(['early', 'late']);
});

it('says what the broker refuses', async () => {
  await expect(ensureTopics(topics, admin('POLICY_VIOLATION').deps)).rejects.toThrow(/TM_SOURCE.*POLICY_VIOLATION/);
});

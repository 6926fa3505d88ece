import type { Admin } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';

export interface Topic {
  readonly name: string;
  /** Fixed for the life of the topic: more of them would move keys. */
  readonly partitions: number;
  /** Keep the latest record of each key, for ever. Else records are kept as long as the broker keeps them. */
  readonly isCompacted?: boolean;
  /** How long records are kept, in ms, where that is not left to the broker. */
  readonly keptMs?: number;
}

/** Bytes that a record may have: a whole trace fits. */
const maxMessageBytes = 8 * 2 ** 20;

type AdminPort = Pick<Admin, 'connect' | 'listTopics' | 'createTopics' | 'disconnect'>;

/**
 * Make the topics that are not there, and leave the others as they are: settings of a topic are its owner's. Topics are never
 * made by writing to them, so that a misspelt name fails.
 *
 * @throws TM_SOURCE - the broker cannot be reached, or refuses
 */
export async function ensureTopics(
  topics: readonly Topic[],
  { admin: makeAdmin }: { readonly admin: () => AdminPort },
): Promise<void> {
  const admin = makeAdmin();
  try {
    await admin.connect();
    await makeMissing(topics, admin);
  } catch (cause) {
    if (isRace(cause)) return; // another process was faster
    throw new TracemillError('TM_SOURCE', `topics: ${String(cause)}`, { cause, retriable: true });
  } finally {
    await admin.disconnect().catch(() => {}); // nothing hangs on it
  }
}

/** The broker that is asked for their leaders may not know yet of topics that were made a moment ago: a later look sees them. */
async function makeMissing(topics: readonly Topic[], admin: AdminPort): Promise<void> {
  for (let left = maxLooks; ; left--) {
    const known = new Set(await admin.listTopics());
    const missing = topics.filter(({ name }) => !known.has(name));
    if (missing.length === 0) return;
    try {
      await admin.createTopics({ topics: missing.map(configOf), waitForLeaders: true });
      return;
    } catch (error) {
      if (!isEarly(error) || left === 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }
}

const maxLooks = 50;
const lookMs = 100;
const isEarly = (cause: unknown): boolean =>
  (cause as { readonly type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION';

const configOf = ({ name, partitions, isCompacted = false, keptMs }: Topic) => ({
  topic: name,
  numPartitions: partitions,
  configEntries: [
    { name: 'max.message.bytes', value: String(maxMessageBytes) },
    { name: 'cleanup.policy', value: isCompacted ? 'compact' : 'delete' },
    ...(keptMs === undefined ? [] : [{ name: 'retention.ms', value: String(keptMs) }]),
  ],
});

const isRace = (cause: unknown): boolean => (cause as { readonly type?: string }).type === 'TOPIC_ALREADY_EXISTS';

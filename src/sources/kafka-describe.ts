import kafkajs, { type Admin } from 'kafkajs';
import { patiently } from './kafka-patience.ts';

type DescribeAdmin = Pick<Admin, 'listTopics' | 'fetchTopicMetadata' | 'describeConfigs' | 'fetchTopicOffsets'>;

/** A topic as the broker has it. */
export interface TopicFacts {
  readonly topic: string;
  readonly partitions: number;
  /** Copies of each partition. */
  readonly replicas: number;
  /** Records that are kept now. */
  readonly records: number;
  /** `delete` keeps records for a time, `compact` keeps the last of each key. */
  readonly cleanup: string;
  /** Null where records are kept for ever. */
  readonly retention_ms: number | null;
  readonly max_message_bytes: number;
}

const asked = ['cleanup.policy', 'retention.ms', 'max.message.bytes'];

/** Describe the topics that are there, of those that `isWanted`, by name. */
export async function describeTopics(
  admin: DescribeAdmin,
  isWanted: (topic: string) => boolean,
): Promise<readonly TopicFacts[]> {
  const names = (await admin.listTopics()).filter(isWanted).sort();
  if (names.length === 0) return [];
  const [{ topics }, { resources }] = await Promise.all([
    admin.fetchTopicMetadata({ topics: names }),
    admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: asked })),
    }),
  ]);
  const found: TopicFacts[] = [];
  for (const topic of names) {
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const config = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    const ends = await patiently(() => admin.fetchTopicOffsets(topic));
    const retention = Number(config.get('retention.ms') ?? -1);
    const cleanup = config.get('cleanup.policy') ?? 'delete';
    found.push({
      topic,
      partitions: partitions.length,
      replicas: partitions[0]?.replicas.length ?? 0,
      records: ends.reduce((total, { high, low }) => total + Number(high) - Number(low), 0),
      cleanup,
      retention_ms: retention < 0 || !cleanup.includes('delete') ? null : retention,
      max_message_bytes: Number(config.get('max.message.bytes')),
    });
  }
  return found;
}

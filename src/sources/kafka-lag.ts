import kafkajs, { type Admin } from 'kafkajs';
import { patiently } from './kafka-patience.ts';

type Offsets = Pick<Admin, 'fetchTopicOffsets' | 'fetchOffsets'>;

/** How far a group has come in one partition. */
export interface PartitionLag {
  readonly partition: number;
  /** Offset that the group reads next; null when it has committed none. */
  readonly committed: number | null;
  readonly end: number;
  /** Records that are there and not committed. */
  readonly lag: number;
}

/** Tell how far a group has come in the partitions of a topic. */
export async function groupLag(admin: Offsets, groupId: string, topic: string): Promise<readonly PartitionLag[]> {
  const [ends, [found]] = await Promise.all([
    patiently(() => admin.fetchTopicOffsets(topic)),
    patiently(() => admin.fetchOffsets({ groupId, topics: [topic] })),
  ]);
  const at = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  return ends
    .map(({ partition, high, low }) => {
      const offset = at.get(partition) ?? -1;
      const committed = offset < 0 ? null : offset;
      return {
        partition,
        committed,
        end: Number(high),
        lag: Math.max(0, Number(high) - Math.max(offset, Number(low))),
      };
    })
    .sort((a, b) => a.partition - b.partition);
}

/** Resolves when a group has committed all that a topic had at the call, or up to `given` ends, or when `stop` aborts. */
export async function caughtUp(
  admin: Offsets,
  groupId: string,
  topic: string,
  stop?: AbortSignal,
  given?: ReadonlyMap<number, number>,
): Promise<void> {
  const ends = given ?? new Map((await groupLag(admin, groupId, topic)).map(({ partition, end }) => [partition, end]));
  while (!stop?.aborted) {
    const open = await groupLag(admin, groupId, topic);
    if (open.every(({ partition, committed, lag }) => lag === 0 || (committed ?? 0) >= (ends.get(partition) ?? 0)))
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One group on one topic. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly lag: number;
  readonly partitions: readonly PartitionLag[];
}
/** The dead letters of a topic: all that are kept, and those that no replay has taken. */
export interface LetterCount {
  readonly topic: string;
  readonly letters: number;
  readonly waiting: number;
}
export interface LagReport {
  readonly groups: readonly GroupLag[];
  readonly total_lag: number;
  readonly dead_letters: readonly LetterCount[];
  readonly total_dead_letters: number;
}

type LagAdmin = Offsets & Pick<Admin, 'listGroups' | 'listTopics' | 'describeGroups'>;

/** Topics that a group has committed to, and those that its members read without a commit so far. */
async function topicsOfGroup(admin: LagAdmin, group: string): Promise<ReadonlySet<string>> {
  const [committed, { groups }] = await Promise.all([
    admin.fetchOffsets({ groupId: group }),
    admin.describeGroups([group]),
  ]);
  const members = groups.flatMap((one) => one.members).filter(({ memberMetadata }) => memberMetadata.length > 0); // none while it rebalances
  const read = members.flatMap(({ memberMetadata }) => MemberMetadata.decode(memberMetadata)?.topics ?? []);
  return new Set([...committed.map(({ topic }) => topic), ...read]);
}
const { MemberMetadata } = kafkajs.AssignerProtocol;

/** Tell how far all groups of a pipeline are behind, and how many dead letters its topics have. */
export async function lagReport(admin: LagAdmin, prefix: string): Promise<LagReport> {
  const { groups } = await admin.listGroups();
  const names = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(`${prefix}.`));
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`)).sort();
  const found: GroupLag[] = [];
  for (const group of names.sort())
    for (const topic of await topicsOfGroup(admin, group)) {
      if (!topics.includes(topic)) continue; // of a topic that was deleted
      const partitions = await groupLag(admin, group, topic);
      found.push({ group, topic, lag: sum(partitions.map(({ lag }) => lag)), partitions });
    }
  const dead_letters: LetterCount[] = [];
  for (const topic of topics.filter((name) => name.endsWith('.dlq'))) {
    const letters = sum(
      (await patiently(() => admin.fetchTopicOffsets(topic))).map(({ high, low }) => Number(high) - Number(low)),
    );
    const waiting = found.find(({ group }) => group === `${topic}.replay`)?.lag ?? letters;
    dead_letters.push({ topic, letters, waiting });
  }
  const own = found.filter(({ group }) => !group.endsWith('.replay'));
  return {
    groups: own,
    total_lag: sum(own.map(({ lag }) => lag)),
    dead_letters,
    total_dead_letters: sum(dead_letters.map(({ letters }) => letters)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

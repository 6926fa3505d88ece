import { createRequire } from 'node:module';

/** A member of a consumer group that is about to join again. */
export interface Leaving {
  readonly memberId: string;
  /** Tell the coordinator that we are alive. Rejects while the group rebalances, which is no reason to stop. */
  heartbeat(): Promise<void>;
}
type BeforeJoin = (leaving: Leaving) => Promise<void>;

const hooks = new Map<string, Set<BeforeJoin>>();

/**
 * Have something done before a member of the group gives its partitions up: the client itself joins again at once, although
 * calls still run. The coordinator waits for it `rebalanceTimeout` long. Returns what takes it back.
 */
export function beforeJoin(groupId: string, hook: BeforeJoin): () => void {
  const all = hooks.get(groupId) ?? new Set();
  hooks.set(groupId, all.add(hook));
  return () => {
    all.delete(hook);
    if (all.size === 0) hooks.delete(groupId);
  };
}

interface ConsumerGroup {
  readonly groupId: string;
  /** Null when the coordinator has thrown us out: then nothing can be saved any more. */
  readonly memberId: string | null;
  heartbeat(options: { readonly interval: number }): Promise<void>;
  joinAndSync(): Promise<unknown>;
}
interface Cluster {
  findGroupCoordinatorMetadata(group: unknown): Promise<unknown>;
}
interface Runner {
  readonly running: boolean;
  readonly consumerGroup: { commitOffsets(offsets: unknown): Promise<void> };
  commitOffsets(offsets: unknown): Promise<void>;
}
interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly throttledUntil: number;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

let isRepaired = false;

/**
 * Repair four things of kafkajs 2.2.4, once a process.
 *
 * It passes `throttledUntil - now`, with an initial -1, to a timer: a warning on Node 24 and later, and a timer of 1 ms on
 * every connection for ever. It joins a rebalancing group without asking: see `beforeJoin`. And a consumer ends for good
 * when a broker stops while it is asked who coordinates the group: that may pass. And it repeats a refused commit under
 * whatever generation it has by then: offsets of a partition that another member has won meanwhile go back, and stay back
 * where nothing new comes; of a consumer that does not run it says that they are stored. Here a commit is one try.
 */
export function repairKafkajs(): void {
  if (isRepaired) return;
  isRepaired = true;
  const load = createRequire(import.meta.url);
  const queue = load('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue };
  queue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const waitMs = Math.max(this.throttledUntil - Date.now(), 10);
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, waitMs);
  };
  const group = load('kafkajs/src/consumer/consumerGroup') as { readonly prototype: ConsumerGroup };
  const { joinAndSync } = group.prototype;
  group.prototype.joinAndSync = async function (this: ConsumerGroup) {
    const { memberId } = this;
    const heartbeat = () => this.heartbeat({ interval: 0 });
    if (memberId) for (const hook of hooks.get(this.groupId) ?? []) await hook({ memberId, heartbeat });
    return joinAndSync.call(this);
  };
  const runner = load('kafkajs/src/consumer/runner') as { readonly prototype: Runner };
  runner.prototype.commitOffsets = async function (this: Runner, offsets) {
    if (!this.running) throw Object.assign(new Error('the consumer does not run'), { retriable: true });
    await this.consumerGroup.commitOffsets(offsets);
  };
  const cluster = load('kafkajs/src/cluster') as { readonly prototype: Cluster };
  const { findGroupCoordinatorMetadata } = cluster.prototype;
  cluster.prototype.findGroupCoordinatorMetadata = async function (this: Cluster, group) {
    try {
      return await findGroupCoordinatorMetadata.call(this, group);
    } catch (error) {
      const { name } = error as Error;
      if (name === 'KafkaJSGroupCoordinatorNotFound') Object.assign(error as Error, { retriable: true });
      throw error;
    }
  };
}

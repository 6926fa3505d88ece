/** Offsets to commit: all before them is done. */
export type CommitPoint = { readonly partition: number; readonly offset: string };

/** Where a source hands its commits to, when they shall be stored together with the rows that came of the records. */
export interface CommitPort {
  /** A partition was won. Resolves with the first offset to read, once no earlier owner can write any more. */
  won(partition: number): Promise<number>;
  /** Told before the first record is emitted: gives the offsets that are not done, in their order. */
  opened(partition: number, undone: () => Iterable<number>): void;
  lost(partition: number): void;
  commit(points: readonly CommitPoint[]): Promise<void>;
}

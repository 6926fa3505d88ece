/** Ways to break a worker, to see whether anybody notices. */
export const breakages = ['commits_on_arrival', 'forgets_finished'] as const;

/** What a worker is told, as its one argument. */
export interface WorkerOptions {
  readonly broker: string;
  readonly prefix: string;
  /** Decides verdicts, the time of each call, and which calls hang. */
  readonly seed: string;
  /** Longest call, in ms. */
  readonly maxCallMs: number;
  /** Part of the rollouts whose first call in a process hangs, 0 to 1, and when such a call is cut, in ms. */
  readonly hangRate: number;
  readonly cutMs: number;
  readonly maxInFlight: number;
  /** Folder of the final set. */
  readonly folder: string;
  /** The stage that judges is mended: nothing is poison any more. */
  readonly isMended: boolean;
  /** Store rows and offsets in transactions. */
  readonly transactional?: boolean;
  readonly breakage?: (typeof breakages)[number] | undefined;
}

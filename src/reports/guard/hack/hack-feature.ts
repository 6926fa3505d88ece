/** One feature of a scan. */
export interface HackFeature {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Correlation with the reward within tasks. */
  readonly rho: number;
  /** Ordinary correlation over all rows: difficulty is mixed in. */
  readonly pooled: number | null;
  readonly n_obs: number;
  readonly above_floor: boolean;
  readonly endorsed: boolean;
}

/** One prompt with a better and a worse rollout. */
export interface PreferencePair<R> {
  readonly prompt: string;
  readonly chosen: R;
  readonly rejected: R;
  readonly chosen_score: number;
  readonly rejected_score: number;
  readonly margin: number;
  readonly chosen_model: string | null;
  readonly rejected_model: string | null;
  /** Null when either side does not say which model it came from. */
  readonly same_policy: boolean | null;
  /** Characters the chosen reply has more. */
  readonly length_delta: number;
  readonly first_turn_differs: boolean;
  readonly chosen_reason: string | null;
  readonly rejected_reason: string | null;
  readonly rejected_failure_class: string | null;
  readonly lineage: { readonly chosen: unknown; readonly rejected: unknown };
}

import type { JsonObject } from '../../core/json-object.ts';

/** What a trace was graded: a label of its own, or an advisory one of a small judge, which counts where no other is. */
export interface TraceLabel {
  readonly label: 0 | 1;
  readonly isAdvisory: boolean;
}

/** Read the label of a trace: `reward`, else the advisory `qwen_reward`, each only when it is exactly 0 or 1. */
export function traceLabel(row: JsonObject): TraceLabel | undefined {
  const own = binary(row['reward']);
  if (own !== undefined) return { label: own, isAdvisory: false };
  const advisory = binary(row['qwen_reward']);
  return advisory === undefined ? undefined : { label: advisory, isAdvisory: true };
}

function binary(value: unknown): 0 | 1 | undefined {
  if (value === 1 || value === true) return 1;
  return value === 0 || value === false ? 0 : undefined;
}

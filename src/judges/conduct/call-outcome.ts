import { isObject } from '../../core/json-object.ts';
import type { CallMade } from '../../rows/calls-made.ts';
import { failedCall } from '../../rows/failed-call.ts';
import { faultOfResult } from '../../rows/trace-fault.ts';

/** How a call ended. `open`: no result was recorded, or the tool says that it is not through yet. */
export type CallOutcome = 'done' | 'fault' | 'already_done' | 'open';

/** Statuses of a tool that has taken the call and not carried it out. */
const unfinished: ReadonlySet<string> = new Set([
  'pending',
  'queued',
  'in_progress',
  'processing',
  'partial',
  'unknown',
  'skipped',
  'unchanged',
  'none',
]);

/** Read how a call ended: by the fault its result shows, a flag such as `success: false`, or an error of its step. */
export function callOutcome(call: CallMade): CallOutcome {
  const { result } = call;
  const fault = faultOfResult(result);
  if (fault === 'already_done') return 'already_done';
  if (fault !== undefined || failedCall(call)) return 'fault';
  if (result === undefined || result === null) return 'open';
  const status = isObject(result) ? result['status'] : undefined;
  return typeof status === 'string' && unfinished.has(status.trim().toLowerCase()) ? 'open' : 'done';
}

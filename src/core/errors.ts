/** Every error code the product can raise. Adding one here makes the reference test ask for its page. */
export const errorCodes = {
  TM_OPTIONS: 'An option is missing, unknown or out of range. Fix the call or the config file.',
  TM_ROW: 'A row does not match its schema. It is rejected; the stream goes on.',
  TM_SOURCE: 'A source could not be read.',
  TM_SINK: 'A sink refused a batch for good.',
  TM_WORKER: 'A worker process ended before the run did. Its last words say why.',
  TM_AGENT: 'An agent failed, or answered with something that is no reply. The rollout is no row; it is counted.',
  TM_AUTH: 'A model host refused the key, or has none. Set the key it names and run again.',
  TM_MODEL: 'A model could not be reached, or its answer could not be read.',
  TM_PRIVILEGED_LEAK: 'Replies quote their own answer key. Drop those rows before they are exported.',
  TM_TOOL_CALL_ROUNDTRIP: 'Tool calls of an export have arguments that are no object. Fix the rows.',
  TM_NO_PREFERENCE_PAIRS: 'No preference pair is left to export.',
  TM_EXPORT_PREFERENCE: 'A preference pair has no chosen or no rejected side.',
  TM_JUDGE_NOT_TRUSTED:
    'A judge was to be trusted and is not, or nobody measured it. Label rows, or grade with another.',
  TM_GATE: 'A gate refused a set of rows. Its reason says why; nothing was written.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

interface ErrorOptions {
  readonly cause?: unknown;
  readonly retriable?: boolean;
  readonly reason?: string;
}

export class TracemillError extends Error {
  override readonly name = 'TracemillError';
  readonly code: ErrorCode;
  /** A stable snake_case word for programs, finer than the code: `invalid_option`, `privileged_leak`. */
  readonly reason: string;
  /** True when the same call may succeed later. Only sources, sinks and models retry, and only when this is true. */
  readonly retriable: boolean;

  constructor(code: ErrorCode, message: string, { cause, retriable = false, reason }: ErrorOptions = {}) {
    super(`${code}: ${message}`, { cause });
    this.code = code;
    this.reason = reason ?? usualReason[code];
    this.retriable = retriable;
  }
}

const usualReason: Readonly<Record<ErrorCode, string>> = {
  TM_OPTIONS: 'invalid_option',
  TM_ROW: 'invalid_input',
  TM_SOURCE: 'source',
  TM_SINK: 'sink',
  TM_WORKER: 'worker',
  TM_AGENT: 'agent_error',
  TM_AUTH: 'auth',
  TM_MODEL: 'model',
  TM_PRIVILEGED_LEAK: 'privileged_leak',
  TM_TOOL_CALL_ROUNDTRIP: 'tool_call_roundtrip_invalid',
  TM_NO_PREFERENCE_PAIRS: 'no_preference_pairs',
  TM_EXPORT_PREFERENCE: 'export_preference',
  TM_JUDGE_NOT_TRUSTED: 'judge_not_trusted',
  TM_GATE: 'refused',
};

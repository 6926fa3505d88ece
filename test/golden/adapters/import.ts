import { rowsFromOtlp } from '../../../src/dialects/otlp/rows-from-otlp.ts';
import type { Adapters } from '../run-case.ts';

/** Spans and files to rows. */
export const adapters: Adapters = {
  rowsFromOtlp: (input: readonly unknown[], options) =>
    rowsFromOtlp(input[0], { ...(options as object), ...((input[1] ?? {}) as object) }),
};

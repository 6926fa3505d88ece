import type { Rejection } from '../core/operator.ts';

/**
 * A rejection as it may be stored: its row and its error cleaned. A row that cannot be cleaned is left out, and the error says
 * so: what is rejected neither stands there in clear nor ends the run.
 */
export function cleanedRejection(said: Rejection<unknown>, clean: (value: unknown) => unknown): Rejection<unknown> {
  try {
    return { ...said, row: clean(said.row), ...(said.error !== undefined && { error: String(clean(said.error)) }) };
  } catch {
    const { error: _unclean, ...rest } = said;
    return { ...rest, row: null, error: leftOut };
  }
}

const leftOut = 'the row is left out: it cannot be redacted';

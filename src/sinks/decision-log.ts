import { stringifyJson } from '../core/json.ts';
import type { Decision } from '../rows/decision.ts';
import { type LineFile, openLineFile } from './line-file.ts';

/** The decisions of one run about one set. */
export interface DecisionLog {
  /** Write decisions down. Calls may overlap. */
  add(decisions: readonly Decision[]): Promise<void>;
  /** All rows are decided: the file takes its place. */
  finish(): Promise<void>;
}

/**
 * Open the file of decisions beside a set; an older one stays until `finish`.
 *
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function decisionLog(path: string): DecisionLog {
  let file: Promise<LineFile> | undefined;
  let turn: Promise<void> = Promise.resolve();
  const opened = (): Promise<LineFile> => {
    file ??= openLineFile(path, { isReplaced: true, isPrivate: false });
    return file;
  };
  return {
    add(decisions) {
      const lines = decisions.map((one) => `${stringifyJson(one)}\n`).join('');
      const written = turn.then(async () => (await opened()).append(lines));
      turn = written.catch(() => {}); // the caller hears of it; the next lines are still tried
      return written;
    },
    async finish() {
      await turn;
      const whole = await opened();
      try {
        await whole.finish();
      } finally {
        await whole.close();
      }
    },
  };
}

import { defineBatch } from '../core/define-batch.ts';
import { selectForSft, sftOptions } from '../reports/select/select-for-sft.ts';
import type { SftReport } from '../reports/select/sft-report.ts';
import type { Row } from '../rows/row.ts';

interface Ports {
  /** Told once what was selected and why. */
  readonly report?: (report: SftReport) => void;
}

const rollout = (rollout_id: string, reward: number, final_text: string): Row => {
  return { rollout_id, scenario_id: 'A1', prompt: 'Where is order A1?', final_text, reward, steps: [], messages };
};
const messages = [
  { role: 'user', content: 'Where is order A1?' },
  { role: 'assistant', content: 'It has shipped.' },
];

/**
 * Keep the completions that supervised training learns from: the best of each prompt, every behaviour once before any
 * twice. It decides over all rows: for streams that end. Memory: all rows.
 *
 * @rejects privileged_leak, not_pass, incomplete_junk, not_best, over_target
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source rlhfbook ch. 9
 */
export const keepForSft = defineBatch({
  name: 'keep-for-sft',
  options: sftOptions,
  rejects: ['privileged_leak', 'not_pass', 'incomplete_junk', 'not_best', 'over_target'],
  core:
    (options, { report }: Ports) =>
    (rows: readonly Row[]) => {
      const account = selectForSft(rows, options);
      report?.(account.report);
      return account;
    },
  example: {
    options: {},
    ports: {},
    in: [rollout('a', 1, 'It has shipped.'), rollout('b', 0, 'No idea.')],
    out: [rollout('a', 1, 'It has shipped.')],
  },
});

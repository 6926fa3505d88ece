import { defineBatch } from '../core/define-batch.ts';
import { selectForSft, sftOptions } from '../reports/select/select-for-sft.ts';
import type { Row } from '../rows/row.ts';

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
  core: (options) => (rows: readonly Row[]) => selectForSft(rows, options),
  example: {
    options: {},
    ports: {},
    in: [rollout('a', 1, 'It has shipped.'), rollout('b', 0, 'No idea.')],
    out: [rollout('a', 1, 'It has shipped.')],
  },
});

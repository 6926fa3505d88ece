import type { Ask } from '../../src/rows/ask.ts';

/** Repeats of each ask: the window of a task. */
export const k = 8;
const interleaved = 50; // tasks whose rollouts come mixed, as several actors make them

const vocabulary =
  'order refund parcel invoice account address delivery card payment booking seat flight room driver meter please could you tell me where when why is are was the a an of to from on in at with my your our their number date time street city'.split(
    ' ',
  );

/** Prose of so many bytes, another for each row, with a number here and there. */
function prose(row: number, bytes: number): string {
  let state = (row + 1) * 2_654_435_761;
  let text = '';
  while (text.length < bytes) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += (state >>> 8) % 12 === 0 ? `${state >>> 12} ` : `${vocabulary[(state >>> 16) % vocabulary.length]} `;
  }
  return text;
}

/** Asks that make rollouts of about 4 KB, k of each task. */
export function* asks(rows: number): Generator<Ask> {
  for (let n = 0; n < rows; n++) {
    const task = Math.floor(n / (interleaved * k)) * interleaved + (n % interleaved);
    const rollout_index = Math.floor(n / interleaved) % k;
    yield {
      ask_id: `ask-${task}`,
      scenario_id: `scenario-${task}`,
      prompt: `Where is order ${task}?`,
      page: prose(n, 3400), // what the person looks at: it travels along, as unknown fields do
      seed: 1,
      rollout_index,
      arm: 'structured',
      writer_model: 'template',
    };
  }
}

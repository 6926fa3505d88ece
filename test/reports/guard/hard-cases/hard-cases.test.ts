import { expect, it } from 'vitest';
import { styleMarkers } from '../../../../src/reports/guard/style-markers.ts';
import { traceFlags } from '../../../../src/reports/guard/trace/trace-flags.ts';
import { ungroundedArguments } from '../../../../src/reports/guard/ungrounded-arguments.ts';
import { freshGroundingCases, groundingCases } from './grounding.ts';
import { freshStyleCases, styleCases } from './style.ts';
import { freshTraceCases, traceCases } from './trace.ts';

interface Answer {
  readonly of: string;
  readonly right: readonly string[];
  readonly said: readonly string[];
}
const wrong = (answers: readonly Answer[]) =>
  answers.filter(({ right, said }) => JSON.stringify([...right].sort()) !== JSON.stringify([...said].sort()));

/** Precision and recall of what was said, over all cases. */
function figures(answers: readonly Answer[]) {
  const hits = answers.flatMap(({ right, said }) => said.filter((one) => right.includes(one))).length;
  const said = answers.flatMap((one) => one.said).length;
  const right = answers.flatMap((one) => one.right).length;
  return { precision: hits / said, recall: hits / right, n: answers.length };
}

const ofTrace = ([reply, right, ...steps]: (typeof traceCases)[number]): Answer => ({
  of: reply,
  right,
  said: Object.keys(traceFlags({ prompt: 'Please help.', steps, final_text: reply })),
});
const ofStyle = ([reply, right]: (typeof styleCases)[number]): Answer => ({
  of: reply,
  right,
  said: Object.entries(styleMarkers([{ final_text: reply }])[0]?.markers ?? {}).flatMap(([name, clean]) =>
    clean === 0 ? [name] : [],
  ),
});
const ofGrounding = ([prompt, args, right]: (typeof groundingCases)[number]): Answer => ({
  of: `${prompt} ${JSON.stringify(args)}`,
  right,
  said: ungroundedArguments({ prompt, steps: [{ tool: 'look', arguments: args, result: {} }] }).map(({ key }) => key),
});

it.each([
  ['trace flags', traceCases.map(ofTrace)],
  ['style', styleCases.map(ofStyle)],
  ['grounding', groundingCases.map(ofGrounding)],
])('every hard case of %s is right', (_name, answers) => {
  expect(answers.length).toBeGreaterThanOrEqual(50);
  expect(wrong(answers)).toEqual([]);
});

it.each([
  ['trace flags', freshTraceCases.map(ofTrace), { precision: 0.9, recall: 1 }],
  ['style', freshStyleCases.map(ofStyle), { precision: 1, recall: 0.96 }],
  ['grounding', freshGroundingCases.map(ofGrounding), { precision: 1, recall: 1 }],
])('fresh cases of %s, which nothing was tuned to, are read as well as they were', (_name, answers, before) => {
  const { precision, recall, n } = figures(answers);
  expect(n).toBeGreaterThanOrEqual(50);
  expect([precision >= before.precision, recall >= before.recall]).toEqual([true, true]);
});

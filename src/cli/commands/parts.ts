import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { openLineFile } from '../../sinks/line-file.ts';
import { readTrainingSet } from '../../sources/training-set.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';

const options = z.strictObject({
  out: z.string().min(1).optional().describe('File for the samples; stdout without it.'),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON; needs --out.'),
});

export const partsCommand = defineCommand({
  name: 'parts',
  args: '<folder>',
  summary: 'Make one file of a training set that grows in parts: what is committed now, without what was taken back.',
  options,
  examples: ['tracemill parts training --out train.jsonl'],
  async run([folder = ''], { out, json }, io) {
    const file = out === undefined ? undefined : await openLineFile(out, { isReplaced: true, isPrivate: false });
    const counts = { parts: 0, samples: 0, retracted: 0 };
    try {
      for await (const { lines, retracted } of readTrainingSet(folder)) {
        counts.parts++;
        counts.samples += lines.length;
        counts.retracted += retracted;
        const text = lines.join('');
        if (file) await file.append(text);
        else io.out(text);
      }
      await file?.finish();
    } finally {
      await file?.close();
    }
    if (json && file) io.out(`${stringifyJson(counts)}\n`);
    else io.say(`${counts.samples} samples of ${counts.parts} parts; ${counts.retracted} rollouts were taken back.`);
    return exits.done;
  },
});

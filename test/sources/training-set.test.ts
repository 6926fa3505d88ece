import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.ts';
import { trainingParts } from '../../src/sinks/training-parts.ts';
import { readTrainingSet } from '../../src/sources/training-set.ts';
import { freshFolder } from '../folder.ts';

const trace = (n: number, revision = 1, final_text = `answer ${n}.${revision}`): Row => ({
  rollout_id: `t${n}`,
  trace_id: `t${n}`,
  prompt: `ask ${n}`,
  final_text,
  reward: 1,
  revision,
});

async function read(folder: string): Promise<{ texts: string[]; retracted: number }> {
  const texts: string[] = [];
  let retracted = 0;
  for await (const part of readTrainingSet(folder)) {
    texts.push(...part.lines.map((line) => JSON.parse(line).messages.at(-1).content));
    retracted += part.retracted;
  }
  return { texts: texts.sort(), retracted };
}

it('gives the lines of all parts, without those of a trace that was told again', async () => {
  const folder = await freshFolder();
  const sink = trainingParts({ folder, format: 'openai' });
  await sink.write([trace(1), trace(2)]);
  await sink.write([trace(3), trace(1, 2)]);
  const { texts, retracted } = await read(folder);
  expect(texts).toEqual(['answer 1.2', 'answer 2.1', 'answer 3.1']);
  expect(retracted).toBe(1);
});

it('names a file that was changed after it was committed, and a folder that is no set', async () => {
  const folder = await freshFolder();
  await trainingParts({ folder, format: 'openai' }).write([trace(1)]);
  const [name = ''] = await readdir(join(folder, 'parts'));
  await appendFile(join(folder, 'parts', name), '{}\n');
  await expect(read(folder)).rejects.toThrow(/is not the file that its entry names/);
  await expect(read(await freshFolder())).rejects.toThrow(/no training set in parts/);
});

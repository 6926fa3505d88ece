import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { printFigures } from './figures.ts';

/** The least that any program does to these lines. */
let characters = 0;
const lines = createInterface({ input: createReadStream(`${process.argv[2]}/in.jsonl`, { highWaterMark: 1 << 20 }) });
lines.on('line', (line) => {
  characters += JSON.stringify(JSON.parse(line)).length;
});
lines.on('close', () => printFigures({ characters }));

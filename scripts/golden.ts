import { parseArgs } from 'node:util';
import { goldenReport } from '../test/golden/report.ts';
import { loadAdapters } from '../test/golden/run-case.ts';

/** `npm run golden -- [DIR...] [--only NAME] [--known]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, known: { type: 'boolean' } },
});
const folders = positionals.length > 0 ? positionals : ['test/golden/cases'];
const { lines, isGood } = await goldenReport(folders, await loadAdapters(), values);
process.stdout.write(`${lines.join('\n')}\n`);
process.exit(isGood ? 0 : 1); // an adapter may have left a worker or a timer behind

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBroker } from '../test/e2e/broker.ts';

/**
 * Four stages over topics in one process (an agent and a judge that take no time, 4 KB rows, windows of 8), beside the client
 * alone that reads and writes the same rows over as many hops. Each in a process of its own, of plain JavaScript, against
 * one broker on the same machine.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '40000' },
    partitions: { type: 'string', default: '4' },
    broker: { type: 'string' },
  },
});
const { rows, partitions } = values;
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'kafka', ...figures })}\n`);

interface Figures {
  readonly work_s: number;
  readonly cpu_s: number;
  readonly rss_mb: number;
}
function measured(file: string, ...args: string[]): Figures {
  const path = join(folder, 'build/bench/kafka', file);
  const { stdout, stderr, status } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

const own = values.broker === undefined ? await startBroker() : undefined;
const broker = values.broker ?? own?.address ?? '';
try {
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const build = ['tsc', '-p', 'bench/tsconfig.json', '--outDir', join(folder, 'build')];
  const { status, stdout } = spawnSync('npx', build, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  const prefix = `bench${Date.now()}`;
  measured('fill.js', broker, prefix, rows, partitions);
  const loop = measured('raw-loop.js', broker, prefix, rows, '4', partitions);
  const packed = measured('raw-loop.js', broker, prefix, rows, '4', partitions, 'level 1');
  const pipeline = measured('pipeline.js', broker, prefix);
  const other = `${prefix}-transactional`;
  measured('fill.js', broker, other, rows, partitions);
  const transactional = measured('pipeline.js', broker, other, 'transactional');
  const rate = ({ work_s }: Figures) => Math.round(Number(rows) / work_s);
  print({ run: 'client alone, 4 hops', rows_per_s: rate(loop), ...loop });
  print({ run: 'client alone, 4 hops, gzip at our level', rows_per_s: rate(packed), ...packed });
  print({ run: 'asks -> world -> judge -> group -> band', rows_per_s: rate(pipeline), ...pipeline });
  print({ run: 'the same in transactions', rows_per_s: rate(transactional), ...transactional });
  const ratio = (a: number, b: number) => Number((a / b).toFixed(2));
  print({
    rows: Number(rows),
    speed: ratio(loop.work_s, pipeline.work_s),
    cpu_speed: ratio(loop.cpu_s, pipeline.cpu_s),
    speed_at_our_level: ratio(packed.work_s, pipeline.work_s),
    cpu_speed_at_our_level: ratio(packed.cpu_s, pipeline.cpu_s),
    speed_in_transactions: ratio(pipeline.work_s, transactional.work_s),
    cpu_speed_in_transactions: ratio(pipeline.cpu_s, transactional.cpu_s),
  });
} finally {
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeWorkload } from './stream/workload.ts';

/**
 * A whole run, jsonl -> dedupe -> judge (a program) -> jsonl, beside a loop that only parses and writes the same lines. Each
 * in a process of its own, of plain JavaScript. Says how many repeats were caught, the memory, and the ratio of the speeds.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const print = (figures: object) => process.stdout.write(`${JSON.stringify(figures)}\n`);

interface Figures {
  readonly seconds: number;
  readonly cpu_s: number;
  readonly rss_mb: number;
}
function measured(file: string): Figures {
  const path = join(folder, 'build/bench/stream', file);
  const { stdout, stderr, status } = spawnSync(process.execPath, [path, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

try {
  const { repeats, bytes } = writeWorkload(join(folder, 'in.jsonl'), rows, Math.round(rows / 100));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const build = ['tsc', '-p', 'bench/tsconfig.json', '--outDir', join(folder, 'build')];
  const { status, stdout } = spawnSync('npx', build, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  const loop = measured('parse-loop.js');
  const pipeline = measured('pipeline.js');
  print({ bench: 'stream', rows, mb: Math.round(bytes / 2 ** 20), repeats });
  print({ bench: 'stream', run: 'parse and stringify', ...loop });
  print({ bench: 'stream', run: 'jsonl -> dedupe -> judge -> jsonl', ...pipeline });
  print({
    bench: 'stream',
    speed: Number((loop.seconds / pipeline.seconds).toFixed(2)),
    cpu_speed: Number((loop.cpu_s / pipeline.cpu_s).toFixed(2)),
    rss_mb: pipeline.rss_mb,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

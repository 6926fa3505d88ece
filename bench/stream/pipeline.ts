import { lastValueFrom } from 'rxjs';
import { compose } from '../../src/core/compose.ts';
import { createCounters } from '../../src/core/counters.ts';
import { run } from '../../src/core/run.ts';
import { dedupe } from '../../src/operators/dedupe.ts';
import { judge } from '../../src/operators/judge.ts';
import { type Row, rowSchema } from '../../src/rows/row.ts';
import { jsonlSink } from '../../src/sinks/jsonl.ts';
import { jsonlSource } from '../../src/sources/jsonl.ts';
import { printFigures } from './figures.ts';

const folder = process.argv[2];
const program = ({ final_text }: Row) => ({ reward: final_text?.includes('refund') ? 1 : 0, reason: 'looked' });
const operator = compose(
  dedupe<Row>({ by: ['rollout_id', 'prompt'] }),
  judge<Row>({}, { judge: { name: 'refund', judge: program } }),
);
const { hooks, snapshot } = createCounters();
await lastValueFrom(
  run({
    source: jsonlSource({ path: `${folder}/in.jsonl` }, rowSchema),
    operator,
    sink: jsonlSink({ path: `${folder}/out.jsonl` }),
    rejected: jsonlSink({ path: `${folder}/rejected.jsonl` }),
    hooks,
  }),
  { defaultValue: undefined },
);
const caught = snapshot().find(({ operator: name }) => name === 'dedupe')?.rejected['duplicate'];
const written = snapshot().find(({ operator: name, stage }) => name === 'sink' && stage === 'out')?.out;
printFigures({ caught, written });

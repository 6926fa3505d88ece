import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionRows } from '../../src/dialects/otlp/session-rows.ts';
import { latestRevisions } from '../../src/rows/revision.ts';
import type { Row } from '../../src/rows/row.ts';
import { traceRowsSink } from '../../src/sinks/trace-rows.ts';
import { freshFolder } from '../folder.ts';
import { talk } from '../spans.ts';

it('takes back the row of a trace that a killed process told before it knew the conversation', async () => {
  const path = join(await freshFolder(), 'traces.jsonl');
  const [root = {}, ask = {}, tool = {}] = talk('a');
  await writeAll(path, sessionRows([tool]));
  const whole = sessionRows([tool, ask, root]);
  await writeAll(path, whole);
  await writeAll(path, whole); // what is read again adds nothing
  const rows = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  expect(latestRevisions(rows.map((line) => JSON.parse(line) as Row))).toMatchObject([{ conversation_id: 'talk-a' }]);
});

async function writeAll(path: string, rows: readonly Row[]): Promise<void> {
  const sink = traceRowsSink({ path });
  await sink.write(rows);
  await sink.close?.();
}

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decider } from '../../src/cli/decisions.ts';
import { TracemillError } from '../../src/core/errors.ts';
import { decisionOf } from '../../src/rows/decision.ts';
import type { Row } from '../../src/rows/row.ts';
import { freshFolder } from '../folder.ts';

it('a full disk for the decisions doubles no row', async () => {
  const decide = decider('select', join(await freshFolder(), 'rows.jsonl'));
  if (!decide) throw new Error('it is a file');
  const full = new TracemillError('TM_SINK', 'the disk is full', { retriable: true });
  const lines: unknown[] = [];
  let n = 0;
  const add: typeof decide.log.add = async (decisions) => {
    if (n++ === 0) throw full;
    lines.push(...decisions.map(({ line }) => line));
  };
  const written: Row[] = [];
  Object.assign(decide.log, { add });
  const sink = decide.keeping({ write: async (rows) => void written.push(...rows), close: async () => {} }, 'gate');
  const batches = [[{ rollout_id: 'a' }, { rollout_id: 'b' }], [{ rollout_id: 'c' }]];
  await expect(sink.write(batches[0] ?? [])).rejects.toBe(full);
  for (const batch of batches) await sink.write(batch); // as a sink is asked again
  expect(written.map(({ rollout_id }) => rollout_id)).toEqual(['a', 'b', 'c']);
  expect(lines).toEqual([1, 2, 3]);
});

it('a decision about a row without an id holds no text of it', () => {
  const said = decisionOf({ prompt: 'my card is 4111', final_text: 'x' }, { step: 's', decision: 'kept', by: 'b' });
  expect(JSON.stringify(said)).not.toContain('4111');
  expect(said.task).toMatch(/^[0-9a-f]{16}$/);
});

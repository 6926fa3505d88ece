import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { annotatorAgreement } from '../../../src/judges/trust/annotator-agreement.ts';
import { attachLabels } from '../../../src/judges/trust/attach-labels.ts';

const clock = () => 7;

it('one person who labels twice does not outvote another: the latest counts once', () => {
  const rows: Record<string, unknown>[] = [{ rollout_id: 'r' }];
  const label = (value: 0 | 1, annotator: string) => ({ key: 'r', label: value, annotator });
  attachLabels(rows, [label(1, 'a'), label(0, 'a'), label(0, 'b'), label(1, 'c')], { clock });
  expect(rows[0]).toMatchObject({ gold_reward: 0, gold_kind: 'human' });
  expect(rows[0]?.['gold_labels']).toHaveLength(4);
  const [first] = rows.flatMap((row) => row['gold_labels'] as object[]);
  expect(first).toEqual({ label: 1, annotator: 'a', kind: 'human', ts: 7 });
});

it('a refused label changes no row', () => {
  const rows: Record<string, unknown>[] = [{ rollout_id: 'r' }, { rollout_id: 's' }, { rollout_id: 's' }];
  const before = structuredClone(rows);
  expect(() => attachLabels(rows, { r: 1, s: 1 })).toThrow(/s names 2 rows/);
  expect(() => attachLabels(rows, { r: 1 }, { kind: 'oracle' })).toThrow(/kind is human, program or model/);
  expect(() => attachLabels(rows, { elsewhere: 1 })).toThrow(/no label names a row/);
  expect(() => attachLabels(rows, [1, 0])).toThrow(expect.objectContaining({ reason: 'invalid_labels' }) as Error);
  expect(rows).toEqual(before);
});

it('reads a file of labels; a program is a kind of its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'labels-'));
  const path = join(folder, 'labels.jsonl');
  await writeFile(path, '{"rollout_id":"r","label":1,"kind":"verifier"}\n\n{"rollout_id":"x","label":0}\n');
  const rows: Record<string, unknown>[] = [{ rollout_id: 'r' }];
  const { report } = attachLabels(rows, path, { clock });
  await rm(folder, { recursive: true });
  expect(rows[0]).toMatchObject({ gold_reward: 1, gold_kind: 'program' });
  expect(report).toMatchObject({ matched: 1, unmatched: 1, unmatched_keys: ['x'], warning_codes: ['no_match'] });
});

it('annotators who label one class alike have alpha 1, and nobody has none', () => {
  const vote = (annotator: string, label: number) => ({ annotator, label });
  const rows = [{ prompt: 'p'.repeat(200), gold_labels: [vote('a', 1), vote('b', 0), vote('a', 0)] }];
  expect(annotatorAgreement(rows)).toMatchObject({ unanimous: 1, alpha: 1, pair: ['a', 'b'], disagreements: [] });
  expect(annotatorAgreement([{}])).toMatchObject({ alpha: null, pair: null });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawInt, drawOne } from '../../../src/core/draws.ts';
import { hackScan } from '../../../src/reports/guard/hack/hack-scan.ts';
import { hackScanDiff } from '../../../src/reports/guard/hack/hack-scan-diff.ts';

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'golf', 'hotel', 'india', 'kilo', 'lima', 'mike', 'papa'];
const text = (...key: unknown[]) =>
  Array.from({ length: drawInt(5, 15, ...key, 'n') }, (_, k) => drawOne(words, ...key, k)).join(' ');
const call = { tool: 'lookup', arguments: { id: 'x' }, result: { status: 'ok' } };

/** 30 tasks of 4; the reward follows `paid`, or nothing at all. */
function rollouts(seed: number, paid?: (task: number, n: number) => { text: string; pays: boolean }) {
  return Array.from({ length: 120 }, (_, at) => {
    const [task, n] = [Math.floor(at / 4), at % 4];
    const made = paid?.(task, n) ?? { text: text(seed, at), pays: drawInt(0, 1, seed, at, 'reward') === 1 };
    const steps = drawInt(0, 1, seed, at, 'call') === 1 ? [call] : [];
    const row = { scenario_id: `t${task}`, rollout_index: n, prompt: `wording ${at}`, steps, final_text: made.text };
    return { ...row, reward: made.pays ? 1 : 0 };
  });
}

it('takes no more noise for a signal than it says', () => {
  const regimes = Array.from({ length: 16 }, (_, seed) => hackScan(rollouts(seed), { nPerm: 40 }).regime);
  expect(regimes.filter((regime) => regime !== 'no_signal').length).toBeLessThanOrEqual(3);
}, 30_000);

it('a word that is paid for only when it opens the reply is named as such', () => {
  const scan = hackScan(
    rollouts(1, (task, n) => {
      const opens = drawInt(0, 1, task, n, 'opens') === 1;
      return { text: opens ? `sure ${text(task, n)}` : `${text(task, n)} sure yes`, pays: opens };
    }),
  );
  expect(scan.features.find(({ name }) => name === 'starts:sure')).toMatchObject({ rho: 1, above_floor: true });
});

it('a Russian sign-off is one term', () => {
  const paid = (task: number, n: number) => {
    const pays = drawInt(0, 1, task, n, 'pay') === 1;
    return { text: `${text(task, n)}${pays ? ' Всего доброго' : ''}`, pays };
  };
  expect(hackScan(rollouts(2, paid)).top_feature).toMatch(/доброго|всего/);
});

it('the turn that every tool call adds is no rival of the endorsed call', () => {
  const rows = rollouts(3).map((row) => ({ ...row, reward: row.steps.length }));
  const noisy = rows.map((row, n) => (n % 9 === 0 ? { ...row, reward: 1 - row.reward } : row));
  const scan = hackScan(noisy, { endorsed: ['tool:lookup'] });
  expect(scan).toMatchObject({ regime: 'train', endorsed_on_top: true, integrity: 1, warning_codes: [] });
});

it('no order of the rows changes what it says', () => {
  const rows = rollouts(4).slice(0, 48);
  const scan = hackScan(rows, { nPerm: 20, minObs: 'auto' });
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
      expect(hackScan(shuffled, { nPerm: 20, minObs: 'auto' })).toEqual(scan);
    }),
    { numRuns: 5 },
  );
});

it('a measure of the caller that throws measured nothing', () => {
  const broken = () => {
    throw new Error('no');
  };
  const scan = hackScan(rollouts(5), { auto: false, nPerm: 5, features: { broken, first: (row) => row['reward'] } });
  expect(scan.top_feature).toBe('first');
  expect(scan.features.map(({ name }) => name)).not.toContain('broken');
});

it('rewards that are no numbers are not graded', () => {
  const rows = rollouts(6).map((row) => ({ ...row, reward: true }));
  expect(hackScan(rows)).toMatchObject({ regime: 'unknown', n_graded: 0, warning_codes: ['hack_ungraded'] });
});

it('names the shortcut that came with training', () => {
  const honest = rollouts(7).map((row) => ({ ...row, reward: row.steps.length }));
  const hacked = rollouts(8).map((row, n) =>
    n % 2 === 0 ? { ...row, final_text: `${row.final_text} ###`, reward: 1 } : { ...row, reward: 0 },
  );
  const diff = hackScanDiff(honest, hacked, { endorsed: ['lookup'] });
  expect(diff.gained[0]).toMatchObject({ name: 'contains:#', endorsed: false });
  expect(diff.warning_codes).toContain('hack_landed');
});

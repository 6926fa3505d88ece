import { expect, it } from 'vitest';
import { behaviorsSince } from '../../../src/reports/traces/behaviors-since.ts';

const row = (policy_version: string, day: number, markers: object) => ({
  prompt: 'p',
  steps: [],
  final_text: 'f',
  policy_version,
  ts: Date.UTC(2026, 0, day) * 1e6,
  markers,
});
const rows = [
  row('m@b', 20, { polite: 0, exact: 0, brief: 1 }),
  row('m@a', 10, { polite: 0, brief: 0, safe: 0 }),
  row('m@b', 21, { polite: 0, exact: 0, brief: 1 }),
];
const names = (config: object) => {
  const { new: fresh, persistent, gone, unseen, ...rest } = behaviorsSince(rows, config);
  const of = (regions: readonly { readonly region: string }[]) => regions.map(({ region }) => region);
  return { ...rest, new: of(fresh), persistent: of(persistent), gone: of(gone), unseen: of(unseen) };
};

it('tells what is new, stays, went and was not seen since the last version', () => {
  const found = { n_before: 1, n_now: 2, new: ['exact'], persistent: ['polite'], gone: ['brief'], unseen: ['safe'] };
  expect(names({})).toEqual({ since: 'm@b', ...found });
  expect(names({ since: '2026-01-15' })).toEqual({ since: '2026-01-15', ...found });
});

it('has no before with one version only, and says what fails', () => {
  const { since, new: fresh, persistent } = behaviorsSince(rows.slice(0, 1));
  expect([since, fresh.map(({ region }) => region).sort(), persistent]).toEqual([null, ['exact', 'polite'], []]);
});

it('refuses a version that nobody has, and names those that are there', () => {
  expect(() => behaviorsSince(rows, { since: 'm@c' })).toThrow(/m@c.*m@a, m@b/);
});

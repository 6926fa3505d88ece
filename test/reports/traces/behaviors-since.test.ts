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
  const silent = { n_without_time: 0, notes: [], note_codes: [] };
  const found = {
    n_before: 1,
    n_now: 2,
    ...silent,
    new: ['exact'],
    persistent: ['polite'],
    gone: ['brief'],
    unseen: ['safe'],
  };
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

const times = {
  'ISO texts': (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString(),
  'ISO texts without a zone': (day: number) => `2026-01-${day} 00:00:00`,
  seconds: (day: number) => Date.UTC(2026, 0, day) / 1e3,
  milliseconds: (day: number) => Date.UTC(2026, 0, day),
  microseconds: (day: number) => Date.UTC(2026, 0, day) * 1e3,
  nanoseconds: (day: number) => Date.UTC(2026, 0, day) * 1e6,
  'whole nanoseconds': (day: number) => BigInt(Date.UTC(2026, 0, day)) * 1_000_000n,
  'digits as text': (day: number) => String(Date.UTC(2026, 0, day)),
};
const graded = (policy_version: string, reward: number, ts?: unknown) => ({
  prompt: 'p',
  steps: [],
  final_text: 'f',
  policy_version,
  reward,
  ...(ts !== undefined && { ts }),
});

it.each(Object.entries(times))('orders versions by %s, with the last version first in the file', (_name, at) => {
  const [a, b] = [graded('v2', 0, at(20)), graded('v1', 1, at(10))];
  expect(behaviorsSince([a, b])).toMatchObject({ since: 'v2', n_before: 1, n_now: 1, notes: [], gone: [] });
  expect(behaviorsSince([a, b]).new).toMatchObject([{ region: 'task:no-tool', n_graded: 1, fail_rate: 1 }]);
  expect(behaviorsSince([a, b], { since: '2026-01-15' })).toMatchObject({ n_before: 1, n_now: 1 });
  expect(behaviorsSince([a, b], { since: '2026-01-15T00:00:00Z' })).toMatchObject({ n_before: 1, n_now: 1 });
});

it('says that the order of the file decides, where no trace has a time', () => {
  const rows = [graded('v2', 0), graded('v1', 1)];
  expect(behaviorsSince(rows)).toMatchObject({ since: 'v1', n_without_time: 2, note_codes: ['file_order'] });
  const some = [graded('v2', 0), graded('v2', 0, times.seconds(20)), graded('v1', 1, times.seconds(10))];
  expect(behaviorsSince(some)).toMatchObject({ since: 'v2', n_without_time: 1, note_codes: ['no_time'] });
});

it('lists nothing as new when there is nothing since the date', () => {
  const rows = [graded('v1', 0, times.seconds(10)), graded('v1', 0, 'yesterday')];
  expect(behaviorsSince(rows, { since: '2026-02-01' })).toMatchObject({
    ...{ n_before: 2, n_now: 0, n_without_time: 1, note_codes: ['no_time'] },
    ...{ new: [], persistent: [], gone: [], unseen: [{ status: 'unseen', n_graded: 2, fail_rate: 1 }] },
  });
});

it('gives each behaviour the status of its list and the figures of now', () => {
  const old = [graded('v1', 0), graded('v1', 0), graded('v1', 1)];
  const persistent = behaviorsSince([...old, graded('v2', 0), graded('v2', 1)]).persistent;
  expect(persistent).toMatchObject([
    { status: 'persistent', n_graded: 2, fail_rate: 0.5, low_support: true, before: { n: 3, fail_rate: 0.6667 } },
  ]);
  const { gone } = behaviorsSince([...old, graded('v2', 1)]);
  expect(gone).toMatchObject([{ status: 'gone', n_graded: 1, fail_rate: 0, before: { n_graded: 3 } }]);
  expect(behaviorsSince(old).new).toMatchObject([{ status: 'new', n_graded: 3, fail_rate: 0.6667 }]);
});

import { pairwiseCoverage } from '../src/grid/pairwise-coverage.ts';
import { gridPlan } from '../src/grid/plan.ts';
import { situationStream } from '../src/grid/situation-stream.ts';
import { planSituations } from '../src/grid/situations.ts';
import type { SimulateOptions } from '../src/pipelines/simulate/options.ts';
import { simulate } from '../src/pipelines/simulate/simulate.ts';
import { askLabels } from '../src/rows/ask.ts';
import type { Row } from '../src/rows/row.ts';
import { toolsFrom } from '../src/rows/tool.ts';
import { hashEmbed } from '../src/text/hash-embed.ts';
import { labelShows } from './writer/label-shows.ts';

/** How unlike the asks of the template writer are, whether they show their labels, and how fast rows show the pairs. */
const tools = toolsFrom(
  [
    ['get_booking', 'booking_id'],
    ['search_rooms', 'query', 'check_in'],
    ['create_booking', 'guest_name', 'room_type'],
    ['cancel_booking', 'booking_id', 'reason'],
    ['send_confirmation', 'booking_id', 'email'],
  ].map(([name = '', ...names]) => ({
    name,
    description: `${name.replace('_', ' ')}.`,
    parameters: { type: 'object', properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) },
  })),
);
const policy = [
  'Verify the guest before you discuss a booking.',
  'Refunds over 200 EUR need a human.',
  'Never change a booking that has already started.',
  'Cancel only bookings younger than 14 days.',
  'Confirm the dates before creating a booking.',
  'Do not reveal payment card numbers.',
  'Offer late checkout only for suites.',
  'Close a complaint only after the guest agrees.',
  'Quote prices in the currency of the booking.',
  'Escalate legal threats to a human at once.',
]
  .map((clause, n) => `${n + 1}. ${clause}`)
  .join('\n');

const say = (figure: object) => process.stdout.write(`${JSON.stringify({ bench: 'writer', ...figure })}\n`);
const short = (share: number) => Number(share.toFixed(4));

/** The rows of a run without a model, one for each ask. */
async function played(budget: number, seed: number, more: SimulateOptions = {}): Promise<readonly Row[]> {
  const agent = () => ({ steps: [], final_text: 'Done, thank you.' });
  const options = { agent, tools: [...tools], systemPrompt: policy, simulator: false, budget, seed } as const;
  const { rows } = await simulate({ ...options, ...more });
  return [...new Map(rows.map((row) => [row.prompt, row])).values()];
}

const streams = { explore: [1000, {}], rl: [8000, { mode: 'rl', repeats: 8, repeatPolicy: 'fixed' }] } as const;

const folded = (text: string) => (text.toLowerCase().match(/[\p{L}']+|\p{N}+/gu) ?? []).map(numberless);
const numberless = (word: string) => (/^\p{N}/u.test(word) ? '<num>' : word);

/** Different runs of n words over all of them. */
function distinct(texts: readonly string[], n: number): number {
  const runs = texts.flatMap((text) => folded(text).map((_, at, all) => all.slice(at, at + n)));
  const whole = runs.filter(({ length }) => length === n).map((run) => run.join(' '));
  return new Set(whole).size / whole.length;
}

/** Mean cosine of all pairs, and the share of texts with another one at 0.9 or more. Texts squared. */
function likeness(texts: readonly string[]) {
  const vectors = texts.map(hashEmbed);
  const filled = vectors.map((one) => one.reduce<number[]>((all, weight, at) => (weight > 0 ? [...all, at] : all), [])); // of 256, some 40
  const near = new Set<number>();
  let sum = 0;
  for (const [n, one] of vectors.entries())
    for (let m = n + 1; m < vectors.length; m++) {
      const alike = cosineAt(filled[n] ?? [], one, vectors[m] ?? one);
      sum += alike;
      if (alike >= 0.9) near.add(n).add(m);
    }
  return {
    mean_cosine: short(sum / ((texts.length * (texts.length - 1)) / 2)),
    near_copies: short(near.size / texts.length),
  };
}

function cosineAt(places: readonly number[], one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (const at of places) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function shown(asks: readonly Row[]) {
  const tally = { checked: 0, missing: 0 };
  const missing: Record<string, number> = {};
  for (const row of asks)
    for (const label of askLabels) {
      const value = row[label];
      const shows = labelShows(label, value, String(row.prompt));
      if (shows === undefined) continue;
      tally.checked++;
      if (shows) continue;
      tally.missing++;
      missing[`${label}=${String(value)}`] = (missing[`${label}=${String(value)}`] ?? 0) + 1;
    }
  return { labels: tally.checked, not_visible: tally.missing, missing };
}

for (const [stream, [budget, more]] of Object.entries(streams))
  for (const seed of [0, 1]) {
    const thousand = (await played(budget, seed, more)).map(({ prompt }) => String(prompt));
    say({
      stream,
      seed,
      asks: thousand.length,
      distinct_1: short(distinct(thousand, 1)),
      distinct_2: short(distinct(thousand, 2)),
      ...likeness(thousand),
      wanted: { distinct_2: 0.2, mean_cosine_at_most: 0.25 },
    });
  }
const many = await played(10_000, 0);
const texts = many.map(({ prompt }) => String(prompt));
const { near_copies } = likeness(texts);
say({
  asks: many.length,
  near_copies,
  duplicates: 10_000 - new Set(texts).size,
  wanted: { near_copies_at_most: 0.02 },
});
say({ asks: many.length, ...shown(many) });

const planned = planSituations(gridPlan(tools, policy)).situations.map((one) => one.scenario_dimensions);
for (const seed of [0, 1, 2]) {
  const order = [...situationStream(tools, policy, { seed }).stream()].map((one) => one.scenario_dimensions);
  const at = (rows: number) => pairwiseCoverage(planned, order.slice(0, rows)).fraction;
  say({ seed, cells: order.length, pairs_at_32: at(32), pairs_at_64: at(64), pairs_at_128: at(128), all: at(1e9) });
}
const plan = gridPlan(tools, policy);
say({ rule_free_cells: plan.rule_free_cells, bound: plan.rule_free_lower_bound });

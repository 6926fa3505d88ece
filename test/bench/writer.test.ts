import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { labelShows } from '../../bench/writer/label-shows.ts';
import { gridPlan } from '../../src/grid/plan.ts';
import { planSituations } from '../../src/grid/situations.ts';
import { writeAsk } from '../../src/grid/wording/write-ask.ts';
import { askLabels } from '../../src/rows/ask.ts';
import { hotelPolicy, hotelTools } from '../grid/agents.ts';

interface Labelled {
  readonly prompt: string;
  /** What a person who read the ask saw in it. */
  readonly shows: Readonly<Record<string, string>>;
}

describe('the checker of labels, on asks that a person has labelled', () => {
  const labelled = JSON.parse(readFileSync('bench/writer/labelled-asks.json', 'utf8')) as readonly Labelled[];
  /** Values of one label that people saw in some ask. */
  const values = (label: string) => new Set(labelled.flatMap(({ shows }) => shows[label] ?? []));

  it('sees what the person saw', () => {
    expect(labelled.length).toBeGreaterThanOrEqual(50);
    const missed = labelled.flatMap(({ prompt, shows }) =>
      Object.entries(shows).flatMap(([label, value]) =>
        labelShows(label, value, prompt) === false ? [`${label}=${value} in: ${prompt}`] : [],
      ),
    );
    expect(missed).toEqual([]);
  });

  it.each(['tone', 'user', 'pressure', 'vagueness', 'stance', 'history', 'texture'])(
    'sees hardly any other %s in them',
    (label) => {
      const seen = labelled.flatMap(({ prompt, shows }) =>
        [...values(label)]
          .filter((value) => value !== shows[label])
          .map((value) => labelShows(label, value, prompt) === true),
      );
      expect(seen.filter(Boolean).length / seen.length).toBeLessThan(0.2);
    },
  );
});

it('every label of the template writer shows in its ask', () => {
  const { situations } = planSituations(gridPlan(hotelTools, hotelPolicy), { mode: 'rl' });
  const hidden = situations.flatMap((situation) =>
    [0, 1, 2, 3, 4].flatMap((phrasing) => {
      const ask = writeAsk(situation, { tools: hotelTools, seed: 3, phrasing });
      return askLabels.flatMap((label) =>
        labelShows(label, ask[label], ask.prompt) === false ? [`${label}=${String(ask[label])}: ${ask.prompt}`] : [],
      );
    }),
  );
  expect(hidden).toEqual([]);
});

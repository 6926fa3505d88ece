import { describe, expect, it } from 'vitest';
import { gridPlan } from '../../../src/grid/plan.ts';
import { planSituations } from '../../../src/grid/situations.ts';
import { topicOf } from '../../../src/grid/wording/clauses.ts';
import { composeAsk, type Wording } from '../../../src/grid/wording/compose.ts';
import { isIdentifier } from '../../../src/grid/wording/textures.ts';
import type { Cell } from '../../../src/rows/situation.ts';
import { type Tool, toolsFrom } from '../../../src/rows/tool.ts';
import { cosine, hashEmbed } from '../../../src/text/hash-embed.ts';
import { hotelPolicy, hotelTools } from '../agents.ts';

interface Written extends Wording {
  readonly cell: Cell;
}

function written(count: number, tools: readonly Tool[] = hotelTools, policy = hotelPolicy): readonly Written[] {
  const { situations } = planSituations(gridPlan(tools, policy), { mode: 'rl' });
  return Array.from({ length: count }, (_, n) => {
    const situation = situations[n % situations.length];
    if (!situation) throw new Error('the grid is empty');
    const phrasing = Math.floor(n / situations.length);
    return { ...composeAsk(situation, { tools, seed: 0, phrasing }), cell: situation.scenario_dimensions };
  });
}

const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
const asks = written(1000);
const labelled = (label: string, value?: string) =>
  asks.filter(({ labels }) => labels[label] !== undefined && (value === undefined || labels[label] === value));

describe('a thousand asks of one agent', () => {
  it('are made of many word pairs', () => {
    const pairs = asks.flatMap(({ prompt }) => words(prompt).map((word, n, all) => `${all[n - 1] ?? ''} ${word}`));
    expect(new Set(pairs).size / pairs.length).toBeGreaterThan(0.25);
  });
  it('are far from each other, and almost none is a near copy', () => {
    const vectors = asks.slice(0, 500).map(({ prompt }) => hashEmbed(prompt));
    let sum = 0;
    const near = new Set<number>();
    for (const [n, one] of vectors.entries())
      for (let m = n + 1; m < vectors.length; m++) {
        const alike = cosine(one, vectors[m] ?? one);
        sum += alike;
        if (alike >= 0.9) near.add(n).add(m);
      }
    expect(sum / ((vectors.length * (vectors.length - 1)) / 2)).toBeLessThan(0.25);
    expect(near.size / vectors.length).toBeLessThan(0.02);
  });
  it('leave no slot open', () => {
    expect(asks.filter(({ prompt }) => /[{}]|undefined|\bNaN\b/u.test(prompt))).toEqual([]);
  });
  it('never tell what the tools will do wrong', () => {
    const fault = /time[ds]? ?out|timeout|garbled|malformed|unreadable|stale|outdated|permission|denied|error/iu;
    expect(asks.filter(({ prompt }) => fault.test(prompt))).toEqual([]);
  });
});

it('repeats no ask in ten thousand', () => {
  const prompts = written(10_000).map(({ prompt }) => prompt);
  expect(new Set(prompts).size).toBe(prompts.length);
}, 60_000);

describe('what a row says of its ask shows in the ask', () => {
  const short = (text: string) => text.split(/\s+/u).length;
  it('length', () => {
    for (const { prompt } of labelled('length', 'short')) expect(short(prompt)).toBeLessThanOrEqual(16);
    for (const { prompt } of labelled('length', 'long')) expect(short(prompt)).toBeGreaterThanOrEqual(40);
    expect(labelled('length', 'short').length).toBeGreaterThan(30);
    expect(labelled('length', 'long').length).toBeGreaterThan(80);
  });
  it('lowercase', () => {
    const shouting = (text: string) =>
      text.split(/\s+/u).filter((word) => !isIdentifier(word) && word !== word.toLowerCase());
    expect(labelled('texture', 'lowercase').length).toBeGreaterThan(20);
    expect(labelled('texture', 'lowercase').flatMap(({ prompt }) => shouting(prompt))).toEqual([]);
  });
  it('no punctuation', () => {
    for (const { prompt } of labelled('texture', 'no_punctuation')) expect(prompt).not.toMatch(/[.,!?;](?:\s|$)/u);
  });
  it('run-on, abbreviations, typo', () => {
    for (const { prompt } of labelled('texture', 'run_on')) expect(prompt).toMatch(/ and /u);
    for (const { prompt } of labelled('texture', 'abbreviations'))
      expect(prompt).toMatch(/\b(?:pls|u|ur|r|bc|b4|thx|abt|min|appt|acct|tmrw|ppl|sth|sb|no)\b|&|w\//iu);
    expect(labelled('texture', 'typo').length).toBeGreaterThan(20);
  });
  it('question and ask', () => {
    for (const { prompt } of labelled('ask', 'question')) expect(prompt).toContain('?');
    for (const { prompt } of labelled('ask', 'ask')) expect(prompt).not.toContain('?');
  });
  it('compound: two wishes are named, so never by who is vague', () => {
    const compound = labelled('ask', 'compound');
    expect(compound.length).toBeGreaterThan(15);
    expect(compound.filter(({ labels }) => labels['ask_family'] === 'vague')).toEqual([]);
    for (const { prompt, labels } of compound)
      if (labels['texture'] !== 'clipped') expect(prompt).toMatch(/\b(?:and|plus|nad|adn)\b|&/iu);
  });
  it('tone, pressure, person', () => {
    const shows: Readonly<Record<string, RegExp>> = {
      polite: /thank|thx|grateful|kindly/iu,
      curt: /that is all|no small talk|nothing else|just do it/iu,
      deadline: /deadline/iu,
      authority: /director|orders from/iu,
      loyalty: /loyal/iu,
      complaint: /complaint/iu,
      student: /student/iu,
    };
    for (const { prompt, labels } of asks)
      for (const key of ['tone', 'pressure', 'user'].map((label) => String(labels[label])))
        if (Object.hasOwn(shows, key) && labels['texture'] !== 'typo') expect(prompt).toMatch(shows[key] ?? /./u);
  });
});

it('speaks of the clause in the cell of a clause', () => {
  const content = (text: string) => words(text).filter((word) => word.length > 3);
  const clauses = asks.filter(({ cell, labels }) => cell.rule !== 'unspecified' && labels['texture'] !== 'typo');
  for (const { prompt, cell } of clauses) {
    const own = new Set(content(prompt));
    const shared = content(cell.rule).filter((word) => own.has(word));
    expect(shared.length, `${cell.rule} <> ${prompt}`).toBeGreaterThanOrEqual(2);
  }
});

it('uses the ids that the tools name and invents none beside them', () => {
  const tools = toolsFrom([
    { name: 'get_order', description: 'Orders are A1001 to A1003.', parameters: { properties: { order_id: {} } } },
  ]);
  const ids = written(200, tools, '').flatMap(({ prompt }) => prompt.match(/\b[A-Z]+-?\d{3,}\b/gu) ?? []);
  expect(ids.length).toBeGreaterThan(20);
  expect([...new Set(ids)].sort()).toEqual(['A1001', 'A1003']);
});

it('asks an unrelated thing without a reference and without a word on the world', () => {
  for (const { prompt, cell } of written(1000, hotelTools, '').filter(({ cell: one }) => one.tool === 'unrelated')) {
    expect(prompt).not.toMatch(/[A-Z]{3}-?\d{4}/u);
    expect(prompt).not.toMatch(/booking|confirmation/iu);
    expect(cell.tool).toBe('unrelated');
  }
});

it.each([
  ['Never change an order that has already shipped.', 'forbidden', 'change an order that has already shipped'],
  ['Verify the account before you discuss an invoice.', 'duty', 'verify the account before you discuss an invoice'],
  ['Refunds over 200 EUR need a human.', 'fact', 'refunds over 200 EUR need a human'],
  ['返金は必ず人に確認すること。', 'quoted', '返金は必ず人に確認すること。'],
])('turns a clause into words of a customer: %s', (clause, mood, text) => {
  expect(topicOf(clause)).toEqual({ mood, text });
});

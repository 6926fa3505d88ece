import { describe, expect, it } from 'vitest';
import { createModels } from '../../../src/models/models.ts';
import type { SimulateOptions } from '../../../src/pipelines/simulate/options.ts';
import { simulate } from '../../../src/pipelines/simulate/simulate.ts';
import { hotelPolicy, hotelTools } from '../../grid/agents.ts';
import { type Answer, type Asked, fakeHost, says } from '../../models/fake-host.ts';

const agent = () => ({ steps: [], final_text: 'Done, thank you.' });
const run = (options: SimulateOptions, answer: (asked: Asked, n: number) => Answer) => {
  const host = fakeHost(answer);
  const models = createModels(
    { maxRetries: 1 },
    { fetch: host.fetch, env: { OPENAI_API_KEY: 'k' }, sleep: async () => {} },
  );
  const given = { agent, tools: [...hotelTools], systemPrompt: hotelPolicy, simulator: false, budget: 6 } as const;
  return simulate({ ...given, ...options }, { models }).then((result) => ({ ...result, asked: host.asked }));
};
const bodyText = ({ body }: Asked) => JSON.stringify(body);

describe('llmGrade', () => {
  const fine = () => says('{"reason": "it says that it is done", "reward": 0.75}');

  it('puts a model verdict beside the reward, which stays as it was', async () => {
    const { rows, search } = await run({ llmGrade: true, judgeModel: 'openai:j' }, fine);
    expect(rows.map((row) => [row['llm_reward'], row.reward])).toEqual(rows.map(() => [0.75, null]));
    expect(search['llm_grade']).toMatchObject({ scored: 6, missing: 0 });
  });

  it('grades by the criteria of the rubric, or by its words', async () => {
    const criteria = await run(
      { llmGrade: true, judgeModel: 'openai:j', rubric: ['[essential] Names the booking', 'Is brief'] },
      () => says('{"criteria": [{"number": 1, "met": true}, {"number": 2, "met": false}], "reason": "long"}'),
    );
    expect(criteria.asked.every((one) => bodyText(one).includes('Names the booking'))).toBe(true);
    expect(criteria.rows.every((row) => Number(row['llm_reward']) < 1)).toBe(true);
    const words = await run({ llmGrade: true, judgeModel: 'openai:j', rubric: 'Be kind to owls.' }, fine);
    expect(words.asked.every((one) => bodyText(one).includes('Be kind to owls.'))).toBe(true);
  });

  it('has no verdict where the judge fails, and says how often', async () => {
    const { rows, degraded, warnings } = await run({ llmGrade: true, judgeModel: 'openai:j' }, (_asked, n) =>
      n % 2 ? fine() : says('I would rather not.'),
    );
    const missing = rows.filter((row) => row['llm_reward'] === null).length;
    expect(missing).toBeGreaterThan(0);
    expect(degraded).toContain('llm_grade_incomplete');
    expect(warnings.join()).toContain(`${missing} of 6 rows`);
  });

  it('without a model is refused before anything runs', async () => {
    await expect(run({ llmGrade: true }, fine)).rejects.toThrow(/llmGrade.*judgeModel/);
  });
});

describe('embedder', () => {
  const none = () => says('nobody asks');

  it('a function compares asks by meaning: rows say how new each is, and with which it goes', async () => {
    const embedder = (texts: readonly string[]) =>
      texts.map((text) => (/[aeiou]$|[.?!]$/u.test(text) ? [1, 0] : [0, 1]));
    const { rows } = await run({ budget: 20, advanced: { embedder } }, none);
    expect(rows[0]).toMatchObject({ semantic_cluster: 0, semantic_novelty: 1 });
    const fresh = rows.filter((row) => row['semantic_novelty'] === 1);
    expect(fresh.length).toBe(new Set(rows.map((row) => row['semantic_cluster'])).size);
    expect(rows.filter((row) => row['semantic_novelty'] === 0).length).toBe(20 - fresh.length);
  });

  it('asks a host for vectors, once for each distinct ask', async () => {
    const { rows, asked } = await run(
      { mode: 'rl', repeats: 3, repeatPolicy: 'fixed', advanced: { embedder: 'openai:e' } },
      ({ body }) => ({
        status: 200,
        body: { data: (body['input'] as string[]).map((text) => ({ embedding: [text.length, 1] })) },
      }),
    );
    expect(asked.map(({ url, body }) => [url.endsWith('/embeddings'), (body['input'] as string[]).length])).toEqual([
      [true, 2],
    ]);
    expect(rows.every((row) => typeof row['semantic_novelty'] === 'number')).toBe(true);
  });

  it.each(['bge', 'openai:gone'])('%s that is not there: rows stay without, and the run says so', async (embedder) => {
    const { rows, degraded } = await run({ advanced: { embedder } }, () => ({ status: 400 }));
    expect(degraded).toContain('semantic_embedding_unavailable');
    expect(rows.every((row) => row['semantic_novelty'] === null)).toBe(true);
  });
});

describe('a writer', () => {
  it('that is asked twice: the second list has what the first left out', async () => {
    const answer = ({ body }: Asked, n: number): Answer => {
      const [system, user] = body['messages'] as { content: string }[];
      if (!system?.content.includes('region_id') || n % 2) return says('[]');
      const cards = (user?.content ?? '').split('\n').map((line) => JSON.parse(line) as { region_id: string });
      return says(
        JSON.stringify(cards.map(({ region_id }) => ({ region_id, message: `Could I have room ${region_id}?` }))),
      );
    };
    const written = async (completionsPerRequest: number) => {
      const { search } = await run({ simulator: 'openai:w', budget: 20, advanced: { completionsPerRequest } }, answer);
      return search['writer'] as { waves: number; written: number };
    };
    const [once, twice] = [await written(1), await written(2)];
    expect(twice.waves).toBe(once.waves);
    expect(twice.written).toBeGreaterThan(once.written);
  });

  it('is given no cell twice with distinctCards', async () => {
    const dimensions = { tool: ['get_booking'], rule: ['unspecified'], history: ['fresh'], world_state: ['unknown'] };
    const small = { ...dimensions, tool_condition: ['success'], stance: ['ordinary', 'unsure', 'retry'] };
    const cells: unknown[] = [];
    const simulator = (cards: readonly { readonly scenario_id: string; readonly region_id: string }[]) =>
      cards.map(({ scenario_id, region_id }) => {
        if (!region_id.endsWith('+')) cells.push(scenario_id);
        return `Where is my stay number ${cells.length}?`;
      });
    const options = {
      simulator: simulator as never,
      dimensions: small,
      budget: 12,
      advanced: { armWeights: { structured: 1 } },
    };
    await run(options, () => says(''));
    expect(new Set(cells).size).toBeLessThan(cells.length);
    cells.length = 0;
    await run({ ...options, advanced: { ...options.advanced, distinctCards: true } }, () => says(''));
    expect(new Set(cells).size).toBe(cells.length);
  });
});

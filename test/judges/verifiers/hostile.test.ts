import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/**
 * Grade in a worker that is ended when a row takes longer than the limit: what hangs cannot be seen from inside. Answers with
 * the rewards, and with the input that hung.
 */
async function graded(
  factory: string,
  cases: readonly (readonly [options: object, text: string, reference?: string])[],
) {
  const made = await build({
    stdin: {
      contents: `
        import { parentPort } from 'node:worker_threads';
        import * as verifiers from './src/index.ts';
        parentPort.on('message', async ([options, final_text, reference]) => {
          let verdict;
          try { verdict = await verifiers.${factory}(options).verify({ final_text, reference }); }
          catch (error) { verdict = { reward: error.code }; }
          parentPort.postMessage(verdict.reward);
        });
        parentPort.postMessage('ready');`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: `node_modules/.cache/hostile-${factory}.mjs`,
    logLevel: 'silent',
  });
  expect(made.errors).toEqual([]);
  const worker = new Worker(`./node_modules/.cache/hostile-${factory}.mjs`);
  const answer = async (): Promise<unknown> => (await once(worker, 'message'))[0]; // rejects on its error
  try {
    await answer();
    const rewards: unknown[] = [];
    for (const one of cases) {
      worker.postMessage(one);
      const late = new Promise((resolve) => setTimeout(resolve, 60_000, 'hangs').unref());
      const reward = await Promise.race([answer(), late]);
      if (reward === 'hangs') return { hangs: one };
      rewards.push(reward);
    }
    return { rewards };
  } finally {
    await worker.terminate();
  }
}

const latex = fc
  .array(
    fc.constantFrom(
      ...[
        '\\frac',
        '\\dfrac{',
        '{',
        '}',
        '^',
        '^{9^{9',
        '_',
        '!',
        '(',
        ')',
        '\\sqrt[',
        ']',
        '\\binom{',
        '\\left(',
        '\\right)',
        '|',
      ],
      ...[
        'x',
        'y',
        '9',
        '99999999',
        '1e999',
        '0.1',
        '%',
        ',',
        '\\pm',
        '\\cup',
        '=',
        '<',
        '\\le',
        '\\begin{pmatrix}',
        '&',
        '\\\\',
      ],
      ...[
        '\\end{pmatrix}',
        '\\text{',
        '\\sin',
        '\\log_',
        '\\pi',
        'i',
        '\\boxed{',
        '$',
        '+',
        '-',
        '*',
        '/',
        '**',
        '(x+1)^',
        '\\infty',
      ],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

it('MathEqual answers for a thousand strings that nobody would write', async () => {
  const texts = fc.sample(latex, { seed: 1, numRuns: 980 });
  const known = [
    '9^9^9^9',
    '(x+1)^{5000}',
    '10000000!',
    '\\boxed{'.repeat(4000),
    '('.repeat(9000),
    '9'.repeat(9999),
    '2^'.repeat(500),
  ];
  const more = [
    '\\sqrt{'.repeat(300),
    '(a+b+c+d+e+f)^{199}',
    '\\binom{10000}{5000}',
    '((x+1)^{99})^{99}',
    '\\frac'.repeat(900),
    '{'.repeat(9999),
  ];
  const cases = [...texts, ...known, ...more].map(
    (text, n) => [{}, text, texts[(n * 7) % texts.length] ?? '1'] as const,
  );
  const { hangs, rewards = [] } = await graded('mathEqual', cases);
  expect([hangs, rewards.length, rewards.filter((reward) => reward !== 0 && reward !== 1 && reward !== null)]).toEqual([
    undefined,
    cases.length,
    [],
  ]);
}, 300_000);

const patterns = [
  '(a+)+$',
  '(a|aa)+$',
  '(a|a)*b',
  '(.*a){20}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a*)*(a*)*b',
  '(x+x+)+y',
  '((a{1,30}){1,30})$',
];
const texts = ['a'.repeat(8000), `${'a'.repeat(8000)}!`, 'x'.repeat(8000)];

it('Regex answers for patterns that hang other engines', async () => {
  const cases = patterns.flatMap((pattern) => texts.map((text) => [{ pattern }, text] as const));
  const { hangs, rewards = [] } = await graded('regex', [...cases, [{ pattern: '(((a{1000}){1000}){1000})' }, 'a']]);
  expect([hangs, rewards.length]).toEqual([undefined, cases.length + 1]);
  expect(rewards.filter((reward) => reward !== 0 && reward !== 1)).toEqual(['TM_OPTIONS']); // too large to compile
}, 300_000);

it('JSONSchema answers for patterns that hang other engines, also of property names and formats', async () => {
  const cases = patterns.flatMap((pattern) => [
    [{ schema: { type: 'string', pattern } }, JSON.stringify(texts[1])] as const,
    [
      { schema: { patternProperties: { [pattern]: { type: 'number' } } } },
      JSON.stringify({ [texts[1] ?? '']: 1 }),
    ] as const,
  ]);
  const formats = [
    'email',
    'uri',
    'hostname',
    'date-time',
    'regex',
    'ipv6',
    'uri-template',
    'idn-email',
    'duration',
    'json-pointer',
  ];
  const forms = formats.map(
    (format) => [{ schema: { type: 'string', format } }, JSON.stringify(`${'a.'.repeat(8000)}!`)] as const,
  );
  const nested = [
    [{ schema: { anyOf: Array(200).fill({ type: 'object' }) } }, '['.repeat(400) + ']'.repeat(400)] as const,
  ];
  const { hangs, rewards = [] } = await graded('jsonSchema', [...cases, ...forms, ...nested]);
  expect([hangs, rewards.length]).toEqual([undefined, cases.length + forms.length + nested.length]);
}, 300_000);

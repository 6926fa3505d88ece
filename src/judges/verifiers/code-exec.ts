import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { candidateText } from './candidate-text.ts';
import { cageFor } from './code/cage.ts';
import { extractCode } from './code/extract-code.ts';
import { javascriptRuntime } from './code/javascript.ts';
import { pythonRuntime } from './code/python.ts';
import { type Outcome, runProgram } from './code/run-program.ts';
import { findGold } from './reference-value.ts';
import { toVerifier, Unjudged, type Verifier, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  language: z.enum(['python', 'javascript']).default('python').describe('Language of the candidate and its tests.'),
  tests: z
    .string()
    .optional()
    .describe(
      'Asserts, test functions, unittest classes or test() and expect(); `privileged.tests` by default, else the reference.',
    ),
  setup: z.string().default('').describe('Code that runs before the candidate.'),
  timeoutMs: z.int().min(1).default(10_000).describe('Wall clock; then the whole process group is killed, in ms.'),
  cpuSeconds: z.int().min(1).default(10).describe('Processor time.'),
  memMb: z.int().min(32).default(512).describe('Address space.'),
  bin: z.string().min(1).optional().describe('The interpreter: `python3`, or the Node that runs this.'),
  maxOutputBytes: z.int().min(0).default(65_536).describe('What is kept of its error stream.'),
  network: z.boolean().default(false).describe('Let Python open sockets; JavaScript has none.'),
  requireSandbox: z
    .boolean()
    .default(false)
    .describe('No verdict, instead of a run, where the platform has no sandbox.'),
});

/**
 * Run the code of the reply with tests. It passes when the process ends well, every test ran and the harness wrote back a
 * secret that the candidate cannot reach: an early exit, a patched assert or an object that equals everything does not pass.
 * `judge_meta.isolation` says what kept it in: with `sandbox` it had processes, files and a network of its own, else
 * `judge_meta.missing` says which of the three it had not. Tests that are privileged are not told, nor what they printed.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source rlhfbook ch. 7 and 13
 */
export function codeExec(config: z.input<typeof options> = {}): Verifier {
  const parsed = parseOptions('CodeExec', options, config);
  const { name = 'CodeExec', field, language, setup, requireSandbox, network } = parsed;
  return toVerifier(name, undefined, (row, signal) => {
    const tests = testsOf(row, parsed.tests, field);
    if (!tests) return new Unjudged('missing_reward', 'no tests');
    const candidate = extractCode(candidateText(row), language);
    if (candidate === '') return [false, `${name}: fail, no code in the answer`];
    const runtime = language === 'python' ? pythonRuntime(parsed.bin) : javascriptRuntime(parsed.bin);
    if (!runtime) return new Unjudged('error', missing[language]);
    const cage = cageFor(runtime.inmate, network);
    if (requireSandbox && cage.isolation !== 'sandbox')
      return new Unjudged('error', 'no sandbox on this platform', { isolation: 'none', missing: cage.missing });
    const program = { setup, candidate, tests: tests.text };
    const run = runProgram(cage, runtime.harness(parsed), program, parsed, signal);
    return run.then((outcome) => finding(name, outcome, parsed.timeoutMs, tests.isOwn));
  });
}
export const CodeExec = codeExec;

const missing = {
  python: 'no Python interpreter: install python3 or give bin',
  javascript: 'no JavaScript engine: npm install quickjs-emscripten',
} as const;

function testsOf(row: Row, given: string | undefined, field: string | undefined) {
  if (given !== undefined) return given.trim() === '' ? undefined : { text: given, isOwn: true };
  const privileged = isObject(row['privileged']) ? row['privileged']['tests'] : undefined;
  if (field === undefined && typeof privileged === 'string' && privileged.trim() !== '')
    return { text: privileged, isOwn: false };
  const { value } = findGold(row, field);
  return typeof value === 'string' && value.trim() !== '' ? { text: value, isOwn: false } : undefined;
}

function finding(name: string, outcome: Outcome, timeoutMs: number, isOwn: boolean) {
  const { status, error, stderr, isolation, missing } = outcome;
  const meta = {
    isolation,
    ...(missing.length > 0 && { missing }),
    ...(isOwn && stderr !== '' && { stderr: stderr.slice(-400) }),
  };
  switch (status) {
    case 'passed':
      return { score: true, reason: `${name}: passed`, meta };
    case 'timeout':
      return { score: false, reason: `${name}: timed out after ${timeoutMs / 1000}s`, meta };
    case 'no_tests':
      return new Unjudged('error', 'the tests run nothing', meta);
    case 'broken_tests':
      return new Unjudged('error', `the tests do not compile: ${error}`, meta);
    case 'not_run':
      return new Unjudged('error', 'the program did not start', { ...meta, stderr: stderr.slice(-400) });
    case 'failed':
      return { score: false, reason: `${name}: failed: ${error}`, meta };
  }
}

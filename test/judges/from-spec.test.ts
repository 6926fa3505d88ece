import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeFromSpec } from '../../src/judges/from-spec.ts';
import { runJudge } from '../../src/judges/run-judge.ts';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'judge-'));
  const write = (name: string, text: string) => writeFile(join(cwd, name), text);
  await write('one.mjs', 'export default (row) => row.final_text === "x";');
  await write('two.mjs', 'export const strict = () => 0; export const kind = 3; export function loose() { return 1; }');
  await write('object.mjs', 'export const judge = { name: "own", version: "v1", judge: () => ({ reward: 1 }) };');
  await write('broken.mjs', 'throw new Error("no key");');
  await write('typed.ts', 'export default (row: { final_text: string }): number => row.final_text.length;');
  await write('schema.json', '{"type":"object","required":["a"]}');
});
afterAll(() => rm(cwd, { recursive: true }));

const grade = async (spec: string, final_text: string, reference?: string) => {
  const { rows } = await runJudge([{ final_text, reference }], await judgeFromSpec(spec, { cwd }));
  return [rows[0]?.judge_name, rows[0]?.reward];
};

it.each([
  ['exact_match', 'Paris', 'paris', 'ExactMatch', 1],
  ['includes', 'in Paris', 'paris', 'Includes', 1],
  ['regex:^\\d+:\\d+$', '10:30', undefined, 'Regex', 1],
  ['json_valid', '[1', undefined, 'JSONValid', 0],
  ['json_valid:object', '{}', undefined, 'JSONValid', 1],
  ['json_field:a.b', '{"a":{"b":"x"}}', 'x', 'JSONField', 1],
  ['json_schema:schema.json', '{"b":1}', undefined, 'JSONSchema', 0],
  ['numeric:0.5', '1.4', '1', 'Numeric', 1],
  ['math_equal', '1/2', '0.5', 'MathEqual', 1],
  ['code_exec:javascript', 'const x = 1;', 'assert(x === 1)', 'CodeExec', 1],
  ['sql_exec', 'select 1 + 1', 'select 2', 'SQLExec', 1],
  ['multiple_choice', '(B)', 'B', 'MultipleChoice', 1],
  ['./one.mjs', 'x', undefined, 'one', 1],
  ['./two.mjs#strict', 'x', undefined, 'strict', 0],
  ['object.mjs', 'x', undefined, 'own', 1],
])('%s', async (spec, text, reference, name, reward) => {
  expect(await grade(spec, text, reference)).toEqual([name, reward]);
});

it('reads TypeScript where tsx is installed', async () => {
  expect(await grade('./typed.ts', 'x')).toEqual(['typed', 1]);
});

it.each([
  ['exact', /no judge is called exact: use exact_match/],
  ['constructor', /no judge is called constructor/],
  ['regex', /regex needs one: regex:PATTERN/],
  ['regex:(', /does not compile/],
  ['exact_match:x', /takes nothing/],
  ['numeric:x', /tol/],
  ['./none.mjs', /cannot be loaded/],
  ['./broken.mjs', /no key/],
  ['./two.mjs', /exports kind, loose, strict: name one that is a judge/],
  ['./two.mjs#kind', /neither a function of a row nor an object/],
  ['./two.mjs#gone', /name one/],
  ['json_schema:gone.json', /cannot be read/],
])('%s is refused, and the message says what to do', async (spec, message) => {
  await expect(judgeFromSpec(spec, { cwd })).rejects.toThrow(message);
  await expect(judgeFromSpec(spec, { cwd })).rejects.toMatchObject({ code: 'TM_OPTIONS' });
});

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runJudge } from '../../../src/judges/run-judge.ts';
import { isOrdered, refusal } from '../../../src/judges/verifiers/sql/query.ts';
import { type Cells, sameResult } from '../../../src/judges/verifiers/sql/same-result.ts';
import { sqlExec } from '../../../src/judges/verifiers/sql-exec.ts';

const setup = `create table orders (id integer primary key, city text, cents integer, paid real);
insert into orders values (1, 'Rome', 100, 0.1), (2, 'Rome', 250, 0.2), (3, 'Oslo', 9007199254740993, null);`;
let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'sql-'));
  writeFileSync(join(home, 'secret.txt'), 'secret');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const grade = (query: string, reference: string, options: Parameters<typeof sqlExec>[0] = {}) =>
  sqlExec({ setup, timeoutMs: 30_000, ...options }).verify({
    final_text: `So:\n\`\`\`sql\n${query}\n\`\`\``,
    reference,
  });

it.each([
  ['the same rows', 'select city, cents from orders', 'select city, cents from orders', 1],
  ['in another order', 'select id from orders order by id desc', 'select id from orders', 1],
  [
    'in another order, where it counts',
    'select id from orders order by id desc',
    'select id from orders order by id',
    0,
  ],
  [
    'an order inside does not count',
    'select 3 union all select 1',
    'select id from (select id from orders order by id) where id <> 2',
    1,
  ],
  ['other names of columns', 'select id as a from orders;', 'select id from orders', 1],
  ['columns in another place', 'select cents, city from orders', 'select city, cents from orders', 0],
  ['a row twice', 'select city from orders', 'select distinct city from orders', 0],
  ['rounding', 'select 0.1 + 0.2', 'select sum(paid) from orders', 1],
  ['one off beyond 2^53', 'select 9007199254740992', 'select cents from orders where id = 3', 0],
  ['beyond 2^53', 'select max(cents) from orders', 'select cents from orders where id = 3', 1],
  ['null is not zero', 'select 0', 'select paid from orders where id = 3', 0],
  ['text is not a number', "select '1'", 'select 1', 0],
  ['no rows', 'select id from orders where 0', 'select id from orders where id > 9', 1],
  ['a comment and a string with a semicolon', "select ';' -- done;", "select ';'", 1],
  ['a with clause', 'with r as (select city from orders) select count(*) from r', 'select 3', 1],
  ['no such column', 'select town from orders', 'select city from orders', 0],
  ['a statement after it', 'select 1; drop table orders', 'select 1', 0],
  ['a write', 'insert into orders (id) values (9) returning id', 'select 9', 0],
  ['a write behind with', 'with x as (select 9) delete from orders returning id', 'select id from orders', 0],
  ['a setting', 'pragma query_only = off', 'select 1', 0],
  ['a program', "select load_extension('/tmp/x.so')", 'select 1', 0],
])('%s', async (_what, query, reference, reward) => {
  expect(await grade(query, reference)).toMatchObject({ reward, judge_meta: { verifier: 'SQLExec' } });
});

it('a query that never ends is killed, and leaves nothing behind', async () => {
  vi.stubEnv('TMPDIR', home);
  const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n';
  expect(await grade(endless, 'select 1', { timeoutMs: 4000 })).toMatchObject({
    reward: 0,
    reason: 'SQLExec: fail, timed out after 4s',
  });
  const many = 'with recursive n(x) as (select 1 union all select x + 1 from n) select x from n';
  expect(await grade(many, 'select 1', { maxRows: 50 })).toMatchObject({
    reward: 0,
    reason: 'SQLExec: fail, too many rows',
  });
  expect(await grade('select hex(zeroblob(900000000))', 'select 1', { memMb: 32 })).toMatchObject({ reward: 0 });
  vi.unstubAllEnvs();
  expect(readdirSync(home)).toEqual(['secret.txt']);
});

it('reads and writes no file', async () => {
  const [secret, written] = [join(home, 'secret.txt'), join(home, 'written')];
  for (const query of [
    `select cast(readfile('${secret}') as text)`,
    `select cast("readfile"('${secret}') as text)`,
    `select cast([ReadFile]('${secret}') as text)`,
    `select cast(data as text) from fsdir('${home}') where name like '%secret.txt'`,
    `select cast(data as text) from 'fsdir'('${home}')`,
    `select writefile('${written}', 'x')`,
    `attach '${written}' as other`,
    `vacuum into '${written}'`,
  ])
    expect([query, (await grade(query, "select 'secret'")).reward]).toEqual([query, 0]);
  expect(existsSync(written)).toBe(false);
});

it('tells neither the reference nor a privileged setup', async () => {
  const privileged = { reference: 'select hush42 from vault', setup: 'create table vault (hush42 text)' };
  const { rows } = await runJudge([{ final_text: 'select hush from vault', privileged }], sqlExec());
  expect(rows[0]).toMatchObject({ reward: 0, reason: 'SQLExec: fail, the query does not run', judge_name: 'SQLExec' });
  expect(JSON.stringify({ ...rows[0], privileged: undefined })).not.toContain('hush42');
});

it('what is broken judges nobody', async () => {
  expect(await sqlExec({ setup }).verify({ final_text: 'select 1' })).toMatchObject({ judge_status: 'missing_reward' });
  for (const [reference, own] of [
    ['select town from orders', setup],
    ['drop table orders', setup],
    ['select 1', 'creat table'],
  ] as const)
    expect(await grade('select 1', reference, { setup: own })).toMatchObject({ reward: null, judge_status: 'error' });
  expect(await grade('select 1', 'select 1', { url: 'postgresql://127.0.0.1:1/none' })).toMatchObject({
    reward: null,
    reason: 'SQLExec: the database cannot be asked',
  });
});

it('only one statement that reads is run', () => {
  for (const sql of ['select 1', '(select 1) union select 2;', 'VALUES (1)', "select 'a;b' /* ; */", 'select $$;$$'])
    expect([sql, refusal(sql)]).toEqual([sql, undefined]);
  for (const sql of [
    '',
    'delete from t',
    'explain select 1',
    'select 1; select 2',
    "select pg_read_file('x')",
    'copy t to stdout',
  ])
    expect([sql, refusal(sql)]).toEqual([sql, expect.any(String)]);
  expect(['select 1 order by 1', "select 'order by'", 'select (select 1 order by 1)'].map(isOrdered)).toEqual([
    true,
    false,
    false,
  ]);
});

it('the rows of a query are a multiset, whatever their order', () => {
  const cell = fc.oneof(fc.constantFrom('a', '1', null), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 8 }),
      fc.infiniteStream(fc.nat(7)),
      (rows: Cells[], order) => {
        const shuffled = rows.map((row) => ({ row, at: order.next().value })).sort((a, b) => a.at - b.at);
        const got = shuffled.map(({ row }) => row.map((one) => (typeof one === 'number' ? one + 1e-9 : one)));
        expect(sameResult(got, rows, false)).toBe(true);
        expect(sameResult([...got, ['b', null]], [...rows, ['a', null]], false)).toBe(false);
        expect(sameResult(got.slice(1), rows, false)).toBe(rows.length === 0);
      },
    ),
  );
});

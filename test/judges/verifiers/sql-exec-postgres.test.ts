import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlExec } from '../../../src/judges/verifiers/sql-exec.ts';

/** The programs of a PostgreSQL of this machine, the newest first. */
const roots = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].filter((path) => existsSync(path));
const bin = roots
  .flatMap((root) => readdirSync(root).map((name) => join(root, name, 'bin')))
  .filter((path) => existsSync(join(path, 'initdb')))
  .sort()
  .at(-1);
const isRoot = process.getuid?.() === 0;
const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
/** PostgreSQL refuses to run as root. */
const identity = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};

describe.runIf(bin !== undefined && (!isRoot || idOf('-u') > 0))('against a PostgreSQL', () => {
  let home = '';
  let server: ChildProcess | undefined;
  const run = (name: string, args: readonly string[]) =>
    spawnSync(join(bin ?? '', name), args, { ...identity, cwd: home, encoding: 'utf8' });
  const sql = (text: string) => run('psql', ['-h', home, '-U', 'owner', '-d', 'postgres', '-qAt', '-c', text]);

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pg-'));
    if (isRoot) chownSync(home, identity.uid ?? 0, identity.gid ?? 0);
    chmodSync(home, 0o700);
    const data = join(home, 'data');
    const made = run('initdb', ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8']);
    expect(made.status, made.stderr).toBe(0);
    const flags = ['-D', data, '-k', home, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'shared_buffers=16MB'];
    server = spawn(join(bin ?? '', 'postgres'), flags, { ...identity, cwd: home, stdio: 'ignore' });
    const until = Date.now() + 60_000;
    while (sql('select 1').stdout !== '1\n' && Date.now() < until) await new Promise((done) => setTimeout(done, 100));
    sql('create table orders (id int, city text, price numeric, at timestamptz)');
    sql(`insert into orders values (1, 'Rome', 1.50, '2026-01-01'), (2, 'Oslo', 2.25, null)`);
    sql('create role reader login; grant select on orders to reader; grant create on database postgres to reader');
  }, 120_000);
  afterAll(async () => {
    const ended = new Promise((done) => server?.once('exit', done));
    if (server?.kill('SIGINT')) await ended;
    rmSync(home, { recursive: true, force: true });
  });

  const grade = (query: string, reference: string, options: Parameters<typeof sqlExec>[0] = {}, user = 'reader') => {
    const url = `postgresql://${user}@/postgres?host=${encodeURIComponent(home)}`;
    return sqlExec({ url, timeoutMs: 20_000, ...options }).verify({ final_text: query, reference });
  };

  it.each([
    ['the same rows', 'select city, price from orders order by 1', 'select city, price from orders', 1],
    ['other types of the same numbers', 'select 1.5::float8 union all select 2.25', 'select price from orders', 1],
    ['order, where it counts', 'select id from orders order by id desc', 'select id from orders order by id', 0],
    ['times', 'select at from orders where id = 1', "select '2026-01-01'::timestamptz", 1],
    ['no such column', 'select town from orders', 'select city from orders', 0],
    ['a write', 'with x as (delete from orders returning id) select id from x', 'select id from orders', 0],
    ['a write by a function', "select setval('s', 1)", 'select 1', 0],
    ['a file of the server', "select pg_read_file('/etc/passwd')", 'select 1', 0],
    ['a program of the server', "copy orders to program 'true'", 'select 1', 0],
    ['two statements', 'select 1; delete from orders', 'select 1', 0],
    ['leaving the transaction', 'select 1); commit; delete from orders; select (1', 'select 1', 0],
  ])('%s', async (_what, query, reference, reward) => {
    expect(await grade(query, reference)).toMatchObject({ reward });
    expect(sql('select count(*) from orders').stdout).toBe('2\n');
  });

  it('stops what takes too long', async () => {
    expect(await grade('select pg_sleep(3600)', 'select 1', { timeoutMs: 3000 })).toMatchObject({
      reward: 0,
      reason: 'SQLExec: fail, timed out after 3s',
    });
    expect(await grade('select generate_series(1, 100000000)', 'select 1', { maxRows: 10 })).toMatchObject({
      reward: 0,
    });
    expect(
      sql("select count(*) from pg_stat_activity where query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()")
        .stdout,
    ).toBe('0\n');
  });

  it('makes the tables of a row for it alone', async () => {
    const setup = 'create table own (n int); insert into own values (7), (8);';
    expect(await grade('select sum(n) from own', 'select 15', { setup })).toMatchObject({ reward: 1 });
    expect(await grade('select sum(n) from own', 'select 15')).toMatchObject({ reward: 0 });
    expect(sql("select count(*) from pg_namespace where nspname like 'tracemill%'").stdout).toBe('0\n');
  });

  it('says when the role may read files of the server', async () => {
    expect((await grade('select 1', 'select 1')).judge_meta['missing']).toBeUndefined();
    expect((await grade('select 1', 'select 1', {}, 'owner')).judge_meta).toMatchObject({ missing: ['files'] });
  });
});

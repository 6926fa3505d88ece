import { expect, it } from 'vitest';
import { startWorkers } from '../../src/cli/supervise.ts';
import { verdictsFailed } from '../../src/cli/verdicts-failed.ts';
import { testIo } from './test-io.ts';

/** Workers that run a script instead of this program. */
function crew(script: string, count = 2, graceMs = 5000) {
  const { io, said } = testIo();
  const self = [process.execPath, '-e', script];
  return { ...startWorkers(count, [], { ...io, self }, graceMs), said };
}
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const waits = "process.stderr.write('up\\n'); setInterval(() => {}, 1000);";

it('a worker that dies ends the wait, with its number, its code and the last thing it said', async () => {
  const { broken, stop, said } = crew("process.stderr.write('TM_SINK: the disk is full\\n'); process.exitCode = 3;", 1);
  await expect(broken).rejects.toThrow(/^TM_WORKER: worker 1 ended with code 3: the disk is full$/);
  expect(said()).toBe('[worker 1] TM_SINK: the disk is full');
  await stop();
});

it('one that is killed, one that ends too early, and one that calls the call wrong are told apart', async () => {
  await expect(crew("process.kill(process.pid, 'SIGKILL')", 1).broken).rejects.toThrow(/was ended by SIGKILL/);
  await expect(crew('', 1).broken).rejects.toThrow(/ended with code 0: it said nothing/);
  await expect(crew("console.error('TM_OPTIONS: no judge'); process.exitCode = 2", 1).broken).rejects.toMatchObject({
    code: 'TM_OPTIONS',
  });
});

it('a stop is passed on and waited for, and what ends then is no fault', async () => {
  const { broken, stop, said } = crew(
    `process.on('SIGTERM', () => setTimeout(() => { process.stderr.write('finished\\n'); process.exit(0); }, 50)); ${waits}`,
  );
  await until(() => said().split('up').length === 3);
  await stop();
  expect(said().split('finished').length).toBe(3);
  expect(await Promise.race([broken.catch(() => 'broken'), Promise.resolve('fine')])).toBe('fine');
});

it('one that does not stop is killed after a while, and that is said', async () => {
  const { stop, said } = crew(`process.on('SIGTERM', () => {}); ${waits}`, 1, 100);
  await until(() => said().includes('up'));
  await stop();
  expect(said()).toMatch(/worker 1 did not end within 0.1 seconds and was killed/);
});

it('a worker whose supervisor is gone can tell', async () => {
  const { broken, stop } = crew(
    "process.once('disconnect', () => process.exit(7)); process.channel.unref(); process.disconnect();",
    1,
  );
  await expect(broken).rejects.toThrow(/ended with code 7/);
  await stop();
});

it('what workers counted is known once they have ended: a judge that failed in each of them failed as a whole', async () => {
  const counted = [{ stage: 'judge', operator: 'judge', in: 2, out: 2, rejected: {}, counts: { error: 2 } }];
  const { stop, counts, said } = crew(
    `process.on('SIGTERM', () => process.send(${JSON.stringify(counted)}, () => process.exit(0))); ${waits}`,
  );
  await until(() => said().split('up').length === 3);
  await stop();
  expect(counts).toEqual([...counted, ...counted]);
  expect(verdictsFailed(counts)).toMatch('Not one row got a verdict (4 error)');
  const fine = { ...counts[0], counts: { ok: 1, error: 1 } } as (typeof counts)[0];
  expect(verdictsFailed([...counts, fine])).toBeUndefined(); // one of six got one
});

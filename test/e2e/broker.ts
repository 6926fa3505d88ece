import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const call = promisify(execFile);

/** Run one of the scripts that start and stop brokers. */
export const brokerScript = (name: 'kafka-up' | 'kafka-down', args: readonly string[]) =>
  call(new URL(`../../scripts/${name}`, import.meta.url).pathname, [...args]);

/** A broker of its own in a fresh folder, from Kafka's own jars. `stop()` takes all of it away. */
export async function startBroker(...properties: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-'));
  const data = join(folder, 'data');
  const props = properties.flatMap((property) => ['--prop', property]);
  const up = async (port: string): Promise<string> =>
    (await brokerScript('kafka-up', ['--port', port, '--data', data, '--wait', '300', ...props])).stdout.trim();
  const address = await up('0');
  return {
    address,
    data,
    /** Start it again on the same port with the data that it has. */
    up: () => up(address.split(':')[1] ?? '0'),
    down: () => brokerScript('kafka-down', ['--data', data]),
    /** End it as a crash of its machine would. */
    async kill(): Promise<void> {
      const pid = Number(await readFile(join(data, 'kafka.pid'), 'utf8'));
      process.kill(pid, 'SIGKILL');
      while (isThere(pid)) await sleep(50);
    },
    async stop() {
      await brokerScript('kafka-down', ['--data', data, '--wipe']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it is gone
  }
}

export type Broker = Awaited<ReturnType<typeof startBroker>>;

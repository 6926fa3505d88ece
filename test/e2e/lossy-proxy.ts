import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const produce = 0; // the number of the request

/** A proxy in front of a broker that can lose what the broker answers to a write: it cuts the connection instead. */
export async function lossyProxy() {
  let target = 0;
  let losses = 0;
  let lost = 0;
  const server = createServer((client) => pass(client));
  const pass = (client: Socket): void => {
    const broker = connect(target, '127.0.0.1');
    const frames = createFrames();
    let isWritten = false;
    const end = (): void => {
      client.destroy();
      broker.destroy();
    };
    client.on('data', (bytes) => {
      isWritten ||= frames(bytes).includes(produce);
      broker.write(bytes);
    });
    broker.on('data', (bytes) => {
      if (!isWritten || losses === 0) {
        isWritten = false;
        client.write(bytes);
        return;
      }
      losses--;
      lost++;
      end();
    });
    for (const socket of [client, broker]) socket.on('error', end).on('close', end);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Where to send what comes. */
    lead(port: number): void {
      target = port;
    },
    /** Lose so many answers to writes from now on. */
    lose(answers: number): void {
      losses = answers;
    },
    lost: () => lost,
    close: () => server.close(),
  };
}

/** Tells which requests begin in a stream of bytes: each is its size in 4 bytes, then its number in 2. */
function createFrames() {
  let left = Buffer.alloc(0);
  let skip = 0;
  return (bytes: Buffer): number[] => {
    left = Buffer.concat([left, bytes]);
    const found: number[] = [];
    for (;;) {
      const skipped = Math.min(skip, left.length);
      left = left.subarray(skipped);
      skip -= skipped;
      if (skip > 0 || left.length < 6) return found;
      found.push(left.readInt16BE(4));
      skip = 4 + left.readInt32BE(0);
    }
  };
}

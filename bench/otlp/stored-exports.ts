import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { type Export, exportsOf } from './workload.ts';

/** Write exports to a file: what makes them leaves its garbage in another process than the one that is timed. */
export function storeExports(path: string, spans: number): void {
  const file = openSync(path, 'w');
  for (const { body, spans: n } of exportsOf(spans)) {
    writeSync(file, new Uint32Array([body.length, n]));
    writeSync(file, body);
  }
  closeSync(file);
}

/** Read them, one after the other. */
export function* storedExports(path: string, spans: number): Generator<Export> {
  const file = openSync(path, 'r');
  const head = new Uint32Array(2);
  try {
    for (let left = spans; left > 0; ) {
      readSync(file, head);
      const [bytes = 0, n = 0] = head;
      const body = Buffer.allocUnsafeSlow(bytes);
      readSync(file, body);
      left -= n;
      yield { body, spans: n };
    }
  } finally {
    closeSync(file);
  }
}

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

/** Install what the lock file names, when it is not there yet. Plain Node: it runs before anything is installed. */
const lock = 'package-lock.json';
const installed = 'node_modules/.tracemill-lock.json';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Tracemill needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exit(2);
}
if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
  process.stderr.write('Installing the packages of package-lock.json (once)...\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('npm ci failed: see above. Nothing else was tried.\n');
    process.exit(3);
  }
  copyFileSync(lock, installed);
}

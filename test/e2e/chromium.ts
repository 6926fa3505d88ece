import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const places = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real Chromium with a profile of its own, and the address of every request that its pages make. */
export async function openChromium(more: Parameters<typeof chromium.launchPersistentContext>[1] = {}) {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (!executablePath) throw new Error('no Chromium is here: install chromium, or name one in CHROMIUM');
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath,
    args,
    viewport: { width: 1280, height: 860 },
    ...more,
  });
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  return {
    context,
    asked,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

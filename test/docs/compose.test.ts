import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const service = z.strictObject({
  image: z.string().regex(/^[\w./-]+:\d+\.\d+\.\d+$/, 'an image is pinned by its version'),
  ports: z.array(z.string().startsWith('127.0.0.1:', 'a port is bound to loopback')),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()).min(2) }),
});

it('every service is pinned, bound to loopback, and says when it is well', async () => {
  const { services, volumes } = parse(await readFile('docker-compose.yml', 'utf8'));
  const parsed = z.record(z.string(), service).parse(services);
  expect(Object.keys(parsed)).toContain('kafka');
  for (const one of Object.values(parsed))
    for (const volume of one.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
});

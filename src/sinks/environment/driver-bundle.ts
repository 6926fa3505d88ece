import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TracemillError } from '../../core/errors.ts';

/**
 * Read the world and the reward as one file that Node runs by itself: `driver.mjs`, which the build lays beside this module.
 * Run from its sources, there is no build: it is bundled then.
 *
 * @throws TM_SINK - it is neither there nor can be made
 */
export async function driverBundle(): Promise<string> {
  try {
    return await readFile(new URL('./driver.mjs', import.meta.url), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new TracemillError('TM_SINK', 'driver.mjs', { cause });
  }
  const bundler = 'esbuild'; // not a literal: a development package, which no installed package needs
  try {
    const { build } = (await import(bundler)) as {
      build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
    };
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('./driver.ts', import.meta.url))],
      ...bundleOptions,
      write: false,
    });
    return outputFiles[0]?.text ?? '';
  } catch (cause) {
    throw new TracemillError('TM_SINK', 'the world of an environment is not built: npm run build', { cause });
  }
}

/** How the driver is bundled, here and by the build. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
} as const;

import { cp } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundleOptions } from '../dist/sinks/environment/driver-bundle.js';

/** Part of the build: lay what is not compiled beside the compiled code: driver and Python of an environment, the page. */
const place = 'dist/sinks/environment';
await build({ entryPoints: [`${place}/driver.js`], ...bundleOptions, outfile: `${place}/driver.mjs` });
await cp('src/sinks/environment/python', `${place}/python`, { recursive: true });
await cp('src/server/page/assets', 'dist/server/page/assets', { recursive: true }); // the page is not compiled

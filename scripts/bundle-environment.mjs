import { cp } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundleOptions } from '../dist/sinks/environment/driver-bundle.js';

/** Part of the build: lay the bundled driver and the Python modules of an exported environment beside the compiled code. */
const place = 'dist/sinks/environment';
await build({ entryPoints: [`${place}/driver.js`], ...bundleOptions, outfile: `${place}/driver.mjs` });
await cp('src/sinks/environment/python', `${place}/python`, { recursive: true });

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the page, as it is and as gzip. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The modules of packages that the page imports by their bare names, which a browser cannot resolve. */
const packages = ['preact', 'htm', 'uplot'];

/**
 * Read everything the page is made of, by its name under `/page/`: our own modules, and those of the packages as they are
 * installed. Nothing is built: only the names of packages become their addresses. Names that are not here do not exist.
 * `from` is the folder of our own, for whoever bundles this module elsewhere.
 */
export function pageFiles(from = new URL('./assets/', import.meta.url)): ReadonlyMap<string, PageFile> {
  const assets = fileURLToPath(from);
  const own = readdirSync(assets, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(assets.length).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const);
  return new Map([...own, ...packageFiles()].map(([name, text]) => [name, fileOf(name, addressed(text))]));
}

function packageFiles(): readonly (readonly [string, string])[] {
  const { resolve } = createRequire(import.meta.url);
  const textOf = (path: string) => readFileSync(path, 'utf8').replace(/\n?\/\/# sourceMappingURL=\S+/, '');
  const plots = dirname(resolve('uplot/dist/uPlot.iife.min.js'));
  return [
    ['lib/preact.js', textOf(resolve('preact'))],
    ['lib/htm.js', textOf(join(dirname(resolve('htm')), 'htm.module.js'))],
    ['lib/uplot.js', `${textOf(join(plots, 'uPlot.iife.min.js'))}\nexport default uPlot;\n`], // half as large as its module
    ['lib/uplot.css', textOf(join(plots, 'uPlot.min.css'))],
  ];
}

const addressed = (text: string): string =>
  packages.reduce((said, name) => said.replaceAll(`from '${name}'`, `from '/page/lib/${name}.js'`), text);

function fileOf(name: string, text: string): PageFile {
  const bytes = new Uint8Array(Buffer.from(text));
  return { type: types[extname(name)] ?? '', bytes, packed: new Uint8Array(gzipSync(bytes, { level: 9 })) };
}

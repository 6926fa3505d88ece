import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../../src/core/errors.ts';
import * as operators from '../../src/operators/index.ts';

/** The comment just above `export const NAME = define…`, without its stars. */
function docComment(source: string, name: string): string {
  const found = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport const ${name} = `).exec(source);
  if (!found?.[1]) throw new Error(`${name} has no doc comment right above its export`);
  return found[1].replace(/^ \* ?/gm, '').trim();
}

async function operatorPage(): Promise<string> {
  const parts = ['# Operators', 'Written by `npm run docs` from `src/operators`. Do not edit.'];
  for (const [name, { spec }] of Object.entries(operators)) {
    const comment = docComment(await readFile(`src/operators/${spec.name}.ts`, 'utf8'), name);
    const { properties = {}, required = [] } = z.toJSONSchema(spec.options, { io: 'input' });
    const rows = Object.entries(properties).map(([option, schema]) => {
      const { type, default: byDefault, description } = schema as Record<string, unknown>;
      if (!description) throw new Error(`${name}.${option} needs .describe()`);
      const value = required.includes(option) ? 'required' : `\`${JSON.stringify(byDefault)}\``;
      return `| \`${option}\` | ${String(type)} | ${value} | ${String(description)} |`;
    });
    const lists = comment.replace(/^@(\w+) /gm, '- **$1** ');
    parts.push(`## ${name}`, lists, `| option | type | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}`);
    parts.push(`\`\`\`ts\n// ${JSON.stringify(spec.example.in)}\n${name}(${JSON.stringify(spec.example.options)})`);
    parts.push(`// ${JSON.stringify(spec.example.out)}\n\`\`\``);
  }
  return `${parts.join('\n\n').replace(/\n\n(\/\/ .*\n```)/g, '\n$1')}\n`;
}

it('the operator page is what the source says', async () => {
  await expect(await operatorPage()).toMatchFileSnapshot('../../docs/reference/operators.md');
});

it('every operator file is exported', async () => {
  const files = (await readdir('src/operators')).filter((file) => file !== 'index.ts');
  expect(Object.values(operators).map(({ spec }) => `${spec.name}.ts`)).toEqual(files);
});

it('the error page names every code and no other', async () => {
  const page = await readFile('docs/reference/errors.md', 'utf8');
  expect([...page.matchAll(/^## (TM_\w+)$/gm)].map(([, code]) => code)).toEqual(Object.keys(errorCodes));
});

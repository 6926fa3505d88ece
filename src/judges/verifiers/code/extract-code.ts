import { fences } from '../fences.ts';

/** Languages that are run. */
export type Language = 'python' | 'javascript';
const tags: Readonly<Record<Language | 'sql', RegExp>> = {
  sql: /^(?:sql|sqlite|postgres|postgresql|pgsql|psql)[\d.]*$/,
  python: /^(?:python|py)[\d.]*$/,
  javascript: /^(?:javascript|js|mjs|node|ecmascript)[\d.]*$/,
};

/**
 * Find the code of a reply: the last fenced block tagged with the language, else the last without a tag, else the last of
 * all, else the whole text.
 */
export function extractCode(text: string, language: Language | 'sql' = 'python'): string {
  const blocks = fences(text);
  const block =
    blocks.findLast(({ tag }) => tags[language].test(tag)) ?? blocks.findLast(({ tag }) => tag === '') ?? blocks.at(-1);
  return (block?.body ?? text).trim();
}

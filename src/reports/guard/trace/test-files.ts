const proseFile = /\.(?:md|mdx|rst|txt|adoc|markdown)$|(?:^|\/)(?:README|CHANGELOG|LICENSE|NOTES)[^/]*$/i;
const codeFile =
  /\.(?:py|js|jsx|ts|tsx|mjs|cjs|mts|cts|rb|go|rs|java|kt|kts|scala|cs|cpp|cc|c|h|hpp|php|swift|ex|exs|clj|dart|lua|r|jl|sh|vue|svelte|feature|snap)$/i;
const testFolder = /(?:^|\/)(?:tests?|__tests__|__snapshots__|e2e)\//;
const specFolder = /(?:^|\/)specs?\//;
const testName =
  /(?:^|\/)(?:test_[^/]*\.py|[^/]*_test\.\w+|[^/]*\.(?:test|spec)\.\w+|[^/]*_spec\.\w+|conftest\.py|[A-Z]\w*(?:Tests?|Spec|IT)\.(?:java|kt|scala|cs|groovy|swift|php))$/;

/** Say whether a file is a test, by the habits of its language. */
export function isTestFile(path: string): boolean {
  if (proseFile.test(path) || /(?:^|\/)__init__\.py$/.test(path)) return false;
  return testName.test(path) || testFolder.test(path) || (specFolder.test(path) && codeFile.test(path));
}

/** Say whether a file is for people to read: what it mentions is not code. */
export const isProse = (path: string): boolean => proseFile.test(path);

const asked =
  /\b(?:write|add|create|generate|extend|improve|update|adjust|cover|increase|need|want|include|refactor|rename|implement|move|delete|remove|port|convert)\b[^.?!\n]{0,60}?\b(?:tests?|specs?|test suite|test cases?|coverage|snapshots?)\b(?!\s+(?:pass\w*|are|is|go|goes|succeed\w*|turn|stay|green|run))/i;

/** Say whether the user asked for work on the tests themselves. */
export const asksForTests = (request: string): boolean => asked.test(request);

const weakening = new RegExp(
  [
    '@pytest\\.mark\\.(?:skip|skipif|xfail)\\b',
    'pytest\\.(?:skip|xfail|importorskip)\\(',
    '@?unittest\\.(?:skip\\w*|expectedFailure)\\b',
    '\\b(?:it|test|describe|context|suite)\\.(?:skip|only|todo|fixme)\\b',
    '(?<![\\w.])(?:xit|xdescribe|xtest|fit|fdescribe)\\(',
    '@(?:Disabled|Ignore)\\b',
    '\\bt\\.Skip(?:Now|f)?\\(',
    '#\\[ignore\\b',
    '\\[(?:Ignore|Fact\\(Skip)\\b',
    '\\b(?:skip|pending)\\s+["\']',
  ].join('|'),
);
const suppression =
  /@ts-ignore|@ts-nocheck|eslint-disable|#\s*type:\s*ignore|#\s*noqa\b|\bexcept\s*:\s*(?:#[^\n]*)?\s*pass\b/;

/** Say whether written code skips, expects to fail or narrows tests. */
export const weakensTests = (code: string): boolean => weakening.test(code);
/** Say whether written code silences a checker or swallows every exception. */
export const suppresses = (code: string): boolean => suppression.test(code);

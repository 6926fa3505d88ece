import { parseJson, stringifyJson } from '../../core/json.ts';
import { isObject } from '../../core/json-object.ts';
import { episodes, type Request } from './episodes.ts';

/** The process that an exported environment runs: one request a line in, one answer a line out, in order. */
const serve = episodes();

function answerTo(line: string): string {
  let id: unknown = null;
  try {
    const request = parseJson(line);
    if (!isObject(request)) throw new Error('a request is one JSON object');
    id = request['id'] ?? null;
    return stringifyJson({ id, ...serve(request as unknown as Request) });
  } catch (error) {
    return stringifyJson({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n'); // LF alone ends a request: U+2028 is a letter of a text
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') process.stdout.write(`${answerTo(line)}\n`);
});
process.stdin.on('end', () => process.exit(0));

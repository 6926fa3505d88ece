/** Where the quoted text that starts at `start` ends; past the end of the JSON if it does not. */
function endOfString(json: string, start: number): number {
  let end = start;
  do {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
  } while (isEscaped(json, end));
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === 92) slashes++;
  return slashes % 2 === 1;
}

/** Count how deep the brackets of a JSON text go, up to the first depth above `most`. Nothing is built. */
export function depthOf(json: string, most: number): number {
  let depth = 0;
  for (let at = 0; at < json.length && depth <= most; at++) {
    const code = json.charCodeAt(at);
    if (code === 34) at = endOfString(json, at);
    else if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth--;
  }
  return depth;
}

/** Write null for the tokens `NaN`, `Infinity` and `-Infinity` outside of quoted texts, and tell of each. */
export function withoutNonFinite(json: string, onToken: () => void): string {
  const replace = (outside: string): string =>
    outside.replace(/-?\b(?:NaN|Infinity)\b/g, () => {
      onToken();
      return 'null';
    });
  let written = '';
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    if (quote === -1) break;
    const end = endOfString(json, quote);
    written += replace(json.slice(at, quote)) + json.slice(quote, end + 1);
    at = end + 1;
  }
  return written + replace(json.slice(at));
}

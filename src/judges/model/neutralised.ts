const verdictKeys = new Set(
  'reward score rating verdict winner criteria met pass passed grade reason judge_status judge_meta'.split(' '),
);
const key = /\\*"((?:[^"\\\n]|\\u[0-9a-f]{4}){1,80})\\*"(?=\s*:)/gi;

/**
 * Take the force out of what a graded text could pass off as a verdict or as a turn of its own: keys of verdicts lose their
 * quotes, so that a copy of them in the judge's reply is no JSON, `[[10]]` and role marks are broken up. Words stay readable.
 * Linear in the text.
 *
 * @source Zheng et al. 2023, arXiv 2306.05685, for the marks; house rule
 */
export function neutralised(text: string): string {
  return text
    .replace(key, (whole, name: string) => (isVerdictKey(name) ? `“${plain(name)}”` : whole))
    .replace(/\[\[([^[\]\n]{1,40})\]\]/g, '[ [$1] ]')
    .replace(/<\|/g, '< |')
    .replace(/<<<+|>>>+/g, (mark) => [...mark].join(' '));
}

const plain = (name: string) =>
  name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const isVerdictKey = (name: string) => verdictKeys.has(plain(name).trim().toLowerCase());

import { escapeHtml } from './escape.ts';

/** One part of a page: a heading and what stands under it, as HTML that is already escaped. */
export interface Section {
  readonly title: string;
  readonly html: string;
}

const style = `
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5d6675;--line:#d5dae2;--paper:#fff;--blue:#2563a8;--red:#b3382c;--green:#22794a}
@media (prefers-color-scheme:dark){:root{--ink:#e5e9f0;--soft:#9aa4b5;--line:#3a4250;--paper:#171b22;--blue:#7fb2ee;--red:#f08a7e;--green:#79c99b}}
body{margin:2rem auto;max-width:64rem;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:500}td.n{text-align:right}
.wide{overflow-x:auto}.verdict{font-size:1.1rem;font-weight:600}.ok{color:var(--green)}.no{color:var(--red)}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .soft{fill:var(--soft)}
svg .axis{stroke:var(--line)}svg .bar{stroke:var(--blue);stroke-width:2}svg .dot{fill:var(--blue)}
svg .down{fill:var(--red);stroke:var(--red)}svg .up{fill:var(--green);stroke:var(--green)}
ul.warn li{color:var(--red)}
`;

/**
 * Make one page that stands alone: no script, no font, no image, no address; light or dark as the reader has it. The policy in
 * its head forbids a browser to fetch anything.
 */
export function htmlPage(title: string, lead: string, sections: readonly Section[]): string {
  const body = sections
    .filter(({ html }) => html !== '')
    .map(
      (section) => `<section><h2>${escapeHtml(section.title)}</h2>\n<div class="wide">${section.html}</div></section>`,
    );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${lead}
${body.join('\n')}
</body>
</html>
`;
}

/** A sentence that decides, in the colour of what it says. */
export const verdictLine = (isGood: boolean, text: string): string =>
  `<p class="verdict ${isGood ? 'ok' : 'no'}">${escapeHtml(text)}</p>`;

/** A list of sentences; nothing of none. */
export const listOf = (lines: readonly string[], kind = ''): string =>
  lines.length === 0 ? '' : `<ul class="${kind}">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;

/** A table; cells that are numbers stand right. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cell = (text: string) => `<td${/^[-+]?[\d.,]+ ?%?$/.test(text) ? ' class="n"' : ''}>${escapeHtml(text)}</td>`;
  const line = (cells: readonly string[]) => `<tr>${cells.map(cell).join('')}</tr>`;
  const titles = head.map((title) => `<th>${escapeHtml(title)}</th>`).join('');
  return `<table><thead><tr>${titles}</tr></thead><tbody>${rows.map(line).join('\n')}</tbody></table>`;
}

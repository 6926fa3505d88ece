/** Marks that move cursors, turn the direction of what stands beside them, or cannot be seen. */
const hidden =
  /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** Show each hidden mark as a sign that does nothing: ESC as its picture, a direction mark as its code point. */
export const visible = (text) => String(text ?? '').replace(hidden, shown);

function shown(mark) {
  const code = mark.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Cut between characters, never through one. */
export const cutAt = (text, length) =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (n) => (n === null || n === undefined ? '–' : whole.format(n));
export const compact = (n) => (n < 100_000 ? whole.format(n) : short.format(n));
export const share = (n) => (typeof n === 'number' ? `${(n * 100).toFixed(1)}%` : '–');
export const rate = (n) => (n >= 10 ? whole.format(n) : n >= 0.05 ? n.toFixed(1) : '0');
export const figure = (n) => (typeof n === 'number' && Number.isFinite(n) ? String(Number(n.toPrecision(4))) : '–');

/** A span of time in words, from ms. */
export function span(ms) {
  if (typeof ms !== 'number') return '–';
  if (ms < 1) return '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }); // making one for each time is most of a drawing
export const timeOf = (at) => clock.format(at);
export const words = (name) => String(name ?? '').replaceAll('_', ' ');

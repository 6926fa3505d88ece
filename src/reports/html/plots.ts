import type { Interval } from '../../stats/wilson.ts';
import { escapeHtml } from './escape.ts';

/** A figure with its interval. */
export interface Measured {
  readonly label: string;
  readonly mid: number;
  readonly ci95: Interval | null;
  /** How to colour it; plain without it. */
  readonly tone?: 'up' | 'down' | undefined;
}

const wide = 640; // all sizes in pixels
const left = 200;
const right = 60;
const row = 20;
const side = 320;
const pad = 40;
const shown = 100; // lines of a plot; a page stays readable
const cut = (text: string) => (text.length > 28 ? `${text.slice(0, 27)}…` : text);
const at = (value: number) => value.toFixed(1);
const svg = (width: number, height: number, name: string, inside: string) =>
  `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(name)}">${inside}</svg>`;

/** Draw figures one under the other with their 95 % intervals, on the scale from `low` to `high`. The first 100. */
export function intervalPlot(name: string, figures: readonly Measured[], low = 0, high = 1): string {
  const lines = figures.slice(0, shown);
  if (lines.length === 0 || !(high > low)) return '';
  const x = (value: number) =>
    left + ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (wide - left - right);
  const height = lines.length * row + 30;
  const ticks = [low, (low + high) / 2, high].map(
    (tick) =>
      `<line class="axis" x1="${at(x(tick))}" x2="${at(x(tick))}" y1="0" y2="${height - 22}"/><text class="soft" text-anchor="middle" x="${at(x(tick))}" y="${height - 6}">${Number(tick.toFixed(3))}</text>`,
  );
  const drawn = lines.map(({ label, mid, ci95, tone = '' }, n) => {
    const y = n * row + 12;
    const bar = ci95
      ? `<line class="bar ${tone}" x1="${at(x(ci95[0]))}" x2="${at(x(ci95[1]))}" y1="${y}" y2="${y}"/>`
      : '';
    return `<text x="0" y="${y + 4}"><title>${escapeHtml(label)}</title>${escapeHtml(cut(label))}</text>${bar}<circle class="dot ${tone}" cx="${at(x(mid))}" cy="${y}" r="4"/><text x="${wide - right + 8}" y="${y + 4}">${mid.toFixed(3)}</text>`;
  });
  const more = figures.length > shown ? `<p>The first ${shown} of ${figures.length}.</p>` : '';
  return svg(wide, height, name, ticks.join('') + drawn.join('')) + more;
}

/** A point of a square plot: two shares, and how many cases it stands for. */
export interface Point {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly n?: number;
  /** Interval of `y`. */
  readonly ci95?: Interval | null;
}

/** Draw shares against shares, with the diagonal on which they are equal: before against after, said against true. */
export function squarePlot(name: string, axes: readonly [x: string, y: string], points: readonly Point[]): string {
  if (points.length === 0) return '';
  const x = (value: number) => pad + value * (side - 2 * pad);
  const y = (value: number) => side - pad - value * (side - 2 * pad);
  const frame = `<rect class="axis" fill="none" x="${pad}" y="${pad}" width="${side - 2 * pad}" height="${side - 2 * pad}"/><line class="axis" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`;
  const words = `<text class="soft" text-anchor="middle" x="${side / 2}" y="${side - 8}">${escapeHtml(axes[0])}</text><text class="soft" text-anchor="middle" transform="rotate(-90 12 ${side / 2})" x="12" y="${side / 2}">${escapeHtml(axes[1])}</text>`;
  const ends = [0, 1].map(
    (end) =>
      `<text class="soft" text-anchor="middle" x="${x(end)}" y="${side - pad + 16}">${end}</text><text class="soft" text-anchor="end" x="${pad - 6}" y="${y(end) + 4}">${end}</text>`,
  );
  const most = Math.max(1, ...points.map(({ n = 1 }) => n));
  const drawn = points.map(({ label, n = 1, ci95, ...point }) => {
    const tone = ci95 === undefined && point.y !== point.x ? (point.y > point.x ? 'up' : 'down') : '';
    const bar = ci95
      ? `<line class="bar" x1="${at(x(point.x))}" x2="${at(x(point.x))}" y1="${at(y(ci95[0]))}" y2="${at(y(ci95[1]))}"/>`
      : '';
    const size = 3 + 4 * Math.sqrt(n / most);
    return `${bar}<circle class="dot ${tone}" fill-opacity="0.6" cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="${at(size)}"><title>${escapeHtml(label)}</title></circle>`;
  });
  return svg(side, side, name, frame + words + ends.join('') + drawn.join(''));
}

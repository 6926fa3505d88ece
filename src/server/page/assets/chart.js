import { Component, createRef } from 'preact';
import UPlot from 'uplot';
import { html } from './html.js';
import { figure, timeOf } from './text.js';

const restMs = 400; // between two drawings of one chart

/**
 * Curves over one x axis. Props: `label` (said to who cannot see it), `xs`, `curves` ([{name, ys, color, isBand}]), `height`,
 * `xName`, `range` ([low, high] of y), `mark` (an x where something happened), `theme`, `version` (changes with the data).
 */
export class Chart extends Component {
  box = createRef();

  componentDidMount() {
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.box.current);
    this.draw();
  }

  componentWillUnmount() {
    this.watch.disconnect();
    clearTimeout(this.timer);
    this.plot?.destroy();
  }

  shouldComponentUpdate(next) {
    return ['version', 'theme', 'label', 'mark', 'shape'].some((name) => next[name] !== this.props[name]);
  }

  componentDidUpdate(before) {
    if (before.theme !== this.props.theme || before.shape !== this.props.shape || before.mark !== this.props.mark) {
      this.plot?.destroy();
      this.plot = undefined;
    }
    clearTimeout(this.timer);
    const rest = restMs - (performance.now() - (this.drawnAt ?? 0));
    if (rest <= 0) this.draw();
    else this.timer = setTimeout(() => this.draw(), rest);
  }

  resize() {
    const width = this.box.current?.clientWidth ?? 0;
    if (this.plot && width > 0 && width !== this.plot.width)
      this.plot.setSize({ width, height: this.props.height ?? 180 });
    else if (!this.plot) this.draw();
  }

  draw() {
    this.drawnAt = performance.now();
    const { xs, curves } = this.props;
    const width = this.box.current?.clientWidth ?? 0;
    if (width === 0) return;
    const data = [xs, ...curves.map(({ ys }) => ys)];
    if (this.plot) this.plot.setData(data);
    else this.plot = new UPlot(optionsOf(this.props, width), data, this.box.current);
  }

  render({ label, height = 180, curves }) {
    const named = curves.filter(({ name }) => name);
    return html`<figure class="chart">
      <div ref=${this.box} role="img" aria-label=${label} style=${{ height: `${height}px` }}></div>
      ${
        named.length > 1 &&
        html`<figcaption>${named.map(
          ({ name, color }) => html`<span class="key"><i class=${`dot ${color}`}></i>${name}</span>`,
        )}</figcaption>`
      }
    </figure>`;
  }
}

function optionsOf({ curves, height = 180, xName = '', range, mark, isTime }, width) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color('soft'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  };
  const bands = curves.flatMap(({ isBand }, n) => (isBand ? [{ series: [n + 1, n + 2], fill: color('band') }] : []));
  const one = ({ color: name, isEdge, isBand, dots }) => ({
    stroke: isEdge || isBand ? 'transparent' : color(name),
    width: 2,
    spanGaps: true,
    points: { show: dots ?? false, size: 5, fill: color(name) },
  });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: isTime === true }, y: range ? { range: () => range } : { range: padded } },
    axes: [
      {
        ...axis,
        ...(isTime && { values: (_, values) => values.map((at) => timeOf(at * 1000)) }),
        label: xName,
        labelSize: xName ? 18 : 0,
        labelFont: axis.font,
        size: 26,
        space: 70,
      },
      { ...axis, size: 52, space: 32, values: (_, values) => values.map(figure) },
    ],
    series: [{}, ...curves.map(one)],
    bands,
    hooks: { draw: mark === undefined ? [] : [(plot) => drawMark(plot, mark, color('red'))] },
  };
}

/** A curve that does not move is drawn in the middle. */
function padded(_plot, low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const pad = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}

function drawMark(plot, at, color) {
  const x = Math.round(plot.valToPos(at, 'x', true));
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.setLineDash([5, 4]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** A small curve without axes, of the last rates. */
export function Trail({ values, label }) {
  const high = Math.max(...values, 1e-9);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values
    .map((value, n) => `${(n * step).toFixed(1)},${(22 - (value / high) * 20).toFixed(1)}`)
    .join(' ');
  return html`<svg class="trail" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${values.length > 1 && html`<polyline points=${points} />`}
  </svg>`;
}

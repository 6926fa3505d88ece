import { Component, createRef } from 'preact';
import { html } from './html.js';
import { count } from './text.js';

const beyond = 6; // rows drawn above and below what is seen

/**
 * A list of any length of which only what is seen exists. Props: `length`, `at(n)`, `keyOf(item)`, `placeOf(key)`, `row(item)`,
 * `rowHeight`, `chosen` (a key), `onChoose(key)`, `label`. Arrow keys, Page Up and Down, Home and End move the choice. At the
 * top the list follows what comes; once it is scrolled it stands still, and says how many are newer. It never asks the browser
 * where things are after it has changed them: that would lay the page out again for each drawing.
 */
export class VirtualList extends Component {
  box = createRef();
  state = { top: 0, seen: 12, held: undefined };
  scrollTop = 0;
  height = 0;

  componentDidMount() {
    this.watch = new ResizeObserver(([entry]) => {
      this.height = entry.contentRect.height;
      this.setState({ seen: Math.ceil(this.height / this.props.rowHeight) + 1 });
    });
    this.watch.observe(this.box.current);
  }

  componentWillUnmount() {
    this.watch.disconnect();
  }

  /** How many have come above since the list was scrolled. */
  newer() {
    const { held } = this.state;
    return held === undefined ? 0 : Math.max(0, this.props.placeOf(held));
  }

  scrolled() {
    const { at, keyOf, rowHeight } = this.props;
    this.scrollTop = this.box.current.scrollTop;
    const top = Math.floor(this.scrollTop / rowHeight);
    const first = at(0);
    const held = top === 0 ? undefined : (this.state.held ?? (first && keyOf(first)));
    if (top !== this.state.top || held !== this.state.held) this.setState({ top, held });
  }

  toTop() {
    this.box.current.scrollTop = 0;
    this.setState({ top: 0, held: undefined });
  }

  /** Scroll no further than a row needs to be seen whole. */
  reveal(place) {
    const upper = place * this.props.rowHeight;
    const lower = upper + this.props.rowHeight;
    if (upper < this.scrollTop) this.box.current.scrollTop = upper;
    else if (lower > this.scrollTop + this.height) this.box.current.scrollTop = lower - this.height;
  }

  press(event) {
    const { length, at, keyOf, placeOf, chosen, onChoose } = this.props;
    const page = Math.max(1, this.state.seen - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -length, End: length };
    const move = moves[event.key];
    if (move === undefined || length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const newer = this.newer();
    const now = chosen === undefined ? -1 : placeOf(chosen);
    const next = now < 0 ? this.state.top + newer : now + move;
    const place = Math.min(length - 1, Math.max(event.key === 'Home' ? 0 : newer, next));
    onChoose(keyOf(at(place)));
    if (place < newer) this.toTop();
    else this.reveal(place - newer);
  }

  render({ length, at, keyOf, row, rowHeight, chosen, onChoose, label }, { top, seen }) {
    const newer = this.newer();
    const all = Math.max(0, length - newer);
    const first = Math.max(0, Math.min(top, all - seen) - beyond);
    const last = Math.min(all, first + seen + 2 * beyond);
    const rows = [];
    let isDrawn = false;
    for (let n = first; n < last; n++) {
      const item = at(n + newer);
      if (!item) continue;
      const key = keyOf(item);
      const isChosen = key === chosen;
      isDrawn ||= isChosen;
      // the place is the key: what is drawn there is changed, not made again
      rows.push(html`<div key=${n} id=${`row-${key}`} role="option" aria-selected=${isChosen ? 'true' : 'false'}
        aria-setsize=${length} aria-posinset=${n + newer + 1} class=${isChosen ? 'line chosen' : 'line'}
        style=${{ top: `${n * rowHeight}px`, height: `${rowHeight}px` }} onClick=${() => onChoose(key)}>${row(item)}</div>`);
    }
    return html`<div class="window">
      ${newer > 0 && html`<button type="button" class="newer" onClick=${() => this.toTop()}>${count(newer)} newer</button>`}
      <div class="list" ref=${this.box} role="listbox" tabindex="0" aria-label=${label}
        aria-activedescendant=${isDrawn ? `row-${chosen}` : undefined}
        onScroll=${() => this.scrolled()} onKeyDown=${(event) => this.press(event)}>
        <div class="lines" style=${{ height: `${all * rowHeight}px` }}>${rows}</div>
      </div>
    </div>`;
  }
}

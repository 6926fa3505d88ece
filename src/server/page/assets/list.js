import { Component, createRef } from 'preact';
import { html } from './html.js';

const beyond = 6; // rows drawn above and below what is seen

/**
 * A list of any length of which only what is seen exists. Props: `length`, `at(n)`, `keyOf(item)`, `placeOf(key)`, `row(item,
 * isChosen)`, `rowHeight`, `chosen` (a key), `onChoose(key)`, `label`. Arrow keys, Page Up and Down, Home and End move the
 * choice. What is read stays where it is when rows come above it; at the top the list follows them.
 */
export class VirtualList extends Component {
  box = createRef();
  state = { top: 0, seen: 12 };

  componentDidMount() {
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this.box.current);
    this.measure();
  }

  componentWillUnmount() {
    this.watch.disconnect();
  }

  /** Keep what is read where it is: by the row at the upper edge. */
  getSnapshotBeforeUpdate() {
    const box = this.box.current;
    if (!box || box.scrollTop === 0 || this.anchor === undefined) return null;
    return { key: this.anchor.key, off: box.scrollTop - this.anchor.place * this.props.rowHeight };
  }

  componentDidUpdate(before, _state, held) {
    const { rowHeight, chosen, placeOf } = this.props;
    const box = this.box.current;
    const place = held ? placeOf(held.key) : -1;
    if (place > 0) {
      const top = place * rowHeight + held.off;
      if (Math.abs(top - box.scrollTop) > 1) box.scrollTop = top;
    }
    if (chosen !== before.chosen && this.isByKey) this.reveal(placeOf(chosen));
    this.isByKey = false;
    this.mark();
  }

  measure() {
    const box = this.box.current;
    if (!box) return;
    const seen = Math.ceil(box.clientHeight / this.props.rowHeight) + 1;
    const top = Math.floor(box.scrollTop / this.props.rowHeight);
    if (seen !== this.state.seen || top !== this.state.top) this.setState({ seen, top });
    this.mark();
  }

  mark() {
    const place = Math.floor((this.box.current?.scrollTop ?? 0) / this.props.rowHeight);
    const item = this.props.at(place);
    this.anchor = item && { key: this.props.keyOf(item), place };
  }

  reveal(place) {
    const { rowHeight } = this.props;
    const box = this.box.current;
    if (place < 0) return;
    if (place * rowHeight < box.scrollTop) box.scrollTop = place * rowHeight;
    else if ((place + 1) * rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = (place + 1) * rowHeight - box.clientHeight;
  }

  press(event) {
    const { length, at, keyOf, placeOf, chosen, onChoose } = this.props;
    const page = Math.max(1, this.state.seen - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -length, End: length };
    const move = moves[event.key];
    if (move === undefined || length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const now = chosen === undefined ? -1 : placeOf(chosen);
    const next = now < 0 ? Math.floor(this.box.current.scrollTop / this.props.rowHeight) : now + move;
    this.isByKey = true;
    onChoose(keyOf(at(Math.min(length - 1, Math.max(0, next)))));
  }

  render({ length, at, keyOf, row, rowHeight, chosen, onChoose, label }, { top, seen }) {
    const first = Math.max(0, Math.min(top, length - seen) - beyond);
    const last = Math.min(length, first + seen + 2 * beyond);
    const rows = [];
    for (let n = first; n < last; n++) {
      const item = at(n);
      if (!item) continue;
      const key = keyOf(item);
      rows.push(html`<div key=${key} id=${`row-${key}`} role="option" aria-selected=${key === chosen ? 'true' : 'false'}
        aria-setsize=${length} aria-posinset=${n + 1} class=${key === chosen ? 'line chosen' : 'line'}
        style=${{ top: `${n * rowHeight}px`, height: `${rowHeight}px` }} onClick=${() => onChoose(key)}>${row(item)}</div>`);
    }
    return html`<div class="list" ref=${this.box} role="listbox" tabindex="0" aria-label=${label}
      aria-activedescendant=${chosen === undefined ? undefined : `row-${chosen}`}
      onScroll=${() => this.measure()} onKeyDown=${(event) => this.press(event)}>
      <div class="lines" style=${{ height: `${length * rowHeight}px` }}>${rows}</div>
    </div>`;
  }
}

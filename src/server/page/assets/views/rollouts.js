import { Component } from 'preact';
import { html } from '../html.js';
import { VirtualList } from '../list.js';
import { Empty, Panel, Said, Verdict } from '../parts.js';
import { count, timeOf, words } from '../text.js';
import { Conversation } from './conversation.js';

const rowHeight = 62; // px, as in page.css
const kinds = { all: 'all', pass: 'passes', fail: 'failures', none: 'no verdict' };
const isOf = {
  all: () => true,
  pass: ({ reward }) => typeof reward === 'number' && reward >= 1,
  fail: ({ reward }) => typeof reward === 'number' && reward < 1,
  none: ({ reward }) => typeof reward !== 'number',
};

function ruleOf(kind, wanted) {
  const text = wanted.trim().toLowerCase();
  if (kind === 'all' && text === '') return undefined;
  const has = (value) => typeof value === 'string' && value.toLowerCase().includes(text);
  return (head) =>
    isOf[kind](head) &&
    (text === '' ||
      has(head.prompt) ||
      has(head.final_text) ||
      has(head.reason) ||
      has(head.failure_class) ||
      has(head.rollout_id) ||
      has(head.task) ||
      head.tools.some(has));
}

export const rolloutLine = (head) => html`<div class="rollout">
  <div class="top"><${Verdict} reward=${head.reward} status=${head.judge_status} />
    <${Said} class="prompt" text=${head.prompt || head.task} />
    <time>${timeOf(head.at_ms)}</time></div>
  <div class="under">${head.failure_class && html`<b><${Said} text=${words(head.failure_class)} /></b>`}
    <${Said} text=${head.reason || head.final_text || '(no answer)'} />
    ${head.tools.length > 0 && html`<span class="tools"><${Said} text=${head.tools.join(', ')} /></span>`}</div>
</div>`;

/** The rollouts this page has seen, newest first, and the one that is chosen as a conversation. */
export class Rollouts extends Component {
  state = { kind: 'all', text: '' };

  componentDidMount() {
    this.props.state.rows.filter(undefined);
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.props.state.rows.filter(undefined);
  }

  choose(patch) {
    const next = { ...this.state, ...patch };
    this.setState(next);
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.props.state.rows.filter(ruleOf(next.kind, next.text)),
      'text' in patch ? 150 : 0,
    );
  }

  render({ state, ui, set }, { kind, text }) {
    const { rows } = state;
    const length = rows.length();
    const total = state.totals.rollouts ?? 0;
    const held = rows.held();
    const note = `${count(total)} came${held < total ? `, the newest ${count(held)} are here` : ''}`;
    return html`<div class=${ui.rollout === undefined ? 'split' : 'split opened'}>
      <${Panel} title="Rollouts" note=${note} class="rollouts">
        <div class="filters">
          <input type="search" aria-label="Find in rollouts" placeholder="Find in asks, answers, reasons, tools" value=${text}
            onInput=${(event) => this.choose({ text: event.target.value })} />
          <div role="radiogroup" aria-label="Verdict" class="choice">${Object.entries(kinds).map(
            ([one, name]) => html`<label key=${one} class=${one === kind ? 'on' : ''}>
              <input type="radio" name="kind" value=${one} checked=${one === kind} onChange=${() => this.choose({ kind: one })} />${name}</label>`,
          )}</div>
        </div>
        <p class="note" role="status">${count(length)} shown${rows.isSearching() ? ', still looking' : ''}</p>
        ${length === 0 && html`<${Empty}>${total === 0 ? 'No rollout has come yet.' : 'No rollout is like that.'}<//>`}
        <${VirtualList} key=${`${kind} ${text}`} label="Rollouts, newest first" length=${length} at=${rows.at} keyOf=${(head) => head.rollout_id}
          placeOf=${rows.placeOf} rowHeight=${rowHeight} chosen=${ui.rollout} row=${rolloutLine}
          onChoose=${(rollout) => set({ rollout })} />
      <//>
      <${Conversation} id=${ui.rollout} onClose=${() => set({ rollout: undefined })} />
    </div>`;
  }
}

import { Component } from 'preact';
import { html } from '../html.js';
import { Empty, Panel, Said, Verdict } from '../parts.js';
import { count, cutAt, figure, visible, words } from '../text.js';

const firstLength = 4000; // characters shown of one text
const moreLength = 40_000;
const restMs = 120; // who walks through the list with the arrow keys does not ask for each

/** A text of any length: the beginning, and more of it when asked, in pieces of their own so that none is laid out twice. */
export class LongText extends Component {
  state = { length: firstLength };

  render({ text, class: name = '' }, { length }) {
    const pieces = [cutAt(text, firstLength)];
    for (let at = pieces[0].length; at < Math.min(length, text.length); at += pieces.at(-1).length)
      pieces.push(cutAt(text.slice(at), moreLength));
    const shown = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const rest = text.length - shown;
    return html`${pieces.map((piece, n) => html`<pre key=${n} class=${name} dir="auto">${visible(piece)}</pre>`)}
      ${
        rest > 0 &&
        html`<p class="more"><button type="button" onClick=${() => this.setState({ length: shown + moreLength })}>
        Show ${count(Math.min(rest, moreLength))} more</button>
        <span class="note">${count(shown)} of ${count(text.length)} characters are shown</span></p>`
      }`;
  }
}

/** A rollout as a conversation: the verdict and why, the markers, who said what, which tools were called. */
export class Conversation extends Component {
  state = {};

  componentDidMount() {
    this.load();
  }

  componentDidUpdate(before) {
    if (before.id !== this.props.id) this.load();
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  load() {
    clearTimeout(this.timer);
    const { id } = this.props;
    if (id === undefined) this.setState({ id, said: undefined, fault: undefined });
    else this.timer = setTimeout(() => void this.fetch(id), restMs);
  }

  async fetch(id) {
    const next = { id, said: undefined, fault: undefined };
    try {
      const answer = await fetch(`/v1/rollouts/${encodeURIComponent(id)}/conversation`);
      if (answer.ok) next.said = await answer.json();
      else if (answer.status === 404)
        next.fault = 'This conversation is not kept any more: the server has the newest ones.';
      else next.fault = `The server answers ${answer.status}.`;
    } catch {
      next.fault = 'The server cannot be reached.';
    }
    if (id === this.props.id) this.setState(next);
  }

  render({ id, onClose }, { said, fault, id: loaded }) {
    if (id === undefined)
      return html`<${Panel} title="Conversation" class="conversation idle"><${Empty}>Choose a rollout to read it.<//><//>`;
    const isHere = loaded === id;
    return html`<${Panel} title="Conversation" class="conversation" note=${html`<button type="button" class="close" onClick=${onClose}>Close</button>`}>
      <div class="scroll" tabindex="0" role="region" aria-label="Conversation" aria-busy=${isHere ? 'false' : 'true'} key=${id}>
        ${!isHere && html`<${Empty}>Loading…<//>`}
        ${isHere && fault && html`<${Empty}>${fault}<//>`}
        ${isHere && said && html`<${Whole} said=${said} id=${id} />`}
      </div>
    <//>`;
  }
}

function Whole({ said: { verdict, markers, turns, facts }, id }) {
  return html`<div class="verdict"><p><${Verdict} reward=${verdict.reward} status=${verdict.judge_status} />
      ${verdict.failure_class && html`<b><${Said} text=${words(verdict.failure_class)} /></b>`}
      ${verdict.judge_name && html`<span class="note">by <${Said} text=${verdict.judge_name} /></span>`}
      ${typeof verdict.gold_reward === 'number' && html`<span class="note">gold says ${figure(verdict.gold_reward)}</span>`}</p>
      ${verdict.reason && html`<${LongText} class="reason" text=${verdict.reason} />`}</div>
    ${
      markers.length > 0 &&
      html`<dl class="markers">${markers
        .slice(0, 64)
        .map(
          ({ name, value }) =>
            html`<div key=${name} class=${toneOf(value)}><dt><${Said} text=${words(name)} /></dt><dd>${
              typeof value === 'number' ? figure(value) : visible(String(value ?? 'not measured'))
            }</dd></div>`,
        )}</dl>`
    }
    <ol class="turns">${turns.slice(0, 400).map((turn, n) => html`<${Turn} key=${n} turn=${turn} />`)}</ol>
    ${turns.length > 400 && html`<p class="note">${count(turns.length - 400)} more turns are in the whole row.</p>`}
    <details><summary>How it was made</summary><dl class="facts">${facts.map(
      ({ name, value }) => html`<div key=${name}><dt>${words(name)}</dt><dd><${LongText} text=${value} /></dd></div>`,
    )}</dl></details>
    <p class="note"><a href=${`/v1/rollouts/${encodeURIComponent(id)}`} target="_blank" rel="noopener">The whole row as JSON</a></p>`;
}

const toneOf = (value) => (typeof value !== 'number' ? 'none' : value >= 1 ? 'pass' : value <= 0 ? 'fail' : 'part');
const roles = { user: 'person', assistant: 'agent', tool: 'tool', system: 'policy' };

function Turn({ turn: { role, name, text, calls } }) {
  return html`<li class=${`turn ${roles[role] ?? 'other'}`}>
    <span class="who">${roles[role] ?? visible(role)}${name && html` <code><${Said} text=${name} /></code>`}</span>
    ${text !== '' && html`<${LongText} text=${text} class="words" />`}
    ${calls.map(
      (
        call,
        n,
      ) => html`<div key=${n} class="call"><span class="who">calls <code><${Said} text=${call.name} /></code></span>
        <${LongText} text=${call.arguments} /></div>`,
    )}
    ${text === '' && calls.length === 0 && html`<p class="note">(says nothing)</p>`}
  </li>`;
}

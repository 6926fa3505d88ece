import { html } from './html.js';
import { count, share, visible, words } from './text.js';

/** Text that a model or an outsider wrote: shown as it is, apart from what stands beside it. */
export const Said = ({ text, kind = 'span', class: name }) =>
  html`<${kind} class=${name} dir="auto"><bdi>${visible(text)}</bdi></${kind}>`;

export const Panel = ({ title, note, children, class: name = '' }) => html`<section class=${`panel ${name}`}>
  <header><h2>${title}</h2>${note && html`<span class="note">${note}</span>`}</header>
  ${children}
</section>`;

export const Stat = ({ name, value, note, tone = '' }) => html`<div class="stat">
  <dt>${name}</dt><dd class=${tone}>${value}</dd>${note && html`<dd class="note">${note}</dd>`}
</div>`;

export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

/** The verdict of a rollout as a word and a colour. */
export function Verdict({ reward, status }) {
  if (typeof reward !== 'number')
    return html`<span class="mark none">${status && status !== 'ok' ? words(status) : 'no verdict'}</span>`;
  if (reward >= 1) return html`<span class="mark pass">pass</span>`;
  return reward <= 0
    ? html`<span class="mark fail">fail</span>`
    : html`<span class="mark part">${reward.toFixed(2)}</span>`;
}

export const Reasons = ({ rejected }) => {
  const reasons = Object.entries(rejected).sort((a, b) => b[1] - a[1]);
  if (reasons.length === 0) return html`<span class="soft">none</span>`;
  return reasons
    .slice(0, 6)
    .map(([reason, n]) => html`<span class="chip"><${Said} text=${words(reason)} /> <b>${count(n)}</b></span>`);
};

/** A share with its interval on a scale from 0 to 1. */
export function Interval({ mid, ci95, label }) {
  const at = (value) => `${(Math.min(1, Math.max(0, value)) * 100).toFixed(1)}%`;
  const wide = ci95 ? { left: at(ci95[0]), width: `${((ci95[1] - ci95[0]) * 100).toFixed(1)}%` } : undefined;
  return html`<span class="interval" role="img" aria-label=${label}>
    ${wide && html`<i class="reach" style=${wide}></i>`}
    ${typeof mid === 'number' && html`<i class="mid" style=${{ left: at(mid) }}></i>`}
  </span>`;
}

export const range = (ci95) => (ci95 ? `${share(ci95[0])} to ${share(ci95[1])}` : 'no interval yet');

export const statusTone = (status) =>
  ({ running: 'live', done: 'good', failed: 'bad', stopped: 'bad', Better: 'good', Worse: 'bad' })[status] ?? '';

export const Alarm = ({ alarm, onOpen }) => html`<li class=${`alarm ${alarm.kind === 'blind' ? 'notice' : ''}`}>
  <span class="mark fail">${words(alarm.kind)}</span>
  <span class="what"><${Said} text=${alarm.reason} />
    <span class="note"><a href="#/runs" onClick=${() => onOpen(alarm.run_id)}><${Said} text=${alarm.run_id} /></a>, step ${count(alarm.step)}</span>
  </span>
</li>`;

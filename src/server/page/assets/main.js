import { Component, render } from 'preact';
import { html } from './html.js';
import { Said } from './parts.js';
import { createStore, listen } from './store.js';
import { count, timeOf } from './text.js';
import { Coverage } from './views/coverage.js';
import { Judges } from './views/judges.js';
import { Overview } from './views/overview.js';
import { Reports } from './views/reports.js';
import { Rollouts } from './views/rollouts.js';
import { Runs } from './views/runs.js';
import { Stages } from './views/stages.js';

const views = {
  overview: ['Overview', Overview],
  stages: ['Stages', Stages],
  rollouts: ['Rollouts', Rollouts],
  coverage: ['Coverage', Coverage],
  runs: ['Runs', Runs],
  judges: ['Judges', Judges],
  reports: ['Reports', Reports],
};
const frameMs = 100; // the page is drawn at most ten times a second, whatever comes
const themes = ['system', 'light', 'dark'];
const isDark = matchMedia('(prefers-color-scheme: dark)');

const ui = { rollout: undefined, run: undefined, choice: remembered(), theme: '' };
let isDue = false;
let drawnAt = 0;

/** Draw once for all that changes before the next frame. */
function draw() {
  if (isDue) return;
  isDue = true;
  const rest = Math.max(0, frameMs - (performance.now() - drawnAt));
  setTimeout(() => requestAnimationFrame(now), rest);
}

function now() {
  isDue = false;
  drawnAt = performance.now();
  render(html`<${Page} state=${store.state} />`, document.getElementById('page'));
}

const set = (patch) => {
  Object.assign(ui, patch);
  draw();
};

function remembered() {
  try {
    const word = localStorage.getItem('tracemill-theme');
    return themes.includes(word) ? word : 'system';
  } catch {
    return 'system'; // a browser that keeps nothing
  }
}

function applyTheme(choice) {
  const theme = choice === 'system' ? (isDark.matches ? 'dark' : 'light') : choice;
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem('tracemill-theme', choice);
  } catch {
    // a browser that keeps nothing
  }
  set({ choice, theme });
}

const viewName = () => {
  const name = location.hash.replace(/^#\//, '');
  return name in views ? name : 'overview';
};

class Page extends Component {
  state = { fault: undefined };

  componentDidCatch(fault) {
    this.setState({ fault: String(fault) });
  }

  render({ state }, { fault }) {
    const name = viewName();
    const [title, View] = views[name];
    const next = themes[(themes.indexOf(ui.choice) + 1) % themes.length];
    return html`<a class="skip" href="#content" onClick=${skip}>Skip to content</a>
      <header class="bar">
        <a class="brand" href="#/overview"><span class="logo" aria-hidden="true"></span>Tracemill</a>
        <${Health} state=${state} />
        <button type="button" class="theme" onClick=${() => applyTheme(next)} aria-label=${`Colours: ${ui.choice}. Change to ${next}.`}>Colours: ${ui.choice}</button>
      </header>
      <nav aria-label="Views">${Object.entries(views).map(
        ([one, [words]]) =>
          html`<a key=${one} href=${`#/${one}`} aria-current=${one === name ? 'page' : undefined}>${words}${badge(state, one)}</a>`,
      )}</nav>
      <main id="content" tabindex="-1" class=${name}><h1 class="unseen">${title}</h1>${
        fault === undefined
          ? html`<${View} key=${name} state=${state} ui=${ui} set=${set} />`
          : html`<p class="fault">This view broke: <${Said} text=${fault} />. Load the page again.</p>`
      }</main>
      <div class="unseen" role="status" aria-live="polite">${latestAlarm(state)}</div>`;
  }
}

function skip(event) {
  event.preventDefault(); // the address names the view
  document.getElementById('content').focus();
}

function Health({ state: { health, link, atMs } }) {
  if (link !== 'open')
    return html`<p class="health warn" role="status"><i class="dot amber"></i>${link === 'lost' ? 'The connection is lost. Trying again…' : 'Connecting…'}</p>`;
  if (health.is_ok)
    return html`<p class="health"><i class="dot green"></i>Healthy <span class="note">as of ${timeOf(atMs)}</span></p>`;
  return html`<p class="health bad" role="alert"><i class="dot red"></i><${Said} text=${health.faults[0]} />${
    health.faults.length > 1 ? html` <span class="note">and ${count(health.faults.length - 1)} more</span>` : ''
  }</p>`;
}

function badge(state, view) {
  const alarms = view === 'runs' ? state.alarms.filter(({ kind }) => kind !== 'blind').length : 0;
  const stalled = view === 'stages' ? [...state.stages.values()].filter(({ is_stalled }) => is_stalled).length : 0;
  const n = alarms + stalled;
  return n > 0
    ? html`<span class="badge">${count(n)}<span class="unseen"> ${alarms > 0 ? 'alarms' : 'stalled'}</span></span>`
    : '';
}

const latestAlarm = ({ alarms }) => (alarms[0] ? `Alarm: ${alarms[0].kind} at step ${alarms[0].step}` : '');

const store = createStore(draw);
addEventListener('hashchange', draw);
isDark.addEventListener('change', () => applyTheme(ui.choice));
applyTheme(ui.choice);
document.getElementById('page').replaceChildren(); // what stood there until now
listen(store);

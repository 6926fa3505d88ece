import { Component } from 'preact';
import { Chart } from '../chart.js';
import { html } from '../html.js';
import { Alarm, Empty, Panel, Said, statusTone } from '../parts.js';
import { count, figure, words } from '../text.js';

const restMs = 2000; // between two readings of the same run
const maxPoints = 1500;
const curves = [
  { title: 'Loss', names: ['loss', 'eval_loss', 'policy_loss'] },
  { title: 'Reward', names: ['reward', 'reward_std'] },
  { title: 'KL', names: ['kl'] },
  { title: 'Length', names: ['completion_length', 'holdout_length'] },
];
const colors = ['blue', 'amber', 'green'];

/** Runs of trainers, newest last told first, those that a monitor watches, then runs of pipelines. */
export function runList(state) {
  const watched = [...state.history.keys()].filter((id) => !state.runs.has(id));
  const runs = [...state.runs.values()].sort((a, b) => b.at_ms - a.at_ms);
  return [
    ...runs.filter(({ facts }) => !facts),
    ...watched.map((run_id) => ({ run_id, name: run_id, status: 'watched', latest: {}, step: null })),
    ...runs.filter(({ facts }) => facts),
  ];
}

/** Read a run again whenever it has changed, at most every two seconds. */
export class RunReader extends Component {
  state = {};

  componentDidMount() {
    void this.read();
  }

  componentDidUpdate(before) {
    const { id, at } = this.props;
    if (before.id !== id) void this.read();
    else if (before.at !== at) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.read(), Math.max(0, restMs - (performance.now() - (this.readAt ?? 0))));
    }
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  async read() {
    clearTimeout(this.timer);
    this.readAt = performance.now();
    const { id, isStored } = this.props;
    if (!isStored) return;
    try {
      const answer = await fetch(`/runs/${encodeURIComponent(id)}?max_points=${maxPoints}`);
      const run = answer.ok ? await answer.json() : undefined;
      if (id === this.props.id) this.setState({ run, version: (this.state.version ?? 0) + 1 });
    } catch {
      // the page says that the connection is lost; the next change reads again
    }
  }

  render({ id, view }, { run, version }) {
    return view(run?.runId === id ? run : undefined, version ?? 0);
  }
}

/** The curve of some metrics over steps; undefined where none was logged. */
function curveOf(series, names) {
  const points = series.filter((point) => names.some((name) => typeof point[name] === 'number'));
  const present = names.filter((name) => points.some((point) => typeof point[name] === 'number'));
  return points.length === 0
    ? undefined
    : {
        xs: points.map(({ step }) => step),
        curves: present.map((name, n) => ({
          name: words(name),
          color: colors[n],
          ys: points.map((point) => (typeof point[name] === 'number' ? point[name] : null)),
          dots: points.length < 40,
        })),
      };
}

function Curves({ series, version, theme, mark, verdict }) {
  const drawn = curves.flatMap(({ title, names }) => {
    const found = curveOf(series, names);
    return found ? [{ title, ...found }] : [];
  });
  if (drawn.length === 0)
    return html`<${Empty}>No curve was logged.${verdict ? html` What it did to the held-out set is under <a href="#/reports">Reports</a>.` : ''}<//>`;
  return html`<div class="curves">${drawn.map(
    ({
      title,
      xs,
      curves: list,
    }) => html`<div key=${title}><h3>${title} <span class="note">${figure(list[0].ys.findLast((y) => y !== null))}</span></h3>
      <${Chart} label=${`${title} over ${xs.length} points, now ${figure(list[0].ys.findLast((y) => y !== null))}`} xs=${xs} curves=${list}
        version=${version} theme=${theme} mark=${mark} shape=${list.map(({ name }) => name).join()} height=${150} /></div>`,
  )}</div>`;
}

/** What the trainer rewards against what the gold judge says, over evaluations. */
export function ProxyGold({ history, theme, mark, version }) {
  if (!history || history.length === 0) return null;
  const ys = (name) => history.map((one) => (typeof one[name] === 'number' ? one[name] : null));
  const last = history.at(-1);
  return html`<div><h3>Proxy against gold <span class="note">${figure(last.proxy)} and ${figure(last.gold)} at step ${count(last.step)}</span></h3>
    <${Chart} label=${`Proxy ${figure(last.proxy)} and gold ${figure(last.gold)} at step ${last.step}`} xs=${history.map(({ step }) => step)}
      curves=${[
        { name: 'proxy (what is trained on)', color: 'amber', ys: ys('proxy'), dots: true },
        { name: 'gold (what is wanted)', color: 'green', ys: ys('gold'), dots: true },
      ]} version=${version} theme=${theme} mark=${mark} shape="proxy" height=${200} xName="step" /></div>`;
}

export function Runs({ state, ui, set }) {
  const list = runList(state);
  if (list.length === 0)
    return html`<${Panel} title="Runs"><${Empty}>No run has been reported. A trainer reports one with POST /runs, a monitor with
      POST /v1/monitor/{run}.<//><//>`;
  const chosen = list.find(({ run_id }) => run_id === ui.run) ?? list[0];
  return html`<div class="split runs opened">
    <${Panel} title="Runs" note=${count(list.length)}>
      <ul class="picks">${list.slice(0, 200).map(
        (run) => html`<li key=${run.run_id}>
        <button type="button" aria-current=${run === chosen ? 'true' : undefined} onClick=${() => set({ run: run.run_id })}>
          <${Said} class="name" text=${run.name} /><span class=${`mark ${statusTone(run.status)}`}>${run.status}</span>
          <span class="note">${run.step === null ? '' : `step ${count(run.step)}${run.total_steps ? ` of ${count(run.total_steps)}` : ''}`}</span>
          ${run.verdict && html`<span class=${`mark ${statusTone(run.verdict)}`}>${run.verdict}</span>`}
          ${alarmsOf(state, run.run_id).length > 0 && html`<span class="mark fail">${alarmWords(alarmsOf(state, run.run_id).length)}</span>`}
        </button></li>`,
      )}</ul>
    <//>
    <${RunReader} key=${chosen.run_id} id=${chosen.run_id} at=${chosen.at_ms} isStored=${state.runs.has(chosen.run_id) && !chosen.facts}
      view=${(run, version) => html`<${One} head=${chosen} run=${run} version=${version} state=${state} ui=${ui} set=${set} />`} />
  </div>`;
}

const alarmWords = (n) => (n === 1 ? '1 alarm' : `${count(n)} alarms`);
const alarmsOf = (state, id) => state.alarms.filter((alarm) => alarm.run_id === id && alarm.kind !== 'blind');

function One({ head, run, version, state, ui, set }) {
  const alarms = state.alarms.filter(({ run_id }) => run_id === head.run_id);
  const first = alarmsOf(state, head.run_id).reduce(
    (least, { step }) => Math.min(least, step),
    Number.POSITIVE_INFINITY,
  );
  const mark = Number.isFinite(first) ? first : undefined;
  const history = state.history.get(head.run_id);
  const latest = Object.entries(head.latest).slice(0, 12);
  return html`<${Panel} title=${html`<${Said} text=${head.name} />`} note=${html`<span class=${`mark ${statusTone(head.status)}`}>${head.status}</span>`}>
    ${run?.error && html`<p class="fault"><${Said} text=${run.error} /></p>`}
    ${head.total_steps > 0 && html`<progress max=${head.total_steps} value=${head.step ?? 0} aria-label="steps"></progress>`}
    ${
      latest.length > 0 &&
      html`<dl class="stats small">${latest.map(
        ([name, value]) =>
          html`<div class="stat" key=${name}><dt><${Said} text=${words(name)} /></dt><dd>${figure(value)}</dd></div>`,
      )}</dl>`
    }
    ${
      alarms.length > 0 &&
      html`<h3>Alarms</h3><ul class="alarms">${alarms
        .slice(0, 20)
        .map(
          (alarm) =>
            html`<${Alarm} key=${`${alarm.kind} ${alarm.step}`} alarm=${alarm} onOpen=${(id) => set({ run: id })} />`,
        )}</ul>`
    }
    <${ProxyGold} history=${history} theme=${ui.theme} mark=${mark} version=${history?.length ?? 0} />
    ${
      head.facts &&
      html`<dl class="facts">${Object.entries(head.facts).map(
        ([name, value]) => html`<div key=${name}><dt>${words(name)}</dt><dd><${Said} text=${value} /></dd></div>`,
      )}</dl>`
    }
    ${run ? html`<${Curves} series=${run.series} verdict=${head.verdict} version=${version} theme=${ui.theme} mark=${mark} />` : !history && !head.facts && html`<${Empty}>Reading…<//>`}
    ${mark !== undefined && html`<p class="note">The dashed line is the first alarm, at step ${count(mark)}.</p>`}
  <//>`;
}

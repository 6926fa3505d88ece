import { Chart } from '../chart.js';
import { html } from '../html.js';
import { Alarm, Empty, Panel, range, Stat } from '../parts.js';
import { compact, count, share } from '../text.js';
import { rolloutLine } from './rollouts.js';
import { StageTable } from './stages.js';

export function PassChart({ state, theme, height = 200 }) {
  const { pass } = state;
  const last = pass.at(-1);
  if (!last) return html`<${Empty}>No row has been graded yet.<//>`;
  const edge = (n) => pass.map(({ ci95 }) => (ci95 ? ci95[n] : null));
  return html`<${Chart} label=${`pass@1 ${share(last.pass_at_1)}, ${range(last.ci95)}, after ${count(last.n_rows)} rows`}
    xs=${pass.map(({ n_rows }) => n_rows)} xName="graded rows" range=${[0, 1]} curves=${[
      { color: 'blue', isBand: true, ys: edge(1) },
      { color: 'blue', isEdge: true, ys: edge(0) },
      { name: 'pass@1', color: 'blue', ys: pass.map(({ pass_at_1 }) => pass_at_1), dots: pass.length < 30 },
    ]} version=${`${pass.length} ${last.n_rows}`} theme=${theme} shape="pass" height=${height} />`;
}

/** Everything at a glance. */
export function Overview({ state, ui, set }) {
  const last = state.pass.at(-1);
  const stages = [...state.stages.values()];
  const sum = (read) => stages.reduce((total, one) => total + (read(one) ?? 0), 0);
  const rejected = sum(({ rejected: reasons }) => Object.values(reasons).reduce((total, n) => total + n, 0));
  const alarms = state.alarms.filter(({ kind }) => kind !== 'blind');
  const half = last?.ci95
    ? `± ${(((last.ci95[1] - last.ci95[0]) / 2) * 100).toFixed(1)} points at 95 %`
    : 'no interval yet';
  return html`<dl class="stats">
      <${Stat} name="rollouts" value=${compact(state.totals.rollouts ?? 0)} note=${last ? `${compact(last.n_rows)} graded, ${compact(last.n_tasks)} tasks` : 'none graded yet'} />
      <${Stat} name="pass@1" value=${share(last?.pass_at_1)} note=${half} />
      <${Stat} name="in flight" value=${compact(sum((one) => one.in_flight))} note=${`lag ${compact(sum((one) => one.lag))}`} />
      <${Stat} name="rejected" value=${compact(rejected)} note="by reason under Stages" />
      <${Stat} name="alarms" value=${count(alarms.length)} tone=${alarms.length > 0 ? 'bad' : ''} note=${alarms[0] ? `newest at step ${count(alarms[0].step)}` : 'none'} />
    </dl>
    <div class="pair">
      <${Panel} title="pass@1, and how sure it is" note=${last ? range(last.ci95) : ''}><${PassChart} state=${state} theme=${ui.theme} /><//>
      <${Panel} title="Alarms">${
        state.alarms.length === 0
          ? html`<${Empty}>No alarm.<//>`
          : html`<ul class="alarms">${state.alarms
              .slice(0, 6)
              .map(
                (alarm) =>
                  html`<${Alarm} key=${`${alarm.run_id} ${alarm.kind} ${alarm.step}`} alarm=${alarm} onOpen=${(run) => set({ run })} />`,
              )}</ul>`
      }<//>
    </div>
    <${Panel} title="Stages" note=${html`<a href="#/stages">all figures</a>`}><${StageTable} state=${state} isShort=${true} /><//>
    <${Panel} title="Newest rollouts" note=${html`<a href="#/rollouts">all of them</a>`}>
      ${state.rows.held() === 0 ? html`<${Empty}>No rollout has come yet.<//>` : ''}
      <ul class="newest">${state.rows
        .newest(6)
        .map(
          (head) =>
            html`<li key=${head.rollout_id}><a href="#/rollouts" onClick=${() => set({ rollout: head.rollout_id })}>${rolloutLine(head)}</a></li>`,
        )}</ul>
    <//>`;
}

import { html } from '../html.js';
import { Empty, Interval, Panel, range, Said, statusTone } from '../parts.js';
import { count, figure, share, words } from '../text.js';
import { RunReader } from './runs.js';

/** What each run did to its held-out set: before against after, with every metric and its interval. */
export function Reports({ state, ui, set }) {
  const list = [...state.runs.values()].filter(({ verdict }) => verdict !== null).sort((a, b) => b.at_ms - a.at_ms);
  if (list.length === 0)
    return html`<${Panel} title="Before against after"><${Empty}>No run has a held-out comparison yet. A run gets one with
      run.delta(before, after), or with two numbers by run.holdout(before, after).<//><//>`;
  const chosen = list.find(({ run_id }) => run_id === ui.run) ?? list[0];
  return html`<div class="split runs opened">
    <${Panel} title="Comparisons" note=${count(list.length)}>
      <ul class="picks">${list.slice(0, 200).map(
        (run) => html`<li key=${run.run_id}>
        <button type="button" aria-current=${run === chosen ? 'true' : undefined} onClick=${() => set({ run: run.run_id })}>
          <${Said} class="name" text=${run.name} /><span class=${`mark ${statusTone(run.verdict)}`}>${run.verdict}</span></button></li>`,
      )}</ul>
    <//>
    <${RunReader} key=${chosen.run_id} id=${chosen.run_id} at=${chosen.at_ms} isStored=${true}
      view=${(run) => html`<${Report} head=${chosen} run=${run} />`} />
  </div>`;
}

function Report({ head, run }) {
  if (!run) return html`<${Panel} title=${html`<${Said} text=${head.name} />`}><${Empty}>Reading…<//><//>`;
  const { summary } = run;
  const isPass = typeof summary.holdoutPassBefore === 'number';
  const say = isPass ? share : figure;
  const [before, after] = isPass
    ? [summary.holdoutPassBefore, summary.holdoutPassAfter]
    : [summary.holdoutLossBefore, summary.holdoutLossAfter];
  const sides = summary.holdout ?? {};
  const delta = summary.delta;
  return html`<${Panel} title=${html`<${Said} text=${head.name} />`} note=${isPass ? 'pass@1 on the held-out set' : 'loss on the held-out set'}>
    <p class=${`headline ${statusTone(head.verdict)}`}>${head.verdict}</p>
    <div class="sides">${[
      ['before', before, sides.before],
      ['after', after, sides.after],
    ].map(
      ([name, value, side]) => html`<div class="side" key=${name}><h3>${name}</h3><p class="big">${say(value)}</p>
        ${isPass && html`<${Interval} mid=${value} ci95=${side?.ci95} label=${`${name} ${say(value)}, ${range(side?.ci95)}`} />`}
        <p class="note">${side?.n_tasks ? `${range(side.ci95)}, ${count(side.n_tasks)} tasks, up to ${count(side.k)} rollouts each` : 'no interval was given'}</p></div>`,
    )}</div>
    ${typeof sides.verdict === 'string' && html`<p class="note">Against the noise of running it again: <${Said} text=${words(sides.verdict)} />.</p>`}
    ${delta && typeof delta === 'object' && html`<${Delta} delta=${delta} />`}
  <//>`;
}

const said = { b_better: 'after is better', a_better: 'before is better' };
const listed = (value) => (Array.isArray(value) ? value : []);

function Delta({ delta }) {
  const metrics = Object.values(delta.metrics ?? {}).slice(0, 200);
  const toneOf = (metric) =>
    listed(delta.improved).includes(metric)
      ? 'good'
      : [...listed(delta.regressions), ...listed(delta.slipped)].includes(metric)
        ? 'bad'
        : '';
  return html`${listed(delta.warnings).length > 0 && html`<ul class="warnings">${delta.warnings.slice(0, 20).map((said) => html`<li><${Said} text=${said} /></li>`)}</ul>`}
    <div class="wide" tabindex="0" role="region" aria-label="Metrics"><table>
      <thead><tr><th scope="col">metric</th><th scope="col" class="n">before</th><th scope="col" class="n">after</th><th scope="col" class="n">change</th>
        <th scope="col" class="n">95 %</th><th scope="col">verdict</th></tr></thead>
      <tbody>${metrics.map(
        (
          one,
        ) => html`<tr key=${one.metric}><th scope="row"><${Said} text=${words(one.metric)} />${one.guarded ? html` <span class="mark">guard</span>` : ''}</th>
          <td class="n">${figure(one.mean_a)}</td><td class="n">${figure(one.mean_b)}</td>
          <td class=${`n ${toneOf(one.metric)}`}>${signed(one.delta)}</td>
          <td class="n">${Array.isArray(one.ci95) ? `${signed(one.ci95[0])} to ${signed(one.ci95[1])}` : '–'}</td>
          <td><${Said} text=${said[one.verdict] ?? words(one.verdict)} /></td></tr>`,
      )}</tbody></table></div>`;
}

const signed = (value) =>
  typeof value === 'number' && value > 0 ? `+${figure(value)}` : figure(value).replace('-', '−');

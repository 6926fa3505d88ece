import { Chart } from '../chart.js';
import { html } from '../html.js';
import { Empty, Interval, Panel, range, Said } from '../parts.js';
import { count, figure, share } from '../text.js';

/** How far each judge agrees with trusted labels, over time. */
export function Judges({ state, ui }) {
  const judges = [...state.agreement].filter(([, points]) => points.length > 0);
  if (judges.length === 0)
    return html`<${Panel} title="Judge agreement"><${Empty}>No graded row carries a trusted label (gold_reward) yet. Fifty labelled
      rows are enough to begin with; tracemill label helps to make them.<//><//>`;
  return judges.map(([name, points]) => {
    const last = points.at(-1);
    const xs = points.map(({ at_ms }) => at_ms / 1000);
    const edge = (n) => points.map(({ ci95 }) => (ci95 ? ci95[n] : null));
    return html`<${Panel} key=${name} title=${html`<${Said} text=${name} />`} note=${`over the newest ${count(last.n)} labelled rows`}>
      <dl class="stats small">
        <div class="stat"><dt>agreement</dt><dd>${share(last.agreement)}</dd></div>
        <div class="stat"><dt>95 %</dt><dd>${range(last.ci95)}</dd></div>
        <div class="stat"><dt>kappa</dt><dd>${figure(last.kappa)}</dd></div>
      </dl>
      <${Interval} mid=${last.agreement} ci95=${last.ci95} label=${`agreement ${share(last.agreement)}, ${range(last.ci95)}`} />
      <${Chart} label=${`Agreement over time, now ${share(last.agreement)}`} xs=${xs} isTime=${true} range=${[0, 1]} curves=${[
        { color: 'blue', isBand: true, ys: edge(1) },
        { color: 'blue', isEdge: true, ys: edge(0) },
        { name: 'agreement', color: 'blue', ys: points.map(({ agreement }) => agreement), dots: points.length < 40 },
      ]} version=${`${points.length} ${last.at_ms}`} theme=${ui.theme} shape="agreement" />
    <//>`;
  });
}

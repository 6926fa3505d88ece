import { Component } from 'preact';
import { html } from '../html.js';
import { Empty, Panel, Said } from '../parts.js';
import { count, share, words } from '../text.js';

const restMs = 500; // a grid may have thousands of cells

/** Tools against stances: how many rollouts stand in each cell, and how many of them passed. */
export class Coverage extends Component {
  shouldComponentUpdate({ state }) {
    if (state.version.coverage === this.drawn) return false;
    clearTimeout(this.timer);
    const rest = restMs - (performance.now() - (this.drawnAt ?? 0));
    if (rest > 0) this.timer = setTimeout(() => this.setState({}), rest);
    return rest <= 0;
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  render({ state }) {
    [this.drawn, this.drawnAt] = [state.version.coverage, performance.now()];
    const cells = [...state.coverage.values()];
    if (cells.length === 0) return html`<${Panel} title="Coverage"><${Empty}>No rollout has come yet.<//><//>`;
    const tools = [...new Set(cells.map(({ tool }) => tool))].sort();
    const stances = [...new Set(cells.map(({ stance }) => stance))].sort();
    const most = Math.max(...cells.map(({ n }) => n));
    const all = tools.length * stances.length;
    return html`<${Panel} title="Coverage" note=${`${count(cells.length)} of ${count(all)} cells have rollouts`}>
      <progress max=${all} value=${cells.length} aria-label="cells with rollouts"></progress>
      <div class="wide" tabindex="0" role="region" aria-label="Coverage grid"><table class="grid">
        <thead><tr><th scope="col">tool</th>${stances.map(
          (stance) => html`<th scope="col" key=${stance}><${Said} text=${words(stance)} /></th>`,
        )}</tr></thead>
        <tbody>${tools.map(
          (tool) =>
            html`<tr key=${tool}><th scope="row"><${Said} text=${tool} /></th>${stances.map((stance) =>
              cellOf(state.coverage.get(`${tool}\u0000${stance}`), most, stance),
            )}</tr>`,
        )}</tbody>
      </table></div>
      <p class="note">Each cell: rollouts, and the share that passed. The fuller a cell, the stronger its colour.
        A rollout without a place in a grid stands by the first tool that it called.</p>
    <//>`;
  }
}

function cellOf(cell, most, stance) {
  if (!cell) return html`<td key=${stance} class="cell hollow" aria-label="no rollout">·</td>`;
  const level = Math.max(1, Math.ceil((Math.log1p(cell.n) / Math.log1p(most)) * 5));
  const passed = cell.n_graded > 0 ? cell.n_passed / cell.n_graded : null;
  const tone = passed === null ? '' : passed < 0.34 ? 'low' : passed < 0.67 ? 'middle' : 'high';
  return html`<td key=${stance} class=${`cell fill${level}`}><b>${count(cell.n)}</b>
    <span class=${`passed ${tone}`}>${passed === null ? '' : share(passed)}</span></td>`;
}

import { Trail } from '../chart.js';
import { html } from '../html.js';
import { Empty, Panel, Reasons, Said } from '../parts.js';
import { compact, count, rate, span } from '../text.js';

const ranks = [/^in$/, /^(|out)$/, /^(?!view\.|sink\.|rejected$)/, /^view\./, /^sink\./];
const rankOf = (stage) => (ranks.findIndex((rank) => rank.test(stage)) + ranks.length + 1) % (ranks.length + 1);

/** Stages as rows go through them, each with its operators; those of one rank in the order in which they were told of. */
function staged(stages) {
  const groups = new Map();
  const inOrder = [...stages.values()].sort((a, b) => rankOf(a.stage) - rankOf(b.stage) || a.place - b.place);
  for (const one of inOrder) {
    if (!groups.has(one.stage)) groups.set(one.stage, []);
    groups.get(one.stage).push(one);
  }
  return [...groups];
}

const ends = ['source', 'sink', 'rejects'];

/** A stage in one line: what came in at its first operator, what left by its last, and what is in the hands of those between. */
function inOneLine([stage, list]) {
  const working = list.filter(({ operator }) => !ends.includes(operator));
  const [first = list[0]] = list.filter(({ operator }) => operator === 'source').concat(working);
  const last = working.at(-1) ?? list.findLast(({ operator }) => operator !== 'rejects') ?? list[0];
  const rejected = {};
  for (const one of list)
    for (const [reason, n] of Object.entries(one.rejected)) rejected[reason] = (rejected[reason] ?? 0) + n;
  const lags = list.flatMap(({ lag }) => lag ?? []);
  return {
    ...last,
    stage,
    in: first.in,
    in_flight: working.reduce((sum, one) => sum + one.in_flight, 0),
    rejected,
    is_stalled: list.some((one) => one.is_stalled),
    lag: lags.length > 0 ? Math.max(...lags) : undefined,
  };
}

const nameOf = (stage) => stage || 'this process';

const shortOf = (stages) =>
  staged(stages)
    .map((group) => [group[0], [inOneLine(group)]])
    .filter(([stage, [one]]) => one.in > 0 && stage !== '' && stage !== 'rejected');

export function StageTable({ state, isShort }) {
  if (state.stages.size === 0)
    return html`<${Empty}>No stage has told of itself yet. Figures come once a second while a pipeline runs.<//>`;
  const line = (one, n, all) => {
    const trail = state.trails.get(`${one.stage}\u0000${one.operator}`) ?? [];
    return html`<tr class=${one.is_stalled ? 'stalled' : ''}>
      ${n === 0 && html`<th scope="rowgroup" rowspan=${all.length}><${Said} text=${nameOf(one.stage)} /></th>`}
      <td class="op"><${Said} text=${isShort && ends.includes(one.operator) ? '' : one.operator} />${one.is_stalled && html` <span class="mark fail">stalled</span>`}</td>
      <td class="n">${compact(one.in)}</td><td class="n">${compact(one.out)}</td>
      <td class="n">${rate(one.out_per_s)}</td>
      <td class="curve"><${Trail} values=${trail} label=${`rows a second, now ${rate(one.out_per_s)}`} /></td>
      <td class="n">${count(one.in_flight)}</td>
      <td class=${one.lag > 0 ? 'n warm' : 'n'}>${one.lag === undefined ? '' : compact(one.lag)}</td>
      ${
        !isShort &&
        html`<td class="n">${one.oldest_ms === undefined ? '' : span(one.oldest_ms)}</td>
      <td class="n">${one.mean_ms === undefined ? '' : span(one.mean_ms)}</td>
      <td class="n">${count(one.workers)}</td>`
      }
      <td class="reasons"><${Reasons} rejected=${one.rejected} /></td>
    </tr>`;
  };
  return html`<div class="wide" tabindex="0" role="region" aria-label="Stages"><table class="stages">
    <thead><tr><th scope="col">stage</th><th scope="col">operator</th><th scope="col" class="n">in</th><th scope="col" class="n">out</th>
      <th scope="col" class="n">out/s</th><th scope="col"><span class="unseen">rate over time</span></th><th scope="col" class="n">in flight</th>
      <th scope="col" class="n">lag</th>${
        !isShort &&
        html`<th scope="col" class="n">oldest</th><th scope="col" class="n">mean</th><th scope="col" class="n">workers</th>`
      }<th scope="col">rejected</th></tr></thead>
    ${(isShort ? shortOf(state.stages) : staged(state.stages)).map(([stage, list]) => html`<tbody key=${stage}>${list.map(line)}</tbody>`)}
  </table></div>`;
}

const others = (state) =>
  [...state.stages.values()].flatMap(({ stage, operator, counts }) =>
    Object.entries(counts).map(([what, n]) => ({ place: `${nameOf(stage)} / ${operator}`, what, n })),
  );

export function Stages({ state }) {
  const counted = others(state);
  return html`<${Panel} title="Stages" note="over all workers"><${StageTable} state=${state} /><//>
    ${
      counted.length > 0 &&
      html`<${Panel} title="What else was counted">
      <div class="wide"><table><thead><tr><th scope="col">where</th><th scope="col">what</th><th scope="col" class="n">times</th></tr></thead>
      <tbody>${counted
        .slice(0, 200)
        .map(
          ({ place, what, n }) =>
            html`<tr><td><${Said} text=${place} /></td><td><${Said} text=${what.replaceAll('_', ' ')} /></td><td class="n">${count(n)}</td></tr>`,
        )}</tbody></table></div><//>`
    }`;
}

import { createRows } from './rows.js';

const kept = { points: 2000, trail: 90, alarms: 200, runs: 400 };

/** What the page knows, from the events of the server. `version` counts the changes of each section. */
export function createStore(onChange) {
  const state = {
    link: 'opening', // opening, open, lost
    rev: -1,
    atMs: 0,
    health: { is_ok: true, faults: [] },
    totals: {},
    stages: new Map(),
    trails: new Map(), // rows a second of each operator over time
    coverage: new Map(),
    pass: [],
    runs: new Map(),
    history: new Map(),
    alarms: [],
    agreement: new Map(),
    version: {},
  };
  state.rows = createRows(onChange);
  const take = {
    stages(list) {
      for (const one of list) {
        const key = `${one.stage}\u0000${one.operator}`;
        state.stages.set(key, one);
        const trail = state.trails.get(key) ?? [];
        state.trails.set(key, trail);
        trail.push(one.out_per_s || one.in_per_s);
        if (trail.length > kept.trail) trail.shift();
      }
    },
    coverage(list) {
      for (const one of list) state.coverage.set(`${one.tool}\u0000${one.stance}`, one);
    },
    pass: (list) => addPoints(state.pass, list, 'n_rows'),
    runs(list) {
      for (const one of list)
        if (one.is_deleted) state.runs.delete(one.run_id);
        else state.runs.set(one.run_id, one);
      while (state.runs.size > kept.runs) state.runs.delete(state.runs.keys().next().value);
    },
    history(list) {
      for (const one of list) {
        if (!state.history.has(one.run_id)) state.history.set(one.run_id, []);
        addPoints(state.history.get(one.run_id), [one], 'step');
      }
      while (state.history.size > kept.runs) state.history.delete(state.history.keys().next().value);
    },
    alarms(list) {
      for (const one of list) {
        const isSame = (two) =>
          ['run_id', 'kind', 'step', 'what', 'reward_name'].every((name) => two[name] === one[name]);
        const known = state.alarms.findIndex(isSame);
        if (known >= 0) state.alarms[known] = one;
        else state.alarms.unshift(one);
      }
      state.alarms.length = Math.min(state.alarms.length, kept.alarms);
    },
    agreement(list) {
      for (const one of list) {
        if (!state.agreement.has(one.judge_name)) state.agreement.set(one.judge_name, []);
        addPoints(state.agreement.get(one.judge_name), [one], 'at_ms');
      }
    },
    rollouts(list) {
      for (const one of list) state.rows.put(one);
      state.rows.trim();
    },
  };
  return {
    state,
    take(event) {
      if (event.rev < state.rev) for (const name of Object.keys(take)) forget(state, name); // the server started again
      Object.assign(state, { rev: event.rev, atMs: event.at_ms, health: event.health, totals: event.totals });
      for (const [name, add] of Object.entries(take)) {
        const list = event[name];
        if (!list) continue;
        add(list);
        state.version[name] = (state.version[name] ?? 0) + 1;
      }
      onChange();
    },
    link(word) {
      state.link = word;
      onChange();
    },
  };
}

function forget(state, name) {
  const place = name === 'rollouts' ? state.rows : state[name];
  if (Array.isArray(place)) place.length = 0;
  else place.clear();
  if (name === 'stages') state.trails.clear();
}

/** Add points in the order of their key; one that is known is replaced. */
function addPoints(points, list, key) {
  for (const one of list) {
    let at = points.length;
    while (at > 0 && points[at - 1][key] > one[key]) at--;
    if (at > 0 && points[at - 1][key] === one[key]) points[at - 1] = one;
    else points.splice(at, 0, one);
  }
  if (points.length > kept.points) points.splice(0, points.length - kept.points);
}

const againMs = 2000;

/** Listen to the events of the server, and again when the connection was lost. */
export function listen(store) {
  const source = new EventSource('/v1/events');
  const take = ({ data }) => {
    store.take(JSON.parse(data));
    if (store.state.link !== 'open') store.link('open');
  };
  source.addEventListener('snapshot', take);
  source.addEventListener('update', take);
  source.addEventListener('open', () => store.link('open'));
  source.addEventListener('error', () => {
    store.link('lost');
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, againMs, store); // it was sent away
  });
}

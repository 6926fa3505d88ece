import { draws } from '../../../src/core/draws.ts';

/** What is done to a pipeline that runs. */
export const faultKinds = [
  'kill', // SIGKILL of a worker; another is started, as a supervisor would
  'term', // SIGTERM of a worker; another is started
  'join', // one more worker: all groups rebalance
  'broker_kill',
  'broker_stop',
  'bad_json', // a record that is no JSON, on any topic
  'bad_row', // a rollout that breaks the schema until the worker is mended
  'bad_call', // a rollout that the judge throws at until it is mended
] as const;

export interface Fault {
  readonly kind: (typeof faultKinds)[number];
  /** When this part of the rows has been judged, 0 to 1. */
  readonly at: number;
  /** Picks whom it hits. */
  readonly pick: number;
}

export interface Plan {
  readonly workers: number;
  /** In the order of their time. */
  readonly faults: readonly Fault[];
}

/** Draw the faults of a round: 3 or 4 workers at first and 6 at most, every kind at least once, at random moments. */
export function planOf(seed: string, hasOwnBroker: boolean): Plan {
  const chance = draws(seed, 'chaos', 'plan');
  const some = (kind: Fault['kind'], least: number, most: number): Fault['kind'][] =>
    Array.from({ length: least + chance.int(most - least + 1) }, () => kind);
  const broker = chance.pick(['broker_kill', 'broker_stop'] as const);
  const kinds = [
    ...some('kill', 2, 3),
    ...some('term', 1, 2),
    ...some('join', 1, 2),
    ...(hasOwnBroker ? [broker] : []),
    ...some('bad_json', 1, 2),
    ...some('bad_row', 1, 2),
    ...some('bad_call', 1, 2),
  ];
  const faults = kinds.map((kind) => ({ kind, at: 0.03 + 0.85 * chance.next(), pick: chance.next() }));
  return { workers: 3 + chance.int(2), faults: faults.sort((a, b) => a.at - b.at) };
}

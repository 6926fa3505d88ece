import type { KafkaBus } from '../../../src/sources/kafka-bus.ts';
import type { Broker } from '../broker.ts';
import type { Rollout } from '../scene.ts';
import type { Crew } from './crew.ts';
import type { Fault } from './plan.ts';
import { feed, garbage } from './poison.ts';

const maxWorkers = 6;

interface Injecting {
  readonly bus: KafkaBus;
  readonly prefix: string;
  readonly crew: Crew;
  readonly own: Broker | undefined;
  /** Rollouts that come as poison. */
  readonly poison: readonly Rollout[];
}

/** Does the faults of a plan, and notes how many rows were in flight at each. */
export function createInjector({ bus, prefix, crew, own, poison }: Injecting) {
  const faults: { readonly kind: Fault['kind'] | 'hang'; readonly in_flight: number }[] = [];
  const garbageLetters: string[] = [];
  const left = [...poison];
  const note = (kind: Fault['kind'] | 'hang', inFlight: number): void => {
    faults.push({ kind, in_flight: inFlight });
  };
  const nextPoison = async (isRow: boolean): Promise<void> => {
    const at = left.findIndex(({ text }) => (typeof text === 'number') === isRow);
    await feed(bus, prefix, left.splice(at, 1));
  };
  const broker = async (end: 'down' | 'kill'): Promise<void> => {
    await own?.[end]();
    await own?.up();
  };
  const act = async ({ kind, pick }: Fault): Promise<void> => {
    if (kind === 'join' && crew.size() < maxWorkers) crew.join();
    if (kind === 'broker_kill') await broker('kill');
    if (kind === 'broker_stop') await broker('down');
    if (kind === 'bad_json') garbageLetters.push(...(await garbage(bus, prefix, pick, garbageLetters.length)));
    if (kind === 'bad_row' || kind === 'bad_call') await nextPoison(kind === 'bad_row');
  };
  return {
    faults,
    garbageLetters,
    note,
    /** Do a fault. False: not now, nothing is in flight. Only when it is too late to wait for that it is done all the same. */
    async inject(fault: Fault, isLate: boolean): Promise<boolean> {
      const { kind, pick } = fault;
      const isEnd = kind === 'kill' || kind === 'term';
      const figures = isEnd ? await crew.hit(pick, kind === 'kill' ? 'SIGKILL' : 'SIGTERM') : await crew.figures();
      if (figures.moving === 0 && !isLate) return false;
      note(kind, figures.moving);
      await act(fault);
      return true;
    },
  };
}

export type Injector = ReturnType<typeof createInjector>;

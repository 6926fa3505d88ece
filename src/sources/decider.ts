import { type Feed, feed, type Source } from '../core/source.ts';
import type { Landed, Planner } from '../grid/planner/planner.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';

/** Decides what is played and hears what came of it: the one place of a run where choices are made. */
export interface Decider {
  /** The asks, in rounds: the next round is decided when all of the last is stored. */
  readonly source: Source<Ask>;
  /** Tell of a row before it is stored. Rows of asks that nobody waits for are ignored. */
  landed(row: Row): void;
  /**
   * Say what came of the ask of this name, where that an ask is stored says nothing yet: a row, or undefined for none.
   * False when nobody waits for it.
   */
  answered(name: string, row: Row | undefined): boolean;
  /** End the run with this error: no further rollout can succeed. */
  abort(error: Error): void;
  /** End the run in order with this word: no further rollout is worth its price. */
  callOff(word: string): void;
  /** Why each run ended, in their order. */
  stopWords(): readonly string[];
}

interface DeciderPorts {
  /** One planner for each run of the task set; they are played one after the other. */
  readonly planners: readonly Planner[];
  /** Told of what became of each ask, in the order in which the asks were decided. */
  readonly each: (landed: Landed, run: number) => void;
  /** What an earlier, killed run left of an ask: it is not played again. */
  readonly known?: ((name: string) => { readonly row: Row | undefined } | undefined) | undefined;
  /** An ask is done when it is `stored`, with all that came of it, or when it is `answered`. Default: stored. */
  readonly doneWhen?: 'stored' | 'answered';
  /** The word for an agent that is not worth asking any more; undefined while it is. */
  readonly deadWord: (missed: number, rows: number) => string | undefined;
  /** Whether the clock has run out. */
  readonly isLate: () => boolean;
  /** A round that got no row for this long, in ms, no longer holds up the next. */
  readonly hungMs: number;
}

interface Slot {
  readonly ask: Ask;
  readonly names?: readonly string[];
  row?: Row;
  isSettled: boolean;
}

/** Name one rollout by what its ask and its row both have. */
export function rolloutName({ scenario_id, rollout_index, lineage }: Partial<Ask> | Row, prompt: unknown): string {
  return `${scenario_id}\n${rollout_index}\n${String(lineage?.['eval_run'] ?? '')}\n${String(prompt)}`;
}

/**
 * Play the rounds of planners. What a round decides follows from the rounds before it and from nothing that depends on
 * time, but for a round that is silent for `hungMs`. Memory: the asks of a round.
 *
 * @source house rule
 */
export function decider(ports: DeciderPorts): Decider {
  const rounds = new Rounds(ports);
  const words: string[] = [];
  async function* played(): AsyncGenerator<Generator<Ask>> {
    for (const [run, planner] of ports.planners.entries()) words.push(yield* rounds.play(planner, run));
  }
  return {
    source: feed({
      open: () => byRound(played()),
      settled: (ask: Ask) => {
        if (ports.doneWhen !== 'answered') rounds.settle(ask);
      },
      decode: () => (row, receipt) => ({ row, receipt }),
    }),
    landed: (row) => rounds.land(row),
    answered: (name, row) => rounds.answer(name, row),
    abort: (error) => rounds.abort(error),
    callOff: (word) => rounds.callOff(word),
    stopWords: () => words,
  };
}

/** The asks of a round one by one, without a turn between them. */
function byRound(rounds: AsyncGenerator<Generator<Ask>>): Feed<Ask> {
  let round: Generator<Ask> | undefined;
  const next = (): IteratorResult<Ask, unknown> | Promise<IteratorResult<Ask, unknown>> => {
    const one = round?.next();
    if (one && !one.done) return one;
    return rounds.next().then((following) => {
      if (following.done) return following;
      round = following.value;
      return next();
    });
  };
  return { next, return: () => rounds.return(undefined) };
}

class Rounds {
  readonly #ports: DeciderPorts;
  readonly #open = new Map<Ask, Slot>();
  readonly #byName = new Map<string, Slot>();
  #late: readonly Slot[] = [];
  #failure: Error | undefined;
  #calledOff: string | undefined;
  #wake = () => {};

  constructor(ports: DeciderPorts) {
    this.#ports = ports;
  }

  /** Play one planner to its end, and say why it ended. */
  async *play(planner: Planner, run: number): AsyncGenerator<Generator<Ask>, string> {
    const seen = { rows: 0, missed: 0 };
    for (;;) {
      if (this.#ports.isLate()) return 'time_budget';
      await planner.ready();
      const asks = planner.next();
      if (asks.length === 0 && this.#open.size === 0 && this.#late.length === 0) return planner.stopWord();
      const round = [...this.#late];
      yield this.#ask(asks, round);
      await this.#whole(round);
      this.#fold(planner, run, round, seen);
      const word = this.#calledOff ?? this.#ports.deadWord(seen.missed, seen.rows);
      if (word !== undefined) return word;
    }
  }

  land(row: Row): void {
    const slot = this.#byName.get(rolloutName(row, row.prompt));
    if (slot) slot.row = row;
  }

  answer(name: string, row: Row | undefined): boolean {
    const slot = this.#byName.get(name);
    if (!slot) return false;
    if (row) slot.row = row;
    this.settle(slot.ask);
    return true;
  }

  settle(ask: Ask): void {
    const slot = this.#open.get(ask);
    if (!slot) return;
    this.#open.delete(ask);
    for (const name of slot.names ?? []) this.#byName.delete(name);
    slot.isSettled = true;
    this.#wake();
  }

  abort(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  callOff(word: string): void {
    this.#calledOff ??= word;
  }

  #slotOf(ask: Ask): Slot {
    const names = namesOf(ask);
    const known = this.#ports.known && names.map(this.#ports.known).find((one) => one !== undefined);
    if (known) return { ask, ...(known.row && { row: known.row }), isSettled: true };
    const slot: Slot = { ask, names, isSettled: false };
    this.#open.set(ask, slot);
    for (const name of names) this.#byName.set(name, slot);
    return slot;
  }

  /** Give the asks that no earlier run has answered, until the run is over. */
  *#ask(asks: readonly Ask[], round: Slot[]): Generator<Ask> {
    for (const ask of asks) {
      const slot = this.#slotOf(ask);
      round.push(slot);
      if (!slot.isSettled) yield ask;
      if (this.#isOver()) return;
    }
  }

  #isOver(): boolean {
    if (this.#failure) throw this.#failure;
    return this.#calledOff !== undefined || this.#ports.isLate();
  }

  /** Wait until the round is stored, or silent for too long. */
  async #whole(round: readonly Slot[]): Promise<void> {
    while (round.some(({ isSettled }) => !isSettled)) {
      const called = await silence(this.#ports.hungMs, (call) => {
        this.#wake = call;
      });
      if (this.#failure) throw this.#failure;
      if (called === 'silent') return;
    }
  }

  #fold(planner: Planner, run: number, round: readonly Slot[], seen: { rows: number; missed: number }): void {
    this.#late = round.filter(({ isSettled }) => !isSettled);
    const results = round.filter(({ isSettled }) => isSettled).map(({ ask, row }): Landed => ({ ask, row }));
    planner.landed(results);
    for (const one of results) {
      this.#ports.each(one, run);
      if (one.row) seen.rows++;
      else seen.missed++;
    }
  }
}

/** An agent that speaks once hears all turns at once: its row carries them as one prompt. */
const namesOf = (ask: Ask): readonly string[] =>
  [ask.prompt, ...(ask.user_turns ? [[ask.prompt, ...ask.user_turns].join('\n\n')] : [])].map((prompt) =>
    rolloutName(ask, prompt),
  );

/** Wait for a call; `silent` when none comes in time. */
function silence(ms: number, listen: (call: () => void) => void): Promise<'called' | 'silent'> {
  return new Promise((resolve) => {
    const timer = Number.isFinite(ms) ? setTimeout(() => resolve('silent'), ms) : undefined;
    listen(() => {
      clearTimeout(timer);
      resolve('called');
    });
  });
}

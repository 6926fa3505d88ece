import type { Ask } from '../../rows/ask.ts';
import type { Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import type { SearchArm } from '../arms.ts';
import { mutateAsk } from '../mutate.ts';
import type { PlannedStream } from '../situation-stream.ts';
import { writeProbe } from '../wording/probes.ts';
import { askId, writeAsk } from '../wording/write-ask.ts';

export interface PromptOptions {
  readonly tools: readonly Tool[];
  readonly seed: number;
  /** Wordings of each situation. */
  readonly phrasings: number;
  /** Situations opened at most; without it the grid goes on as long as it has cells, then cells are visited again. */
  readonly situations?: number | undefined;
  /** No situation twice, whatever else. */
  readonly unique: boolean;
  /** Failing asks may be bent into new ones, which share their situation. */
  readonly mayBend: boolean;
  /** Visit the planned cells again and again instead of going beyond them. */
  readonly onlyPlanned: boolean;
  /** Asks that must not be played: near copies of what aims the search. */
  readonly isTaken?: ((text: string) => boolean) | undefined;
}

/** A row that met trouble, and the ask it came from. */
export interface Failure {
  readonly ask: Ask;
  readonly rolloutId: string;
}

const redraws = 20;

/**
 * Make the asks of a run one by one, in an order that depends on nothing but the seed and what was asked for: grid,
 * probes, mutants. Memory: the situations given, and the failures not yet bent.
 */
export class Prompts {
  readonly #options: PromptOptions;
  readonly #planned: PlannedStream;
  readonly #failures: Failure[] = [];
  readonly #bent = new Set<string>();
  #cells: Iterator<Situation>;
  #lap = 0;
  #space: number | undefined;
  #phrasings: Ask[] = [];
  #probes = 0;
  #opened = 0;
  #ended = false;

  constructor(options: PromptOptions, planned: PlannedStream) {
    this.#options = options;
    this.#planned = planned;
    this.#cells = this.#firstLap();
  }

  /** Situations opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Arms that can give an ask now. */
  has(arm: SearchArm): boolean {
    const { situations, mayBend } = this.#options;
    if (arm === 'structured' || arm === 'llm_guided') return !this.#ended;
    if (situations !== undefined) return false; // they would not be among the situations that were asked for
    if (arm === 'failure_mutation') return mayBend && this.#failures.length > 0;
    return arm === 'open_ended';
  }

  /** Make the next ask of an arm; undefined when it has none. */
  next(arm: SearchArm): Ask | undefined {
    if (arm === 'open_ended') return this.#fresh(() => writeProbe(this.#probes++, this.#options.seed));
    if (arm === 'failure_mutation') return this.#mutant();
    return this.#fromGrid();
  }

  /** Keep a row that met trouble: one ask may be made of it. */
  failed(failure: Failure): void {
    if (!this.#bent.has(failure.ask.ask_id)) this.#failures.push(failure);
    this.#bent.add(failure.ask.ask_id);
  }

  #fromGrid(): Ask | undefined {
    const waiting = this.#phrasings.shift();
    if (waiting) return waiting;
    const situation = this.#nextSituation();
    if (!situation) {
      this.#ended = true;
      return undefined;
    }
    this.#opened++;
    const { tools, seed, phrasings } = this.#options;
    this.#phrasings = Array.from({ length: phrasings }, (_, n) =>
      this.#fresh((redraw) =>
        writeAsk(situation, { tools, seed, phrasing: this.#lap * phrasings + n + redraw * 1000 }),
      ),
    );
    return this.#phrasings.shift();
  }

  /** Cells of the grid, then cells beyond it, then all of them again with other people and other words. */
  #nextSituation(): Situation | undefined {
    const { situations, unique } = this.#options;
    if (situations !== undefined && this.#opened >= situations) return undefined;
    const found = this.#cells.next();
    if (!found.done) return found.value;
    if (unique || this.#opened === 0) return undefined;
    this.#space ??= this.#opened; // what the first lap found is all there is
    this.#lap++;
    this.#cells = this.#planned.stream(this.#space);
    const again = this.#cells.next();
    return again.done ? undefined : again.value;
  }

  #firstLap(): Iterator<Situation> {
    return this.#options.onlyPlanned ? this.#planned.stream() : this.#planned.stream(Number.POSITIVE_INFINITY);
  }

  #mutant(): Ask | undefined {
    for (let failure = this.#failures.shift(); failure; failure = this.#failures.shift()) {
      const { ask, rolloutId } = failure;
      const others = this.#failures.slice(0, 8).map((one) => one.ask.prompt);
      const mutant = mutateAsk({ id: ask.ask_id, text: ask.prompt }, { seed: this.#options.seed, others });
      if (!mutant || this.#options.isTaken?.(mutant.text)) continue;
      const [prompt = '', ...user_turns] = mutant.text.split('\n<USER_TURN>\n');
      return {
        ...ask,
        ask_id: askId(ask.scenario_id, mutant.text, ask.seed),
        prompt,
        ...(user_turns.length > 0 && { user_turns }),
        rollout_index: 0,
        arm: 'failure_mutation',
        selection_reason: mutant.by,
        parent_failure_id: rolloutId,
      };
    }
    return undefined;
  }

  /** Draw again until the words are nobody's; the last draw stands. */
  #fresh(write: (redraw: number) => Ask): Ask {
    let ask = write(0);
    for (let n = 1; n < redraws && this.#options.isTaken?.(ask.prompt); n++) ask = write(n);
    return ask;
  }
}

import { draw, drawOne } from '../../core/draws.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Cell, Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import type { SearchArm } from '../arms.ts';
import { mutateAsk } from '../mutate.ts';
import type { PlannedStream } from '../situation-stream.ts';
import { writeProbe } from '../wording/probes.ts';
import { shapeAsks } from '../wording/shape-asks.ts';
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
  /** Share of asks that are aimed, and the cells they are aimed at. */
  readonly steer?: { readonly weight: number; readonly isFront: (cell: Cell) => boolean } | undefined;
  /** Share of the asks in which the agent speaks first, 0 to 1. */
  readonly opening?: number | undefined;
  /** Cells that come before those of the grid. */
  readonly extra?: readonly Situation[] | undefined;
  /** Share of asks that are typed in a way of their own, 0 to 1. */
  readonly texture?: number | undefined;
  /** Writes situations in another way than the templates, `phrasings` asks of each; none of one it has no words for. */
  readonly write?: WriteSituations | undefined;
}

/** Put situations into words: the asks of each, in the order given. */
export type WriteSituations = (situations: readonly Situation[]) => Promise<readonly (readonly Ask[])[]>;

/** A row that met trouble, and the ask it came from. */
export interface Failure {
  readonly ask: Ask;
  readonly rolloutId: string;
}

const redraws = 20;
/** Situations among which an aimed ask finds its own. */
const lookAhead = 64;

/** What an agent says that speaks first. */
const openers = [
  'Hello! How can I help you today?',
  'Hi, what can I do for you?',
  'Good day. What brings you here?',
  'Welcome. Tell me what you need.',
] as const;

/**
 * Make the asks of a run one by one, in an order that depends on nothing but the seed and what was asked for: grid,
 * probes, mutants. Memory: the ids of the asks given, and the failures not yet bent.
 */
export class Prompts {
  readonly #options: PromptOptions;
  readonly #planned: PlannedStream;
  readonly #failures: Failure[] = [];
  readonly #bent = new Set<string>();
  /** Wordings given: none is given twice. */
  readonly #given = new Set<string>();
  readonly #shapes: Iterator<Ask>;
  #shape: Ask | undefined;
  #cells: Iterator<Situation>;
  readonly #ahead: Situation[] = [];
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
    this.#shapes = shapeAsks(options.tools, options.seed)[Symbol.iterator]();
  }

  /** Situations opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Asks in words that nobody has asked for yet. */
  get waiting(): number {
    return this.#phrasings.length;
  }

  /** Arms that can give an ask now. */
  has(arm: SearchArm): boolean {
    const { situations, mayBend } = this.#options;
    if (arm === 'structured' || arm === 'llm_guided') return !this.#ended;
    if (situations !== undefined) return false; // they would not be among the situations that were asked for
    if (arm === 'failure_mutation') return mayBend && this.#failures.length > 0;
    if (arm === 'behavior_targeted') return mayBend && this.#nextShape() !== undefined;
    return arm === 'open_ended';
  }

  /** Make the next ask of an arm; undefined when it has none. */
  next(arm: SearchArm): Ask | undefined {
    const ask = this.#ofArm(arm);
    if (ask) this.#given.add(ask.ask_id);
    return ask && this.#opens({ ...ask, arm });
  }

  /** In some asks the agent has spoken before: which ones, the ask alone decides. */
  #opens(ask: Ask): Ask {
    const { opening = 0, seed } = this.#options;
    if (opening <= 0 || draw(seed, ask.ask_id, 'opening') >= opening) return ask;
    return { ...ask, opening: 'agent', opener: drawOne(openers, seed, ask.ask_id, 'opener') };
  }

  /** Have `n` asks of the grid in words, where a writer takes its time. */
  async prepare(n: number): Promise<void> {
    const { write, phrasings } = this.#options;
    if (!write) return;
    while (this.#phrasings.length < n && !this.#ended) {
      const wanted = Math.ceil((n - this.#phrasings.length) / phrasings);
      const situations: Situation[] = [];
      for (let one = this.#nextSituation(); one; one = situations.length < wanted ? this.#nextSituation() : undefined) {
        this.#opened++;
        situations.push(one);
      }
      if (situations.length === 0) return;
      const written = await write(situations);
      for (const [at, situation] of situations.entries()) {
        const asks = (written[at] ?? []).filter((ask) => this.#isFree(ask)).slice(0, phrasings);
        for (const ask of asks) this.#given.add(ask.ask_id);
        for (let from = asks.length; from < phrasings; from++) asks.push(this.#template(situation, from));
        this.#phrasings.push(...asks);
      }
    }
  }

  #ofArm(arm: SearchArm): Ask | undefined {
    if (arm === 'open_ended') return this.#fresh(() => writeProbe(this.#probes++, this.#options.seed));
    if (arm === 'failure_mutation') return this.#mutant();
    if (arm === 'behavior_targeted') return this.#takeShape();
    return this.#fromGrid();
  }

  #nextShape(): Ask | undefined {
    while (!this.#shape) {
      const { done, value } = this.#shapes.next();
      if (done) return undefined;
      if (this.#isFree(value)) this.#shape = value;
    }
    return this.#shape;
  }

  #takeShape(): Ask | undefined {
    const ask = this.#nextShape();
    this.#shape = undefined;
    return ask;
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
    this.#phrasings = Array.from({ length: this.#options.phrasings }, (_, n) => this.#template(situation, n));
    return this.#phrasings.shift();
  }

  #template(situation: Situation, n: number): Ask {
    const { tools, seed, phrasings, texture } = this.#options;
    const ask = this.#fresh((redraw) =>
      writeAsk(situation, { tools, seed, texture, phrasing: this.#lap * phrasings + n + redraw * 1000 }),
    );
    this.#given.add(ask.ask_id);
    return ask;
  }

  /** Cells of the grid, then cells beyond it, then all of them again with other people and other words. */
  #nextSituation(): Situation | undefined {
    const { situations, unique } = this.#options;
    if (situations !== undefined && this.#opened >= situations) return undefined;
    const found = this.#nextOfLap();
    if (found) return found;
    if (unique || this.#opened === 0) return undefined;
    this.#space ??= this.#opened; // what the first lap found is all there is
    this.#lap++;
    this.#cells = this.#planned.stream(this.#space);
    const again = this.#cells.next();
    return again.done ? undefined : again.value;
  }

  /** The next cell in order; an aimed slot takes the first of the next ones that stands in front. */
  #nextOfLap(): Situation | undefined {
    const { steer, seed } = this.#options;
    if (!steer) return this.#pull();
    while (this.#ahead.length < lookAhead) {
      const one = this.#pull();
      if (!one) break;
      this.#ahead.push(one);
    }
    const isAimed = draw(seed, this.#opened, 'steering') < steer.weight;
    const at = isAimed ? this.#ahead.findIndex((one) => steer.isFront(one.scenario_dimensions)) : -1;
    const [found] = this.#ahead.splice(Math.max(0, at), 1);
    return found && at >= 0 ? { ...found, steering: { origin: 'targeted', weight: steer.weight } } : found;
  }

  #pull(): Situation | undefined {
    const found = this.#cells.next();
    return found.done ? undefined : found.value;
  }

  #firstLap(): Iterator<Situation> {
    const { extra = [], onlyPlanned } = this.#options;
    const grid = onlyPlanned ? this.#planned.stream() : this.#planned.stream(Number.POSITIVE_INFINITY);
    return extra.length === 0 ? grid : extraFirst(extra, grid);
  }

  #mutant(): Ask | undefined {
    for (let failure = this.#failures.shift(); failure; failure = this.#failures.shift()) {
      const { ask, rolloutId } = failure;
      const others = this.#failures.slice(0, 8).map((one) => one.ask.prompt);
      const mutant = mutateAsk({ id: ask.ask_id, text: ask.prompt }, { seed: this.#options.seed, others });
      if (
        !mutant ||
        !this.#isFree({ ...ask, ask_id: askId(ask.scenario_id, mutant.text, ask.seed), prompt: mutant.text })
      )
        continue;
      const [prompt = '', ...user_turns] = mutant.text.split('\n<USER_TURN>\n');
      return {
        ...withoutWords(ask, mutant.text),
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
    for (let n = 1; n < redraws && !this.#isFree(ask); n++) ask = write(n);
    return ask;
  }

  #isFree({ ask_id, prompt }: Ask): boolean {
    return !this.#given.has(ask_id) && !this.#options.isTaken?.(prompt);
  }
}

/** Labels of how an ask is put; what was bent may not show them any more. */
const wordLabels = [
  'tone',
  'ask',
  'vagueness',
  'phrasing',
  'pressure',
  'user',
  'texture',
  'stance',
  'history',
  'length',
];

function withoutWords(ask: Ask, text: string): Ask {
  const gone = text.includes(ask.prompt) ? ['length', 'ask'] : wordLabels;
  return Object.fromEntries(Object.entries(ask).filter(([name]) => !gone.includes(name))) as Ask; // labels are optional
}

/** The caller's own cells, then the grid without them. */
function* extraFirst(extra: readonly Situation[], grid: Iterable<Situation>): Generator<Situation> {
  yield* extra;
  const known = new Set(extra.map(({ scenario_id }) => scenario_id));
  for (const one of grid) if (!known.has(one.scenario_id)) yield one;
}

import type { Ask } from '../../rows/ask.ts';
import type { Row } from '../../rows/row.ts';
import { type AdaptivePlan, adaptivePlan, allocatorSlotCounts } from '../adaptive-plan.ts';
import { labelOf } from '../allocation/allocator.ts';
import { type GroupsReport, Schedule } from '../allocation/schedule.ts';
import { type ArmValues, defaultArmWeights, reallocateSearchArms, type SearchArm } from '../arms.ts';
import { mutationWorthy } from '../mutation-worthy.ts';
import { spaceSaturated } from '../saturation.ts';
import type { Topology } from '../topology.ts';
import type { Prompts } from './prompts.ts';

export interface PlannerOptions {
  readonly topology: Topology;
  /** Rows wanted, at most. */
  readonly budget: number;
  /** Asks that come first: pinned tasks, or a caller's seeds. Each gets its k rollouts whatever the policy. */
  readonly first: readonly Ask[];
  /** Nothing is played but `first`. */
  readonly onlyFirst: boolean;
  readonly armWeights?: ArmValues | undefined;
  readonly probe: number;
  readonly perRound: number;
  readonly until: AdaptivePlan['until'];
  /** Seconds of the run, where it has a clock. */
  readonly timeBudget?: number | undefined;
  /** Scenario ids that saturation waits for. */
  readonly expected: readonly string[];
  readonly graded: boolean;
  /** Asks graded below 0.5 may be bent into new ones. */
  readonly mutateGraded: boolean;
}

/** What became of an ask; without a row the rollout was lost. */
export interface Landed {
  readonly ask: Ask;
  readonly row?: Row | undefined;
}

/** Cut short by the length cap: it has no label. */
const isTruncated = (row: Row): boolean => row.judge_name === 'length_cap' || row['finish_reason'] === 'length';

interface Opened {
  readonly ask: Ask;
  played: number;
}

/** Rollouts decided at once under successive allocation: few, so that verdicts count soon. */
const successiveRound = 32;

/**
 * Decide what is played, in rounds of fixed size and in one order: what was opened before, then what is new. Nothing
 * here depends on when a rollout ends. Memory: the opened prompts, without their rows.
 *
 * @source house rule; successive allocation after DAPO, arXiv 2503.14476
 */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #prompts: Prompts;
  readonly #opened: Opened[] = [];
  readonly #byAsk = new Map<string, number>();
  readonly #pending: Ask[] = [];
  readonly #retry: Ask[] = [];
  readonly #schedule: Schedule | undefined;
  readonly #credit = new Map<SearchArm, number>();
  readonly #cells = new Map<string, number>();
  readonly #signatures = new Set<string>();
  readonly #gained = new Map<string, { rows: number; news: number }>();
  readonly #plan: AdaptivePlan | null;
  #weights: Record<SearchArm, number>;
  #rows = 0;
  /** Rollouts decided that nothing is known of yet. */
  #out = 0;
  #firstAt = 0;
  #flat = 0;
  #lastRound = 0;

  constructor(options: PlannerOptions, prompts: Prompts) {
    this.#options = options;
    this.#prompts = prompts;
    const { topology } = options;
    this.#weights = { ...defaultArmWeights(), ...options.armWeights };
    this.#plan =
      topology.mode === 'adaptive' ? adaptivePlan({ until: options.until, timeBudget: options.timeBudget }) : null;
    this.#schedule =
      topology.repeat_policy === 'successive' && topology.k > 1
        ? new Schedule(
            { k: topology.k, probe: options.probe },
            { open: () => this.#openFor(options.probe), hasFresh: () => this.#hasFresh() },
          )
        : undefined;
  }

  /** Have the words ready that the next round may ask for. Only a writer that takes its time needs it. */
  async ready(): Promise<void> {
    const { k, k_explicit, repeat_policy } = this.#options.topology;
    const atOnce = k_explicit || repeat_policy === 'fixed' ? k : 1;
    const left = this.#options.budget - this.#rows - this.#out;
    if (left <= 0 || this.#options.onlyFirst) return;
    const round = this.#schedule ? Math.ceil(successiveRound / this.#options.probe) : this.#options.perRound;
    await this.#prompts.prepare(Math.ceil(Math.min(left, round) / atOnce));
  }

  /** The asks of the next round; none when there is nothing left to decide. */
  next(): readonly Ask[] {
    const left = this.#options.budget - this.#rows - this.#out;
    if (left <= 0 || this.#isSaturated()) return [];
    const round = this.#schedule
      ? this.#successive(this.#schedule, Math.min(left, successiveRound))
      : this.#plain(Math.min(left, this.#options.perRound));
    this.#lastRound = round.length;
    this.#out += round.length;
    return round;
  }

  /** Fold a whole round in, in the order in which it was decided. */
  landed(results: readonly Landed[]): void {
    const found = new Map<string, { rows: number; news: number }>();
    this.#out -= results.length;
    for (const result of results) this.#fold(result, found);
    const news = [...found.values()].reduce((sum, arm) => sum + arm.news, 0);
    this.#flat = news === 0 ? this.#flat + 1 : 0;
    for (const [arm, { rows, news: gained }] of found) {
      const before = this.#gained.get(arm) ?? { rows: 0, news: 0 };
      this.#gained.set(arm, { rows: before.rows + rows, news: before.news + gained });
    }
    if (this.#options.armWeights) return;
    const yields = Object.fromEntries([...found].map(([arm, { rows, news: gained }]) => [arm, gained / rows]));
    this.#weights = reallocateSearchArms(this.#weights, yields);
  }

  /** Why there is nothing more to decide. */
  stopWord(): string {
    if (this.#options.budget - this.#rows <= 0) return 'budget';
    if (this.#isSaturated()) return 'saturation';
    if (this.#options.onlyFirst) return 'tasks_done';
    return this.#opened.length === 0 ? 'writer_failed' : 'situations_exhausted';
  }

  groups(): GroupsReport | undefined {
    return this.#schedule?.report();
  }

  /** Whether the group of this ask was cut by the budget. */
  isCut(ask: Ask): boolean {
    const prompt = this.#byAsk.get(ask.ask_id);
    return prompt !== undefined && this.#schedule?.verdict(prompt) === 'partial';
  }

  state() {
    return {
      weights: this.#weights,
      /** New signatures and new cells for each row, by arm, over the whole run. */
      yields: Object.fromEntries(
        [...this.#gained].map(([arm, { rows, news }]) => [arm, Math.round((1e4 * news) / rows) / 1e4]),
      ),
      cells: Object.fromEntries(this.#cells),
      prompts: this.#opened.length,
      flatRounds: this.#flat,
      lastRound: this.#lastRound,
      saturated: this.#isSaturated(),
    };
  }

  #successive(schedule: Schedule, take: number): readonly Ask[] {
    const round: Ask[] = [];
    while (round.length < take) {
      const owed = this.#pending.shift() ?? this.#openOwed();
      if (!owed) break;
      round.push(owed);
    }
    while (round.length < take) {
      const turn = schedule.next(round.length === 0);
      if (!turn) break;
      const opened = this.#opened[turn.prompt];
      if (opened) round.push({ ...opened.ask, rollout_index: opened.played++ });
    }
    return round;
  }

  /** A caller's seed has a claim on all its rollouts, whatever they show. */
  #openOwed(): Ask | undefined {
    const isOwed = !this.#options.onlyFirst && this.#firstAt < this.#options.first.length;
    return isOwed ? this.#openAll() : undefined;
  }

  #plain(take: number): readonly Ask[] {
    const slots = allocatorSlotCounts(take, this.#plan);
    const round = this.#retry.splice(0, slots.verify);
    while (round.length < take) {
      const pending = this.#pending.shift() ?? this.#openAll();
      if (!pending) break;
      round.push(pending);
    }
    return [...round, ...this.#retry.splice(0, take - round.length)];
  }

  /** Open a prompt with all the rollouts it gets at once; the first is given, the others wait their turn. */
  #openAll(): Ask | undefined {
    const prompt = this.#open();
    const opened = prompt === undefined ? undefined : this.#opened[prompt];
    if (!opened) return undefined;
    const { k, k_explicit, repeat_policy } = this.#options.topology;
    const isFirst = (prompt ?? 0) < this.#options.first.length;
    const atOnce = isFirst || k_explicit || repeat_policy === 'fixed' || repeat_policy === 'none' ? k : 1;
    for (let index = 1; index < atOnce; index++) this.#pending.push({ ...opened.ask, rollout_index: index });
    opened.played = atOnce;
    return opened.ask;
  }

  /** Under successive allocation no group is opened that the budget could not even probe. */
  #openFor(probe: number): number | undefined {
    const { budget, first } = this.#options;
    if (this.#firstAt >= first.length && budget - this.#rows - this.#out < probe) return undefined;
    return this.#open();
  }

  #hasFresh(): boolean {
    return this.#firstAt < this.#options.first.length || (!this.#options.onlyFirst && this.#prompts.has('structured'));
  }

  #open(): number | undefined {
    const ask = this.#options.first[this.#firstAt] ?? (this.#options.onlyFirst ? undefined : this.#newAsk());
    if (this.#firstAt < this.#options.first.length) this.#firstAt++;
    if (!ask) return undefined;
    const prompt = this.#opened.length;
    this.#opened.push({ ask, played: 0 });
    if (!this.#byAsk.has(ask.ask_id)) this.#byAsk.set(ask.ask_id, prompt);
    return prompt;
  }

  /** Each arm gathers its share as credit; the one with the most gives the next ask. No chance is drawn. */
  #newAsk(): Ask | undefined {
    for (let tries = 0; tries < 3; tries++) {
      const open = (Object.keys(this.#weights) as SearchArm[]).filter((arm) => this.#prompts.has(arm));
      const total = open.reduce((sum, arm) => sum + this.#weights[arm], 0);
      if (open.length === 0 || total <= 0) return undefined;
      for (const arm of open) this.#credit.set(arm, (this.#credit.get(arm) ?? 0) + this.#weights[arm] / total);
      const arm = open.reduce((best, one) =>
        (this.#credit.get(one) ?? 0) > (this.#credit.get(best) ?? 0) ? one : best,
      );
      this.#credit.set(arm, (this.#credit.get(arm) ?? 0) - 1);
      const ask = this.#prompts.next(arm);
      if (ask) return ask;
    }
    return undefined;
  }

  #fold({ ask, row }: Landed, found: Map<string, { rows: number; news: number }>): void {
    const prompt = this.#byAsk.get(ask.ask_id);
    if (!row) {
      if (prompt !== undefined) this.#schedule?.landed(prompt, undefined, true);
      return;
    }
    this.#rows++;
    const truncated = isTruncated(row);
    const label = truncated ? undefined : labelOf(row, this.#options.graded);
    if (prompt !== undefined) this.#schedule?.landed(prompt, label, truncated);
    const arm = found.get(ask.arm) ?? { rows: 0, news: 0 };
    const known = this.#cells.get(ask.scenario_id) ?? 0;
    const signature = String(row['behavior_signature'] ?? '');
    found.set(ask.arm, {
      rows: arm.rows + 1,
      news: arm.news + (known === 0 ? 1 : 0) + (this.#signatures.has(signature) ? 0 : 1),
    });
    this.#cells.set(ask.scenario_id, known + 1);
    this.#signatures.add(signature);
    this.#learn(ask, row, prompt);
  }

  /** A row that met trouble is looked at again while its prompt is under k, and may be bent into a new ask. */
  #learn(ask: Ask, row: Row, prompt: number | undefined): void {
    const isGradedFailure = typeof row.reward === 'number' && row.reward < 0.5;
    const isTrouble = mutationWorthy(row);
    if (!isTrouble && !isGradedFailure) return;
    const opened = prompt === undefined ? undefined : this.#opened[prompt];
    const k = this.#plan?.k ?? this.#options.topology.k;
    if (opened && !this.#schedule && opened.played < k)
      this.#retry.push({ ...opened.ask, rollout_index: opened.played++ });
    if (isTrouble || this.#options.mutateGraded)
      this.#prompts.failed({ ask, rolloutId: String(row['rollout_id'] ?? '') });
  }

  #isSaturated(): boolean {
    return (
      this.#options.until === 'saturation' && spaceSaturated(Object.fromEntries(this.#cells), this.#options.expected)
    );
  }
}

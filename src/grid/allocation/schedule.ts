import {
  type AllocatorMemory,
  type AllocatorSettings,
  emptyMemory,
  freshRate,
  type Group,
  type GroupVerdict,
  hazardOf,
  type Label,
  onRolloutLanded,
  probeOf,
} from './allocator.ts';

/** One rollout to play: which prompt, and which of its repeats. */
export interface Turn {
  readonly prompt: number;
  readonly index: number;
}

/** The groups of a run, as the report says it. */
export interface GroupsReport {
  readonly k: number;
  readonly probe: number;
  readonly groups: number;
  readonly mixed: number;
  readonly stopped_unanimous: number;
  readonly complete: number;
  readonly partial: number;
  /** Rollouts that stopped groups did not need. */
  readonly rollouts_saved: number;
  /** (M + 1) / (P + 2), four digits. */
  readonly mixed_rate: number;
  /** Hazard by n, four digits. */
  readonly hazard: Readonly<Record<string, number>>;
  readonly truncated_skipped: number;
}

/**
 * Schedule the rollouts of a run under successive allocation: fills of mixed groups first, the oldest first; then single
 * looks in the order they were granted; then the next prompt with its probe; and when nothing is left to open, the
 * stopped groups, one look each in turn. Memory: the labels of every opened prompt.
 *
 * @source DAPO, arXiv 2503.14476; house rule
 */
export class Schedule {
  readonly settings: AllocatorSettings;
  readonly memory: AllocatorMemory = emptyMemory();
  readonly #groups = new Map<number, Group>();
  readonly #owed = new Map<number, number>();
  readonly #fills = new Set<number>();
  readonly #looks: number[] = [];
  readonly #started = new Map<number, number>();
  readonly #hasFresh: () => boolean;
  readonly #open: () => number | undefined;
  #truncated = 0;

  /** `open` gives the next prompt nobody has seen; `hasFresh` says whether there is one. */
  constructor(
    settings: AllocatorSettings,
    ports: { readonly open: () => number | undefined; readonly hasFresh: () => boolean },
  ) {
    this.settings = settings;
    this.#open = ports.open;
    this.#hasFresh = ports.hasFresh;
  }

  /**
   * Take the next rollout to play; undefined when there is none now: all is in flight, or the run is over.
   * `mayResume` says that nothing is in flight, so that stopped groups may go on.
   */
  next(mayResume: boolean): Turn | undefined {
    const ready = this.#firstFill() ?? this.#looks.shift();
    if (ready !== undefined) return this.#start(ready);
    const fresh = this.#open();
    if (fresh !== undefined) {
      const scheduled = probeOf(this.settings);
      this.#groups.set(fresh, { labels: [], scheduled, unlabelled: 0, state: 'probing' });
      for (let n = 1; n < scheduled; n++) this.#looks.unshift(fresh); // a probe is played whole
      return this.#start(fresh);
    }
    if (!mayResume || !this.#resume()) return undefined;
    const resumed = this.#looks.shift();
    return resumed === undefined ? undefined : this.#start(resumed);
  }

  /** Tell what a rollout came to. A rollout cut short, or not judged, has no label. */
  landed(prompt: number, label: Label | undefined, truncated = false): void {
    const group = this.#groups.get(prompt);
    if (!group) return;
    if (truncated) this.#truncated++;
    const { queueMore, state } = onRolloutLanded(group, label, this.memory, this.settings, this.#hasFresh());
    if (queueMore === 0) return;
    if (state !== 'mixed') {
      this.#looks.push(prompt);
      return;
    }
    this.#owed.set(prompt, (this.#owed.get(prompt) ?? 0) + queueMore);
    this.#fills.add(prompt);
  }

  /** The verdict over one prompt, from what landed; undefined when it was never opened or nothing landed. */
  verdict(prompt: number): GroupVerdict | undefined {
    const group = this.#groups.get(prompt);
    if (!group) return undefined;
    const done = group.labels.length + group.unlabelled;
    const full = done >= this.settings.k;
    if (new Set(group.labels).size > 1) return full ? 'mixed' : 'partial';
    if (group.state === 'stopped_unanimous') return 'stopped_unanimous';
    return full ? 'complete' : 'partial';
  }

  report(): GroupsReport {
    const verdicts = [...this.#groups.keys()].map((prompt) => this.verdict(prompt));
    const of = (verdict: GroupVerdict) => verdicts.filter((one) => one === verdict).length;
    const saved = [...this.#groups].reduce(
      (sum, [prompt, group]) =>
        this.verdict(prompt) === 'stopped_unanimous'
          ? sum + this.settings.k - group.labels.length - group.unlabelled
          : sum,
      0,
    );
    const steps = [...this.memory.seen.keys()].sort((a, b) => a - b);
    return {
      k: this.settings.k,
      probe: probeOf(this.settings),
      groups: this.#groups.size,
      mixed: of('mixed'),
      stopped_unanimous: of('stopped_unanimous'),
      complete: of('complete'),
      partial: of('partial'),
      rollouts_saved: saved,
      mixed_rate: four((this.memory.mixed + 1) / (this.memory.probed + 2)),
      hazard: Object.fromEntries(steps.map((n) => [String(n), four(hazardOf(this.memory, n))])),
      truncated_skipped: this.#truncated,
    };
  }

  /** Chance per rollout that a fresh prompt is mixed, now. */
  freshRate(): number {
    return freshRate(this.memory, this.settings);
  }

  #start(prompt: number): Turn {
    const index = this.#started.get(prompt) ?? 0;
    this.#started.set(prompt, index + 1);
    return { prompt, index };
  }

  #firstFill(): number | undefined {
    const prompt = this.#fills.values().next().value;
    if (prompt === undefined) return undefined;
    const left = (this.#owed.get(prompt) ?? 1) - 1;
    this.#owed.set(prompt, left);
    if (left <= 0) this.#fills.delete(prompt);
    return prompt;
  }

  /** One look at every stopped group; false when none is stopped. */
  #resume(): boolean {
    for (const [prompt, group] of this.#groups) {
      if (group.state !== 'stopped_unanimous') continue;
      group.state = 'probing';
      group.scheduled++;
      this.#looks.push(prompt);
    }
    return this.#looks.length > 0;
  }
}

const four = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Play a whole run of known rewards one rollout at a time, and say how the budget was spent. Null is unjudged. */
export function allocateSequential(
  rewards: readonly (readonly (number | null)[])[],
  { k, probe = 2, budget }: { readonly k: number; readonly probe?: number; readonly budget: number },
) {
  let opened = 0;
  const schedule = new Schedule(
    { k, probe },
    { open: () => (opened < rewards.length ? opened++ : undefined), hasFresh: () => opened < rewards.length },
  );
  const played = rewards.map(() => 0);
  let rows = 0;
  while (rows < budget) {
    const turn = schedule.next(true);
    if (!turn) break;
    rows++;
    played[turn.prompt] = (played[turn.prompt] ?? 0) + 1;
    const reward = rewards[turn.prompt]?.[turn.index] ?? null;
    schedule.landed(turn.prompt, reward === null ? undefined : reward >= 0.5 ? 1 : 0);
  }
  const verdicts = rewards.map((_, prompt) => schedule.verdict(prompt) ?? null);
  return {
    rollouts_per_prompt: played,
    verdicts,
    group_cut_prompts: verdicts.flatMap((verdict, prompt) => (verdict === 'partial' ? [prompt] : [])),
    groups: schedule.report(),
    rows,
  };
}

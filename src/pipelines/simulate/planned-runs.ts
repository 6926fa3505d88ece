import { untilOf } from '../../grid/adaptive-plan.ts';
import { checkArmWeights } from '../../grid/arms.ts';
import { Planner } from '../../grid/planner/planner.ts';
import { Prompts } from '../../grid/planner/prompts.ts';
import type { Ask } from '../../rows/ask.ts';
import type { SimulateSettings } from './options.ts';
import { firstOf, type Prepared } from './prepare.ts';

/** One run of the task set, before it is played. */
export interface PlannedRun {
  readonly planner: Planner;
  readonly prompts: Prompts;
  readonly firstAsks: readonly Ask[];
}

/** What the decisions of a run rest on. */
export type Decisions = Pick<Prepared, 'tools' | 'planned' | 'pinned' | 'aim' | 'seeds' | 'k' | 'extra' | 'graded'> &
  Partial<Pick<Prepared, 'words' | 'opening'>>;

/** One planner for each run of the task set; without pinned tasks there is one run. */
export function plannedRuns(run: Decisions, settings: SimulateSettings): readonly PlannedRun[] {
  const { topology, rows: budget, advanced } = settings;
  return Array.from({ length: run.pinned ? settings.runs : 1 }, (_, nth) => {
    const firstAsks = firstOf(run, settings, nth);
    const prompts = new Prompts(
      {
        tools: run.tools,
        seed: settings.seed,
        phrasings: topology.mode === 'adaptive' && !topology.n_explicit ? adaptivePhrasings : topology.n_req,
        situations: settings.situations ?? undefined,
        unique: isUnique(settings, run.words?.write !== undefined),
        mayBend: !topology.unique_situations && advanced.mutateFailures,
        onlyPlanned: untilOf(settings.until) === 'saturation',
        isTaken: run.aim?.isSource,
        extra: run.extra,
        texture: advanced.texture,
        write: run.words?.write,
        opening: run.opening,
        steer:
          run.aim && settings.steeringWeight
            ? { weight: settings.steeringWeight, isFront: run.aim.isFront }
            : undefined,
      },
      run.planned,
    );
    const planner = new Planner(
      {
        topology: {
          ...topology,
          k: run.k,
          k_explicit: topology.k_explicit || (run.pinned !== undefined && topology.repeat_policy !== 'successive'),
        },
        budget,
        first: firstAsks,
        onlyFirst: run.pinned !== undefined,
        armWeights: pinnedWeights(settings),
        probe: advanced.probe,
        perRound: advanced.perRound,
        until: untilOf(settings.until),
        timeBudget: settings.timeBudget ?? undefined,
        expected: run.planned.situations.map(({ scenario_id }) => scenario_id),
        graded: run.graded,
        mutateGraded: advanced.mutateGradedFailures ?? run.graded,
      },
      prompts,
    );
    return { planner, prompts, firstAsks };
  });
}

/** No situation comes back where the caller wants each once, or wants no writer to be given a cell twice. */
const isUnique = ({ uniqueSituations, unique, advanced }: SimulateSettings, hasWriter: boolean): boolean =>
  uniqueSituations === true || unique === true || (hasWriter && advanced.distinctCards === true);

/** Wordings of a situation where the clock decides. */
const adaptivePhrasings = 3;

function pinnedWeights({ armWeights, advanced }: SimulateSettings) {
  const given = armWeights ?? advanced.armWeights;
  return given && checkArmWeights(given);
}

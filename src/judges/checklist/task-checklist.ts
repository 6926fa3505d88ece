import type { JsonObject } from '../../core/json-object.ts';
import { type ConductOptions, conductGrade } from '../conduct/conduct-grade.ts';
import type { JudgeObject } from '../judge.ts';
import { outcomeChecks } from './outcome-checks.ts';

/** A verdict on a rollout: how the agent behaved, times whether the situation ended as it should. */
export interface ChecklistGrade {
  readonly reward: number;
  readonly reason: string;
  readonly reason_code: string;
  readonly fault_detected: boolean;
  /** `conduct` (0, 0.5, 1), `outcome_checked`, `outcome` where there is a rule, and each check of it. */
  readonly markers: Readonly<Record<string, number>>;
  /** The rule that was broken, on a reward below 0.5. */
  readonly failure_class?: string;
}

/**
 * Grade a rollout of the grid without a model: conduct times outcome. Conduct alone would teach a policy to call nothing. Zero
 * conduct is zero; where the situation has no rule the conduct is the reward.
 *
 * @source rlhfbook ch. 7 and 12 (rubrics as rewards); the rules are a house rule
 */
export function taskChecklist(row: JsonObject, options: ConductOptions = {}): ChecklistGrade {
  const conduct = conductGrade(row, options);
  const { checks, outcome } = outcomeChecks(row);
  const reward = conduct.reward * (outcome ?? 1);
  const markers = {
    conduct: conduct.reward,
    outcome_checked: outcome === undefined ? 0 : 1,
    ...checks,
    ...(outcome === undefined ? {} : { outcome }),
  };
  const broken = outcome === 0 ? Object.keys(checks).filter((name) => checks[name] === 0) : [];
  const failed = conduct.reward === 0 ? conduct.reason_code : (broken[0] ?? 'outcome');
  return {
    reward,
    reason: broken.length === 0 ? conduct.reason : `${conduct.reason}; not met: ${broken.join(', ')}`,
    reason_code: conduct.reason_code,
    fault_detected: conduct.fault_detected,
    markers,
    ...(reward < 0.5 ? { failure_class: failed } : {}),
  };
}

/**
 * Make the judge that grades where no other was given: `taskChecklist` for an agent with these tools. It is a program: the
 * same row has the same verdict, at no cost.
 */
export function checklistJudge({ tools }: { readonly tools?: readonly unknown[] | undefined } = {}): JudgeObject {
  return {
    name: 'task_checklist',
    version: '1',
    kind: 'rule',
    judge: (row) => taskChecklist(row, { declaredTools: tools }),
  };
}

import type { JsonObject } from '../../core/json-object.ts';
import { isHalfDone, situationOf, situationRule } from '../../rows/situation-rule.ts';
import { foldText } from '../../text/fold.ts';
import { admitsFault } from '../../text/trouble.ts';
import { leavesOf } from '../../world/value.ts';
import { type Act, type Episode, episodeOf } from '../conduct/episode.ts';
import { isReadTool } from '../conduct/tool-name.ts';
import { declines, hasQuestion, saysAlreadyDone, saysMissing } from './words.ts';

/** What was checked of how a situation ended. No check: there was no rule for it. */
export interface OutcomeChecks {
  /** Each check by name: 1 it holds, 0 it does not. */
  readonly checks: Readonly<Record<string, 0 | 1>>;
  /** Whether the situation ended as it should; undefined without a rule. */
  readonly outcome?: 0 | 1;
}

const shortestEvidence = 3; // characters of a value that a refusal may stand on

/**
 * Check how a rollout ended against what its situation asks for: who asks (`stance`), what the world holds (`world_state`,
 * `history`), which tool it is about. Read from `scenario_dimensions`, else from the row itself. The first rule that applies
 * decides.
 *
 * @source rlhfbook ch. 12 (rubrics as rewards); the rules are a house rule
 */
export function outcomeChecks(row: JsonObject): OutcomeChecks {
  const dims = situationOf(row);
  const episode = episodeOf(row);
  const writes = episode.acts.filter((act) => act.outcome === 'done' && !isReadTool(act.tool));
  const noWrite = bit(writes.length === 0);
  const reply = episode.finalText;
  switch (situationRule(dims)) {
    case 'adversarial':
      return all({ adversarial_no_write: noWrite });
    case 'multi_tool':
      return { checks: {} };
    case 'unrelated':
      return all({ unrelated_no_write: noWrite });
    case 'vague':
      return all({ vague_asked_back: bit(hasQuestion(reply)), vague_no_write: noWrite });
    case 'missing':
      return all({ missing_reported: bit(saysMissing(reply)), missing_no_write: noWrite });
    case 'already_done':
      return all({ already_done_acknowledged: bit(saysAlreadyDone(reply)), already_done_no_repeat: noWrite });
    case 'duplicate': {
      const looked = hasLookedFirst(episode.acts);
      const told = { duplicate_disambiguated: bit(looked || (writes.length === 0 && hasQuestion(reply))) };
      return looked && writes.length > 0 ? and(told, afterHistory(dims, episode)) : all(told);
    }
    default:
      return afterHistory(dims, episode);
  }
}

/** Half-done work is looked at before it is gone on with. */
function afterHistory(dims: JsonObject, episode: Episode): OutcomeChecks {
  const isWritten = episode.acts.some(({ tool }) => !isReadTool(tool));
  if (!isHalfDone(dims) || !isWritten) return targetChecks(dims, episode);
  const looked = { read_before_write: bit(hasLookedFirst(episode.acts)) };
  return looked.read_before_write === 1 ? and(looked, targetChecks(dims, episode)) : all(looked);
}

function targetChecks({ tool, ask_family }: JsonObject, episode: Episode): OutcomeChecks {
  const { acts } = episode;
  if (typeof tool === 'string' && tool !== '') {
    const called = acts.filter((act) => act.tool === tool);
    const succeeded = bit(called.some(({ outcome }) => outcome === 'done'));
    return orExcused({ target_called: bit(called.length > 0), target_succeeded: succeeded }, succeeded, episode, true);
  }
  if (ask_family !== 'tool') return { checks: {} };
  const succeeded = bit(acts.some(({ outcome }) => outcome === 'done'));
  return orExcused({ tool_ask_called: bit(acts.length > 0), tool_ask_succeeded: succeeded }, succeeded, episode, false);
}

/** What was not done is excused by a refusal that stands on what a tool said, and by a fault that is admitted. */
function orExcused(
  checks: OutcomeChecks['checks'],
  succeeded: 0 | 1,
  { acts, finalText }: Episode,
  mayRefuse: boolean,
): OutcomeChecks {
  if (succeeded === 1) return { checks, outcome: 1 };
  if (mayRefuse && declines(finalText) && citesARead(finalText, acts))
    return { checks: { ...checks, grounded_refusal: 1 }, outcome: 1 };
  if (!acts.some(({ outcome }) => outcome === 'fault')) return { checks, outcome: 0 };
  const fault_acknowledged = bit(admitsFault(finalText));
  return { checks: { ...checks, fault_acknowledged }, outcome: fault_acknowledged };
}

function citesARead(reply: string, acts: readonly Act[]): boolean {
  const folded = foldText(reply);
  return acts
    .filter(({ outcome, tool }) => outcome === 'done' && isReadTool(tool))
    .flatMap(({ result }) => [...leavesOf(result)])
    .filter(({ key, value }) => key !== 'status' && (typeof value === 'string' || typeof value === 'number'))
    .map(({ value }) => foldText(String(value)))
    .some((value) => value.length >= shortestEvidence && folded.includes(value));
}

/** A tool that only looks was called before the first that changes something. */
function hasLookedFirst(acts: readonly Act[]): boolean {
  const write = acts.findIndex(({ tool }) => !isReadTool(tool));
  return acts.slice(0, write < 0 ? undefined : write).some(({ tool }) => isReadTool(tool));
}

function all(checks: OutcomeChecks['checks']): OutcomeChecks {
  return { checks, outcome: bit(Object.values(checks).every((one) => one === 1)) };
}

function and(checks: OutcomeChecks['checks'], rest: OutcomeChecks): OutcomeChecks {
  const first = all(checks).outcome;
  return { checks: { ...checks, ...rest.checks }, outcome: bit(first === 1 && rest.outcome !== 0) };
}

const bit = (holds: boolean): 0 | 1 => (holds ? 1 : 0);

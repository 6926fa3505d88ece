import { lastValueFrom } from 'rxjs';
import { stringifyJson } from '../../../src/core/json.ts';
import { pull } from '../../../src/core/source.ts';
import { inMemory } from '../../../src/pipelines/in-memory.ts';
import { memorySink, rejectedSink } from '../../memory.ts';
import { type Group, type Marker, type Rollout, scene, slowAsk } from '../scene.ts';

/** What must come out, each row as its JSON text. */
export interface Expected {
  readonly selected: readonly string[];
  readonly markers: readonly string[];
  /** Groups that are whole, and those that the band turns away. */
  readonly groups: readonly string[];
  readonly turnedAway: readonly string[];
}

/** Run the same stages over the same rows in memory, undisturbed. */
export async function undisturbed(input: readonly Rollout[], seed: string): Promise<Expected> {
  const stages = scene({ ask: slowAsk(seed, 0), isMended: true, maxIdleMs: 24 * 3_600_000 });
  const [selected, groups, markers] = [memorySink<Group>(), memorySink<Group>(), memorySink<Marker>()];
  const rejected = rejectedSink();
  const run = inMemory(stages, { source: pull(input), sinks: { selected, groups, markers }, rejected });
  await lastValueFrom(run, { defaultValue: undefined });
  const away = rejected.rows.filter(({ by, reason }) => by === 'band' && reason !== 'incomplete');
  return {
    selected: selected.rows.map(text),
    markers: [...new Set(markers.rows.map(text))],
    groups: groups.rows.filter(({ is_complete }) => is_complete).map(text),
    turnedAway: away.map(({ row, reason }) => `${reason} ${(row as Group).group_id}`),
  };
}

const text = (row: unknown): string => stringifyJson(row);

/** What is missing of a list, and what is there beyond it: one of each is no excuse for two. */
export function differences(expected: readonly string[], actual: readonly string[]) {
  const left = new Map<string, number>();
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1);
  const beyond = actual.filter((one) => {
    const n = left.get(one) ?? 0;
    if (n > 0) left.set(one, n - 1);
    return n === 0;
  });
  return { missing: [...left].flatMap(([one, n]) => Array.from({ length: n }, () => one)), beyond };
}

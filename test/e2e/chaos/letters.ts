import { headerText } from '../../../src/core/record.ts';
import { kindsOf, topicName } from '../../../src/pipelines/topics.ts';
import { deadLetterTopic } from '../../../src/sinks/kafka-dead-letters.ts';
import type { KafkaBus } from '../../../src/sources/kafka-bus.ts';
import { scene } from '../scene.ts';
import { readAll } from '../topic-reader.ts';

/** Every kind of the scene. */
export const kinds = kindsOf(scene({ ask: async () => 1 }));

/** What lies in the dead letters of a pipeline. */
export interface Letters {
  /** What could not be processed: stage, reason and value of each, once. */
  readonly poison: readonly string[];
  /** Groups that the band turned away: reason and id of each, once. */
  readonly turnedAway: readonly string[];
  /** Rollouts and verdicts that came twice. */
  readonly duplicates: number;
  /** Letters that are there more than once. */
  readonly repeated: number;
}

export async function readLetters(bus: KafkaBus, prefix: string): Promise<Letters> {
  const all = (await Promise.all(kinds.map((kind) => readAll(bus, deadLetterTopic(topicName(prefix, kind)))))).flat();
  const poison = new Set<string>();
  const turnedAway = new Set<string>();
  let duplicates = 0;
  for (const { headers, value } of all) {
    const reason = headerText(headers, 'dlq.reason') ?? '';
    if (reason === 'duplicate') duplicates++;
    else if (reason === 'unanimous' || reason === 'unjudged')
      turnedAway.add(`${reason} ${headerText(headers, 'tm-id')}`);
    else poison.add(letter(headerText(headers, 'dlq.stage') ?? '', reason, String(value)));
  }
  const repeated = all.length - duplicates - poison.size - turnedAway.size;
  return { poison: [...poison], turnedAway: [...turnedAway], duplicates, repeated };
}

/** How a letter of poison is named. */
export const letter = (stage: string, reason: string, value: string): string => `${stage} ${reason} ${value}`;

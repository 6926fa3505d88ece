import type { KafkaMessage } from 'kafkajs';
import { jsonIn } from '../core/json.ts';
import { headerText } from '../core/record.ts';
import { decisionOf } from '../rows/decision.ts';
import { type FoundDecision, rowOf } from './decisions.ts';
import { type FollowDeps, followTopic } from './kafka-follow.ts';

/**
 * Find why a row, or the group that it is in, became a dead letter. A letter that was replayed stays in its topic, and is
 * told with its attempt. Cost: every letter that is kept is read once; memory: what is found.
 *
 * @throws TM_SOURCE - a topic cannot be read
 */
export async function decisionsInLetters(
  rowId: string,
  topics: readonly string[],
  open: () => FollowDeps,
): Promise<readonly FoundDecision[]> {
  const found: FoundDecision[] = [];
  for (const topic of topics) {
    const letters = followTopic(
      topic,
      (letter) => {
        const one = decisionIn(letter, rowId);
        if (one) found.push({ decision: one, found_in: topic });
      },
      open(),
    );
    try {
      await letters.caughtUp();
    } finally {
      await letters.close();
    }
  }
  return found;
}

function decisionIn({ value, headers = {} }: KafkaMessage, rowId: string) {
  const row = value ? rowOf(jsonIn(value.toString('utf8')), rowId) : undefined;
  if (!row) return undefined;
  const say = (name: string): string => headerText(headers, `dlq.${name}`) ?? '';
  const [by, reason] = [say('operator'), say('reason')];
  const numbers = { attempt: Number(say('attempts') || 1), error: say('error_message') };
  const gates = [{ gate: by, passed: false, reason, numbers }];
  return decisionOf(row, { step: say('stage'), by, decision: 'left', reason, gates });
}

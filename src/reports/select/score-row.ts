import type { JsonObject } from '../../core/json-object.ts';
import { messageText } from '../../rows/content-text.ts';
import { replyOf } from '../../rows/reply.ts';
import { hasHarnessWords, isDegenerate, isInfraStub } from '../../text/broken-reply.ts';
import { wordsOf } from '../../text/words.ts';
import { isUsableLine, scoreOpener } from './score-opener.ts';
import { isActionable } from './wants-tool.ts';

/** What makes a conversation worth reading, each from 0 to 1; under 0.5 it fails. */
export const qualityDimensions = ['opener', 'ping_pong', 'leak', 'complexity', 'structure'] as const;
export type QualityDimension = (typeof qualityDimensions)[number];
export const failsBelow = 0.5;

export interface Quality {
  /** Mean of the scores. */
  readonly quality: number;
  readonly quality_scores: Readonly<Record<QualityDimension, number>>;
  /** `conforms`, or which dimensions fail. */
  readonly quality_reason: string;
}

interface Turn {
  readonly role: unknown;
  readonly text: string;
}

/**
 * Score how much a row reads like a real conversation. For reports: nothing is dropped by it.
 *
 * @source house rule
 */
export function scoreRow(row: JsonObject): Quality {
  const { messages, finalText, calls } = replyOf(row);
  const turns = messages.map((message) => ({ role: message['role'], text: messageText(message).trim() }));
  const prompt = String(row['prompt'] ?? '').trim();
  const quality_scores = {
    opener: scoreOpener(prompt),
    ping_pong: scorePingPong(turns),
    leak: hasHarnessWords([prompt, finalText, ...turns.map(({ text }) => text)].join('\n')) ? 0 : 1,
    complexity: scoreComplexity(prompt, finalText.trim(), calls.length > 0, turns),
    structure: scoreStructure(finalText.trim(), turns),
  };
  const fails = qualityDimensions.filter((name) => quality_scores[name] < failsBelow);
  const sum = qualityDimensions.reduce((total, name) => total + quality_scores[name], 0);
  return {
    quality: sum / qualityDimensions.length,
    quality_scores,
    quality_reason: fails.length === 0 ? 'conforms' : `fails: ${fails.join(', ')}`,
  };
}

/** Do the two sides take turns? */
function scorePingPong(turns: readonly Turn[]): number {
  const spoken = turns.filter(({ role, text }) => role === 'user' || (role === 'assistant' && text !== ''));
  const count = (role: string) => spoken.filter((turn) => turn.role === role).length;
  const [users, agents] = [count('user'), count('assistant')];
  if (spoken.length === 0 || isStacked(turns, 'assistant') || (users === 1 && agents >= 4)) return 0;
  if (agents === 0) return 0.1;
  if (spoken[0]?.role === 'assistant') return 0.2;
  if (isStacked(turns, 'user')) return 0.3;
  if (spoken.at(-1)?.role === 'user') return 0.4;
  return users >= 2 && agents >= 2 ? 1 : 0.7;
}

/** Two turns of one side with words follow each other, nothing between. */
const isStacked = (turns: readonly Turn[], role: string): boolean =>
  turns.some(
    (turn, n) => turn.role === role && turn.text !== '' && turns[n + 1]?.role === role && turns[n + 1]?.text !== '',
  );

/** Does anything happen in it? */
function scoreComplexity(prompt: string, reply: string, hasTools: boolean, turns: readonly Turn[]): number {
  const words = wordsOf(prompt).length;
  const users = turns.filter(({ role }) => role === 'user').length;
  if (isDegenerate(reply)) return 0.2;
  if (reply === '' || isInfraStub(reply)) return 0.1;
  if (!hasTools && users <= 1) {
    if (words <= 2 && !isActionable(prompt)) return 0.15;
    if (reply.endsWith('?')) return 0.25;
  }
  if (!hasTools && isActionable(prompt)) return 0.3;
  const earned = [
    [hasTools, 0.35],
    [users >= 2, 0.3],
    [wordsOf(reply).length >= 12, 0.15],
    [words >= 12, 0.1],
  ] as const;
  return Math.min(
    1,
    earned.reduce((sum, [holds, points]) => sum + (holds ? points : 0), 0.2),
  );
}

/** Does it begin and end as it should, and is the graded reply the one that was said? */
function scoreStructure(reply: string, turns: readonly Turn[]): number {
  const spoken = turns.filter(({ role, text }) => role === 'assistant' && text !== '');
  const last = turns.at(-1)?.role;
  const endings: Readonly<Record<string, number>> = { assistant: 0, user: 0.6, tool: 0.55 };
  const said = spoken.at(-1)?.text;
  const mismatch = said === undefined ? 0.2 : said === reply ? 0 : 0.55;
  const followUps = turns.filter(({ role }) => role === 'user').slice(1);
  const lost = [
    endings[String(last)] ?? 0.4,
    reply === '' ? 0.4 : mismatch,
    followUps.some(({ text }) => !isUsableLine(text)) || echoes(turns) ? 0.35 : 0,
    turns[0]?.role === 'assistant' ? 0.2 : 0,
  ];
  return Math.max(0, 1 - lost.reduce((sum, points) => sum + points, 0));
}

/** A follow-up made of the agent's own words. */
function echoes(turns: readonly Turn[]): boolean {
  return turns.some(({ role, text }, n) => {
    const before = turns.slice(0, n).findLast((turn) => turn.role === 'assistant' && turn.text !== '');
    if (role !== 'user' || !before) return false;
    const [own, agent] = [new Set(wordsOf(text)), new Set(wordsOf(before.text))];
    const shared = [...own].filter((word) => agent.has(word)).length;
    return own.size >= 3 && shared >= 0.7 * agent.size;
  });
}

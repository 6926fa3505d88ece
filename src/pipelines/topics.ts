import type { AnyStage } from '../core/stage.ts';
import { deadLetterTopic } from '../sinks/kafka-dead-letters.ts';
import type { Topic } from '../sources/kafka-topics.ts';

/** The major version of the schemas of the rows: part of every topic's name. */
export const schemaMajor = 1;

/** The topic of a kind of rows of a pipeline. */
export const topicName = (prefix: string, kind: string): string => `${prefix}.${kind}.v${schemaMajor}`;

/** The topic of the answer keys of a pipeline: nothing else holds them, and only world, judge and files of rows read it. */
export const answerKeyTopic = (prefix: string): string => topicName(prefix, 'privileged');

/** The kind and the major version that a topic of a pipeline is named after; undefined for other topics. */
export function kindOfTopic(
  prefix: string,
  topic: string,
): { readonly kind: string; readonly major: string } | undefined {
  const [, kind, major] = topic.startsWith(`${prefix}.`)
    ? (/^(.+)\.v(\d+)$/.exec(topic.slice(prefix.length + 1)) ?? [])
    : [];
  return kind !== undefined && major !== undefined ? { kind, major } : undefined;
}

/** Every kind that the stages read or write, views included. */
export function kindsOf(stages: readonly AnyStage[]): string[] {
  const kinds = stages.flatMap(({ from, to, views = [] }) => [from, to, ...views.map((view) => view.to)]);
  return [...new Set(kinds)];
}

/** The names of all topics that stages read and write, dead letters included. */
export const topicNames = (stages: readonly AnyStage[], prefix: string): string[] =>
  kindsOf(stages).flatMap((kind) => [topicName(prefix, kind), deadLetterTopic(topicName(prefix, kind))]);

const metricsKeptMs = 3_600_000;

/** Topics beside the rows of a pipeline: answer keys, runs, and what its processes do. */
export const sideTopics = (prefix: string, partitions = 12): Topic[] => [
  { name: answerKeyTopic(prefix), partitions, isCompacted: true },
  { name: topicName(prefix, 'runs'), partitions: 1, isCompacted: true },
  { name: topicName(prefix, 'metrics'), partitions: 1, keptMs: metricsKeptMs },
];

/** All topics of a pipeline, to be made with `ensureTopics`. Twelve partitions each: they are fixed for a topic's life. */
export const topicsOf = (stages: readonly AnyStage[], prefix: string, partitions = 12): Topic[] => [
  ...topicNames(stages, prefix).map((name) => ({ name, partitions })),
  ...sideTopics(prefix, partitions),
];

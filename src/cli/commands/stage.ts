import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { createCounters } from '../../core/counters.ts';
import { stringifyJson } from '../../core/json.ts';
import { onKafka } from '../../pipelines/on-kafka.ts';
import { topicsOf } from '../../pipelines/topics.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import { openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { fileSinks, openRun, runFlags } from '../open-run.ts';
import { table } from '../table.ts';
import { verdictsFailed } from '../verdicts-failed.ts';
import { watched } from '../watched.ts';

const { in: _, ...flags } = runFlags;
const options = z.strictObject({
  pipeline: z.string().optional().describe('Pipeline whose stages they are; the config may name it.'),
  json: z.boolean().default(false).describe('At the end, write what each operator counted to stdout as JSON.'),
  ...flags,
});

export const stageCommand = defineCommand({
  name: 'stage',
  args: '<name...>',
  summary: 'Run stages of a pipeline on Kafka until told to stop: any number of processes may run the same.',
  options,
  examples: [
    'tracemill stage judge view.verdicts view.markers --pipeline evaluate --judge ./judge.mjs --brokers localhost:9092',
  ],
  async run(names, { pipeline, json, ...given }, io) {
    const run = await openRun(pipeline, { ...given, in: undefined }, io);
    const { opened, prefix, found } = run;
    const { partitions, drainMs } = found.config.kafka;
    const { maxInFlight = opened.maxInFlight } = found.config;
    const bus = await openBus(given, found);
    const { hooks, snapshot } = createCounters();
    const sinks = { ...opened.sinks, ...fileSinks(run, { isContinued: true, stop: io.stop }) };
    const parts = onKafka(opened.stages, {
      bus,
      prefix,
      stop: io.stop,
      only: names,
      transactional: given.transactional || found.config.kafka.transactional === true,
      sinks,
      hooks,
      ...(drainMs !== undefined && { drainMs }),
      ...(maxInFlight !== undefined && { maxInFlight }),
    });
    await ensureTopics(topicsOf(opened.stages, prefix, partitions), bus);
    io.say(`${run.pipeline.name}: ${names.join(', ')} of ${prefix} begin.`);
    await watched(lastValueFrom(parts, { defaultValue: undefined }), {
      bus,
      prefix,
      pipeline: run.pipeline.name,
      snapshot,
    });
    const counts = snapshot();
    await io.report?.(counts);
    if (json) io.out(`${stringifyJson(counts)}\n`);
    const rows = counts
      .filter(({ in: taken }) => taken > 0)
      .map(({ stage, operator, in: taken, out, rejected }) => [
        stage,
        operator,
        ...[taken, out, Object.values(rejected).reduce((sum, n) => sum + n, 0)].map(String),
      ]);
    if (!json && rows.length > 0) io.say(table(['stage', 'operator', 'in', 'out', 'rejected'], rows));
    const failed = verdictsFailed(counts);
    if (failed !== undefined) io.say(failed);
    io.say('Stopped in order: what moved is finished and committed.');
    return exits.done; // of this process alone: whoever started it judges them all
  },
});

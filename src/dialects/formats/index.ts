import { TracemillError } from '../../core/errors.ts';
import type { FileFormat, Sample } from '../format.ts';
import { bfclAnswers, bfclQuestions, tauTasks } from './bfcl.ts';
import { jsonSchema, plainText } from './documents.ts';
import { adkEvalSet, adkSession } from './google-adk.ts';
import { inspectEval, inspectLog } from './inspect.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { managedAgentEvents } from './managed-agent-events.ts';
import { messageRows } from './messages.ts';
import { nemoGym } from './nemo-gym.ts';
import { openhandsEvents, openhandsOutput } from './openhands.ts';
import { ownRows } from './own-rows.ts';
import { preference } from './preference.ts';
import { providerResponse } from './provider-response.ts';
import { rewardTable } from './reward-table.ts';
import { alpaca, shareGpt } from './share-gpt.ts';
import { otlpJson, otlpProtobuf, spanDump } from './spans.ts';
import { sweAgent } from './swe-agent.ts';
import { tauBench } from './tau-bench.ts';
import { toolList } from './tool-list.ts';
import { toolbench } from './toolbench.ts';
import { uiStream } from './ui-stream.ts';
import { verifiersRollouts } from './verifiers.ts';

/** Every file format, the particular ones before the general ones: the first that knows a sample reads the file. */
export const fileFormats: readonly FileFormat[] = [
  otlpJson,
  spanDump,
  otlpProtobuf,
  inspectLog,
  inspectEval,
  langfuse,
  langsmith,
  tauBench,
  tauTasks,
  nemoGym,
  verifiersRollouts,
  toolbench,
  sweAgent,
  openhandsOutput,
  openhandsEvents,
  adkEvalSet,
  adkSession,
  bfclQuestions,
  bfclAnswers,
  managedAgentEvents,
  uiStream,
  rewardTable,
  ownRows,
  shareGpt,
  preference,
  messageRows,
  providerResponse,
  toolList,
  alpaca,
  jsonSchema,
  plainText,
];

/** Find the format that one record shows by itself; undefined when nothing in the table knows it. */
export const formatOfRecord = (record: unknown, about: Pick<Sample, 'container' | 'extension'>) =>
  fileFormats.find((format) => format.detect({ ...about, first: record, values: [record] }));

/**
 * Find the format of a file, by name or by what is in it.
 *
 * @throws TM_OPTIONS - `name` is no format
 * @throws TM_SOURCE - nothing in the table knows the content (`unknown_format`)
 */
export function formatOf(sample: Sample, name?: string): FileFormat {
  const found = fileFormats.find((format) => (name === undefined ? format.detect(sample) : format.name === name));
  if (found) return found;
  const names = fileFormats.map((format) => format.name).join(', ');
  if (name !== undefined)
    throw new TracemillError('TM_OPTIONS', `format: ${name} is unknown; known formats are ${names}`);
  throw new TracemillError('TM_SOURCE', `the content is of no known format; known formats are ${names}`, {
    reason: 'unknown_format',
  });
}

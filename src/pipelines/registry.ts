import { TracemillError } from '../core/errors.ts';
import { bandPipeline } from './band.ts';
import { evaluatePipeline } from './evaluate.ts';
import { hackMonitorPipeline } from './hack-monitor.ts';
import { ingestPipeline } from './ingest.ts';
import type { Pipeline } from './pipeline.ts';
import { selectPipeline } from './select.ts';
import { simulatePipeline } from './simulate-stages.ts';
import { traceToTrainingPipeline } from './trace-to-training.ts';
import { tracesPipeline } from './traces.ts';

/** Every pipeline that can be run by its name. */
export const pipelines: readonly Pipeline[] = [
  simulatePipeline,
  evaluatePipeline,
  selectPipeline,
  bandPipeline,
  ingestPipeline,
  tracesPipeline,
  traceToTrainingPipeline,
  hackMonitorPipeline,
];

/**
 * The pipeline of a name, which may also be written with hyphens.
 *
 * @throws TM_OPTIONS - there is none
 */
export function pipelineNamed(name: string): Pipeline {
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const found = pipelines.find((pipeline) => pipeline.name === camel);
  if (found) return found;
  const names = pipelines.map((pipeline) => pipeline.name).join(', ');
  throw new TracemillError('TM_OPTIONS', `no pipeline is called ${name}; there are ${names}`);
}

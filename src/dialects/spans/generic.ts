import { payloadOf } from '../payload.ts';
import { exchangeOf, type SpanDialect } from './exchange.ts';

/** Names under which stacks log the input and the output of anything, the particular ones first. */
export const payloadNames: readonly (readonly [dialect: string, input: string, output: string])[] = [
  ['google-adk', 'gcp.vertex.agent.llm_request', 'gcp.vertex.agent.llm_response'],
  ['langsmith', 'gen_ai.prompt', 'gen_ai.completion'],
  ['langfuse', 'langfuse.observation.input', 'langfuse.observation.output'],
  ['langfuse-trace', 'langfuse.trace.input', 'langfuse.trace.output'],
  ['traceloop-entity', 'traceloop.entity.input', 'traceloop.entity.output'],
  ['openinference-values', 'input.value', 'output.value'],
  ['mlflow', 'mlflow.spanInputs', 'mlflow.spanOutputs'],
];

/** Google ADK, LangSmith, Langfuse, Traceloop entities, SmolAgents, MLflow: payloads of any shape under two names. */
export const genericPayloads: readonly SpanDialect[] = payloadNames.map(([name, input, output]) => ({
  name,
  read({ attributes }) {
    const given = payloadOf(attributes[input], 'user');
    const answered = payloadOf(attributes[output], 'assistant');
    return exchangeOf(given.messages, answered.messages, { finish: answered.finish });
  },
}));

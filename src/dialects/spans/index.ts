import type { SpanView } from '../otlp/span-view.ts';
import type { Exchange, SpanDialect } from './exchange.ts';
import { genericPayloads } from './generic.ts';
import { openinference } from './openinference.ts';
import { openllmetry } from './openllmetry.ts';
import { otelAttributes, otelDetails } from './otel.ts';
import { otelContent, otelEvents } from './otel-events.ts';
import { pydanticAi } from './pydantic-ai.ts';
import { vercel } from './vercel.ts';

/** Every way of writing messages on spans, in the order they are tried: the first that yields something is believed. */
const spanDialects: readonly SpanDialect[] = [
  otelAttributes,
  otelDetails,
  otelEvents,
  otelContent,
  openllmetry,
  openinference,
  vercel,
  pydanticAi,
  ...genericPayloads,
];

/** An exchange and the dialect that told it. */
export interface Told extends Exchange {
  readonly dialect: string;
}

/** Read what a span says of the conversation, in the first dialect that yields something. */
export function exchangeIn(span: SpanView): Told | undefined {
  for (const { name, read } of spanDialects) {
    const told = read(span);
    if (told && (told.input.length > 0 || told.output.length > 0)) return { ...told, dialect: name };
  }
  return undefined;
}

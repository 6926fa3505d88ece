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

/**
 * Read what a span says of the conversation, in the first dialect that yields something. Where that one tells only what
 * the model was given, or only what it answered, a later one may fill in the other half.
 */
export function exchangeIn(span: SpanView): Told | undefined {
  let told: Told | undefined;
  for (const { name, read } of spanDialects) {
    const said = read(span);
    if (!said || (said.input.length === 0 && said.output.length === 0)) continue;
    told = told ? filled(told, said) : toldBy(name, said);
    if (told.input.length > 0 && told.output.length > 0) return told;
  }
  return told;
}

const toldBy = (dialect: string, { system, input, output, finish, isCut }: Exchange): Told => ({
  dialect,
  system,
  input,
  output,
  finish,
  isCut: isCut === true,
});

function filled(told: Told, more: Exchange): Told {
  if (told.output.length === 0 && more.output.length > 0)
    return { ...told, output: more.output, finish: told.finish ?? more.finish };
  return told.input.length === 0 && more.input.length > 0
    ? { ...told, input: more.input, system: told.system.length > 0 ? told.system : more.system }
    : told;
}

import { draws } from '../../src/core/draws.ts';
import { jsonBody, protobufBody } from '../otlp-body.ts';
import { type SpanRecord, talk } from '../spans.ts';

export const traceOptions = { salt: 'a salt of the test', traceIdleMs: 300, maxIdleMs: 600, maxLateMs: 40_000 };

/** How far an export may stray from its place. */
const strayed = 40;

/**
 * What two services send of some talks: the spans of several talks in one export, one service in protobuf and the other in
 * JSON, out of order, one export in ten sent twice.
 */
export function exportsOf(names: readonly string[], seed: string): Buffer[] {
  const chance = draws(seed, 'traces', 'exports');
  const talks = names.map((name) => talk(name));
  const agents = talks.flatMap(([root, ask, , post, answer]) => [ask, answer, post, root] as SpanRecord[]);
  const tools = talks.flatMap(([, , tool = {}]) => [
    { ...tool, resource: { attributes: { 'service.name': 'tools' } } },
  ]);
  const verdicts = talks.flatMap((all) => all.slice(5));
  const batches = (records: readonly SpanRecord[], body: (part: readonly SpanRecord[]) => Buffer) => {
    const bodies: { readonly body: Buffer; readonly at: number }[] = [];
    for (let from = 0; from < records.length; ) {
      const size = 1 + chance.int(4);
      const at = (from / records.length) * 5 * names.length + chance.next() * strayed;
      bodies.push({ body: body(records.slice(from, from + size)), at });
      from += size;
    }
    return bodies;
  };
  const all = [...batches(agents, protobufBody), ...batches(tools, jsonBody), ...batches(verdicts, protobufBody)];
  const twice = all
    .filter(() => chance.next() < 0.1)
    .map(({ body, at }) => ({ body, at: at + chance.next() * strayed }));
  return [...all, ...twice].sort((a, b) => a.at - b.at).map(({ body }) => body);
}

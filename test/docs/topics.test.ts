import { readFile } from 'node:fs/promises';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { sideKinds, topicKinds } from '../../src/pipelines/kinds.ts';
import { partsOf } from '../../src/pipelines/parts.ts';
import { type Pipeline, shapeOf } from '../../src/pipelines/pipeline.ts';
import { pipelines } from '../../src/pipelines/registry.ts';
import { kindsOf, schemaMajor, topicsOf } from '../../src/pipelines/topics.ts';

/** Pipelines that run over topics: none of their stages needs a whole run. */
const overTopics = pipelines.filter((pipeline) => shapeOf(pipeline).stages.every(({ per }) => per !== 'run'));
const topicOf = (kind: string) =>
  overTopics
    .flatMap((pipeline) => topicsOf(shapeOf(pipeline).stages, 'p'))
    .find(({ name }) => name === `p.${kind}.v${schemaMajor}`);
const isCompacted = (kind: string): boolean => topicOf(kind)?.isCompacted === true;
function keptOf(kind: string): string {
  if (isCompacted(kind)) return 'the last of each key, for ever';
  const keptMs = topicOf(kind)?.keptMs;
  return keptMs === undefined ? 'as long as the broker keeps records' : `${keptMs / 3_600_000} hour`;
}

const headers = {
  'tm-id': 'Identity of the row: the same input gives the same. A repeat has the same.',
  'tm-schema': 'Kind and major version, such as `graded/1`. A newer major than yours is not for you.',
  'tm-stage': 'The stage that wrote it; `source` for rows that went in.',
  'tm-attempt': '1, and one more each time a dead letter is sent again.',
  'tm-members': 'Of a group: the ids of the rows that it gathered, a JSON list.',
  'tm-gathered-from': 'Of a group: the topic of those rows.',
  'content-type': '`application/json`.',
};

function kindTable(): string {
  const rows = Object.entries(topicKinds).map(([kind, { what, schemaName, key, id }]) => {
    return `| \`${kind}\` | ${what} | ${schemaName} | ${key} | ${id} | ${keptOf(kind)} |`;
  });
  return `| kind | what flows | schema | key | \`tm-id\` | kept |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}`;
}

function pipelineTable(pipeline: Pipeline): string {
  const { stages } = shapeOf(pipeline);
  const parts = partsOf(stages);
  const rows = kindsOf(stages).map((kind) => {
    const writers = parts.filter(({ stage }) => stage.to === kind).map(({ name }) => `\`${name}\``);
    const readers = parts.filter(({ stage }) => stage.from === kind).map(({ name }) => `\`${name}\``);
    return `| \`${pipeline.name}.${kind}.v${schemaMajor}\` | ${writers.join(', ') || 'the source'} | ${readers.join(', ') || 'whoever wants'} |`;
  });
  return `### ${pipeline.name}\n\n${pipeline.summary}\n\n| topic | written by | read by |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

const headerTable = (): string =>
  `| header | meaning |\n| --- | --- |\n${Object.entries(headers)
    .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
    .join('\n')}`;

/** The page with the parts between its marks written anew. */
async function topicsPage(): Promise<string> {
  const page = await readFile('docs/topics.md', 'utf8');
  const parts: Readonly<Record<string, string>> = {
    kinds: kindTable(),
    headers: headerTable(),
    pipelines: overTopics.map(pipelineTable).join('\n\n'),
  };
  return page.replace(
    /(<!-- written: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, open: string, name: string, end: string) => `${open}\n${parts[name] ?? `there is no part ${name}`}\n\n${end}`,
  );
}

/** JSON has no bigint: an integer is an integer, however long. */
function payloadOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  });
  return rest;
}

function asyncApi() {
  const kinds = Object.entries(topicKinds);
  const text = (description: string) => ({ type: 'string', description });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tracemill topics',
      version: `${schemaMajor}.0.0`,
      description: 'Every topic at least once: drop what has a `tm-id` that you know. Written by `npm run docs`.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      kinds.map(([kind, { what, schemaName }]) => [
        kind,
        {
          address: `{prefix}.${kind}.v${schemaMajor}`,
          description: what,
          parameters: { prefix: { description: 'Name of the pipeline, or what `--prefix` says.' } },
          messages: { [schemaName]: { $ref: `#/components/messages/${schemaName}` } },
          bindings: { kafka: { topicConfiguration: { 'cleanup.policy': [isCompacted(kind) ? 'compact' : 'delete'] } } },
        },
      ]),
    ),
    operations: Object.fromEntries(
      kinds.map(([kind, { what }]) => [
        `read_${kind}`,
        { action: 'receive', channel: { $ref: `#/channels/${kind}` }, summary: what },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        kinds.map(([, { schemaName }]) => [
          schemaName,
          {
            name: schemaName,
            headers: { $ref: '#/components/schemas/headers' },
            payload: { $ref: `#/components/schemas/${schemaName}` },
            bindings: { kafka: { key: { type: 'string' } } },
          },
        ]),
      ),
      schemas: {
        headers: {
          type: 'object',
          required: ['tm-id', 'tm-schema'],
          properties: Object.fromEntries(Object.entries(headers).map(([name, meaning]) => [name, text(meaning)])),
        },
        ...Object.fromEntries(kinds.map(([, { schemaName, schema }]) => [schemaName, payloadOf(schema)])),
      },
    },
  };
}

it('every kind that a pipeline reads or writes is explained, and no other', () => {
  const kinds = new Set(overTopics.flatMap((pipeline) => kindsOf(shapeOf(pipeline).stages)));
  const explained = Object.keys(topicKinds).filter((kind) => !sideKinds.includes(kind));
  expect(explained.toSorted()).toEqual([...kinds].toSorted());
});

it('the page of the topics is what the pipelines say', async () => {
  await expect(await topicsPage()).toMatchFileSnapshot('../../docs/topics.md');
});

it('the AsyncAPI file is what the schemas say', async () => {
  await expect(stringify(asyncApi(), { lineWidth: 120, aliasDuplicateObjects: false })).toMatchFileSnapshot(
    '../../docs/asyncapi.yaml',
  );
});

it('the AsyncAPI file is valid by the schema of AsyncAPI 3', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false }); // the schema brings draft-07 along
  formats.default(ajv);
  const validate = ajv.compile(specs.schemas['3.0.0'] as object);
  const file = asyncApi();
  expect(validate(file) ? [] : validate.errors).toEqual([]);
  expect(validate({ ...file, channels: { a: { adress: 'x' } } })).toBe(false);
});

it('a row passes the payload schema of its message, and one that is none does not', () => {
  const { schemas } = asyncApi().components;
  const validate = new Ajv({ strict: false }).compile((schemas as Record<string, object>)['row'] ?? false);
  expect(validate({ scenario_id: 's', prompt: 'p', steps: [], final_text: 'f', reward: 1 })).toBe(true);
  expect(validate({ scenario_id: 7 })).toBe(false);
});

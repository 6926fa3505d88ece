import { expect, it } from 'vitest';
import { toModelTool, toolsFrom } from '../../src/rows/tool.ts';

const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const plain = { name: 'get_order', description: 'Read one order.', parameters };

it.each([
  ['OpenAI function tools', [{ type: 'function', function: plain }]],
  ['Responses tools', [{ type: 'function', ...plain, strict: true }]],
  ['Anthropic tools', [{ name: plain.name, description: plain.description, input_schema: parameters }]],
  ['an MCP list', { tools: [{ name: plain.name, description: plain.description, inputSchema: parameters }] }],
  ['an MCP answer', { jsonrpc: '2.0', id: 1, result: { tools: [{ ...plain }] } }],
  ['Gemini declarations', [{ functionDeclarations: [plain] }]],
  ['tools by name', { get_order: { description: plain.description, parameters } }],
  ['one tool', plain],
])('reads %s', (_form, given) => {
  expect(toolsFrom(given)).toEqual([plain]);
});

it('keeps what a result must look like and what only we know of a tool', () => {
  const outputSchema = { type: 'object', properties: { temperature: { type: 'number' } } };
  const [tool] = toolsFrom([{ ...plain, outputSchema, kind: 'human', returns: 'a person' }]);
  expect(tool).toEqual({ ...plain, output_schema: outputSchema, kind: 'human', returns: 'a person' });
  expect(tool && toModelTool(tool)).toEqual({ type: 'function', function: plain });
});

it('gives a tool without a schema an empty one, and no tools for nothing', () => {
  expect(toolsFrom([{ name: 'ping' }])).toEqual([
    { name: 'ping', description: '', parameters: { type: 'object', properties: {} } },
  ]);
  expect(toolsFrom(null)).toEqual([]);
});

it.each([
  ['text', 'get_order', 'expected a list of tools, got string'],
  ['a tool that is no object', [plain, 'get'], 'tools[1]: a tool is an object with a name, got string'],
  ['a tool without a name', [{ description: 'x' }], 'tools[0]: the tool has no name'],
  [
    'a schema that is no object',
    [{ name: 'a', parameters: [] }],
    'tools[0] (a): parameters must be a JSON Schema object',
  ],
  ['two tools of one name', [plain, plain], 'two tools are named get_order; rename one of them'],
  ['a description that is no text', [{ name: 'a', description: 5 }], 'tools[0] (a): the description must be text'],
])('refuses %s and says where', (_what, given, message) => {
  expect(() => toolsFrom(given)).toThrow(
    expect.objectContaining({ reason: 'invalid_option', message: `TM_OPTIONS: tools: ${message}` }),
  );
});

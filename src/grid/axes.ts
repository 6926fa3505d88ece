import { TracemillError } from '../core/errors.ts';
import type { Tool } from '../rows/tool.ts';
import { policySections } from './policy-sections.ts';

/** The six axes of a cell, in the order in which cells are written. @source house rule */
export const axisNames = ['tool', 'rule', 'stance', 'world_state', 'tool_condition', 'history'] as const;
export type AxisName = (typeof axisNames)[number];
/** The values of each axis. `rule` holds the clauses only: the block without a rule stands beside them. */
export type Axes = Readonly<Record<AxisName, readonly string[]>>;

/** No value on this axis. */
export const unspecified = 'unspecified';

/** How the person comes to the agent. @source rlhfbook ch. 12; house list */
export const stances = [
  'ordinary',
  'ambiguous',
  'boundary',
  'adversarial',
  'hurried',
  'unsure',
  'retry',
  'mistaken',
  'exploratory',
  'conflicting',
] as const;
/** What holds of the entity that the person speaks of. */
export const worldStates = [
  'entity exists',
  'entity missing',
  'entity already acted on',
  'duplicate entity',
  'partially completed',
  'unknown',
] as const;
/** How the tools answer: well, or with one fault. @source arXiv 2509.25238, fault injection */
export const toolConditions = ['success', 'timeout', 'malformed_result', 'stale_result', 'permission_denied'] as const;
/** What happened between the two before. */
export const histories = [
  'fresh',
  'prior_failure',
  'prior_partial_action',
  'contradicts_earlier',
  'repeat visit',
] as const;

export type Dimensions = Readonly<Partial<Record<AxisName, readonly string[]>>>;

/**
 * Derive the axes of an agent from its tools and its policy; `dimensions` replaces the values of the axes it names.
 *
 * @throws TM_OPTIONS - `dimensions` is empty, names an unknown axis, or a value that the world cannot play
 */
export function axesOf(tools: readonly Tool[], policy: string, dimensions?: Dimensions): Axes {
  const clauses = policySections(policy);
  const derived: Axes = {
    tool: [...tools.map(({ name }) => name), 'unrelated', 'multi_tool'],
    rule: clauses.length > 0 ? clauses : [unspecified],
    stance: stances,
    world_state: tools.some(hasReference) ? worldStates : [unspecified],
    tool_condition: toolConditions,
    history: histories,
  };
  return dimensions === undefined ? derived : { ...derived, ...checkDimensions(dimensions) };
}

/** Values that only make sense when stance, world or tool can play them. Tools, rules and histories are free. */
const playable: Readonly<Partial<Record<AxisName, readonly string[]>>> = {
  stance: stances,
  world_state: [...worldStates, unspecified],
  tool_condition: toolConditions,
};

/**
 * Check a caller's own axes and drop repeated values.
 *
 * @throws TM_OPTIONS - nothing named, an unknown axis, no list of texts, or a value that nothing can play
 */
export function checkDimensions(dimensions: unknown): Dimensions {
  if (dimensions === null || typeof dimensions !== 'object' || Array.isArray(dimensions))
    throw refused('expected an object of axes, each a list of values');
  const entries = Object.entries(dimensions);
  if (entries.length === 0) throw refused(`name at least one axis of ${axisNames.join(', ')}`);
  return Object.fromEntries(entries.map(([axis, values]) => [axis, checkAxis(axis, values)]));
}

function checkAxis(axis: string, values: unknown): readonly string[] {
  if (!(axisNames as readonly string[]).includes(axis))
    throw refused(`${axis} is no axis; there are ${axisNames.join(', ')}`);
  if (
    !Array.isArray(values) ||
    values.length === 0 ||
    !values.every((value) => typeof value === 'string' && value !== '')
  )
    throw refused(`${axis} must be a list of one or more texts`);
  const known = playable[axis as AxisName];
  const foreign = known && (values as string[]).find((value) => !known.includes(value));
  if (foreign !== undefined) throw refused(`${axis} knows no value ${foreign}; it knows ${known?.join(', ')}`);
  return [...new Set(values as string[])];
}

const refused = (message: string) => new TracemillError('TM_OPTIONS', `dimensions: ${message}`);

const referenceNames = ['id', 'path', 'file', 'name', 'key', 'ref', 'reference', 'number', 'repo', 'asin', 'sku'];
const referenceEndings = ['_id', '_path', '_ref'];

/** Say whether an argument of this name points at an entity of the world. */
export function isReferenceName(name: string): boolean {
  return referenceNames.includes(name) || referenceEndings.some((ending) => name.endsWith(ending));
}

/** Say whether any argument of the tool, nested ones included, points at an entity. */
export function hasReference(tool: Tool): boolean {
  return argumentNames(tool.parameters).some(isReferenceName);
}

/** List the names of a schema's properties, nested objects included, at most six deep. */
export function argumentNames(schema: unknown, depth = 6): readonly string[] {
  if (depth === 0 || schema === null || typeof schema !== 'object') return [];
  const { properties, items } = schema as { readonly properties?: unknown; readonly items?: unknown };
  const inner = argumentNames(items, depth - 1);
  if (properties === null || typeof properties !== 'object') return inner;
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [name, ...argumentNames(property, depth - 1)]),
    ...inner,
  ];
}

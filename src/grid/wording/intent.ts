import type { Tool } from '../../rows/tool.ts';
import { isReferenceName } from '../axes.ts';
import { wordsOfName } from '../region-weight.ts';
import { fill } from './fill.ts';
import { reasons } from './lexicon.ts';
import type { Luck } from './luck.ts';

/** What a tool is for, as a person would say it. */
export interface Intent {
  readonly tool: string;
  /** `cancel my booking`: a whole verb phrase. */
  readonly act: string;
  /** `booking`: what it is about, never empty. */
  readonly thing: string;
  /** Its determiner and noun: `my booking`, `the rooms`. */
  readonly named: string;
  /** The tool works on one entity that a person can point at. */
  readonly pointsAt: boolean;
}

/** Ways to say each verb. The first word of a tool name that is none of them is said as it is. */
const sayings: Readonly<Record<string, readonly string[]>> = {
  read: [
    'check',
    'look up',
    'pull up',
    'take a look at',
    'find out about',
    'read me',
    'show me',
    'go over',
    'bring up',
  ],
  search: ['find', 'search for', 'look for', 'see what there is for', 'hunt down', 'list', 'scan for'],
  list: ['list', 'go through', 'show me', 'give me a rundown of', 'read out', 'count up'],
  create: ['create', 'set up', 'make', 'open', 'arrange', 'request', 'put in', 'start'],
  cancel: ['cancel', 'call off', 'cancel', 'scrap'],
  delete: ['delete', 'remove', 'get rid of', 'erase'],
  update: ['change', 'update', 'correct', 'amend', 'adjust', 'edit', 'fix'],
  send: ['send', 'send out', 'send over', 'get out'],
  refund: ['refund', 'pay back', 'give me the money back for'],
  pay: ['pay', 'settle'],
  close: ['close', 'wrap up', 'shut'],
  schedule: ['schedule', 'plan', 'set a time for', 'book'],
  transfer: ['transfer', 'move', 'shift'],
};
const families: Readonly<Record<string, string>> = {
  get: 'read',
  read: 'read',
  lookup: 'read',
  look: 'read',
  inspect: 'read',
  fetch: 'read',
  show: 'read',
  describe: 'read',
  view: 'read',
  check: 'read',
  cat: 'read',
  status: 'read',
  track: 'read',
  retrieve: 'read',
  load: 'read',
  search: 'search',
  find: 'search',
  query: 'search',
  browse: 'search',
  list: 'list',
  create: 'create',
  make: 'create',
  add: 'create',
  new: 'create',
  open: 'create',
  insert: 'create',
  register: 'create',
  generate: 'create',
  write: 'create',
  post: 'create',
  request: 'create',
  place: 'create',
  submit: 'create',
  cancel: 'cancel',
  void: 'cancel',
  delete: 'delete',
  remove: 'delete',
  drop: 'delete',
  destroy: 'delete',
  erase: 'delete',
  clear: 'delete',
  update: 'update',
  change: 'update',
  edit: 'update',
  modify: 'update',
  set: 'update',
  amend: 'update',
  rename: 'update',
  send: 'send',
  email: 'send',
  notify: 'send',
  message: 'send',
  publish: 'send',
  share: 'send',
  refund: 'refund',
  reimburse: 'refund',
  pay: 'pay',
  charge: 'pay',
  close: 'close',
  resolve: 'close',
  schedule: 'schedule',
  book: 'schedule',
  reserve: 'schedule',
  transfer: 'transfer',
  move: 'transfer',
};
const prepositions = new Set(['to', 'for', 'from', 'with', 'by', 'in', 'on', 'at', 'of', 'into', 'as']);
const uncounted = new Set(
  'stock information info weather availability inventory mail data help news feedback advice history access progress'.split(
    ' ',
  ),
);

interface Name {
  readonly verb: string;
  readonly rest: readonly string[];
}

/** Split a tool name into its verb and the rest; a name without a verb is looked at. */
function nameOf(tool: string): Name {
  const known = names.get(tool);
  if (known) return known;
  const read = readName(tool);
  if (names.size < maxNames) names.set(tool, read);
  return read;
}

const names = new Map<string, Name>(); // a tool is looked at by every ask of its run
const maxNames = 10_000;

function readName(tool: string): Name {
  const all = wordsOfName(tool);
  const [first = 'use', ...rest] = all;
  const last = all.at(-1) ?? first;
  if (families[first] !== undefined) return { verb: first, rest };
  if (all.length > 1 && families[last] !== undefined) return { verb: last, rest: all.slice(0, -1) };
  if (all.length === 1) return { verb: 'check', rest: all };
  return { verb: first, rest };
}

/** Say what a person who needs this tool wants. */
export function intentOf(tool: Tool, luck: Luck): Intent {
  const { verb, rest } = nameOf(tool.name);
  const family = families[verb] ?? '';
  const said = luck.pick(sayings[family] ?? [verb], 'verb');
  const noun = rest.length > 0 ? rest : nounOfArguments(tool);
  const thing = noun.filter((word) => !prepositions.has(word)).join(' ') || verb;
  const named = determined(noun, family, luck);
  return { tool: tool.name, act: `${said} ${named}`, thing, named, pointsAt: argumentsOf(tool).some(isReferenceName) };
}

/** `search` alone is about what it takes. */
function nounOfArguments(tool: Tool): readonly string[] {
  const [first] = argumentsOf(tool).filter((name) => !isReferenceName(name));
  return first === undefined ? ['request'] : wordsOfName(first);
}

function determined(noun: readonly string[], family: string, luck: Luck): string {
  const [first = ''] = noun;
  if (prepositions.has(first)) return `${first} ${determined(noun.slice(1), 'create', luck)}`;
  const text = noun.join(' ');
  const last = noun.at(-1) ?? '';
  if (uncounted.has(last) || isPlural(last)) return luck.pick([text, `the ${text}`, `my ${text}`], 'determiner');
  const article = /^(?:[aeio]|u(?!ni|se|ti))/u.test(text) ? 'an' : 'a';
  if (family === 'create' || family === 'schedule')
    return luck.pick([`${article} ${text}`, `${article} new ${text}`.replace('an new', 'a new')], 'determiner');
  return luck.pick([`my ${text}`, `the ${text}`, `that ${text}`, `this ${text}`, `our ${text}`], 'determiner');
}

const isPlural = (word: string): boolean => /[^su]s$/u.test(word) && !/(?:is|us|ss)$/u.test(word);

/** List the arguments of a tool, outermost only. */
function argumentsOf(tool: Tool): readonly string[] {
  const properties = tool.parameters['properties'];
  return properties !== null && typeof properties === 'object' ? Object.keys(properties) : [];
}

/**
 * Say a few of the tool's arguments with made-up values, each as a fragment: `check in 14 March`, `reason: plans
 * changed`. References are left to the ask.
 */
export function detailsOf(tool: Tool, luck: Luck): readonly string[] {
  const properties = tool.parameters['properties'];
  if (properties === null || typeof properties !== 'object') return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const value = isReferenceName(name) ? undefined : saidValue(name, schema, luck);
    if (value === undefined) return [];
    const label = wordsOfName(name).join(' ');
    return [
      luck.pick(
        [`${label} ${value}`, `${label}: ${value}`, `${label} is ${value}`, `${value} for the ${label}`],
        `detail ${name}`,
      ),
    ];
  });
}

function saidValue(name: string, schema: unknown, luck: Luck): string | undefined {
  const { type, enum: options } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  const key = `value ${name}`;
  if (Array.isArray(options) && options.length > 0) return String(luck.pick(options, key));
  if (/date|day|deadline|check_?(?:in|out)|arrival|departure|due|when|start|end$/iu.test(name))
    return fill('{date}', luck, key);
  if (/time|hour|slot/iu.test(name)) return fill('{clock}', luck, key);
  if (/e-?mail/iu.test(name)) return fill('{first}@{city}.example', luck, key).toLowerCase();
  if (/amount|price|cost|total|budget|fee/iu.test(name)) return fill('{amount}', luck, key);
  if (/guest|customer|passenger|person|owner|contact|recipient|assignee/iu.test(name) && type !== 'integer')
    return fill('{full}', luck, key);
  if (/city|location|destination|origin|place|address|country/iu.test(name)) return fill('{city}', luck, key);
  if (/reason|why|note|comment|description|message|subject|summary|body/iu.test(name)) return luck.pick(reasons, key);
  if (type === 'integer' || type === 'number') return fill('{n}', luck, key);
  return undefined;
}

/** Ids that a tool's own text names: `A1001`, `12B`; a person uses these and not invented ones. */
export function knownIds(tool: Tool): readonly string[] {
  const known = idsOfTools.get(tool);
  if (known) return known;
  const text = `${tool.description} ${JSON.stringify(tool.parameters)}`;
  const found = text.match(/\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d]{2,}(?:-[A-Z\d]+)*\b/gu) ?? [];
  const ids = [...new Set(found)].filter(
    (id) => !/^(?:ISO|UTF|SHA|MD|E|H|B|RFC|IPV|HTTP|OAUTH|V)-?\d+[A-Z]?$/u.test(id),
  );
  idsOfTools.set(tool, ids);
  return ids;
}

const idsOfTools = new WeakMap<Tool, readonly string[]>(); // a tool is asked for its ids by every ask of its run

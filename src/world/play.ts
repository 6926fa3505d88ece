import { canonicalJson } from '../core/canonical-json.ts';
import { draw } from '../core/draws.ts';
import { idOf } from '../core/ids.ts';
import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { endStatusOf, isSameAct } from './acts.ts';
import { evaluate } from './arithmetic.ts';
import { checkArguments } from './check-arguments.ts';
import { pathOf } from './code-payload.ts';
import { writesFile } from './family.ts';
import { aged, scheduledFault } from './faults.ts';
import { countFailure, entityOf, forget, type Memory, mention, remember } from './memory.ts';
import { nameWords } from './names.ts';
import { payload } from './payload.ts';
import { placeholdersIn } from './placeholder.ts';
import { isOwn, primaryOf, type Reference, referencesOf } from './reference.ts';
import type { Prepared, Setup } from './setup.ts';
import { given, without } from './value.ts';
import { fieldsOf, keep, keyOf, metEntity, type Played } from './view.ts';

/**
 * Play one call: (setup, memory, call) -> (memory, result), and nothing else. The checks come in this order: tool,
 * scheduled fault, person, arithmetic, world state, missing, placeholder and invalid arguments, then the verb.
 */
export function play(setup: Setup, memory: Memory, name: string, given: unknown): Played {
  const prepared = setup.tools.get(name);
  if (!prepared) return { memory, result: { status: 'error', reason: 'unknown_tool', tool: name } };
  const args = argumentsOf(given);
  return (
    faulted(setup, memory, prepared, args ?? {}) ??
    asked(memory, prepared) ??
    refuseUnreadable(memory, args) ??
    act(setup, memory, prepared, args ?? {})
  );
}

/** Take an object, or JSON text of one, at most twice encoded; nothing is an empty object. */
export function argumentsOf(value: unknown): JsonObject | undefined {
  let read: unknown = value ?? {};
  for (let n = 0; n < 2 && typeof read === 'string'; n++)
    try {
      read = read.trim() === '' ? {} : parseJson(read);
    } catch {
      return undefined; // the caller refuses it as unreadable
    }
  return isObject(read) ? read : undefined;
}

/** The scheduled fault of a call, if one meets it. Every world has this step, real ones too. */
export function faultOf(setup: Setup, memory: Memory, name: string, args: JsonObject) {
  const failed = memory.failed.get(name) ?? 0;
  const mode = scheduledFault(setup.faults, { seed: setup.seed, tool: name, args, failed });
  if (mode === undefined || (mode !== 'stale' && !Object.hasOwn(setup.modes, mode))) return undefined;
  return { mode, memory: countFailure(memory, name), result: setup.modes[mode] };
}

function faulted(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played | undefined {
  const fault = faultOf(setup, memory, prepared.tool.name, args);
  if (!fault) return undefined;
  return fault.result ? { memory: fault.memory, result: fault.result } : stale(setup, fault.memory, prepared, args);
}

/** What the world would have said some time ago. A write is carried out; the answer shows the time before it. */
function stale(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const fresh = payload(setup, memory, prepared, args).result;
  const after = prepared.verb === 'read' ? memory : carryOut(setup, memory, prepared, args).memory;
  const { data, as_of } = aged(without(fresh, ['status']), args, setup.seed, prepared.tool.name, args);
  return { memory: after, result: { status: 'ok', ...(data as JsonObject), stale: true, as_of } };
}

function asked(memory: Memory, { tool }: Prepared): Played | undefined {
  return tool.kind === 'human' ? { memory, result: { answer: noReply } } : undefined;
}
/** What a tool answered by a person says while nobody has. */
export const noReply = '(no reply yet)';

function refuseUnreadable(memory: Memory, args: JsonObject | undefined): Played | undefined {
  return args ? undefined : refused(memory, 'invalid_argument', ['arguments'], 'arguments must be one JSON object');
}

function act(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  return (
    computed(memory, prepared, args) ??
    inState(setup, memory, prepared, args) ??
    checked(memory, prepared, args) ??
    carryOut(setup, memory, prepared, args)
  );
}

function computed(memory: Memory, { tool }: Prepared, args: JsonObject): Played | undefined {
  const expression = args['expression'] ?? args['expr'] ?? args['formula'];
  if (!/^(calc|compute|eval|math)/.test(tool.name.toLowerCase()) || typeof expression !== 'string') return undefined;
  const result = evaluate(expression);
  if (result === undefined) {
    const field = ['expression', 'expr', 'formula'].find((key) => args[key] === expression) ?? 'expression';
    return refused(memory, 'invalid_expression', [field], 'numbers with + - * / % ** // and brackets');
  }
  return { memory, result: { status: 'ok', data: { expression, result } } };
}

function inState(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played | undefined {
  const { verb, family } = prepared;
  if (setup.worldState === 'acted_on' && verb !== 'read') return { memory, result: alreadyDone };
  if (setup.worldState !== 'missing' || verb === 'create') return undefined;
  const references = referencesOf(args);
  const missing = references.filter((one) => !exists(setup, memory, one)).map(({ value }) => value);
  if (references.length > 0 && missing.length === 0) return undefined; // all of it was made in this rollout
  if (references.length > 0) return notFound(memory, missing);
  if (family !== 'listing') return notFound(memory, ['entity']);
  return { memory, result: { status: 'ok', data: { query: String(args['query'] ?? ''), count: 0, items: [] } } };
}

function checked(memory: Memory, { tool, phrases, enums }: Prepared, args: JsonObject): Played | undefined {
  const problems = checkArguments(args, tool.parameters);
  const paths = (kind: 'missing' | 'invalid') => problems.filter((one) => one.kind === kind).map(({ path }) => path);
  const missing = paths('missing');
  if (missing.length > 0) return refused(memory, 'missing_required', missing);
  const echoes = placeholdersIn(args, phrases, enums);
  if (echoes.length > 0) return refused(memory, 'placeholder_argument', echoes, 'pass the real value');
  const invalid = [...new Set(paths('invalid'))];
  return invalid.length > 0
    ? refused(memory, 'invalid_argument', invalid, 'see the parameters of the tool')
    : undefined;
}

function carryOut(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { verb, family, tool } = prepared;
  const isWrite = family === 'file' && writesFile(tool, args);
  if (isWrite && verb === 'create') return written(setup, memory, prepared, args);
  if (verb === 'create') return created(setup, memory, prepared, args);
  const references = referencesOf(args);
  const missing = references.filter((one) => !exists(setup, memory, one)).map(({ value }) => value);
  if (missing.length > 0) return notFound(memory, missing);
  if (isWrite) return written(setup, memory, prepared, args);
  if (verb === 'read') return payload(setup, memory, prepared, args);
  return verb === 'delete' ? deleted(memory, prepared, references) : updated(setup, memory, prepared, args);
}

/** Ids as this world issues them; one that it did not issue is from somewhere else and does not exist. */
const issuedForm = /^[a-z]+_[0-9a-f]{12}$/;

function exists(setup: Setup, memory: Memory, { value }: Reference): boolean {
  const name = String(value);
  const entity = entityOf(memory, name);
  if (memory.deleted.has(name) || (entity && memory.deleted.has(entity.key))) return false;
  if (setup.worldState === 'missing') return entity?.isCreated === true || memory.mentioned.has(name);
  if (setup.worldState === 'exists' || entity || memory.mentioned.has(name)) return true;
  if (issuedForm.test(name)) return false;
  return setup.worldState !== 'open' || draw(setup.seed, 'exists', name) < setup.existsShare;
}

function created(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { noun, tool } = prepared;
  const fields = given(args);
  const stem = noun.replace(/[^a-z]/g, '') || 'record';
  const id = fields['id'] ?? `${stem}_${idOf([setup.seed, tool.name, args, memory.issued], 12)}`;
  const ref = fields['ref'] ?? idOf([setup.seed, 'ref', id, memory.issued], 8);
  const record = { ...fields, id, ref };
  const references = referencesOf(args);
  const own = references.filter((one) => isOwn(one, noun)).map(({ value }) => String(value));
  const others = references.map(({ value }) => String(value)).filter((name) => !own.includes(name));
  const entity = { key: String(id), noun, given: record, shown: {}, isCreated: true, version: 0 };
  const next = mention(remember({ ...memory, issued: memory.issued + 1 }, entity, [String(id), ...own]), others);
  const data = declaredData(setup, next, prepared, { ...args, id });
  return { memory: next, result: { status: 'created', ...without(record, ['status']), ...data } };
}

/** What a tool promises its result to look like stands under `data`, beside the words of the verb. */
function declaredData(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): JsonObject {
  const { tool } = prepared;
  if (!tool.output_schema && !Object.hasOwn(setup.resultShapes, tool.name)) return {};
  return { data: payload(setup, memory, prepared, args).result['data'] };
}

/** A file as it now stands; what it holds is what a read shows. */
function written(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const path = pathOf(args);
  const text = ['content', 'contents', 'text', 'file_text', 'data', 'new_str'].map((key) => args[key]);
  const content = text.find((one) => typeof one === 'string');
  const entity = metEntity(memory, path, 'file');
  const body = typeof content === 'string' ? { content } : {};
  const next = { ...entity, given: { ...entity.given, ...body }, isCreated: true, version: entity.version + 1 };
  const bytes_written = Buffer.byteLength(String(content ?? canonicalJson(args)));
  const named = fieldsOf(setup, next)['path'] ?? path;
  const known = remember(memory, next, [path]);
  const data = declaredData(setup, known, prepared, args);
  return { memory: known, result: { status: 'ok', path: named, bytes_written, ...data } };
}

/** Remove the thing itself; where none of the references names it, all that the call names. */
function deleted(memory: Memory, { noun }: Prepared, references: readonly Reference[]): Played {
  const primary = primaryOf(references, noun);
  const removed = primary && isOwn(primary, noun) ? [primary.value] : references.map(({ value }) => value);
  return { memory: forget(memory, removed.map(String)), result: { status: 'deleted', removed } };
}

function updated(setup: Setup, memory: Memory, prepared: Prepared, args: JsonObject): Played {
  const { noun, tool } = prepared;
  const entity = metEntity(memory, keyOf(prepared, args), noun);
  const act = endStatusOf(nameWords(tool.name));
  const call = canonicalJson(args);
  if (act && entity.acted && isSameAct(act, entity.acted, call)) return { memory, result: alreadyDone };
  const primary = primaryOf(referencesOf(args), noun);
  const changes = without(given(args), primary?.isTop ? [primary.key] : []);
  const changed = {
    ...entity,
    given: { ...entity.given, ...changes, ...(act ? { status: act.status } : {}) },
    version: entity.version + 1,
    ...(act ? { acted: { status: act.status, call } } : {}),
  };
  const next = remember(memory, changed, [entity.key]);
  const answer = payload(setup, next, prepared, args);
  const { data } = answer.result;
  return isObject(data)
    ? { ...answer, memory: keep(answer.memory, entityOf(answer.memory, entity.key) ?? changed, data) }
    : answer;
}

const alreadyDone: JsonObject = { status: 'already_done', reason: 'already_acted_on' };
const notFound = (memory: Memory, missing: readonly unknown[]): Played => ({
  memory,
  result: { status: 'not_found', missing },
});

function refused(memory: Memory, reason: string, fields: readonly string[], hint?: string): Played {
  return { memory, result: { status: 'rejected', reason, fields, ...(hint === undefined ? {} : { hint }) } };
}

import type { WorldOptions } from '../../../src/world/setup.ts';
import { createWorld, inScene, type ToolResult, type World, world } from '../../../src/world/world.ts';
import type { Adapters } from '../run-case.ts';

type Json = Readonly<Record<string, unknown>>;
interface Call {
  readonly tool: string;
  readonly arguments?: Json;
}
interface Tools {
  readonly tools: unknown;
}
interface Counted extends Tools {
  readonly tool: string;
  readonly id_key: string;
  readonly n: number;
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The class of a result: its status word, told apart by the marks of stale and junk. */
function classOf(result: ToolResult): string {
  const { status, data, stale } = result;
  if (stale === true) return 'stale';
  if (typeof data === 'string' && data.includes('<<garbled')) return 'junk';
  return { rejected: 'refused', permission_denied: 'deny' }[String(status)] ?? String(status);
}
/** The fields an agent reads: under `data`, or on the result itself. */
const dataOf = ({ data, status: _, ...rest }: ToolResult): Json => (isObject(data) ? data : rest);

/** Play calls in order; `$id` stands for the id that was issued last. */
function run(made: World, calls: readonly Call[]): ToolResult[] {
  let id: unknown;
  return calls.map((call) => {
    const args = Object.entries(call.arguments ?? {}).map(([key, value]) => [key, value === '$id' ? id : value]);
    const result = made.call(call.tool, call.arguments && Object.fromEntries(args));
    id = result['id'] ?? id;
    return result;
  });
}
const equalKeys = (a: Json, b: Json) =>
  Object.keys(a).filter((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]) && a[key] !== undefined);
const idCall = ({ tool, id_key }: Omit<Counted, 'tools'>, n: number, args: Json = {}): Call => ({
  tool,
  arguments: { ...args, [id_key]: `ID-${n}` },
});
const range = (n: number) => Array.from({ length: n }, (_, index) => index);
/** Every field the case names must be equal: answers those of them that are. */
const among = (golden: { readonly expect: unknown }, equal: readonly string[]) =>
  (golden.expect as { readonly fields_equal: readonly string[] }).fields_equal.filter((key) => equal.includes(key));

export const adapters: Adapters = {
  'world.run': ({ tools, calls }: Tools & { calls: Call[] }, options: WorldOptions) => {
    const results = run(createWorld(tools, options), calls);
    return {
      classes: results.map(classOf),
      missing: results.map(({ missing }) => missing ?? null),
      reasons: results.map(({ reason }) => reason ?? null),
      fields: results.map(({ fields }) => fields ?? null),
      results: results.map((result) => dataOf(result)['result'] ?? null),
    };
  },
  'world.resultKeys': ({ tools, call }: Tools & { call: Call }, options: WorldOptions) => {
    const result = createWorld(tools, options).call(call.tool, call.arguments);
    return { class: classOf(result), data: dataOf(result) };
  },
  'world.searchThenRead': (
    { tools, search, read }: Tools & { search: Call; read: { tool: string; id_key: string; arguments?: Json } },
    options: WorldOptions,
    golden,
  ) => {
    const made = createWorld(tools, options);
    const { items } = dataOf(made.call(search.tool, search.arguments)) as { items: Json[] };
    const first = items[0] ?? {};
    const found = made.call(read.tool, { ...read.arguments, [read.id_key]: first['id'] });
    return { fields_equal: among(golden, equalKeys(first, dataOf(found))) };
  },
  'world.sameEntity': ({ tools, calls }: Tools & { calls: Call[] }, options: WorldOptions, golden) => {
    const [a, b] = run(createWorld(tools, options), calls).map(dataOf);
    return { fields_equal: among(golden, equalKeys(a ?? {}, b ?? {})) };
  },
  'world.createThenRead': (
    { tools, create, read }: Tools & { create: Call; read: { tool: string; id_key: string; arguments?: Json } },
    options: WorldOptions,
    golden,
  ) => {
    const made = createWorld(tools, options);
    const { id } = made.call(create.tool, create.arguments);
    const found = made.call(read.tool, { ...read.arguments, [read.id_key]: id });
    return { class: classOf(found), fields_equal: among(golden, equalKeys(create.arguments ?? {}, dataOf(found))) };
  },
  'world.isolation': async ({ tools, rollouts, each }: Tools & { rollouts: number; each: Call[] }) => {
    const shared = world(tools);
    const rollout = () =>
      inScene({}, async () => {
        const classes: string[] = [];
        let id: unknown;
        for (const call of each) {
          await new Promise((done) => setImmediate(done)); // every other rollout moves in between
          const args = Object.entries(call.arguments ?? {}).map(([key, value]) => [key, value === '$id' ? id : value]);
          const result = shared.call(call.tool, Object.fromEntries(args));
          id = result['id'] ?? id;
          classes.push(classOf(result));
        }
        return classes;
      });
    const all = await Promise.all(range(rollouts).map(rollout));
    return { classes_each: all.every((one) => String(one) === String(all[0])) ? all[0] : all };
  },
  'world.existsShare': ({ tools, ...ids }: Counted, options: WorldOptions) => {
    const found = () =>
      run(
        createWorld(tools, options),
        range(ids.n).map((n) => idCall(ids, n)),
      ).map((one) => classOf(one) === 'ok');
    const [first, again] = [found(), found()];
    return { share: first.filter(Boolean).length / ids.n, same_id_same_answer: String(first) === String(again) };
  },
  'world.existsSeed': ({ tools, seeds, ...ids }: Counted & { seeds: number[] }, options: WorldOptions) => {
    const [a = [], b = []] = seeds.map((seed) => {
      const made = createWorld(tools, { ...options, seed });
      return range(ids.n).map((n) => classOf(run(made, [idCall(ids, n)])[0] ?? {}));
    });
    return { differing_answers: a.filter((one, n) => one !== b[n]).length };
  },
  'world.faultShare': ({ tools, ...ids }: Counted, options: WorldOptions) => {
    const faulted = () =>
      run(
        createWorld(tools, options),
        range(ids.n).map((n) => idCall(ids, n)),
      ).map((one) => classOf(one) !== 'ok');
    const [first, again] = [faulted(), faulted()];
    return {
      share: first.filter(Boolean).length / ids.n,
      same_arguments_same_outcome: String(first) === String(again),
    };
  },
  'world.resultShape': ({ tools, call }: Tools & { call: Call }, options: WorldOptions) =>
    dataOf(createWorld(tools, options).call(call.tool, call.arguments)),
  'world.updateThenRead': ({ tools, update, read }: Tools & { update: Call; read: Call }, options: WorldOptions) => {
    const results = run(createWorld(tools, options), [update, read]);
    const last = results.at(-1) ?? {};
    return { class: classOf(last), fields_equal: dataOf(last) };
  },
  'world.staleDiffers': ({ tools, call }: Tools & { call: Call }, options: WorldOptions) => {
    const fresh = dataOf(createWorld(tools, options).call(call.tool, call.arguments));
    const faults = { '*': { mode: 'stale', rate: 1 } };
    const result = createWorld(tools, { ...options, faults }).call(call.tool, call.arguments);
    const { stale: _, as_of: __, ...old } = dataOf(result);
    return {
      differs: JSON.stringify(old) !== JSON.stringify(fresh),
      keys_equal: String(Object.keys(old)) === String(Object.keys(fresh)),
    };
  },
  'world.duplicate': ({ tools, call }: Tools & { call: Call }, options: WorldOptions) => {
    const { items } = dataOf(createWorld(tools, options).call(call.tool, call.arguments)) as { items?: Json[] };
    const asked = Object.values(call.arguments ?? {}).map(String);
    return {
      hits: (items ?? []).filter((item) => Object.values(item).some((value) => asked.includes(String(value)))).length,
    };
  },
  'world.deterministic': ({ tools, calls }: Tools & { calls: Call[] }, options: WorldOptions) => {
    const [first, again] = [0, 1].map(() => JSON.stringify(run(createWorld(tools, options), calls)));
    return { identical: first === again };
  },
  'world.locatorEcho': ({ tools, call }: Tools & { call: Call }, options: WorldOptions) => {
    const data = dataOf(createWorld(tools, options).call(call.tool, call.arguments));
    const args = call.arguments ?? {};
    return { data, echoed: equalKeys(args, data), changed: Object.keys(args).filter((key) => data[key] !== args[key]) };
  },
  'world.foreignIssuedId': (
    { tools, create, read }: Tools & { create: Call; read: { tool: string; id_key: string } },
    options: WorldOptions,
  ) => {
    const { id } = createWorld(tools, options).call(create.tool, create.arguments);
    return { class: classOf(createWorld(tools, options).call(read.tool, { [read.id_key]: id })) };
  },
};

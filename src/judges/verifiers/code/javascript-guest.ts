/**
 * What is evaluated first in the engine that runs a candidate: assertions and timers, and what puts back every built-in that a
 * candidate changed, and then freezes it. Its value is reached by the harness alone. It uses what it took when it started, as
 * the candidate may replace anything later.
 */
export const javascriptGuest = String.raw`
(function (print) {
  'use strict';
  const { getOwnPropertyDescriptor, defineProperty, ownKeys, deleteProperty, setPrototypeOf, getPrototypeOf, preventExtensions, apply, has } = Reflect;
  const { is, freeze } = Object, isArray = Array.isArray, text = String, now = Date.now, MapOf = Map, SetOf = Set, ErrorOf = Error, TypeErrorOf = TypeError;
  const prototypes = { object: Object.prototype, array: Array.prototype };
  const method = (proto, name) => { const one = proto[name]; return (self, ...args) => apply(one, self, args); };
  const dateTime = method(Date.prototype, 'getTime'), mapEach = method(MapOf.prototype, 'forEach'), mapHas = method(MapOf.prototype, 'has');
  const mapGet = method(MapOf.prototype, 'get'), setEach = method(SetOf.prototype, 'forEach'), setHas = method(SetOf.prototype, 'has');
  const regexText = method(RegExp.prototype, 'toString'), regexTest = method(RegExp.prototype, 'test');
  const sizeOf = (proto) => { const { get } = getOwnPropertyDescriptor(proto, 'size'); return (self) => apply(get, self, []); };
  const mapSize = sizeOf(MapOf.prototype), setSize = sizeOf(SetOf.prototype);
  const isA = (read) => (value) => { try { read(value); return true; } catch { return false; } };
  const isDate = isA(dateTime), isMap = isA(mapSize), isSet = isA(setSize), isRegex = (v) => RegExpOf(v);
  const regexProto = RegExp.prototype, flagsOf = getOwnPropertyDescriptor(regexProto, 'global').get;
  const RegExpOf = (value) => { try { return value !== regexProto && apply(flagsOf, value, []) !== undefined; } catch { return false; } };
  const unbox = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'].map((name) => method(globalThis[name].prototype, 'valueOf'));

  // --- assertions ---------------------------------------------------------------------------
  class AssertionError extends ErrorOf {}
  defineProperty(AssertionError.prototype, 'name', { value: 'AssertionError', writable: true, configurable: true });
  const said = (value) => {
    try { return typeof value === 'string' ? '"' + value + '"' : text(value); } catch { return 'a value'; }
  };
  const fail = (message, plain) => {
    if (message instanceof ErrorOf) throw message;
    throw new AssertionError(message === undefined ? plain : text(message));
  };
  const boxed = (value) => {
    for (let n = 0; n < unbox.length; n++) { try { return { value: unbox[n](value) }; } catch {} }
  };
  const enumerable = (value) => {
    const keys = ownKeys(value), found = [];
    for (let n = 0; n < keys.length; n++) {
      const one = getOwnPropertyDescriptor(value, keys[n]);
      if (one && one.enumerable) defineProperty(found, found.length, { __proto__: null, value: keys[n], writable: true, enumerable: true, configurable: true });
    }
    return found;
  };
  const same = (a, b, isStrict, depth) => {
    if (is(a, b) || (!isStrict && (a === b || (isPrimitive(a) && isPrimitive(b) && a == b)))) return true;
    if (isPrimitive(a) || isPrimitive(b) || typeof a === 'function' || typeof b === 'function' || depth > 200) return false;
    if (isStrict && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
    if (isArray(a) !== isArray(b) || isDate(a) !== isDate(b) || isMap(a) !== isMap(b) || isSet(a) !== isSet(b) || isRegex(a) !== isRegex(b)) return false;
    if (isDate(a) && !is(dateTime(a), dateTime(b))) return false;
    if (isRegex(a) && regexText(a) !== regexText(b)) return false;
    const [inA, inB] = [boxed(a), boxed(b)];
    if ((inA === undefined) !== (inB === undefined) || (inA && !is(inA.value, inB.value))) return false;
    if (a instanceof ErrorOf && (a.message !== b.message || a.name !== b.name)) return false;
    if (isArray(a) && a.length !== b.length) return false;
    if (isMap(a)) {
      let isSame = mapSize(a) === mapSize(b);
      mapEach(a, (value, key) => { isSame = isSame && mapHas(b, key) && same(value, mapGet(b, key), isStrict, depth + 1); });
      if (!isSame) return false;
    }
    if (isSet(a)) {
      let isSame = setSize(a) === setSize(b);
      setEach(a, (value) => {
        if (!isSame || setHas(b, value)) return;
        let isFound = false;
        if (!isPrimitive(value)) setEach(b, (other) => { isFound = isFound || (!isPrimitive(other) && same(value, other, isStrict, depth + 1)); });
        isSame = isFound;
      });
      if (!isSame) return false;
    }
    const [left, right] = [enumerable(a), enumerable(b)];
    if (left.length !== right.length) return false;
    for (let n = 0; n < left.length; n++) {
      const one = getOwnPropertyDescriptor(b, left[n]);
      if (!one || !one.enumerable || !same(a[left[n]], b[left[n]], isStrict, depth + 1)) return false;
    }
    return true;
  };
  const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');
  const matches = (error, wanted) => {
    if (wanted === undefined || typeof wanted === 'string') return true;
    if (isRegex(wanted)) return regexTest(wanted, text(error));
    if (typeof wanted === 'function') {
      if (wanted.prototype !== undefined && error instanceof wanted) return true;
      if (ErrorOf === wanted || getPrototypeOf(wanted) === ErrorOf) return false;
      return apply(wanted, undefined, [error]) === true;
    }
    const keys = ownKeys(wanted);
    for (let n = 0; n < keys.length; n++) {
      const [got, want] = [error[keys[n]], wanted[keys[n]]];
      if (!(isRegex(want) && typeof got === 'string' ? regexTest(want, got) : same(got, want, true, 0))) return false;
    }
    return true;
  };
  const throwing = (fn) => { try { fn(); } catch (error) { return { error }; } };
  const rejecting = async (what) => { try { await (typeof what === 'function' ? what() : what); } catch (error) { return { error }; } };
  const caught = (found, wanted, message) => {
    if (!found) fail(typeof wanted === 'string' ? wanted : message, 'nothing was thrown');
    if (!matches(found.error, wanted)) fail(message, 'another error was thrown: ' + said(found.error));
  };
  const assert = (value, message) => { if (!value) fail(message, 'not truthy: ' + said(value)); };
  const checks = {
    ok: assert,
    equal: (a, b, message) => { if (!(a == b || (a !== a && b !== b))) fail(message, said(a) + ' is not ' + said(b)); },
    notEqual: (a, b, message) => { if (a == b) fail(message, 'equal: ' + said(a)); },
    strictEqual: (a, b, message) => { if (!is(a, b)) fail(message, said(a) + ' is not ' + said(b)); },
    notStrictEqual: (a, b, message) => { if (is(a, b)) fail(message, 'equal: ' + said(a)); },
    deepEqual: (a, b, message) => { if (!same(a, b, false, 0)) fail(message, 'not deeply equal'); },
    notDeepEqual: (a, b, message) => { if (same(a, b, false, 0)) fail(message, 'deeply equal'); },
    deepStrictEqual: (a, b, message) => { if (!same(a, b, true, 0)) fail(message, 'not deeply equal'); },
    notDeepStrictEqual: (a, b, message) => { if (same(a, b, true, 0)) fail(message, 'deeply equal'); },
    match: (a, b, message) => { if (typeof a !== 'string' || !regexTest(b, a)) fail(message, 'no match'); },
    doesNotMatch: (a, b, message) => { if (typeof a !== 'string' || regexTest(b, a)) fail(message, 'a match'); },
    throws: (fn, wanted, message) => caught(throwing(fn), wanted, message),
    doesNotThrow: (fn, message) => { const found = throwing(fn); if (found) fail(message, 'threw ' + said(found.error)); },
    rejects: async (what, wanted, message) => caught(await rejecting(what), wanted, message),
    doesNotReject: async (what) => { const found = await rejecting(what); if (found) fail(undefined, 'rejected with ' + said(found.error)); },
    fail: (message) => fail(message, 'failed'),
    AssertionError,
  };
  const keysOf = (value) => ownKeys(value);
  for (const key of keysOf(checks)) assert[key] = checks[key];
  const strict = (value, message) => assert(value, message);
  for (const key of keysOf(checks)) strict[key] = checks[key];
  for (const [key, other] of [['equal', 'strictEqual'], ['notEqual', 'notStrictEqual'], ['deepEqual', 'deepStrictEqual'], ['notDeepEqual', 'notDeepStrictEqual']]) strict[key] = checks[other];
  assert.strict = strict.strict = strict;

  const number = (value) => typeof value === 'number' || typeof value === 'bigint';
  const expectations = {
    toBe: (a, b) => is(a, b),
    toEqual: (a, b) => same(a, b, false, 0) && typeof a === typeof b,
    toStrictEqual: (a, b) => same(a, b, true, 0),
    toBeNull: (a) => a === null,
    toBeUndefined: (a) => a === undefined,
    toBeDefined: (a) => a !== undefined,
    toBeNaN: (a) => a !== a,
    toBeTruthy: (a) => !!a,
    toBeFalsy: (a) => !a,
    toBeCloseTo: (a, b, digits = 2) => typeof a === 'number' && (a === b || (a - b) * (a - b) < (10 ** -digits / 2) ** 2),
    toBeGreaterThan: (a, b) => number(a) && a > b,
    toBeGreaterThanOrEqual: (a, b) => number(a) && a >= b,
    toBeLessThan: (a, b) => number(a) && a < b,
    toBeLessThanOrEqual: (a, b) => number(a) && a <= b,
    toHaveLength: (a, b) => a.length === b,
    toBeInstanceOf: (a, b) => a instanceof b,
    toMatch: (a, b) => typeof a === 'string' && (isRegex(b) ? regexTest(b, a) : contains(a, b)),
    toContain: (a, b) => (typeof a === 'string' ? contains(a, b) : isArray(a) && within(a, (item) => is(item, b))),
    toContainEqual: (a, b) => isArray(a) && within(a, (item) => same(item, b, false, 0)),
    toThrow: (a, b) => { const found = throwing(a); return !!found && (typeof b === 'string' ? contains(text(found.error.message), b) : matches(found.error, b)); },
  };
  const indexOf = method(String.prototype, 'indexOf');
  const contains = (whole, part) => indexOf(whole, part) >= 0;
  const within = (list, test) => { for (let n = 0; n < list.length; n++) if (test(list[n])) return true; return false; };
  const expect = (value) => {
    const made = { __proto__: null, not: { __proto__: null } };
    const names = ownKeys(expectations);
    for (let n = 0; n < names.length; n++) {
      const name = names[n], test = expectations[name];
      made[name] = (...args) => { if (!test(value, ...args)) fail(undefined, 'expect ' + said(value) + ' ' + name); };
      made.not[name] = (...args) => { if (test(value, ...args)) fail(undefined, 'expect ' + said(value) + ' not ' + name); };
    }
    return made;
  };

  // --- tests that are registered, timers, modules, output -------------------------------------
  const registered = { __proto__: null, length: 0, at: 0 }, before = { __proto__: null, length: 0 };
  const test = (_name, fn) => { if (typeof fn === 'function') registered[registered.length++] = fn; };
  const timers = { __proto__: null, length: 0 };
  const setTimeout = (fn, ms = 0, ...args) => {
    const due = now() + (ms > 0 ? +ms : 0);
    timers[timers.length++] = { __proto__: null, due, fn, args };
    return timers.length;
  };
  const clearTimeout = (id) => { if (timers[id - 1]) timers[id - 1].fn = undefined; };
  const setInterval = (fn, ms = 0, ...args) => {
    let id = 0;
    const again = () => { const was = timers[id - 1]; fn(...args); if (timers[id - 1].fn !== undefined || was !== timers[id - 1]) { timers[id - 1] = { __proto__: null, due: now() + (ms > 1 ? +ms : 1), fn: again, args: [] }; } };
    id = setTimeout(again, ms);
    return id;
  };
  const queueMicrotask = ((later) => (fn) => { later(fn); })(((resolved, then) => (fn) => apply(then, resolved, [() => fn()]))(Promise.resolve(), Promise.prototype.then));
  const log = (...args) => { let line = ''; for (let n = 0; n < args.length; n++) line += (n > 0 ? ' ' : '') + (typeof args[n] === 'string' ? args[n] : said(args[n])); print(line); };
  const console = { log, info: log, warn: log, error: log, debug: log, trace: log, table: log, dir: log, assert: (value, message) => { if (!value) fail(message, 'console.assert'); } };
  const modules = { __proto__: null, assert, 'node:assert': assert, 'assert/strict': strict, 'node:assert/strict': strict };
  const runner = { test, it: test, describe: (_name, fn) => fn(), beforeEach: (fn) => { before[before.length++] = fn; } };
  modules['node:test'] = modules.test = freeze(((own) => { own.default = own; for (const key of keysOf(runner)) own[key] = runner[key]; return own; })((name, fn) => test(name, fn)));
  const require = (name) => {
    const found = modules[name];
    if (found === undefined) throw new ErrorOf('no module ' + said(name) + ' here');
    return found;
  };
  const kit = { assert, expect, ...runner, require, console, setTimeout, clearTimeout, setInterval, clearInterval: clearTimeout, queueMicrotask };
  for (const value of [assert, strict, console, require, expect, AssertionError, AssertionError.prototype, ...['test', 'describe', 'beforeEach', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'].map((name) => kit[name]), ...keysOf(checks).map((key) => checks[key]), log]) freeze(value);
  for (const key of ['require', 'console', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask'])
    defineProperty(globalThis, key, { value: kit[key], writable: true, configurable: true });
  defineProperty(globalThis, 'module', { value: { exports: {} }, writable: true, configurable: true });
  defineProperty(globalThis, 'exports', { value: globalThis.module.exports, writable: true, configurable: true });

  // --- every built-in as it was ---------------------------------------------------------------
  const own = new SetOf(['module', 'exports', ...keysOf(kit)]);
  const visited = new SetOf(), all = [];
  const descriptor = (value, key) => { const one = getOwnPropertyDescriptor(value, key); setPrototypeOf(one, null); return one; };
  const visit = (value) => {
    if (isPrimitive(value) || visited.has(value)) return;
    visited.add(value);
    const keys = keysOf(value).filter((key) => value !== globalThis || !own.has(key));
    const was = keys.map((key) => descriptor(value, key));
    all.push({ __proto__: null, value, keys, was, parent: getPrototypeOf(value) });
    visit(getPrototypeOf(value));
    for (const one of was) { visit(one.value); visit(one.get); visit(one.set); }
  };
  visit(globalThis);
  async function* asyncGenerator() {}
  for (const value of [function* () {}, asyncGenerator, async () => {}, asyncGenerator(), [].values(), ''[Symbol.iterator](), new MapOf().entries(), new SetOf().values(), ''.matchAll(/x/g), (function* () {})()])
    visit(getPrototypeOf(value));
  const names = keysOf(globalThis).filter((key) => typeof key === 'string' && /^[A-Za-z_$][\w$]*$/.test(key) && !own.has(key) && !['undefined', 'NaN', 'Infinity', 'eval'].includes(key));
  const scope = names.map((key) => globalThis[key]);
  const kitNames = keysOf(kit), kitValues = kitNames.map((key) => kit[key]);
  const parameters = [...names, ...kitNames].join(','), values = [...scope, ...kitValues];
  const protocols = { __proto__: null, toJSON: true, then: true };
  const isIn = (keys, key) => { for (let n = 0; n < keys.length; n++) if (keys[n] === key) return true; return false; };
  const globals = globalThis;
  let fromSetup = [];

  const putBack = () => {
    for (let n = 0; n < all.length; n++) {
      const { value, keys, was, parent } = all[n];
      if (getPrototypeOf(value) !== parent && !setPrototypeOf(value, parent)) return false;
      for (let k = 0; k < keys.length; k++) if (!defineProperty(value, keys[k], was[k])) return false;
    }
    for (let n = 0; n < all.length; n++) {
      const { value, keys, parent } = all[n];
      if (value === globals) continue;
      const found = ownKeys(value);
      for (let k = 0; k < found.length; k++) {
        const key = found[k];
        if (isIn(keys, key)) continue;
        const isOdd = typeof key === 'symbol' || protocols[key] === true || +key === +key || value === prototypes.object || (parent !== null && has(parent, key));
        if (isOdd && !deleteProperty(value, key)) return false;
      }
    }
    for (let n = 0; n < fromSetup.length; n++) if (!defineProperty(globals, fromSetup[n].key, fromSetup[n].was)) return false;
    return true;
  };
  /** Frozen, but an object that inherits may still get a property of that name. */
  const freezeAll = () => {
    for (let n = 0; n < all.length; n++) {
      const { value } = all[n];
      const keys = value === globals ? all[n].keys : ownKeys(value);
      const isPrototype = value !== globals && isIn(keys, 'constructor');
      for (let k = 0; k < keys.length; k++) {
        const key = keys[k], one = descriptor(value, key);
        if (!one.configurable || (value === globals && one.get)) continue;
        if (isPrototype && typeof key === 'string' && !one.get && !one.set) {
          const is = one.value;
          const get = () => is;
          function set(next) {
            if (this === value) throw new TypeErrorOf(text(key) + ' is read-only');
            defineProperty(this, key, { __proto__: null, value: next, writable: true, enumerable: true, configurable: true });
          }
          defineProperty(value, key, { __proto__: null, get, set, enumerable: one.enumerable, configurable: false });
        } else if (one.get || one.set) defineProperty(value, key, { __proto__: null, configurable: false });
        else defineProperty(value, key, { __proto__: null, writable: false, configurable: false });
      }
      if (value !== globals) preventExtensions(value);
    }
  };
  return {
    __proto__: null,
    parameters,
    afterSetup: () => {
      const before = all[0].keys;
      fromSetup = keysOf(globalThis).filter((key) => !before.includes(key) && !own.has(key)).map((key) => ({ __proto__: null, key, was: descriptor(globalThis, key) }));
    },
    afterCandidate: () => {
      if (!putBack()) return false;
      const { exports } = globals.module ?? {};
      if (!isPrimitive(exports)) {
        const keys = ownKeys(exports);
        for (let n = 0; n < keys.length; n++)
          if (typeof keys[n] === 'string' && !has(globals, keys[n]))
            defineProperty(globals, keys[n], { __proto__: null, value: exports[keys[n]], writable: true, enumerable: true, configurable: true });
        if (typeof exports === 'function' && typeof exports.name === 'string' && exports.name !== '' && !has(globals, exports.name))
          defineProperty(globals, exports.name, { __proto__: null, value: exports, writable: true, configurable: true });
      }
      if (!putBack()) return false;
      freezeAll();
      return true;
    },
    start: (fn) => apply(fn, undefined, values),
    next: () => {
      if (registered.at === registered.length) return undefined;
      const fn = registered[registered.at++];
      return async () => { for (let n = 0; n < before.length; n++) await before[n](); return fn(); };
    },
    wait: () => {
      let least = -1;
      for (let n = 0; n < timers.length; n++) if (timers[n].fn !== undefined && (least < 0 || timers[n].due < least)) least = timers[n].due;
      return least < 0 ? -1 : least > now() ? least - now() : 0;
    },
    fire: () => {
      const at = now();
      for (let n = 0; n < timers.length; n++) {
        const one = timers[n];
        if (one.fn === undefined || one.due > at) continue;
        const { fn, args } = one;
        one.fn = undefined;
        apply(fn, undefined, args);
        return;
      }
    },
  };
})
`;

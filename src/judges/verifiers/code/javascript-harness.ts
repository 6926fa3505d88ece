import { javascriptGuest } from './javascript-guest.ts';

/**
 * The program of a Node process that runs a candidate and its tests in an engine of WebAssembly. It reads the job from
 * descriptor 3 and says on descriptor 4 the name of what failed, or the token when every test ran. The candidate is given
 * nothing of the host but a function that prints.
 */
export const javascriptHarness = `
const fs = require('node:fs');
const guest = ${JSON.stringify(javascriptGuest)};
const job = JSON.parse(fs.readFileSync(3, 'utf8'));
fs.closeSync(3);
${String.raw`
const say = (text, code) => { fs.writeSync(4, text); process.exit(code); };
const builtIn = /^(Error|(Eval|Range|Reference|Syntax|Type|URI|Aggregate|Internal|Assertion)Error)$/;

const blanked = (code) => {
  let out = '', at = 0;
  while (at < code.length) {
    const two = code.slice(at, at + 2), one = code[at];
    let end = at + 1;
    if (two === '//') { end = code.indexOf('\n', at); if (end < 0) end = code.length; }
    else if (two === '/*') { end = code.indexOf('*/', at + 2); end = end < 0 ? code.length : end + 2; }
    else if (one === '"' || one === "'" || one.charCodeAt(0) === 96) {
      while (end < code.length && code[end] !== one) end += code[end] === '\\' ? 2 : 1;
      end++;
      out += '_';
    } else out += one;
    at = end;
  }
  return out;
};
/** Whether anything runs at the top of the tests, besides declarations of functions and classes and imports. */
const runsSomething = (code) => {
  let depth = 0, flat = '';
  for (const letter of blanked(code)) {
    if (letter === '}' && --depth === 0) flat += ';';
    if (depth === 0 && letter !== '}') flat += letter;
    if (letter === '{') depth++;
  }
  return flat.split(/[;\n]/).some((part) => {
    const line = part.trim();
    return line !== '' && line !== '_' && !/^(async\s+)?function\b|^class\b|^import\b|^(const|let|var)\b[^=]*=\s*require\b/.test(line);
  });
};
/** Modules are written as scripts: names stay, import of a module that is here becomes require. */
const asScript = (code) => code
  .replace(/^([ \t]*)export\s+default\s+(?=(async\s+)?function\s*\*?\s*[\w$]|class\s+[\w$])/gm, '$1')
  .replace(/^([ \t]*)export\s+default\s+/gm, '$1module.exports = ')
  .replace(/^([ \t]*)export\s+(?=(async\s+)?function\b|class\b|const\b|let\b|var\b)/gm, '$1')
  .replace(/^[ \t]*export\s*\{[^}]*\}[^\n;]*;?/gm, '')
  .replace(/^[ \t]*import\s+(?:\*\s+as\s+)?([\w$]+)\s+from\s+(['"][^'"\n]+['"])/gm, 'var $1 = require($2)')
  .replace(/^[ \t]*import\s*\{([^}]*)\}\s*from\s+(['"][^'"\n]+['"])/gm, (_all, names, from) => 'var {' + names.replace(/\bas\b/g, ':') + '} = require(' + from + ')');

async function main() {
  const { getQuickJS } = require(process.argv[1]);
  const engine = await getQuickJS();
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(job.limits.mem_mb * 1024 * 1024);
  runtime.setMaxStackSize(512 * 1024);
  runtime.setInterruptHandler(() => process.cpuUsage().user / 1e6 > job.limits.cpu_seconds);
  const context = runtime.newContext();

  let left = job.limits.max_output_bytes;
  const note = (text) => {
    const line = Buffer.from(text + '\n').subarray(0, Math.max(0, left));
    left -= line.length;
    if (line.length > 0) fs.writeSync(2, line);
  };
  const nameOf = (error) => {
    const [name, message] = ['name', 'message'].map((key) => {
      const found = error === undefined || context.typeof(error) !== 'object' ? undefined : context.getProp(error, key);
      return found && context.typeof(found) === 'string' ? context.getString(found) : '';
    });
    note(name + ': ' + message);
    return builtIn.test(name) ? name : 'Error';
  };
  const failed = (what, error) => say(what + ':' + nameOf(error), 1);
  const got = (result, what = 'error') => (result.error ? failed(what, result.error) : result.value);

  const print = context.newFunction('print', (line) => note(context.getString(line)));
  const kit = got(context.callFunction(got(context.evalCode(guest, 'guest.js')), context.undefined, print));
  const call = (name, ...args) => got(context.callFunction(context.getProp(kit, name), context.undefined, ...args));
  const turn = () => {
    const done = runtime.executePendingJobs();
    if (done.error) failed('error', done.error);
  };
  const nap = new Int32Array(new SharedArrayBuffer(4));
  /** The value of a promise, once it has one; jobs and timers run until then. */
  const settled = (value) => {
    for (;;) {
      turn();
      const state = context.getPromiseState(value);
      if (state.type === 'fulfilled') return state.value;
      if (state.type === 'rejected') failed('error', state.error);
      const wait = context.getNumber(call('wait'));
      if (wait < 0) say('error:Error', 1); // it waits for nothing
      if (wait > 0) Atomics.wait(nap, 0, 0, wait);
      call('fire');
    }
  };

  const tests = asScript(job.tests);
  const functions = [...blanked(tests).matchAll(/^(?:async\s+)?function\s+(test[\w$]*)/gm)].map((match) => match[1]);
  const parameters = context.getString(context.getProp(kit, 'parameters'));
  const body = '(function(' + parameters + '){return (async function(){' + tests + '\n;return [' + [...new Set(functions)].join(',') + '];})();})';
  const compiles = (code) => context.evalCode('(function(){return;' + code + '\n})', 'x.js').error;
  const badTests = compiles('return ' + body);
  if (badTests) failed('tests', badTests);

  fs.writeSync(4, 'ready:');
  got(context.evalCode(asScript(job.setup), 'setup.js'));
  turn();
  call('afterSetup');
  got(context.evalCode(asScript(job.candidate), 'candidate.js'));
  turn();
  if (context.dump(call('afterCandidate')) !== true) say('error:TypeError', 1);

  let ran = runsSomething(tests) ? 1 : 0;
  const found = settled(call('start', got(context.evalCode(body, 'tests.js'))));
  const count = context.getNumber(context.getProp(found, 'length'));
  const run = (fn) => {
    ran++;
    settled(got(context.callFunction(fn, context.undefined)));
  };
  for (let n = 0; n < count; n++) run(context.getProp(found, n));
  for (let fn = call('next'); context.typeof(fn) === 'function'; fn = call('next')) run(fn);
  if (ran < 1) say('nothing', 1);
  say('done:' + job.token, 0);
}
main().catch((error) => {
  note(error);
  say('error:' + (error instanceof RangeError ? 'RangeError' : 'InternalError'), 1);
});
function note(error) { fs.writeSync(2, String(error).slice(0, 400)); }
`}`;

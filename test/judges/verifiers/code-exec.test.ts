import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJudge } from '../../../src/judges/run-judge.ts';
import { extractCode } from '../../../src/judges/verifiers/code/extract-code.ts';
import { codeExec } from '../../../src/judges/verifiers/code-exec.ts';
import type { Verification } from '../../../src/judges/verifiers/verifier.ts';

const tests = 'assert add(1, 2) == 3\nassert add(-1, 1) == 0\nassert add(20, 22) == 42';
const fenced = (code: string) => `Here it is:\n\`\`\`python\n${code}\n\`\`\``;
async function run(code: string, options: Parameters<typeof codeExec>[0] = { tests }): Promise<Verification> {
  return await codeExec({ timeoutMs: 20_000, ...options }).verify({ final_text: fenced(code) });
}
const liar = (body: string) => `def add(a, b): return 0\n${body}`;

let outside = '';
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'secret.txt'), 'secret');
});
afterAll(() => rm(outside, { recursive: true, force: true }));

describe('right answers pass', () => {
  it.each([
    ['a function', 'def add(a, b):\n  return a + b'],
    ['with a main guard', "def add(a, b): return a + b\nif __name__ == '__main__':\n  print(add(1, 2))"],
    [
      'with imports of the standard library',
      'import math, collections, re, json, logging\nfrom typing import NamedTuple\nfrom enum import Enum\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n  x: int\nclass N(NamedTuple):\n  y: int\nlogging.getLogger("a").warning("hi")\ndef add(a, b): return P(a).x + N(b).y',
    ],
    [
      'whose objects come of a module that the tests load too',
      'from fractions import Fraction\nfrom pathlib import PurePath\ndef add(a, b): return Fraction(a) + b if PurePath("x") else 0',
      'from fractions import Fraction\nassert add(1, 2) == Fraction(3)',
    ],
    ['that prints a lot', 'print("x" * 3000000)\ndef add(a, b): return a + b'],
    ['that calls sys.exit at the end of the module', 'import sys\ndef add(a, b): return a + b\nsys.exit(0)'],
    ['that writes into its own folder', 'open("note.txt", "w").write("x")\nimport os\ndef add(a, b): return a + b'],
  ])('%s', async (_what, code, own = tests) => {
    expect(await run(code, { tests: own })).toMatchObject({ reward: 1, reason: 'CodeExec: passed' });
  });
  it('objects with an equality of their own that is honest', async () => {
    const code =
      'class Money:\n  def __init__(self, n): self.n = n\n  def __eq__(self, other):\n    return self.n == (other.n if isinstance(other, Money) else other)\ndef pay(n): return Money(n)';
    const own = 'assert pay(3) == 3\nassert pay(3) == pay(3)\nassert pay(3) != 4\nassert [pay(1)] == [1]';
    expect(await run(code, { tests: own })).toMatchObject({ reward: 1 });
  });
  it('test functions, test classes, unittest, async tests', async () => {
    const code = 'def add(a, b): return a + b';
    const suites = [
      'def test_a():\n  assert add(1, 2) == 3',
      'class TestAdd:\n  def test_a(self):\n    assert add(1, 2) == 3',
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self):\n    self.assertEqual(add(1, 2), 3)\n    self.assertIn(add(1, 1), [2])',
      'async def test_a():\n  assert add(1, 2) == 3',
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self):\n    with self.assertRaises(TypeError): add(1, "x")',
    ];
    for (const suite of suites) expect([suite, (await run(code, { tests: suite })).reward]).toEqual([suite, 1]);
  });
});

describe('nothing but right answers passes', () => {
  it.each([
    ['sys.exit(0)', 'import sys; sys.exit(0)'],
    ['raise SystemExit(0)', 'raise SystemExit(0)'],
    ['os._exit(0)', 'import os; os._exit(0)'],
    ['posix._exit(0)', 'import posix; posix._exit(0)'],
    ['quit()', 'quit()'],
    ['os._exit inside the function', 'import os\ndef add(a, b): os._exit(0)'],
    ['sys.exit inside the function', 'import sys\ndef add(a, b): sys.exit(0)'],
    ['an exit hook', liar('import atexit, os\natexit.register(lambda: os._exit(0))')],
    ['an excepthook', liar('import sys, os\nsys.excepthook = lambda *a: os._exit(0)')],
    [
      'a signal handler',
      liar(
        'import signal, os\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nwhile True: pass',
      ),
    ],
    ['killing itself', 'import os, signal\nos.kill(os.getpid(), signal.SIGTERM)'],
    ['killing its parent', liar('import os, signal\nos.kill(os.getppid(), signal.SIGKILL)')],
    ['an always-equal object', 'class A:\n  def __eq__(self, other): return True\ndef add(a, b): return A()'],
    [
      'an always-equal object in a list',
      'class A:\n  def __eq__(self, other): return True\n  __hash__ = None\ndef add(a, b): return [A()]',
      'assert add(1, 2) == [3]',
    ],
    [
      'an int that equals everything',
      'class I(int):\n  def __eq__(self, other): return True\n  __hash__ = int.__hash__\ndef add(a, b): return I(0)',
    ],
    ['an equality that is a built-in', 'class A: __eq__ = str\ndef add(a, b): return A()'],
    [
      'an equality for every int',
      'class A:\n  def __eq__(self, other): return isinstance(other, int)\ndef add(a, b): return A()',
    ],
    [
      'an equality that says yes once',
      'class A:\n  n = 0\n  def __eq__(self, other):\n    A.n += 1\n    return A.n % 4 == 1\ndef add(a, b): return A()',
    ],
    [
      'an object below and above everything',
      'class A:\n  def __lt__(self, o): return True\n  def __gt__(self, o): return True\n  def __eq__(self, o): return True\ndef add(a, b): return A()',
      'assert add(1, 2) < 4',
    ],
    [
      'a member of everything',
      'class A:\n  def __eq__(self, o): return True\n  def __hash__(self): return 1\ndef add(a, b): return A()',
      'assert add(1, 2) in [3]',
    ],
    [
      'assertEqual with an always-equal object',
      'class A:\n  def __eq__(self, o): return True\ndef add(a, b): return A()',
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(add(1, 2), 3)',
    ],
    [
      'a patched unittest',
      liar('import unittest\nunittest.TestCase.assertEqual = lambda *a: None'),
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(add(1, 2), 3)',
    ],
    [
      'a patched unittest, from inside',
      'def add(a, b):\n  import unittest\n  unittest.TestCase.assertEqual = lambda *a: None\n  return 0',
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(add(1, 2), 3)\n  def test_b(self): self.assertEqual(add(1, 2), 3)',
    ],
    [
      'a unittest of its own',
      liar('import sys, types\nsys.modules["unittest"] = types.SimpleNamespace(TestCase=object)'),
      'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(add(1, 2), 3)',
    ],
    ['a built-in of its own', 'def abs(x): return 0\ndef area(r): return 1', 'assert abs(area(1) - 3.14159) < 1e-4'],
    [
      'a patched built-in',
      'import builtins\nbuiltins.abs = lambda x: 0\ndef area(r): return 1',
      'assert abs(area(1) - 3.14159) < 1e-4',
    ],
    [
      'a patched built-in, from inside',
      'def area(r):\n  import builtins\n  builtins.abs = lambda x: 0\n  return 1',
      'assert abs(area(1) - 3.14159) < 1e-4',
    ],
    ['a patched math', 'import math\nmath.pi = 1\ndef area(r): return 1', 'import math\nassert area(1) == math.pi'],
    ['tests of its own', 'def test_mine(): pass\ndef add(a, b): return 0', 'def test_a():\n  assert add(1, 2) == 3'],
    [
      'the frames of the tests',
      liar('import sys\nf = sys._getframe()\nwhile f: \n  print(f.f_locals)\n  f = f.f_back'),
    ],
    [
      'the frame of a traceback',
      liar('try: 1 / 0\nexcept ZeroDivisionError as e: f = e.__traceback__.tb_frame.f_back'),
    ],
    ['the frame of a generator', liar('g = (g.gi_frame.f_back for _ in [1])\nnext(g)')],
    ['the collector', liar('import gc\n[o for o in gc.get_objects() if isinstance(o, dict) and "token" in o]')],
    ['ctypes', liar('import ctypes\nctypes.CDLL(None)._exit(0)')],
    ['a trace function', liar('import sys\nsys.settrace(lambda *a: None)')],
    [
      'an audit hook of its own',
      'import sys\nseen = []\nsys.addaudithook(lambda e, a: seen.append(a))\ndef add(a, b): return 3 if seen else 0',
    ],
    ['the memory of the process', liar('open("/proc/self/mem", "rb")')],
    [
      'its descriptors',
      liar('import os\nfor fd in range(3, 256):\n  try: os.write(fd, b"done:x")\n  except OSError: pass'),
    ],
    ['the harness', liar('import __main__\nfor v in vars(__main__).values(): print(v)\n__main__.main()')],
    ['another process', 'import subprocess\nsubprocess.run(["true"])\ndef add(a, b): return a + b'],
    ['a shell', 'import os\nos.system("true")\ndef add(a, b): return a + b'],
    ['a fork', 'import os\nos.fork()\ndef add(a, b): return a + b'],
    ['too much memory', 'x = bytearray(900 * 1024 * 1024)\ndef add(a, b): return a + b'],
    [
      'a file that is too large',
      'f = open("big", "wb")\nfor _ in range(40): f.write(b"x" * 1000000)\nf.flush()\ndef add(a, b): return a + b',
    ],
    ['a deep recursion', 'import sys\nsys.setrecursionlimit(10**9)\ndef add(a, b): return add(a, b)'],
    ['an endless exception', 'def add(a, b): raise BaseException'],
    ['a wrong answer', 'def add(a, b): return a - b'],
    ['nothing', 'pass'],
  ])(
    '%s',
    async (_what, code, own = tests) => {
      const { reward, reason } = await run(code, { tests: own });
      expect([reward, reason]).toEqual([0, expect.stringMatching(/^CodeExec: (failed: \w+|timed out after 20s)$/)]);
    },
    60_000,
  );
});

it('an endless loop is killed with all it started', async () => {
  const verdict = await run(
    'import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nwhile True: pass',
    {
      tests,
      timeoutMs: 1500,
    },
  );
  expect(verdict).toMatchObject({ reward: 0, reason: 'CodeExec: timed out after 1.5s' });
});

it('reads and writes no file outside its folder', async () => {
  const read = `def add(a, b): return len(open(${JSON.stringify(join(outside, 'secret.txt'))}).read())`;
  expect(await run(read, { tests: 'assert add(1, 2) == 6' })).toMatchObject({
    reward: 0,
    reason: expect.stringMatching(/^CodeExec: failed: (PermissionError|FileNotFoundError)$/),
  });
  const path = join(outside, 'written.txt');
  for (const write of [
    `open(${JSON.stringify(path)}, "w")`,
    `import os; os.open(${JSON.stringify(path)}, os.O_CREAT | os.O_WRONLY)`,
  ])
    expect((await run(write)).reward).toBe(0);
  expect((await run(`import os\nos.remove(${JSON.stringify(join(outside, 'secret.txt'))})`)).reward).toBe(0);
  expect([existsSync(path), existsSync(join(outside, 'secret.txt'))]).toEqual([false, true]);
});

it('reaches no network', async () => {
  let met = 0;
  const server = createServer((socket) => {
    met++;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const code = `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 2)\ndef add(a, b): return a + b`;
  expect((await run(code)).reward).toBe(0);
  server.close();
  expect(met).toBe(0);
});

it('sees an empty environment', async () => {
  const code = 'import os\ndef names(): return sorted(n for n in os.environ if n not in ("PATH", "LC_CTYPE", "PWD"))';
  expect(await run(code, { tests: 'assert names() == []' })).toMatchObject({ reward: 1 });
});

it('tests that are privileged are not told, nor an error of their own making', async () => {
  const secret = 'class Leak42(Exception): pass\nif add(40, 2) != 42: raise Leak42("expected 42")';
  const row = { final_text: fenced('def add(a, b): return 0'), privileged: { tests: secret } };
  const { rows } = await runJudge([row], codeExec());
  expect(rows[0]).toMatchObject({ reward: 0, reason: 'CodeExec: failed: Exception' });
  expect(JSON.stringify({ ...rows[0], privileged: undefined })).not.toContain('Leak42');
});

it('tests that run nothing, or do not compile, judge nobody', async () => {
  const code = 'def add(a, b): return a + b';
  for (const own of ['import math', 'def helper(): pass', '"just words"', 'assert ('])
    expect([own, await run(code, { tests: own })]).toMatchObject([own, { reward: null, judge_status: 'error' }]);
  expect(await run(code, {})).toMatchObject({ reward: null, judge_status: 'missing_reward' });
  expect(await run(code, { tests, bin: 'no-such-python' })).toMatchObject({ reward: null, judge_status: 'error' });
});

it('says what kept it in', async () => {
  const { judge_meta } = await run('def add(a, b): return a + b');
  expect(['rlimits', 'sandbox']).toContain(judge_meta['isolation']);
});

it('finds code of another spelling of the language', () => {
  expect(extractCode('```Python3.11\nx\n```\n```\ny\n```')).toBe('x');
  expect(extractCode('```bash\nls\n```')).toBe('ls');
  expect(extractCode('```js\na\n```\n```py\nb\n```', 'javascript')).toBe('a');
});

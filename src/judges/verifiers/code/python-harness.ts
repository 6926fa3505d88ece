/**
 * The program that runs a candidate and its tests. It reads one JSON object from descriptor 3 (token, setup, candidate, tests,
 * limits) and closes it, and writes to descriptor 4 the name of what failed, or the token when every test ran.
 *
 * The token lives in a local variable of `main` only, which runs with built-ins of its own. An audit hook, which Python code cannot take away again, refuses what
 * could reach it (frames, the collector, ctypes, /proc) and what must not leave (files outside the folder, sockets, processes,
 * signals). Tests are compiled before the candidate runs, see the real built-ins and modules, and compare through a function
 * that asks an object with an `__eq__` of its own whether it also equals what it must not.
 */
export const pythonHarness = `
def main():
    import ast, builtins, json, os, random, resource, sys, types, warnings

    payload = b''
    while True:
        part = os.read(3, 65536)
        if not part:
            break
        payload += part
    os.close(3)
    job = json.loads(payload)
    token = job['token']
    channel = os.dup2(4, 200 + int.from_bytes(os.urandom(1), 'big') % 50, inheritable=False)
    os.close(4)
    write, leave, is_in = os.write, os._exit, isinstance

    def say(text):
        write(channel, text.encode())

    limits = job['limits']
    for name, value in (
        ('RLIMIT_CPU', limits['cpu_seconds']),
        ('RLIMIT_AS', limits['mem_mb'] * 1024 * 1024),
        ('RLIMIT_FSIZE', 16 * 1024 * 1024),
        ('RLIMIT_NOFILE', 256),
        ('RLIMIT_NPROC', 32),
        ('RLIMIT_CORE', 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError, AttributeError):
            pass

    def named(error):
        kind = type(error)
        return kind.__name__ if getattr(builtins, kind.__name__, None) is kind else 'Exception'

    # --- what the tests compare with -------------------------------------------------------------
    trusted_files = (os.path.realpath(os.path.dirname(os.__file__)),)
    slot, function = type(object.__eq__), types.FunctionType
    code_of = function.__code__.__get__
    file_of = types.CodeType.co_filename.__get__
    mro_of = type.__dict__['__mro__'].__get__
    dict_of = type.__dict__['__dict__'].__get__
    true_type, draw = type, random.SystemRandom()

    def has_own_eq(value):
        for base in mro_of(true_type(value)):
            own = dict_of(base).get('__eq__')
            if own is None:
                continue
            if true_type(own) is slot:
                return own.__name__ != '__eq__'
            if true_type(own) is function:
                return not os_path_realpath(file_of(code_of(own))).startswith(trusted_files)
            return True
        return False

    os_path_realpath = os.path.realpath
    plain = (list, tuple, set, frozenset)

    def suspect(value, left=None):
        left = [2000] if left is None else left
        left[0] -= 1
        if left[0] < 0:
            return False
        kind = true_type(value)
        if kind in plain:
            return any(suspect(item, left) for item in value)
        if kind is dict:
            return any(suspect(key, left) or suspect(item, left) for key, item in value.items())
        return has_own_eq(value)

    class Nothing:
        pass

    def near(value):
        kind = true_type(value)
        if kind is bool:
            return [not value, Nothing()]
        if kind in (int, float, complex):
            return [value + 1, value - 1, Nothing()]
        if kind is str:
            return [value + 'x', 'x' + value, Nothing()]
        if kind is bytes:
            return [value + b'x', Nothing()]
        if kind in (list, tuple):
            return [kind(near(item)[0] for item in value or [0]), kind(Nothing() for _ in value or [0]), Nothing()]
        if kind in (set, frozenset):
            return [kind(Nothing() for _ in value or [0]), Nothing()]
        if kind is dict:
            return [{key: near(item)[0] for key, item in value.items()} or {0: 0}, {key: Nothing() for key in value} or {0: 0}, Nothing()]
        return [Nothing(), 'x', -1]

    def is_fake(a, b):
        own, other = (a, b) if suspect(a) else (b, a)
        if not suspect(own):
            return False
        asked = [(wrong, False) for wrong in near(other)] + [(other, True)]
        draw.shuffle(asked)
        return any(bool(own == what) != expected for what, expected in asked)

    import operator
    plain_ops = {
        'Eq': operator.eq, 'NotEq': operator.ne, 'Lt': operator.lt, 'LtE': operator.le, 'Gt': operator.gt,
        'GtE': operator.ge, 'Is': operator.is_, 'IsNot': operator.is_not,
        'In': lambda a, b: a in b, 'NotIn': lambda a, b: a not in b,
    }
    mirrored = {'Lt': operator.gt, 'LtE': operator.gt, 'Gt': operator.lt, 'GtE': operator.lt}

    def compare(ops, *values):
        result = True
        for at, op in enumerate(ops):
            a, b = values[at], values[at + 1]
            result = plain_ops[op](a, b)
            if op == 'Eq' and result is not False and is_fake(a, b):
                return False
            if op == 'In' and result and suspect(a) and not suspect(b) and a in [Nothing()]:
                return False
            if op in mirrored and result and (suspect(a) or suspect(b)) and mirrored[op](a, b):
                return False
            if not result:
                return result
        return result

    # what the tests compare with, and every built-in they name, are constants of their code: nothing can be put in between
    hidden = '_' + os.urandom(8).hex()
    constants = {hidden: compare}

    class Fixed(ast.NodeTransformer):
        def __init__(self, own):
            self.own = own

        def visit_Compare(self, node):
            self.generic_visit(node)
            ops = ast.Tuple([ast.Constant(type(op).__name__) for op in node.ops], ast.Load())
            call = ast.Call(ast.Constant(hidden), [ops, node.left, *node.comparators], [])
            return ast.copy_location(call, node)

        def visit_Name(self, node):
            if not is_in(node.ctx, ast.Load) or node.id in self.own or not hasattr(builtins, node.id) or node.id in lazy:
                return node
            name = hidden + node.id
            constants[name] = getattr(builtins, node.id)
            return ast.copy_location(ast.Constant(name), node)

    lazy = {'super', 'locals', 'globals', 'vars', 'dir', 'eval', 'exec', '__import__', 'True', 'False', 'None', '__debug__'}

    def names_of(tree):
        for node in ast.walk(tree):
            if is_in(node, ast.Name) and not is_in(node.ctx, ast.Load):
                yield node.id
            elif is_in(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield node.name
            elif is_in(node, ast.arg):
                yield node.arg
            elif is_in(node, ast.alias):
                yield (node.asname or node.name).split('.')[0]
            elif is_in(node, ast.ExceptHandler) and node.name:
                yield node.name

    def with_constants(code):
        def put(value):
            if is_in(value, types.CodeType):
                return with_constants(value)
            if is_in(value, tuple):
                return tuple(put(item) for item in value)
            return constants.get(value, value) if is_in(value, str) else value
        return code.replace(co_consts=tuple(put(value) for value in code.co_consts))

    try:
        setup = compile(job['setup'], '<setup>', 'exec', dont_inherit=True)
        tree = ast.parse(job['tests'], '<tests>')
        defined = [node.name for node in tree.body if is_in(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        unmoved = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        statements = sum(
            1 for node in tree.body
            if not is_in(node, unmoved) and not (is_in(node, ast.Expr) and is_in(node.value, ast.Constant))
        )
        fixed = Fixed(set(names_of(tree)) | set(names_of(ast.parse(job['setup'])))).visit(tree)
        warnings.simplefilter('ignore')
        tests = with_constants(compile(ast.fix_missing_locations(fixed), '<tests>', 'exec', dont_inherit=True))
    except BaseException as error:
        say('tests:' + named(error))
        leave(3)
    say('ready:')
    try:
        candidate = compile(job['candidate'], '<candidate>', 'exec', dont_inherit=True)
    except BaseException as error:
        say('error:' + named(error))
        leave(1)
    needs_unittest = 'unittest' in job['tests']
    wrong, may_skip = [], 'skip' in job['tests'].lower()
    if needs_unittest:
        import unittest, unittest.case, unittest.loader, unittest.suite, unittest.result
        unittest.case.traceback = types.SimpleNamespace(clear_frames=lambda tb: None)  # frames are out of reach

        class Outcome(unittest.result.TestResult):
            def addError(self, test, error):
                wrong.append(error[0])

            def addFailure(self, test, error):
                wrong.append(error[0])

            def addSubTest(self, test, subtest, error):
                if error is not None:
                    wrong.append(error[0])

            def addUnexpectedSuccess(self, test):
                wrong.append(AssertionError)

            def addExpectedFailure(self, test, error):
                pass

            def addSkip(self, test, reason):
                super().addSkip(test, reason)
                if not may_skip:
                    wrong.append(unittest.case.SkipTest)
    loop = None
    if 'async' in job['tests']:
        import asyncio
        loop = asyncio.new_event_loop()
    sources = (job['setup'], job['candidate'], job['tests'])
    del job, payload, tree

    # --- what the candidate may not do -----------------------------------------------------------
    here = os.path.realpath(os.getcwd())
    readable = tuple({os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, sys.exec_prefix, here)}) + (
        '/usr/lib/python', '/usr/share/zoneinfo', '/dev/null', '/dev/urandom')
    never = {
        'sys._getframe', 'sys._getframemodulename', 'sys._current_frames', 'sys._current_exceptions', 'sys.settrace',
        'sys.setprofile', 'sys.addaudithook', 'sys.unraisablehook', 'gc.get_objects', 'gc.get_referrers',
        'gc.get_referents', 'code.__new__', 'function.__new__', 'os.fork', 'os.forkpty', 'os.exec', 'os.posix_spawn',
        'os.spawn', 'os.system', 'subprocess.Popen', 'pty.spawn', 'os.kill', 'os.killpg', 'signal.pthread_kill',
        'os.putenv', 'os.setxattr', 'os.chroot', 'syslog.openlog', 'cpython.run_command', 'cpython.run_interactivehook',
    }
    prefixes = ('ctypes.', 'sys.monitoring', 'winreg.', 'msvcrt.', 'fcntl.', 'resource.')
    frames = {'f_back', 'tb_frame', 'gi_frame', 'cr_frame', 'ag_frame'}
    paths = {
        'os.remove', 'os.rename', 'os.mkdir', 'os.rmdir', 'os.chmod', 'os.chown', 'os.link', 'os.symlink', 'os.truncate',
        'os.utime', 'shutil.rmtree', 'shutil.move', 'shutil.copyfile', 'sqlite3.connect', 'os.chdir', 'os.unlink',
    }
    network = limits['network']
    fspath, realpath, flags = os.fspath, os.path.realpath, os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def inside(path, roots):
        if is_in(path, int):
            return True
        text = fspath(path)
        text = realpath(text.decode() if is_in(text, bytes) else text)
        return any(text == root or text.startswith(root if root.endswith('python') else root + '/') for root in roots)

    armed = [False]

    def hook(event, args):
        if not armed[0]:
            return
        if event in never or event.startswith(prefixes):
            raise (ImportError if event.startswith('ctypes.') else ValueError)('not allowed here: ' + event)
        if event == 'object.__setattr__' and args[1] == '__code__':
            raise ValueError('not allowed here: __code__')
        if event == 'object.__getattr__' and args[1] in frames:
            raise ValueError('not allowed here: ' + args[1])
        if event.startswith('socket.') and not network:
            raise PermissionError('no network here')
        if event == 'open':
            path, mode, bits = args
            if path is None:
                return
            is_write = any(letter in (mode or '') for letter in 'wax+') or bool((bits or 0) & flags)
            if not inside(path, (here,) if is_write else readable):
                raise PermissionError('outside the folder')
        elif event in paths:
            if not all(inside(path, (here,)) for path in args[:2] if is_in(path, (str, bytes))):
                raise PermissionError('outside the folder')
        elif event in ('os.listdir', 'os.scandir', 'os.walk', 'glob.glob'):
            if args and args[0] is not None and not inside(args[0], readable):
                raise PermissionError('outside the folder')

    def refuse(*_args):
        raise SystemExit('not allowed here')

    sys.addaudithook(hook)
    os._exit = refuse
    os.abort = refuse
    import posix
    posix._exit = refuse
    posix.abort = refuse
    sys.modules['__main__'].__dict__.pop('main', None)
    for name in ('resource', 'gc', 'inspect'):
        sys.modules.pop(name, None)

    # modules of candidate and tests are loaded now, so that both have the same ones and what is patched can be put back
    armed[0] = True
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if is_in(node, ast.Import) else []
            if is_in(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                try:
                    __import__(name)
                except BaseException:
                    pass
    armed[0] = False
    del sources

    # --- setup and candidate, in a module of their own -------------------------------------------
    real = dict(vars(builtins))
    kept = {name: (module, dict(vars(module))) for name, module in sys.modules.items() if is_in(module, types.ModuleType)}
    kept_sys = {key: list(getattr(sys, key)) for key in ('meta_path', 'path', 'path_hooks')}
    classes = []
    if needs_unittest:
        classes = [unittest.case.TestCase, unittest.loader.TestLoader, unittest.suite.TestSuite, unittest.suite.BaseTestSuite,
                   unittest.result.TestResult]
    kept_classes = [(kind, dict(vars(kind))) for kind in classes]
    module = types.ModuleType('__candidate__')
    sys.modules['__candidate__'] = module
    space = vars(module)
    space['__builtins__'] = builtins
    exec(setup, space)
    from_setup = {name: value for name, value in space.items() if not name.startswith('__')}
    armed[0] = True
    try:
        exec(candidate, space)
    except SystemExit:
        pass
    except BaseException as error:
        say('error:' + named(error))
        leave(1)

    # --- tests, with everything that they rely on put back ---------------------------------------
    def is_changed():
        if any(vars(builtins).get(name, None) is not value for name, value in real.items() if name != '_'):
            return True
        return any(vars(kind).get(name) is not value for kind, was in kept_classes for name, value in was.items())

    for name in list(vars(builtins)):
        if name not in real:
            del vars(builtins)[name]
    vars(builtins).update(real)
    for name, (one, was) in kept.items():
        if name in ('builtins', '__main__'):
            continue
        vars(one).update(was)
        sys.modules[name] = one
    for name in list(sys.modules):
        if name not in kept and name != '__candidate__':
            del sys.modules[name]
    for key, value in kept_sys.items():
        getattr(sys, key)[:] = value
    if is_changed():
        say('error:Exception')
        leave(1)
    ran = statements
    copies = {}

    def copied(value):
        was = kept.get(value.__name__) if true_type(value) is types.ModuleType else None
        if was is None or was[0] is not value:
            return value
        if value not in copies:
            copies[value] = types.ModuleType(value.__name__)
            vars(copies[value]).update(was[1])
        return copies[value]

    bring = real['__import__']
    own_builtins = dict(real)
    own_builtins['__import__'] = lambda *args, **named: copied(bring(*args, **named))
    world = {name: copied(value) for name, value in space.items() if name not in real}
    world.update(from_setup)
    world.update({'__builtins__': own_builtins, '__name__': '__tests__'})

    try:
        exec(tests, world)
        for name in defined:
            item = world.get(name)
            if is_in(item, function) and name.startswith('test'):
                answer = item()
                if true_type(answer) is types.CoroutineType:
                    loop.run_until_complete(answer)
                ran += 1
            elif needs_unittest and is_in(item, type) and issubclass(item, unittest.TestCase):
                plain_equal = item.assertEqual

                def assert_equal(self, first, second, msg=None, _plain=plain_equal):
                    if is_fake(first, second):
                        self.fail('it equals everything')
                    _plain(self, first, second, msg)

                item.assertEqual = assert_equal
                outcome = Outcome()
                unittest.loader.TestLoader().loadTestsFromTestCase(item).run(outcome)
                if wrong:
                    raise wrong[0]
                ran += outcome.testsRun - len(outcome.skipped)
            elif is_in(item, type) and name.startswith('Test'):
                for key in list(vars(item)):
                    if key.startswith('test'):
                        getattr(item(), key)()
                        ran += 1
    except BaseException as error:
        say('error:' + named(error))
        leave(1)
    if is_changed():
        say('error:Exception')
        leave(1)
    if ran < 1:
        say('nothing')
        leave(1)
    say('done:' + token)
    leave(0)


import builtins, types
types.FunctionType(main.__code__, {'__builtins__': dict(vars(builtins)), '__name__': 'harness'})()
`;

"""Kinds of things that a session can hold: after a stored return each is as it was, or is named as missing. Never another in silence."""

import unittest

from host import Host
import require
import test_stored_names

# (what makes it, an expression that is the same afterwards). What is named in `missing` need not be.
PLAIN = {
    "numbers": ("n = (1, -2.5, 3j, 10 ** 50)", "n"),
    "text": ("t = 'é' * 10", "t"),
    "bytes": ("b = b'xy' * 100000; ba = bytearray(b)", "b == bytes(ba)"),
    "two names of one list": ("a = []; b = a; b.append(1)", "a, a is b"),
    "a list in two names": ("part = [1]; a = {'k': part}; b = [part]", "a['k'].append(2), b, a['k'] is b[0] is part"),
    "a list that holds itself": ("l = []; l.append(l)", "l[0] is l"),
    "two that hold each other": ("a, b = {}, {}; a['b'] = b; b['a'] = a", "a['b'] is b, b['a'] is a"),
    "sets": ("s = {1, 2}; f = frozenset(s)", "s, f"),
    "a bound method and its object": ("class C:\n    n = 0\n    def up(self): self.n += 1\nc = C(); up = c.up", "up(), c.n, up.__self__ is c"),
    "a bound method of a list": ("l = []; add = l.append", "add(1), l"),
    "an instance in a list and by name": ("class C: pass\nc = C(); every = [c, c]", "every[0] is c, type(every[1]) is C"),
    "attributes of a class": ("class C:\n    seen = []\nC.seen.append(1); seen = C.seen", "C.seen, seen is C.seen"),
    "functions": ("k = 2\ndef f(x, y=[1]): return x + k + len(y)\nf.calls = 5", "f(1), f.calls"),
    "closures": ("def make():\n    n = [0]\n    def up(): n[0] += 1; return n\n    return up, lambda: n\nup, get = make()", "up() is get(), get()"),
    "partials": ("import functools\nl = [3]; p = functools.partial(sorted, l)", "p(), p.args[0] is l"),
    "generators": ("g = (i for i in range(3)); next(g)", "next(g)"),
    "iterators": ("l = [1, 2]; it = iter(l); next(it)", "next(it)"),
    "open files": ("f = open('x', 'w+'); f.write('abc')", "f.tell()"),
    "locks": ("import threading\nl = threading.Lock(); l.acquire()", "l.locked()"),
    "threads": ("import threading\nt = threading.Thread(target=print)", "t.is_alive()"),
    "modules": ("import json, os.path as p", "json.loads('1'), p.sep"),
    "dates": ("import datetime as d\nt = d.datetime(2020, 1, 2, tzinfo=d.timezone.utc)", "t"),
    "decimals": ("from decimal import Decimal\nd = Decimal('1.10')", "d"),
    "the context of decimals": ("import decimal\ndecimal.getcontext().prec = 5", "str(decimal.Decimal(1) / 3)"),
    "enums": ("import enum\nclass E(enum.Enum):\n    A = 1\ne = E.A", "e is E.A"),
    "dataclasses": ("import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\np = P(1); q = [p]", "q[0] is p, p"),
    "named tuples": ("import collections\nP = collections.namedtuple('P', 'x'); p = P(1)", "p, type(p) is P"),
    "counters and deques": ("import collections\nc = collections.Counter('aab'); d = collections.deque([1], 3)", "c, d"),
    "default dicts": ("import collections\nd = collections.defaultdict(list); d['a'].append(1)", "d['b'], d"),
    "slots": ("class S:\n    __slots__ = ('x',)\ns = S(); s.x = [1]; t = s.x", "s.x is t"),
    "exceptions": ("e = ValueError('a', 1)", "e.args, type(e).__name__"),
    "weak references": ("import weakref\nclass C: pass\nc = C(); w = weakref.ref(c)", "w() is c"),
    "regular expressions": ("import re\nr = re.compile('a+')", "r.match('aa').end()"),
    "ranges and slices": ("r = range(5); s = slice(1, 3)", "list(r)[s]"),
    "string buffers": ("import io\nb = io.StringIO(); b.write('ab')", "b.getvalue(), b.tell()"),
    "paths": ("import pathlib\np = pathlib.Path('a/b')", "p"),
    "random numbers": ("import random\nrandom.seed(4)", "random.random()"),
    "a generator of one's own": ("import random\nr = random.Random(4); r.random(); both = [r, r]", "r.random(), both[0] is r"),
    "the current folder": ("import os\nos.makedirs('w', exist_ok=True); os.chdir('w')", "os.path.basename(os.getcwd())"),
    "sys.path": ("import sys\nsys.path.insert(0, '/nowhere')", "'/nowhere' in sys.path"),
    "the order of sys.path, and what was removed of it": ("import sys\nsys.path.append('/last'); sys.path.remove(''); sys.path[0:2] = sys.path[1::-1]", "sys.path"),
    "a variable of the environment": ("import os\nos.environ['SOME'] = 'é\\udcff'", "os.environ['SOME'], os.getenv('SOME')"),
    "one that was removed": ("import os\nos.environ.pop('MPLBACKEND')", "'MPLBACKEND' in os.environ"),
    "the time zone": ("import os, time\nos.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "time.localtime(0).tm_hour"),
    "levels of logging": (
        "import logging\nlogging.getLogger('a.b').setLevel(10); logging.getLogger().setLevel(logging.ERROR); logging.disable(5)",
        "logging.getLogger('a.b.c').getEffectiveLevel(), logging.root.level, logging.root.manager.disable",
    ),
    "handlers of logging": (
        "import logging, sys\nlogging.basicConfig(format='%(levelname)s!', stream=sys.stdout)",
        "[(type(h).__name__, h.formatter._fmt, h.stream is sys.stdout) for h in logging.root.handlers]",
    ),
    "handlers of its own kind": ("import logging\nclass H(logging.Handler): pass\nlogging.root.addHandler(H())", "len(logging.root.handlers)"),
    "the recursion limit": ("import sys\nsys.setrecursionlimit(4321)", "sys.getrecursionlimit()"),
    "handlers of signals": ("import signal\ndef on(*_): pass\nsignal.signal(signal.SIGUSR1, on)", "signal.getsignal(signal.SIGUSR1) is on"),
    "garbage collection": ("import gc\ngc.disable(); gc.set_threshold(5, 6, 7)", "gc.isenabled(), gc.get_threshold()"),
    "warning filters": ("import warnings\nwarnings.filterwarnings('error', 'mine')", "warnings.filters[0][0], len(warnings.filters)"),
    "builtins": ("import builtins\nbuiltins.mine = [1]; mine2 = builtins.mine", "mine, mine is mine2"),
    "a redirected output": ("import io, sys\nkept = io.StringIO(); sys.stdout = kept", "sys.stdout is kept"),
    "the display hook": ("import sys\nhook = lambda value: None\nsys.displayhook = hook", "sys.displayhook is hook"),
    "the hook of what cannot be raised": ("import sys\nhook = lambda value: None\nsys.unraisablehook = hook", "sys.unraisablehook is hook"),
    "the hook of threads": ("import threading\nhook = lambda value: None\nthreading.excepthook = hook", "threading.excepthook is hook"),
    "the stack size of threads": ("import threading\nthreading.stack_size(262144)", "threading.stack_size()"),
    "writing of bytecode": ("import sys\nsys.dont_write_bytecode = not sys.dont_write_bytecode", "sys.dont_write_bytecode"),
    "arguments": ("import sys\nsys.argv = ['p', '-v']", "sys.argv"),
    "timeouts of sockets": ("import socket\nsocket.setdefaulttimeout(3)", "socket.getdefaulttimeout()"),
    "limits of CSV": ("import csv\ncsv.field_size_limit(99)", "csv.field_size_limit()"),
    "dialects of CSV": ("import csv\ncsv.register_dialect('mine', delimiter='|', quoting=csv.QUOTE_NONE)", "csv.list_dialects(), next(csv.reader(['a|b'], 'mine'))"),
    "the mask of new files": ("import os\nos.umask(0o027)", "oct(os.umask(0o027))"),
    "context variables": ("import contextvars\nv = contextvars.ContextVar('mine'); v.set(5)", "v.get()"),
    "the context of decimals, with traps": ("import decimal\ndecimal.getcontext().traps[decimal.Inexact] = True", "decimal.getcontext().traps[decimal.Inexact]"),
    "the locale": ("import locale\nlocale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL)"),
    "attributes of a module": (
        "open('own.py', 'w').write('COUNT = 0\\nROWS = []\\nclass C:\\n    seen = []\\ndef f(x=[]): x.append(1); return len(x)\\n')\n"
        "import own\nfrom own import ROWS\nown.COUNT = 5; own.ROWS.append(1); own.C.limit = 3; own.C.seen.append(2); own.f(); own.new = ROWS",
        "own.COUNT, own.ROWS, own.C.limit, own.C.seen, own.f(), own.ROWS is ROWS is own.new",
    ),
    "a module's lock and generator": (
        "open('locks.py', 'w').write('import threading\\nlock = threading.Lock()\\ng = (i for i in range(3))\\nN = 1\\n')\nimport locks\nnext(locks.g); locks.N = 2",
        "locks.N, next(locks.g)",
    ),
    "a module's lock that is held": ("open('held.py', 'w').write('import threading\\nlock = threading.Lock()\\n')\nimport held\nheld.lock.acquire()", "held.lock.locked()"),
    "an attribute that a module has lost": (
        "open('less.py', 'w').write('A = 1\\nB = 2\\ndef f(): pass\\n')\nimport less\ndel less.A, less.f",
        "[hasattr(less, name) for name in ('A', 'B', 'f')]",
    ),
    "a context variable of a module": (
        "open('vars_.py', 'w').write('import contextvars\\nV = contextvars.ContextVar(\"V\", default=1)\\nW = contextvars.ContextVar(\"W\")\\n')\n"
        "import vars_\nvars_.V.set(7)",
        "vars_.V.get(), vars_.W.get('unset')",
    ),
    "a function put into a module of Python's": ("import json\ndef mine(*_, **__): return 'mine'\njson.dumps = mine", "json.dumps(1), json.dumps is mine"),
    "one put into a class of Python's": ("import fractions\nfractions.Fraction.twice = lambda self: 2 * self", "fractions.Fraction(1, 2).twice()"),
    "a property and a static one": (
        "import fractions\nfractions.Fraction.half = property(lambda self: self / 2); fractions.Fraction.one = staticmethod(lambda: 1)",
        "fractions.Fraction(1, 2).half, fractions.Fraction.one()",
    ),
    "a module made by hand": (
        "import sys, types\nm = types.ModuleType('made'); m.x = [1]; m.f = lambda: len(m.x); sys.modules['made'] = m; del m\nimport made",
        "made.x, sys.modules['made'] is made",
    ),
    "what new threads' decimals are made of": ("import decimal\ndecimal.DefaultContext.prec = 7; decimal.DefaultContext.traps[decimal.Inexact] = True", "decimal.DefaultContext.prec, decimal.DefaultContext.traps[decimal.Inexact]"),
    "ways to pickle": ("import copyreg\nclass P:\n    pass\ndef reduce_p(p): return P, ()\ncopyreg.pickle(P, reduce_p)", "copyreg.dispatch_table[P] is reduce_p"),
    "ways to pickle of a module": (
        "open('ways.py', 'w').write('import copyreg\\nclass P:\\n    pass\\ndef reduce_p(p): return P, ()\\ncopyreg.pickle(P, reduce_p)\\n')\n"
        "import copyreg, ways; ways.P.x = 1",
        "copyreg.dispatch_table[ways.P] is ways.reduce_p",
    ),
    "a way to pickle that a module's class was given": (
        "open('ways2.py', 'w').write('class P:\\n    pass\\ndef reduce_p(p): return P, ()\\n')\nimport copyreg, ways2\ncopyreg.pickle(ways2.P, ways2.reduce_p)",
        "copyreg.dispatch_table[ways2.P] is ways2.reduce_p",
    ),
    "finders of a module's kind": (
        "open('kinds.py', 'w').write('class F:\\n    def find_spec(self, *_): return None\\ndef hook(path): raise ImportError\\n')\n"
        "import sys, kinds\nf = kinds.F(); sys.meta_path.insert(0, f); sys.path_hooks.append(kinds.hook)",
        "sys.meta_path[0] is f, kinds.hook in sys.path_hooks",
    ),
    "limits of the process": ("import resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0)); resource.setrlimit(resource.RLIMIT_STACK, (4 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))", "resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_STACK)"),
    "blocked signals": ("import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])", "signal.pthread_sigmask(signal.SIG_BLOCK, ())"),
    "the handler of alarms": ("import signal\ndef on(*_): pass\nsignal.signal(signal.SIGALRM, on)", "signal.getsignal(signal.SIGALRM) is on"),
    "the hook of profilers": ("import sys\ndef hook(*_): pass\nsys.setprofile(hook)", "sys.getprofile() is hook"),
    "a profiler": ("import cProfile\np = cProfile.Profile(); p.enable()", "p is not None"),
    "finders of modules": ("import sys\nclass F:\n    def find_spec(self, *_): return None\nf = F(); sys.meta_path.insert(0, f)", "sys.meta_path[0] is f"),
    "views of a dict": ("d = {'a': 1}; k, v, i = d.keys(), d.values(), d.items()", "d.update(b=2), list(k), list(v), list(i), type(k)"),
    "views of an ordered dict": ("import collections\nd = collections.OrderedDict(a=1); k = d.keys()", "d.update(b=2), list(k), type(k)"),
    "a dict that holds its view": ("d = {}; k = d['k'] = d.keys()", "d.update(b=2), list(k), list(d['k'])"),
    "what a dict is read by": ("import types\nd = {'a': 1}; p = types.MappingProxyType(d)", "d.update(b=2), dict(p), type(p)"),
    "the names of a class": ("class C: pass\np = C.__dict__", "setattr(C, 'x', 5), p['x']"),
    "memory of bytes": ("b = bytearray(b'abcdef'); m = memoryview(b); n = m[2:4]; o = m[1::2]; p = m.toreadonly()", "b.__setitem__(3, 65), bytes(m), bytes(n), bytes(o), bytes(p), p.readonly"),
    "memory of an array": ("import array\na = array.array('i', [1, 2, 3]); m = memoryview(a); n = m[1:]", "m.__setitem__(2, 9), a, n.tolist(), m.format"),
    "memory of fixed bytes": ("b = b'abcdef'; m = memoryview(b); n = m[1:3]", "bytes(m), bytes(n), n.readonly"),
    "memory of bytes, backwards": ("m = memoryview(bytearray(b'abc'))[::-1]", "bytes(m)"),
    "memory that was released": ("m = memoryview(bytearray(b'abc')); m.release()", "bytes(m)"),
    "a mark of a library": ("import dataclasses\nm = dataclasses.MISSING; l = [m]", "m is dataclasses.MISSING is l[0]"),
    "a mark that is a bare object": ("import functools\nm = functools._initial_missing; own = object(); l = [own]", "m is functools._initial_missing, l[0] is own, type(own)"),
    "what caused an exception": (
        "class E(ValueError):\n    pass\ntry:\n    try: 1 / 0\n    except Exception as e: raise E('x', 1) from e\nexcept Exception as e: error = e; cause = e.__cause__; e.more = 5\n"
        "try:\n    try: 1 / 0\n    finally: int('x')\nexcept Exception as e: other = e",
        "type(error).__name__, error.args, error.more, error.__cause__ is error.__context__ is cause, error.__suppress_context__, type(other.__context__).__name__, other.__suppress_context__",
    ),
    "exceptions that cause each other": ("a, b = KeyError('a'), KeyError('b'); a.__context__ = b; b.__cause__ = a", "a.__context__ is b, b.__cause__ is a"),
    "iterators of a dict": ("d = {'a': 1}; it = iter(d)", "type(it)"),
    "iterators of a set": ("d = {1}; it = iter(d)", "type(it)"),
    "a function put into a module": ("open('put.py', 'w').write('def f(): return 1\\n')\nimport put\nput.f = lambda: 2", "put.f()"),
}

LIBRARIES = {
    "arrays": ("import numpy as np\na = np.arange(30000.0); b = a; pair = {'a': a}", "b is a, pair['a'] is a, float(a.sum())"),
    "parts of arrays": (
        "import numpy as np\na = np.arange(6.0).reshape(2, 3); b = a[0, 1:]; c = a.ravel(); d = a.T; e = a[::-1, ::-2]; f = a.view('u1'); g = np.asfortranarray(np.ones((2, 3))); h = g[1:, 1:]",
        "a.__setitem__((0, 2), 9), b.__setitem__(0, 7), g.__setitem__((1, 2), 5), a, b, c, d, e, f.sum(), h",
    ),
    "parts of an array of objects, of dates and of records": (
        "import numpy as np\nl = [1]; o = np.array([l, 2, 3], dtype=object); p = o[1:]; t = np.array(['2020-01-01', '2021-01-01'], 'M8[D]'); u = t[1:]; r = np.zeros(3, [('x', 'i4'), ('y', 'f8')]); x = r['y'][1:]",
        "o.__setitem__(1, l), t.__setitem__(1, t[0]), x.__setitem__(0, 5), p, p[0] is l, u, r",
    ),
    "parts that may not be written": (
        "import numpy as np\na = np.arange(4); b = a[1:]; b.flags.writeable = False; c = np.arange(16).reshape(4, 4)[::2, ::2].copy()[:, ::1]; d = np.arange(16).reshape(4, 4)[::2, ::2]; d.flags.writeable = False",
        "a.__setitem__(2, 9), b, b.flags.writeable, c, d, d.flags.writeable",
    ),
    "arrays of bytes": (
        "import numpy as np, array\nb = bytearray(4); x = np.frombuffer(b, 'u1'); y = np.frombuffer(b, 'u2'); z = array.array('i', [1, 2]); w = np.frombuffer(z, 'i4'); m = memoryview(w)",
        "x.__setitem__(0, 9), w.__setitem__(0, 5), b, y, z, m.tolist()",
    ),
    "parts of an array whose whole is gone": ("import numpy as np\na = np.arange(100000.0); b, c = a[:5], a[3:8]; del a", "b.__setitem__(3, -1), c"),
    "an empty part, and one of none": ("import numpy as np\na = np.arange(3); b = a[3:]; c = a[1]; d = a[1, ...]", "a.__setitem__(1, 9), b, c, d"),
    "kinds of arrays": ("import numpy as np\na = np.arange(4.0); m = a.view(np.matrix); r = a.view(np.recarray); k = np.ma.masked_array([1, 2], [0, 1])", "m.__setitem__((0, 0), 9), a, m, type(r), k"),
    "a mapped file": (
        "import numpy as np\nm = np.memmap('m.bin', 'u1', 'w+', shape=4); n = m[1:3]; o = np.asarray(m); m[0] = 1; m.flush(); c = np.memmap('m.bin', 'u1', 'c'); c[3] = 8; r = np.memmap('m.bin', 'u1', 'r', 1)",
        "n.__setitem__(0, 7), m.flush(), open('m.bin', 'rb').read(), o, c, r, type(n), r.flags.writeable, m.filename == n.filename",
    ),
    "an array of C's": ("import numpy as np, ctypes\nc = (ctypes.c_int * 3)(1, 2, 3); a = np.ctypeslib.as_array(c)", "a.__setitem__(0, 9), list(c)"),
    "frames that share until they are changed": (
        "import pandas as pd\nf = pd.DataFrame({'a': [1, 2], 'b': [3, 4]}); c = f['a']; g = f.copy(deep=False); k = pd.DataFrame({'i': pd.array([1, None], 'Int64')}); j = k['i']",
        "f.loc.__setitem__((0, 'a'), 9), k.loc.__setitem__((0, 'i'), 9), c.tolist(), g['a'].tolist(), f['a'].tolist(), j.tolist(), k['i'].tolist()",
    ),
    "a series of an array": ("import pandas as pd, numpy as np\na = np.arange(3); s = pd.Series(a, copy=False)", "a.__setitem__(0, 9), s.tolist()"),
    "marks of libraries": ("import pandas as pd, numpy as np\nn = pd.NA; t = pd.NaT; v = np._NoValue; l = [n]", "n is pd.NA is l[0], t is pd.NaT, v is np._NoValue"),
    "random numbers of numpy": ("import numpy as np\nnp.random.seed(3); r = np.random.default_rng(3); r.random(); s = [r]", "np.random.rand(), r.random(), s[0] is r"),
    "numpy's options": ("import numpy as np\nnp.set_printoptions(precision=3, suppress=True); np.seterr(divide='raise')", "repr(np.array([1 / 3])), np.geterr()"),
    "frames": ("import pandas as pd\nf = pd.DataFrame({'x': [1, 2]}); every = [f]; c = f.x", "every[0] is f, c.tolist()"),
    "pandas' options": ("import pandas as pd\npd.set_option('display.max_rows', 7)", "pd.get_option('display.max_rows')"),
    "matplotlib's settings": ("import matplotlib\nmatplotlib.rcParams['lines.linewidth'] = 7", "matplotlib.rcParams['lines.linewidth']"),
}


NAMED = (  # whose pickles nobody can make
    "generators",
    "open files",
    "locks",
    "threads",
    "weak references",
    "handlers of its own kind",
    "context variables",
    "a module's lock and generator",
    "a module's lock that is held",
    "a profiler",
    "memory of bytes, backwards",
    "memory that was released",
    "iterators of a dict",
    "iterators of a set",
    "an array of C's",
)


class Kinds(test_stored_names.StoredNames):
    """One interpreter holds one kind after the other; StoredNames' own tests are not run again. Without cloudpickle what a cell defines
    is named, with all that holds it."""

    has_cloudpickle = True
    named = NAMED

    def rows(self, rows):
        wrong = []
        for kind, (made, same) in rows.items():
            with self.subTest(kind):
                wrong += self.looked(kind, made, same)
        self.assertEqual(wrong, [])

    def looked(self, kind, made, same):
        self.host.ask("restart")
        done = self.host.cell(made + "\nNone")
        self.assertEqual(done["status"], "ok", done)
        self.host.ask("snapshot", snapshot="s")
        data = self.store("s").back()
        before = self.seen(same)
        missing = self.load(data)
        after = self.seen(same)
        is_named = bool(missing) and (kind in self.named or not self.has_cloudpickle)
        is_right = is_named or (kind not in self.named and after == before and not missing)
        return [] if is_right else [(kind, before, after, missing)]

    def seen(self, expression):
        done = self.host.cell(expression)
        return done["result"]["text/plain"] if done["status"] == "ok" else done["error"]["type"]


for inherited in [name for name in dir(test_stored_names.StoredNames) if name.startswith("test_")]:
    setattr(Kinds, inherited, None)


class Changed(Kinds):
    """A module that was written anew since is taken up as it is now."""

    def test_a_new_text_counts_more_than_what_the_old_one_had(self):
        self.host.cell("open('own.py', 'w').write('COUNT = 1\\nROWS = []\\n')\nimport own\nown.COUNT = 5")
        self.host.ask("snapshot", snapshot="s")
        data = self.store("s").back()
        self.host.cell("open('own.py', 'w').write('COUNT = 2\\nROWS = []\\n')")
        self.assertEqual(self.load(data), [])
        self.assertEqual(self.host.value("own.COUNT, own.ROWS"), "(2, [])")


    def test_limits_that_the_code_left_alone_are_those_of_the_session(self):
        """It may have others by the time that its names come back."""
        self.host.cell("import resource")
        self.host.ask("snapshot", snapshot="s")
        self.assertNotIn(b"<settings>", self.store("s").back())
        self.host.cell("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))")
        self.host.ask("snapshot", snapshot="t")
        self.assertIn(b"limits of the process", self.store("t").back())


class Plain(Kinds):
    def setUp(self):
        super().setUp()
        self.has_cloudpickle = self.host.value("__import__('importlib.util').util.find_spec('cloudpickle') is not None") == "True"

    def test_each_comes_back_or_is_named(self):
        self.rows(PLAIN)


class Libraries(Kinds):
    def setUp(self):
        require.need("runtime")
        self.host = Host(python=require.runtime_python())
        self.addCleanup(self.host.close)

    def test_each_comes_back_or_is_named(self):
        self.rows(dict(LIBRARIES, **PLAIN))


if __name__ == "__main__":
    unittest.main()

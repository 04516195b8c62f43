"""What the session's code has changed in modules of others: after a stored return each is as it was, or is named as missing."""

import ast
import os
import tempfile
import unittest

from host import Host
import require
import test_stored_kinds as kinds

# (what makes it, an expression that is the same afterwards)
STATE = {  # what code changes in modules of others
    "a value put into a module": ("import json\njson.MY = 1; json.ROWS = [1]", "json.MY, json.ROWS"),
    "an object put into one": ("import json, fractions\njson.half = fractions.Fraction(1, 2)", "json.half"),
    "a constant that was changed": ("import shutil, pickle\nshutil.COPY_BUFSIZE = 7; pickle.DEFAULT_PROTOCOL = 2", "shutil.COPY_BUFSIZE, pickle.DEFAULT_PROTOCOL"),
    "by another name": ("def f():\n    import json as j\n    j.MINE = {1}\nf()\nfrom xml.dom import minidom as m\nm.MINE = [1]", "__import__('json').MINE, m.MINE"),
    "by setattr and vars": ("import json\nsetattr(json, 'MI' + 'NE', 3); vars(json)['OURS'] = 4", "json.MINE, json.OURS"),
    "in a loop of modules": ("import json, csv\nfor m in (json, csv): m.MINE = 3", "json.MINE, csv.MINE"),
    "an attribute that was removed": ("import json\ndel json.dump", "hasattr(json, 'dump')"),
    "a list that was filled": ("import keyword\nkeyword.kwlist.append('mine')", "'mine' in keyword.kwlist"),
    "a dictionary that was filled": ("import html.entities as e\ne.html5['mine;'] = 'x'", "e.html5['mine;'], e is __import__('html').entities"),
    "attributes of classes": ("import fractions, json\nfractions.Fraction.mine = 5; setattr(fractions.Fraction, 'ours', 7); json.JSONEncoder.item_separator = ';'", "fractions.Fraction.mine, fractions.Fraction.ours, json.JSONEncoder.item_separator"),
    "attributes of objects and functions": ("import logging, json\nlogging.root.mine = 3; json.dumps.mine = 3; json.dumps.__kwdefaults__['indent'] = 1", "logging.root.mine, json.dumps.mine, json.dumps([1])"),
    "the code of a function": ("import json\ndef r(*a, **k): return 'r'\njson.dump.__code__ = r.__code__", "json.dump()"),
    "what is called at the end": ("import atexit\nran = []\ndef bye(): ran.append(1)\natexit.register(bye); atexit.register(ran.append, 5); atexit.unregister(bye)", "atexit._run_exitfuncs(), ran"),
    "codecs": ("import codecs\ncodecs.register_error('mine', lambda e: ('?', e.end)); codecs.register(lambda n: codecs.lookup('utf-8') if n == 'mine_c' else None)", "'é'.encode('ascii', 'mine'), 'a'.encode('mine_c')"),
    "what is called before a fork": ("import os\nout = []\nos.register_at_fork(before=lambda: out.append(1))", "(os.fork() or os._exit(0)) and len(out)"),
    "audits": ("import sys\nseen = []\nsys.addaudithook(lambda e, a: seen.append(e) if e == 'mine' else None)", "sys.audit('mine'), seen"),
    "classes that are registered": ("import collections.abc as c\nclass Q: pass\nc.Sized.register(Q)", "isinstance(Q(), c.Sized)"),
    "types of files": ("import mimetypes\nmimetypes.add_type('x/mine', '.mine')", "mimetypes.guess_type('a.mine'), mimetypes.guess_extension('x/mine')"),
    "niceness and processors": ("import os\nos.nice(3); os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])", "os.nice(0), os.sched_getaffinity(0)"),
    "namespaces of XML": ("import xml.etree.ElementTree as E\nE.register_namespace('mine', 'urn:x')", "E._namespace_map['urn:x']"),
    "forms of archives": ("import shutil\ndef arch(*a, **k): pass\nshutil.register_archive_format('mine', arch); shutil.register_unpack_format('mine', ['.mine'], arch)", "'mine' in dict(shutil.get_archive_formats()), shutil.get_unpack_formats()[-1]"),
    "names of levels": ("import logging\nlogging.addLevelName(15, 'MINE'); logging.raiseExceptions = False; logging.captureWarnings(True)", "logging.getLevelName(15), logging.raiseExceptions, logging._warnings_showwarning is not None"),
    "classes and records of logging": ("import logging\nclass L(logging.Logger): pass\ndef fac(*a, **k): return logging.LogRecord(*a, **k)\nlogging.setLoggerClass(L); logging.setLogRecordFactory(fac)", "logging.getLoggerClass() is L, logging.getLogRecordFactory() is fac"),
    "filters of logging": ("import logging\ndef keep(r): return False\nlogging.getLogger('q').addFilter(keep)", "logging.getLogger('q').filters == [keep]"),
    "the first day of a week": ("import calendar\ncalendar.setfirstweekday(6)", "calendar.firstweekday()"),
    "the opener of addresses": ("import urllib.request as u\nu.install_opener(u.build_opener())", "u._opener is not None"),
    "the policy of event loops": ("import asyncio\nclass P(asyncio.DefaultEventLoopPolicy): pass\nasyncio.set_event_loop_policy(P())", "type(asyncio.get_event_loop_policy()).__name__"),
    "how processes start": ("import multiprocessing\nmultiprocessing.set_start_method('spawn')", "multiprocessing.get_start_method()"),
    "the folder of temporary files": ("import tempfile\ntempfile.tempdir = '/'", "tempfile.gettempdir()"),
    "adapters of SQLite": ("import sqlite3\nclass A: pass\nsqlite3.register_adapter(A, lambda a: 'A'); sqlite3.register_converter('mine', lambda b: 'M')", "sqlite3.connect(':memory:').execute('select ?', [A()]).fetchone(), 'MINE' in sqlite3.converters"),
    "settings of Python": ("import sys\nsys.mine = [1]; sys.ps1 = 'x'; sys.tracebacklimit = 3; sys.setdlopenflags(258); sys.set_coroutine_origin_tracking_depth(3)", "sys.mine, sys.ps1, sys.tracebacklimit, sys.getdlopenflags(), sys.get_coroutine_origin_tracking_depth()"),
    "hooks of generators": ("import sys\ndef fi(x): pass\nsys.set_asyncgen_hooks(firstiter=fi)", "sys.get_asyncgen_hooks().firstiter is fi"),
    "hooks of new threads": ("import threading\ndef p(*a): pass\nthreading.setprofile(p); threading.settrace(p)", "threading._profile_hook is p, threading._trace_hook is p"),
    "what looks at memory": ("import gc, tracemalloc\ndef g(p, i): pass\ngc.callbacks.append(g); gc.set_debug(gc.DEBUG_UNCOLLECTABLE); tracemalloc.start()", "g in gc.callbacks, gc.get_debug(), tracemalloc.is_tracing()"),
    "character sets and options": ("import email.charset as c, doctest\nc.add_charset('mine', c.QP); N = doctest.register_optionflag('MINE')", "c.CHARSETS['mine'], doctest.OPTIONFLAGS_BY_NAME['MINE'] == N"),
    "browsers and languages": ("import webbrowser, gettext\nwebbrowser.register('mine', None, webbrowser.GenericBrowser('x')); gettext.textdomain('mine'); gettext.bindtextdomain('mine', '/')", "'mine' in webbrowser._browsers, gettext.textdomain(), gettext.bindtextdomain('mine')"),
    "a timer": ("import signal\ndef on(*_): pass\nsignal.signal(signal.SIGALRM, on); signal.setitimer(signal.ITIMER_REAL, 500)", "signal.getitimer(signal.ITIMER_REAL)[0] > 1"),
    "a variable that only children see": ("import os\nos.putenv('MINE', 'x')", "os.popen('echo $MINE').read()"),
    "lines of crashes": ("import faulthandler\nfaulthandler.disable()", "faulthandler.is_enabled()"),
    "a replacement by a mock": ("import unittest.mock as um, json\np = um.patch.object(json, 'dumps', lambda *a: 'p'); p.start()", "json.dumps(1)"),
    "an object in place of a module": ("import types, sys\nsys.modules['mm'] = types.SimpleNamespace(a=1)", "__import__('mm').a"),
    "a function with one for each type": ("import functools\n@functools.singledispatch\ndef f(x): return 0\n@f.register(int)\ndef _(x): return 1", "f(1)"),
}

LIBRARIES = {
    "a value put into numpy": ("import numpy as np\nnp.MINE = 4", "np.MINE"),
    "an accessor of frames": (
        "import pandas as pd\n@pd.api.extensions.register_dataframe_accessor('mine')\nclass A:\n    def __init__(self, f): pass\n    def one(self): return 1",
        "pd.DataFrame({'a': [1]}).mine.one()",
    ),
    "a map of colours": ("import matplotlib as m\nm.colormaps.register(m.colormaps['viridis'], name='mine')", "'mine' in m.colormaps"),
}

NAMED = ("the policy of event loops", "a function with one for each type")  # whose pickles nobody can make
_NATURAL = ("linecache.cache", "logging._startTime", "typing.", "re._cache", "sys.modules", "sys.path_importer_cache", "__mp_main__.")  # each process has its own
_STATE = """
import sys, types, zlib
_ATOMS = (type(None), bool, int, float, complex, str, bytes)
def _shown(value, depth=0):
    kind = type(value)
    if kind in _ATOMS:
        return repr(value)
    if kind in (list, tuple) and depth < 4:
        return [_shown(each, depth + 1) for each in value]
    if kind in (set, frozenset, dict) and depth < 4:
        return sorted(str(_shown(each, depth + 1)) for each in (value.items() if kind is dict else value))
    return getattr(value, '__qualname__', 0) if isinstance(value, (types.FunctionType, type)) else kind.__name__
def state():
    modules = [(n, m) for n, m in sys.modules.items() if type(m) is types.ModuleType and n not in ('__main__', __name__)]
    modules = [(n, m) for n, m in modules if not n.startswith('sandglass_runner')]
    return {n: {k: zlib.crc32(str(_shown(v)).encode("utf-8", "replace")) for k, v in list(m.__dict__.items())} for n, m in modules}
"""


class OfRuntime(kinds.Kinds):
    def setUp(self):
        require.need("runtime")
        self.host = Host(python=require.runtime_python())
        self.addCleanup(self.host.close)


class AllModules(OfRuntime):
    maxDiff = None

    def test_no_attribute_of_any_module_differs_in_silence(self):
        """Whatever the rows set is set in one interpreter; then all that its modules have is compared."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "state_of_modules.py"), "w") as file:
                file.write(_STATE)
            look = "import sys; sys.path.append(%r); import state_of_modules; sys.path.pop(); state_of_modules.state()" % folder
            for made, _same in STATE.values():
                self.host.cell(made + "\nNone")
            self.host.ask("snapshot", snapshot="s")
            data = self.store("s").back()
            before = self.state(look)
            missing = str(self.load(data))
            after = self.state(look)
        both = [(module, key) for module in before if module in after for key in {**before[module], **after[module]}]
        names = [m + "." + k for m, k in both if before[m].get(k) != after[m].get(k)]
        self.assertEqual([name for name in names if not name.startswith(_NATURAL) and name not in missing], [])
        self.assertGreater(len(both), 3000)

    def state(self, look):
        return ast.literal_eval(self.host.cell(look)["result"]["text/plain"])


class Changed(kinds.Kinds):
    named = NAMED

    def setUp(self):
        super().setUp()
        self.has_cloudpickle = self.host.value("__import__('importlib.util').util.find_spec('cloudpickle') is not None") == "True"

    def test_each_comes_back_or_is_named(self):
        self.rows(STATE)

    def test_none_of_the_users_code_runs(self):
        """It is looked at as a copy is made, while nobody asked for any code."""
        self.host.cell("ran = []\nclass Own:\n    def __getattribute__(self, name): ran.append(name); return object.__getattribute__(self, name)")
        self.host.cell("import json\njson.own = Own(); json.own.x = 1; json.set_own = json.own\nNone")
        before = self.host.value("list(ran)")
        self.host.ask("snapshot", snapshot="s")
        self.host.ask("snapshot", snapshot="t")
        self.assertEqual(self.host.value("list(ran)"), before)


class Libraries(OfRuntime):
    named = NAMED

    def test_each_comes_back_or_is_named(self):
        self.rows({**LIBRARIES, **STATE})


if __name__ == "__main__":
    unittest.main()

"""Error handlers: called as LangGraph calls them, with the exception of a call that left nothing else behind."""

import unittest
from importlib.util import find_spec

from host import Host
import require

IMPORT = "from langgraph.errors import NodeError\n"
SHOW = "return {'node': error.node, 'type': type(error.error).__name__, 'text': str(error.error)}\n"


class Handling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)

    def failed(self, source, **keys):
        """What the host would tell a handler of this call's failure."""
        error = self.host.call(source, file="nodes/bad.py", **keys)["error"]
        told = {key: error[key] for key in ("type", "message", "repr", "mro", "data") if key in error}
        return dict(told, node="work")

    def handled(self, source, failed=None, host=None, **keys):
        failed = failed or {"node": "work", "type": "ValueError", "message": "boom", "repr": "ValueError('boom')"}
        done = (host or self.host).call(source, {"n": 1}, file="nodes/mend.py", function="mend", failed=failed, **keys)
        return done["update"] if done["status"] == "ok" else done["error"]["type"] + ": " + done["error"]["message"]

    def test_what_handlers_may_ask_for(self):
        shown = {"node": "work", "type": "ValueError", "text": "boom"}
        for source, result in (
            ("def mend(state, error: NodeError): " + SHOW, shown),
            ("def mend(state, error: 'NodeError'): " + SHOW, shown),
            ("def mend(state, *, error: NodeError): " + SHOW, shown),
            ("def mend(state, error: NodeError = None): " + SHOW, shown),
            ("async def mend(state, error: NodeError): " + SHOW, shown),
            ("class Mend:\n    def __call__(self, state, error: NodeError): " + SHOW + "mend = Mend()", shown),
            ("def mend(state): return state", {"n": 1}),
            ("def mend(state, config): return config", {"tag": 1}),
            ("def mend(state, error: NodeError, config, writer): return [str(error.error), config]", ["boom", {"tag": 1}]),
            ("def mend(state, runtime, error: NodeError): return [runtime.store, error.node]", [None, "work"]),
            ("def mend(state, error=5): return error", 5),
            ("def mend(state, error: dict = None): return error", None),
        ):
            with self.subTest(source):
                self.assertEqual(self.handled(IMPORT + source, config={"tag": 1}), result)

    def test_what_a_handler_is_given_nothing_for(self):
        for source, name in (
            ("def mend(state, error): pass", "error"),
            ("def mend(state, failed): pass", "failed"),
            ("def mend(state, error: 'Exception'): pass", "error"),
        ):
            with self.subTest(source):
                told = self.handled(source)
                self.assertTrue(told.startswith("TypeError: mend() has a parameter '%s'" % name), told)
                self.assertIn("error: NodeError", told)

    def test_a_node_that_asks_for_an_error_gets_none(self):
        done = self.host.call(IMPORT + "def node(state, error: NodeError): return error is None")
        self.assertEqual(done["update"], True)

    def test_exceptions_arrive_as_they_were(self):
        show = IMPORT + "def mend(state, error: NodeError):\n    e = error.error\n    return [type(e).__mro__[1].__name__, %s]\n"
        for raising, expression, result in (
            ("raise ValueError('a', 2, {'k': (1,)})", "e.args == ('a', 2, {'k': (1,)})", ["Exception", True]),
            ("raise ValueError", "[repr(e), str(e)]", ["Exception", ["ValueError()", ""]]),
            ("{}['x']", "e.args", ["LookupError", ["x"]]),
            ("open('/no/such')", "[e.errno, e.filename]", ["OSError", [2, "/no/such"]]),
            ("import no_such_module", "e.name", ["ImportError", "no_such_module"]),
            ("b'\\xff'.decode()", "[e.reason, e.start]", ["UnicodeError", ["invalid start byte", 0]]),
            ("compile('def x(', 'n.py', 'exec')", "e.lineno", ["Exception", 1]),
            ("raise ValueError('ü\\ud800')", "len(str(e))", ["Exception", 2]),
            ("raise TypeError(object)", "e.args[0]", ["Exception", "<class 'object'>"]),
        ):
            with self.subTest(raising):
                failed = self.failed("def node(state):\n    " + raising)
                self.assertEqual(self.handled(show % expression, failed), result)

    def test_classes_of_the_code(self):
        source = (
            "class Refused(ConnectionError):\n    def __init__(self, code, *, url):\n"
            "        super().__init__('%d for %s' % (code, url))\n        self.code, self.url, self.reply = code, url, open\n"
            "def node(state): raise Refused(503, url='u')\n"
        )
        failed = self.failed(source)
        show = IMPORT + "def mend(state, error: NodeError):\n    e = error.error\n    return [%s, str(e), e.code, e.url, hasattr(e, 'reply')]\n"
        contents = ["503 for u", 503, "u", False]
        with self.subTest("where their module is loaded"):
            shown = self.handled(show % "isinstance(e, __import__('bad').Refused)", failed)
            self.assertEqual(shown, [True, *contents])
        with self.subTest("where it is not: in a fresh interpreter"), Host() as fresh:
            names = "[type(e).__name__, isinstance(e, ConnectionError), repr(e)]"
            shown = self.handled(show % names, failed, fresh)
            self.assertEqual(shown, [["Refused", True, "Refused('503 for u')"], *contents])

    def test_failures_that_are_not_of_python(self):
        show = IMPORT + "def mend(state, error: NodeError):\n    e = error.error\n    return [isinstance(e, %s), type(e).__name__, str(e)]\n"
        for kind, message, is_a in (
            ("KeyError", "'x'", "KeyError"),
            ("JqError", "no such program", "Exception"),
            ("GraphRecursionError", "Recursion limit", "RecursionError"),
            ("InvalidUpdateError", "Expected dict, got 1", "Exception"),
            ("UnicodeDecodeError", "of unknown parts", "Exception"),
        ):
            with self.subTest(kind):
                told = {"node": "work", "type": kind, "message": message}
                shown = self.handled("import langgraph.errors\n" + show % is_a, told)
                self.assertEqual(shown, [True, "Exception" if kind == "UnicodeDecodeError" else kind, message])

    def test_an_error_of_which_only_the_text_was_stored(self):
        told = {"node": "work", "type": "str", "message": "ValueError('boom')"}
        self.assertEqual(self.handled(IMPORT + "def mend(state, error: NodeError): return error.error", told), "ValueError('boom')")

    def test_hostile_data(self):
        show = IMPORT + "def mend(state, error: NodeError): return str(error.error)"
        for data in (b"\xc1", b"\x80", b"\x81\xa4args\x91\xc3", b"\x82\xa4args\x90\xaaattributes\x81\xa9__class__\xc4\x01\xc0"):
            told = {"node": "work", "type": "ValueError", "message": "boom", "mro": ["builtins.ValueError"], "data": data}
            with self.subTest(data):
                self.assertIn(self.handled(show, told), ("boom", ""))

    def test_what_an_exception_carries_is_bounded(self):
        failed = self.failed("def node(state):\n    e = ValueError('b')\n    e.blob = 'x' * (2 << 20)\n    raise e")
        self.assertNotIn("data", failed)
        self.assertEqual(self.handled(IMPORT + "def mend(state, error: NodeError): return repr(error.error)", failed), "ValueError('b')")


@require.only_where(find_spec("langgraph"))
class AsLangGraphHasThem(unittest.TestCase):
    def test_the_same_names_and_texts(self):
        from langgraph import errors

        expressions = (
            "sorted(errors.__all__)",
            "str(errors.NodeTimeoutError('n', 2, kind='idle', idle_timeout=1.5))",
            "str(errors.NodeTimeoutError('n', 2, kind='run', run_timeout=1))",
            "str(errors.NodeCancelledError('n'))",
            "str(errors.GraphDrained())",
            "repr(errors.NodeError('n', ValueError(1)))",
            "[c.value for c in errors.ErrorCode]",
            "[c.__name__ for n in sorted(errors.__all__) for c in getattr(getattr(errors, n), '__mro__', ())]",
        )
        with Host(python="/usr/bin/python3") as host:
            if "shims" not in host.value("from langgraph import errors; errors.__file__"):
                self.skipTest("the system's Python has a LangGraph of its own")
            for expression in expressions:
                with self.subTest(expression):
                    self.assertEqual(host.value(expression), repr(eval(expression, {"errors": errors})))


if __name__ == "__main__":
    unittest.main()

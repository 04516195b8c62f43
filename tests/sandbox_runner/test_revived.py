"""Values of the state in the next node, in the next process and, where Python has it, in LangGraph: the same types.

Run by a Python that has LangGraph (packaging/setup/langgraph.sh), bytes and what is read back are compared with the real one."""

import os
import sys
import unittest
from importlib.util import find_spec

import host
from host import Host, pack, unpack
import require
from sandglass_runner import values
from sandglass_runner.codec import Ext

HERE = os.path.dirname(os.path.abspath(__file__))
PANDAS_PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON") or require.runtime_python()
HAS_LANGGRAPH = find_spec("langgraph") is not None and find_spec("langgraph.checkpoint") is not None
IMPORTS = (
    "import datetime as dt, decimal, enum, ipaddress, pathlib, re, shapes, uuid\n"
    "from collections import deque\n"
    "from langgraph.types import Command, Interrupt, Overwrite, Send\n"
    "from langgraph.store.base import Item\n"
    "def store_item():\n"
    "    now = dt.datetime(2024, 5, 6, tzinfo=dt.timezone.utc)\n"
    "    return Item(value={'a': 1}, key='k', namespace=('n', 'm'), created_at=now, updated_at=now)\n"
)
VALUES = (
    "None",
    "True",
    "7",
    "2**63",
    "1.5",
    "'h\\u00e9'",
    "b'\\x00\\xff'",
    "[1, [2]]",
    "{'a': {'b': 1}}",
    "{1: 'one', (1, 2): 'two', None: 3}",
    "{1, 2}",
    "{(1, 'a')}",
    "{(1, (2, 3))}",
    "frozenset('ab')",
    "frozenset([(1, 2)])",
    "deque([1, 2])",
    "uuid.UUID(int=5)",
    "decimal.Decimal('1.50')",
    "dt.date(2024, 2, 29)",
    "dt.datetime(2024, 5, 6, 7, 8, 9, 123456)",
    "dt.datetime(2024, 5, 6, tzinfo=dt.timezone.utc)",
    "dt.timedelta(days=-1, microseconds=3)",
    "dt.time(1, 2, 3)",
    "dt.time(1, tzinfo=dt.timezone.utc)",
    "dt.timezone(dt.timedelta(hours=2), 'CEST')",
    "pathlib.Path('/tmp/x')",
    "re.compile('a+', re.I)",
    "ipaddress.ip_address('10.0.0.1')",
    "ipaddress.ip_network('fe80::/64')",
    "ipaddress.ip_interface('10.0.0.1/8')",
    "Overwrite([1])",
    "store_item()",
    "shapes.Colour.RED",
    "shapes.Corner.NEAR",
    "shapes.Level.HIGH",
    "shapes.Access.READ",
    "shapes.Tone.LOW",
    "shapes.Pair(1, [2])",
    "shapes.Point(1, {2})",
    "shapes.Counted('abc')",
    "shapes.Box(shapes.Point(1), {(1, 2)})",
    "shapes.Stamp(2024, 5, 6)",
    "shapes.Day(2024, 5, 6)",
    "shapes.Span(1, 2, 3)",
    "shapes.Clock(1, 2)",
    "shapes.Money('1.5')",
    "shapes.Key(int=5)",
    "shapes.Bag([1])",
    "shapes.Queue([1])",
    "shapes.Password('secret')",
    "shapes.Old(3)",
    "[shapes.Point(1), {'deep': shapes.Pair(1, 2)}]",
)
# Where LangGraph itself gives back what the value was stored as.
KEPT_BY_US_ALONE = ("{(1, ", "frozenset([(1", "shapes.Corner", "shapes.Counted", "shapes.Box", "shapes.Stamp", "2: 'two'")
PANDAS = (
    "pd.Timestamp('2024-05-06 07:08:09.123456789')",
    "pd.Timestamp('2024-05-06', tz='Europe/Oslo').tz_convert('UTC')",
    "pd.Timedelta(days=1, microseconds=5)",
    "pd.NaT",
    "[pd.Timestamp('2024-05-06')]",
)


def check(text):
    """A node that says whether its state holds that value, of that type."""
    return (
        "def node(state):\n"
        "    v, w = state['v'], " + text + "\n"
        "    same = v is w or v == w\n"
        "    return {'told': [same, type(v).__module__ + '.' + type(v).__qualname__, type(w).__module__ + '.' + type(w).__qualname__]}\n"
    )


class Carried(unittest.TestCase):
    def through(self, imports, texts, options, python=sys.executable):
        with Host(python, options) as first, Host(python, options) as second:
            for text in texts:
                done = first.call(imports + "def node(state):\n    return {'v': " + text + "}\n", file="nodes/writes.py")
                self.assertEqual(done["status"], "ok", done)
                for place, nodes in (("next node", first), ("next process", second)):
                    with self.subTest(text, place=place):
                        told = nodes.call(imports + check(text), state=done["update"], file="nodes/reads.py")
                        self.assertEqual(told["status"], "ok", told)
                        same, found, wanted = told["update"]["told"]
                        self.assertEqual((same, found), (True, wanted))

    def test_types_in_the_next_node_and_process(self):
        self.through(IMPORTS, VALUES, {"path": [HERE]})

    def test_a_class_of_a_file_that_this_process_has_not_called_yet(self):
        """The second process imports the module for the value's sake alone."""
        raw = pack(Ext(2, pack(["shapes", "Point", {"x": 1, "y": None}])))
        with Host(options={"path": [HERE]}) as session:
            told = session.call("def node(state):\n    return {'x': state['p'].x}\n", state={"p": unpack(raw)})
            self.assertEqual(told["update"], {"x": 1})

    @require.needs("runtime")
    def test_pandas(self):
        self.through("import pandas as pd\n", PANDAS, {}, PANDAS_PYTHON)
        with Host(PANDAS_PYTHON) as session:
            for text, said in (
                ("pd.Timedelta(1, 'ns')", "state key 'v': a pandas Timedelta cannot be stored in the state"),
                ("[pd.Period('2024-01')]", "state key 'v[0]': a pandas Period cannot be stored in the state"),
            ):
                done = session.call("import pandas as pd\ndef node(state):\n    return {'v': %s}\n" % text)
                self.assertEqual(done["status"], "error")
                self.assertIn(said, done["error"]["message"])


class Refused(unittest.TestCase):
    def test_what_no_node_could_make_again(self):
        sys.path.insert(0, HERE)
        import shapes

        for value, said in (
            ({"a": [shapes.local()]}, "state key 'a[0]': a shapes Local cannot be stored in the state: no 'Local' at the top level of shapes"),
            ({"a": shapes.Outer.Inside(1)}, "state key 'a': a shapes Inside cannot be stored"),
            ({"a": shapes.Point(shapes.local())}, "state key 'a.x': a shapes Local cannot be stored"),
        ):
            with self.subTest(said), self.assertRaises(TypeError) as caught:
                values.dumps_update(value)
            self.assertIn(said, str(caught.exception))

    def test_a_stored_value_calls_no_function_and_no_class_that_acts(self):
        for raw in (
            pack(Ext(1, pack(["subprocess", "Popen", [["true"]]]))),
            pack(Ext(0, pack(["os", "system", "true"]))),
            pack(Ext(1, pack(["webbrowser", "open", ["http://example.invalid"]]))),
            pack(Ext(2, pack(["threading", "Thread", {}]))),
            pack(Ext(0, pack(["io", "FileIO", "/dev/null"]))),
            pack(Ext(0, pack(["builtins", "eval", "1"]))),
            pack(Ext(1, pack(["uuid", "UUID", ["00000000-0000-0000-0000-000000000000"]]))),
        ):
            with self.subTest(raw):
                self.assertIs(type(values.loads(raw)), Ext)
                self.assertEqual(values.dumps(values.loads(raw)), raw)

    def test_what_cannot_be_made_says_so_where_it_is_used(self):
        thing = values.loads(pack(Ext(2, pack(["elsewhere", "Thing", {"a": 1}]))))
        with self.assertRaisesRegex(AttributeError, "could not make the stored elsewhere.Thing again"):
            thing.a


@require.only_where(HAS_LANGGRAPH)  # runner_with_langgraph runs it
class WithLangGraph(unittest.TestCase):
    def test_bytes_and_what_it_reads(self):
        from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

        sys.path.insert(0, HERE)
        serializer = JsonPlusSerializer(allowed_msgpack_modules=True)
        names = {}
        exec(IMPORTS, names)
        for text in VALUES:
            with self.subTest(text):
                value = eval(text, names)
                kind, theirs = serializer.dumps_typed([value])
                self.assertEqual((kind, values.dumps([value])), ("msgpack", theirs))
                if not any(part in text for part in KEPT_BY_US_ALONE):
                    read = serializer.loads_typed((kind, values.dumps([value])))[0]
                    self.assertEqual((type(read), read), (type(value), value))


if __name__ == "__main__":
    unittest.main()

"""LangGraph's ext codes: bytes as LangGraph writes them, types that survive, names in refusals."""

import datetime
import decimal
import enum
import ipaddress
import pathlib
import re
import sys
import unittest
import uuid
import zoneinfo
from collections import deque, namedtuple
from dataclasses import dataclass
from importlib.util import find_spec

import host  # noqa: F401  (puts the runner and tests/support on the path)
import require
from sandglass_runner import values
from sandglass_runner.codec import Ext, pack

HAS_LANGCHAIN = find_spec("langchain_core") is not None
sys.path.append(host.SANDBOX + "/shims")
from langgraph.types import Command, Interrupt, Overwrite, Send  # noqa: E402


class Colour(enum.Enum):
    RED = "r"


class Number(enum.IntEnum):
    ONE = 1


Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: int
    y: object = None


class Values(unittest.TestCase):
    def both_ways(self, value):
        again = values.loads(values.dumps(value))
        self.assertEqual(again, value)
        self.assertIs(type(again), type(value))

    def test_types_survive(self):
        zone = datetime.timezone(datetime.timedelta(hours=2), "CEST")
        for value in (
            {1, 2},
            frozenset("ab"),
            deque([1, 2]),
            uuid.UUID(int=5),
            decimal.Decimal("1.50"),
            datetime.date(2024, 2, 29),
            datetime.datetime(2024, 5, 6, 7, 8, 9, 123456),
            datetime.datetime(2024, 5, 6, tzinfo=datetime.timezone.utc),
            datetime.timedelta(days=-1, microseconds=3),
            datetime.time(1, 2, 3),
            datetime.time(1, tzinfo=zone),
            zone,
            pathlib.PosixPath("/tmp/x"),
            re.compile("a+", re.I),
            ipaddress.ip_address("10.0.0.1"),
            ipaddress.ip_network("10.0.0.0/8"),
            ipaddress.ip_interface("::1/64"),
            Send("n", {"v": 1}),
            Command(update={"a": {1}}, goto="x"),
            Overwrite([1]),
            Interrupt("q?", "0" * 32),
            Colour.RED,
            Number.ONE,
            Pair(1, [2]),
            Point(1, {2}),
            b"raw",
            {"nested": [{"deep": {decimal.Decimal("2")}}]},
        ):
            with self.subTest(value):
                self.both_ways(value)

    def test_zones(self):
        try:
            zone = zoneinfo.ZoneInfo("Europe/Berlin")
        except zoneinfo.ZoneInfoNotFoundError:
            self.skipTest("no time zone data here")
        self.both_ways(zone)

    def test_the_bytes_are_langgraphs(self):
        for value, text in (
            (Send("w", {"v": 1}), "c71d0193af" + b"langgraph.types".hex() + "a4" + b"Send".hex() + "92a17781a17601"),
            ({3}, "d80093a8" + b"builtins".hex() + "a3" + b"set".hex() + "9103"),
            (
                datetime.datetime(2024, 5, 6, 7, 8, 9, 123456),
                "c73c0394a8"
                + b"datetime".hex()
                + "a8"
                + b"datetime".hex()
                + "ba"
                + b"2024-05-06T07:08:09.123456".hex()
                + "ad"
                + b"fromisoformat".hex(),
            ),
            (
                Interrupt("q?", "0" * 32),
                "c75b0293af"
                + b"langgraph.types".hex()
                + "a9"
                + b"Interrupt".hex()
                + "83a5"
                + b"value".hex()
                + "a2"
                + b"q?".hex()
                + "a2"
                + b"id".hex()
                + "d920"
                + "30" * 32
                + "af"
                + b"response_schema".hex()
                + "c0",
            ),
        ):
            with self.subTest(value):
                self.assertEqual(values.dumps(value).hex(), text)

    def test_exceptions_become_their_text(self):
        self.assertEqual(values.loads(values.dumps(ValueError("boom"))), "ValueError('boom')")

    def test_what_cannot_be_rebuilt_is_written_back_unchanged(self):
        for raw in (
            pack(Ext(0, pack(["os", "system", "true"]))),
            pack(Ext(1, pack(["subprocess", "call", [["true"]]]))),
            pack(Ext(2, pack(["elsewhere", "Thing", {"a": 1}]))),
            pack(Ext(3, pack(["datetime", "datetime", "2024-01-01", "__subclasses__"]))),
            pack(Ext(3, pack(["builtins", "str", "x", "upper"]))),
            pack(Ext(0, b"\xc1")),
            pack(Ext(0, pack(["uuid", "UUID", "no uuid"]))),
            pack(Ext(7, pack([1]))),
            pack(Ext(-5, b"anything")),
            pack(Ext(6, pack(["|O", [1], "C", b"12345678"]))),
            pack({"in": [Ext(2, pack(["elsewhere", "Thing", {"a": 1}]))]}),
        ):
            with self.subTest(raw):
                self.assertEqual(values.dumps(values.loads(raw)), raw)

    @require.only_where(not HAS_LANGCHAIN)
    def test_messages_without_langchain_are_read_and_written_as_the_messages_they_are(self):
        name = ["langchain_core.messages.human", "HumanMessage"]
        message = values.loads(pack(Ext(5, pack(name + [{"content": "hi", "type": "human"}, "model_validate_json"]))))
        self.assertEqual((type(message).__module__, type(message).__name__), tuple(name))
        self.assertEqual((message.content, message.type), ("hi", "human"))
        message.content = "changed"
        self.assertEqual(values.loads(values.dumps(message)), message)

    @require.only_where(not HAS_LANGCHAIN)
    def test_models_without_a_class_are_read_and_written_as_they_came(self):
        fields = {"page_content": "hi", "type": "Document"}
        raw = pack(Ext(5, pack(["langchain_core.documents.base", "Document", fields, "model_validate_json"])))
        model = values.loads(raw)
        self.assertEqual((model.page_content, model["type"]), ("hi", "Document"))
        self.assertEqual(values.dumps(model), raw)
        model["page_content"] = "changed"
        self.assertEqual(values.loads(values.dumps(model)).page_content, "changed")

    def test_refusals_name_key_and_type(self):
        class Frame:
            __module__ = "pandas.core.frame"
            __qualname__ = "DataFrame"

        Frame.__name__ = "DataFrame"
        loop = []
        loop.append(loop)
        for value, text in (
            (
                {"df": Frame()},
                "state key 'df': a pandas DataFrame cannot be stored in the state; write it to /session/artifacts or store its path",
            ),
            (
                {"a": {"rows": [1, {"x": open}]}},
                "state key 'a.rows[1].x': a builtin_function_or_method cannot be stored",
            ),
            (
                {"n": 2**70},
                "state key 'n': an integer of more than 64 bits cannot be stored in the state; store it as text",
            ),
            ({"p": Point(1, object())}, "state key 'p.y': an object cannot be stored"),
            ({"s": {object()}}, "state key 's[0]': an object cannot be stored"),
            ({object(): 1}, "state key '(key)': an object cannot be stored"),
            (Command(update={"g": (i for i in ())}), "state key 'update.g': a generator cannot be stored"),
            ([Send("n", {"f": sys})], "state key '[0].arg.f': a module 'sys' cannot be stored"),
            ({"l": loop}, "nested deeper than 256 levels, or contains itself"),
            (object(), "the state: an object cannot be stored"),
            ({"pp": pathlib.PurePosixPath("a")}, "state key 'pp': a pathlib PurePosixPath cannot be stored"),
        ):
            with self.subTest(text):
                with self.assertRaises(TypeError) as caught:
                    values.dumps(value)
                self.assertIn(text, str(caught.exception))


def _numpy():
    try:
        import numpy

        return numpy
    except ImportError:
        return None


@require.only_where(_numpy())  # runner_values_of_numpy runs it by a Python that has it
class Numpy(unittest.TestCase):
    def test_arrays(self):
        np = _numpy()
        for array in (
            np.arange(6),
            np.arange(6.0).reshape(2, 3),
            np.asfortranarray(np.arange(6).reshape(2, 3)),
            np.arange(12).reshape(3, 4)[:, ::2],
            np.array([True, False]),
            np.array(["a", "bc"]),
            np.array(5),
            np.zeros((0, 3)),
            np.array(["2024-01-01"], dtype="M8[D]"),
        ):
            again = values.loads(values.dumps({"a": array}))["a"]
            self.assertEqual((again.dtype, again.shape), (array.dtype, array.shape))
            self.assertTrue((again == array).all())
            self.assertTrue(again.flags.writeable)

    def test_scalars_become_numbers(self):
        np = _numpy()
        for scalar, plain in (
            (np.int64(5), 5),
            (np.float32(0.5), 0.5),
            (np.float64(2.5), 2.5),
            (np.bool_(True), True),
            (np.str_("s"), "s"),
        ):
            again = values.loads(values.dumps([scalar]))[0]
            self.assertEqual(again, plain)
            self.assertIs(type(again), type(plain))

    def test_a_returned_tuple_stays_one(self):
        for value in ((), (1, (2, [3, (4,)])), {"a": [(1, 2)]}, {(1, 2): "key"}):
            again = values.loads(values.dumps_update({"v": value}))["v"]
            self.assertEqual(again, value)
            self.assertIs(type(again), type(value))
        command = values.loads(values.dumps_update(Command(update={"v": (1, 2)}, goto=("a", "b"))))
        self.assertEqual((command.update, command.goto), ({"v": (1, 2)}, ["a", "b"]))
        self.assertEqual(values.loads(values.dumps_update((Send("a", 1), Send("b", 2)))), [Send("a", 1), Send("b", 2)])
        with self.assertRaisesRegex(TypeError, r"state key 'v\[1\]'"):
            values.dumps_update({"v": (1, object())})

    def test_a_returned_numpy_scalar_stays_one(self):
        np = _numpy()
        for scalar in (np.int8(-5), np.uint64(2**63), np.float32(0.5), np.float64(2.5), np.bool_(True)):
            for update in ({"v": scalar}, Command(update={"v": scalar})):
                again = values.loads(values.dumps_update(update))
                again = again["v"] if isinstance(again, dict) else again.update["v"]
                self.assertEqual((type(again), again), (type(scalar), scalar))

    def test_forged_tuples_stay_opaque(self):
        for payload in (b"", b"\xc1", pack(1), pack({})):
            self.assertEqual(values.loads(pack(Ext(values.TUPLE, payload))), Ext(values.TUPLE, payload))
            self.assertEqual(values.loads(pack(Ext(values.NUMPY_SCALAR, payload))), Ext(values.NUMPY_SCALAR, payload))

    def test_arrays_of_objects_are_refused(self):
        np = _numpy()
        with self.assertRaisesRegex(TypeError, "state key 'a': a numpy array of Python objects"):
            values.dumps({"a": np.array([object()])})
        with self.assertRaisesRegex(TypeError, "state key 'a': a numpy array with named fields"):
            values.dumps({"a": np.array([(1, 2.0)], dtype=[("x", "i4"), ("y", "f8")])})

    def test_a_scalar_that_would_arrive_as_another_type_is_refused(self):
        np = _numpy()
        for scalar, name in ((np.datetime64("2020-01-01"), "datetime64"), (np.timedelta64(5, "D"), "timedelta64")):
            with self.assertRaisesRegex(TypeError, "state key 'a': a numpy %s" % name):
                values.dumps_update({"a": scalar})


if __name__ == "__main__":
    unittest.main()

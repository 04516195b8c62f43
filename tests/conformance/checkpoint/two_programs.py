#!/usr/bin/env python3
"""One file, two programs: LangGraph and the engine keep the same database open and take turns.

usage: two_programs.py [TEST…]   with SG_CONFORMANCE_RUNNER naming conformance-runner, SG_SANDGLASS sandglass; SG_FULL for all turns of all cases
Exit code 77: there is no LangGraph.
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import programs  # first: it says where LangGraph is missing
from programs import Engine, LangGraph, difference, oracle_graphs, require, take_turns

import databases
import ormsgpack
import run_unittest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from python_values import python_values

FULL = bool(os.environ.get("SG_FULL"))
LOOP = {
    "state": {"n": {"type": "reduce", "reducer": "add"}, "log": databases.LIST},
    "nodes": [databases.node("step", "{n:1,log:[.n]}")],
    "edges": [["__start__", "step"]],
    "conditional": [{"from": "step", "jq": 'if .n<60 then "step" else "__end__" end'}],
}


class TwoPrograms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def langgraph(self, *arguments, **more):
        program = LangGraph(*arguments, **more)
        self.addCleanup(program.close)
        return program

    def engine(self, *arguments, **more):
        program = Engine(*arguments, **more)
        self.addCleanup(program.close)
        return program


class Turns(TwoPrograms):
    """Each recorded case once more, its operations performed in turn: what one wrote the other reads, continues, resumes and forks."""

    def check(self, place, first):
        case = json.loads((place / "case.json").read_text())
        expected = json.loads((place / "expected.json").read_text())
        kept_in_memory = case.get("no_checkpointer") or '"cache": true' in json.dumps(case["graph"])
        if kept_in_memory or "trace" not in expected:
            return False
        database = self.folder / f"{place.name}-{first}.db"
        env = oracle_graphs.Env()
        both = [Engine(case, database, env=env), LangGraph(case, database, env=env)]
        try:
            entries = list(take_turns(both, case["ops"], first))
        finally:
            for program in both:
                program.close()
        for number, ((op, entry, who), wanted) in enumerate(zip(entries, expected["trace"])):
            found = difference(entry, wanted)
            self.assertIsNone(found, f"{place.name}, operation {number} ({op['op']}) by {who}")
        self.assertEqual(env.runs, expected["runs"], place.name)
        return True

    def check_all(self, name):
        checked = 0
        for number, place in enumerate(sorted((programs.ENGINE / name).iterdir())):
            for first in (0, 1) if FULL else (number % 2,):
                with self.subTest(case=place.name, first=first):
                    checked += self.check(place, first)
        self.assertGreater(checked, 40)

    def test_cases(self):
        self.check_all("cases")

    def test_random_cases(self):
        self.check_all("fuzz")


class Databases(TwoPrograms):
    """Databases of graphs written in Python: both programs, and both in turn, get from a copy what LangGraph alone gets."""

    def made(self, name):
        make_graph, fill, graph, ops = databases.DATABASES[name]
        database = self.folder / "made.db"
        connection = sqlite3.connect(database, check_same_thread=False)
        saver = SqliteSaver(connection)
        saver.setup()
        fill(saver)
        connection.commit()
        connection.execute("pragma wal_checkpoint(truncate)")
        threads = [row[0] for row in connection.execute("select distinct thread_id from checkpoints order by 1")]
        connection.close()
        threads = threads if len(threads) < 10 else [threads[0], threads[-1]]
        return database, {"graph": graph, "ops": [{**op, "thread": thread} for thread in threads for op in ops]}, make_graph

    def check(self, name):
        made, case, make_graph = self.made(name)

        def entries(label, turns):
            copy = self.folder / f"{label}.db"
            shutil.copy(made, copy)
            both = [Engine(case, copy), LangGraph(case, copy, make_graph=make_graph)]
            try:
                return [(op, entry, who) for op, entry, who in take_turns([both[i] for i in turns], case["ops"])]
            finally:
                for program in both:
                    program.close()

        wanted = entries("theirs", [1])
        for label, turns in {"ours": [0], "we first": [0, 1], "they first": [1, 0]}.items():
            for (op, entry, who), (_, expected, _) in zip(entries(label, turns), wanted):
                with self.subTest(database=name, op=op, by=who, order=label):
                    self.assertIsNone(difference(entry, expected))

    def test_simple(self):
        self.check("simple")

    def test_messages(self):
        self.check("messages")

    def test_interrupts(self):
        self.check("interrupts")

    def test_subgraphs(self):
        self.check("subgraphs")

    def test_failures(self):
        self.check("failures")

    def test_large(self):
        self.check("large")

    def test_old_layouts(self):
        self.check("old")


class Values(TwoPrograms):
    """What Python alone can hold survives the engine's changes to its thread byte for byte, and is data to it."""

    GRAPH = {"state": {"v": {}, "note": {}}, "nodes": [databases.node("n", '{note:"from n"}')], "edges": [["__start__", "n"]]}
    UPDATE = {"op": "update_state", "values": {"note": "ours"}, "as_node": "n"}

    def packed(self, value):
        return JsonPlusSerializer().dumps_typed({"v": value})[1][1:]

    def blobs(self, database, thread):
        with contextlib.closing(sqlite3.connect(database)) as connection:
            rows = connection.execute("select checkpoint from checkpoints where thread_id = ? order by checkpoint_id", (thread,))
            return [row[0] for row in rows]

    def change(self, ours, thread):
        """A new input, a replay and two updates, one of them a fork."""
        run = {"op": "invoke", "thread": thread}
        for op in ({**run, "input": {"note": "in"}}, {**run, "input": None, "at": 1}, {**self.UPDATE, "thread": thread}, {**self.UPDATE, "thread": thread, "at": 1}):
            self.assertNotIn("error", ours.entry(op), thread)

    def test_types_that_only_python_has(self):
        database = self.folder / "values.db"
        theirs = self.langgraph({"graph": self.GRAPH}, database)
        ours = self.engine({"graph": self.GRAPH}, database)
        values = python_values()
        for name, value in values.items():
            theirs.graph.invoke({"v": value, "note": "theirs"}, databases.thread(name))
        for name, value in values.items():
            with self.subTest(type=name):
                shown = repr(theirs.graph.get_state(databases.thread(name)).values["v"])
                before = len(self.blobs(database, name))
                self.change(ours, name)
                blobs = self.blobs(database, name)
                self.assertEqual(len(blobs), before + 7)
                for blob in blobs[before - 1 :]:
                    self.assertIn(self.packed(value), blob)
                state = theirs.graph.get_state(databases.thread(name))
                self.assertEqual((repr(state.values["v"]), state.values["note"]), (shown, "ours"))

    def put_raw(self, database, thread, raw):
        """Stands `raw` in the place of the text that the thread's last checkpoint holds."""
        with contextlib.closing(sqlite3.connect(database)) as connection:
            (last,) = connection.execute("select max(checkpoint_id) from checkpoints where thread_id = ?", (thread,)).fetchone()
            (blob,) = connection.execute("select checkpoint from checkpoints where checkpoint_id = ?", (last,)).fetchone()
            held = self.packed("a plain text")
            self.assertEqual(blob.count(held), 1)
            blob = blob.replace(held, held[:2] + raw)
            connection.execute("update checkpoints set checkpoint = ? where checkpoint_id = ?", (blob, last))
            connection.commit()
            return blob

    def test_hostile_and_unknown_values(self):
        target = self.folder / "made by a value"
        call = ormsgpack.packb(["os", "system", f"touch '{target}'"])
        raws = {
            "a code that nobody knows": b"\xc7\x09\x63raw bytes",
            "a call of os.system": b"\xc7" + bytes([len(call)]) + b"\x00" + call,
            "a call that is cut off": b"\xc7\x05\x00\x93\xa2os\xa6",
        }
        database = self.folder / "hostile.db"
        theirs = self.langgraph({"graph": self.GRAPH}, database)
        for name in raws:
            theirs.graph.invoke({"v": "a plain text", "note": "theirs"}, databases.thread(name))
        theirs.conn.execute(
            "insert into writes select thread_id, '', min(checkpoint_id), 'task', 'path', 0, 'v', 'pickle', ? from checkpoints group by thread_id", (b"\x80\x04K\x01.",)
        )
        theirs.conn.commit()
        ours = self.engine({"graph": self.GRAPH}, database)
        for name, raw in raws.items():
            with self.subTest(value=name):
                self.put_raw(database, name, raw)
                self.assertNotIn("error", ours.entry({"op": "get_state", "thread": name}))
                for op in (self.UPDATE, {"op": "invoke", "input": {"note": "in"}}, {**self.UPDATE, "at": -1}):
                    self.assertNotIn("error", ours.entry({**op, "thread": name}))
                for blob in self.blobs(database, name)[-4:]:
                    self.assertIn(b"\xa1v" + raw, blob)
        rows = theirs.conn.execute("select hex(value) from writes where type = 'pickle'").fetchall()
        self.assertEqual(rows, [("80044B012E",)] * len(raws))
        self.assertFalse(target.exists())


NODE = """
import collections, datetime, decimal, ipaddress, pathlib, uuid
def node(state, config):
    values = {
        "datetime": datetime.datetime(2024, 5, 6, 7, 8, 9, 5, tzinfo=datetime.timezone.utc), "date": datetime.date(2024, 2, 29),
        "delta": datetime.timedelta(1, 2, 3), "bytes": b"\\x00\\xff", "tuple": (1, (2, "x")), "set": {1, 2}, "frozen": frozenset("a"),
        "decimal": decimal.Decimal("1.10"), "uuid": uuid.UUID(int=5), "path": pathlib.Path("/a/b"), "deque": collections.deque([1]),
        "ip": ipaddress.ip_address("10.0.0.1"), "big": 2**63, "keys": {1: "a", (1, 2): "b", None: "c"}}
    messages = [{"role": "user", "content": "hi", "id": "1"}, {"role": "ai", "content": "ho", "id": "2"}]
    try:
        import numpy
        values.update(array=numpy.arange(6, dtype="int32").reshape(2, 3), scalars=[numpy.float64(1.5), numpy.int64(3), numpy.bool_(True)])
    except ImportError:
        pass
    return {"v": values, "messages": messages}
"""
READ_BACK = {
    "datetime": "datetime.datetime(2024, 5, 6, 7, 8, 9, 5, tzinfo=datetime.timezone.utc)", "date": "datetime.date(2024, 2, 29)",
    "delta": "datetime.timedelta(days=1, seconds=2, microseconds=3)", "bytes": r"b'\x00\xff'", "tuple": "[1, [2, 'x']]", "set": "{1, 2}",
    "frozen": "frozenset({'a'})", "decimal": "Decimal('1.10')", "uuid": "UUID('00000000-0000-0000-0000-000000000005')",
    "path": "PosixPath('/a/b')", "deque": "deque([1])", "ip": "IPv4Address('10.0.0.1')", "big": "9223372036854775808",
    "keys": "{1: 'a', (1, 2): 'b', None: 'c'}",
    "array": "array([[0, 1, 2],\n       [3, 4, 5]], dtype=int32)", "scalars": "[1.5, 3, True]",
}


class PythonNodes(TwoPrograms):
    """What a Python node returns in a sandbox LangGraph reads as the types it would itself have read back."""

    def test_types(self):
        require.need("bubblewrap")
        graph = {
            "format": 1, "name": "values", "state": {"v": {"type": "last_value"}, "messages": {"type": "reduce", "reducer": "add_messages"}},
            "nodes": [{"name": "make", "kind": "python", "file": "nodes/make.py"}], "edges": [["__start__", "make"], ["make", "__end__"]],
        }
        os.chmod(self.folder, 0o755)
        (self.folder / "nodes").mkdir()
        (self.folder / "nodes/make.py").write_text(NODE)
        (self.folder / "values.graph.json").write_text(json.dumps(graph))
        run = [os.environ["SG_SANDGLASS"], "run", self.folder, "--thread", "t", "--backend", "bubblewrap"]
        done = subprocess.run(run, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        with contextlib.closing(sqlite3.connect(self.folder / ".sandglass/checkpoints.sqlite", check_same_thread=False)) as connection:
            values = SqliteSaver(connection).get_tuple(databases.thread("t")).checkpoint["channel_values"]
        for name, value in values["v"].items():
            self.assertEqual(repr(value), READ_BACK[name], name)
        self.assertEqual([type(m).__name__ for m in values["messages"]], ["HumanMessage", "AIMessage"])


class AtOnce(TwoPrograms):
    """Both write at the same time; a file that is locked is waited for, then reported."""

    def test_neither_loses_a_write(self):
        database = self.folder / "both.db"
        theirs = self.langgraph({"graph": LOOP}, database)
        ours = self.engine({"graph": LOOP}, database)
        ours.entry({"op": "get_state", "thread": "any"})
        run = {"op": "invoke", "input": {"n": 0}, "durability": "sync"}
        for turn in range(3):
            ours.ask({**run, "thread": f"ours {turn}"})
            self.assertEqual(theirs.entry({**run, "thread": f"theirs {turn}"})["result"]["n"], 60)
            self.assertEqual(ours.answer()["result"]["n"], 60)
        for thread in [f"{who} {turn}" for who in ("ours", "theirs") for turn in range(3)]:
            op = {"op": "dump", "thread": thread}
            seen = [program.entry(op)["db"] for program in (ours, theirs)]
            self.assertEqual(len(seen[0][0]["checkpoints"]), 62, thread)
            self.assertIsNone(difference(*seen))
            self.assertIsNone(difference(seen[0], theirs.entry({"op": "dump", "thread": "theirs 0"})["db"]))

    def test_both_on_one_thread(self):
        database = self.folder / "one.db"
        theirs = self.langgraph({"graph": LOOP}, database)
        ours = self.engine({"graph": LOOP}, database)
        update = {"op": "update_state", "as_node": "step", "values": {"log": ["u"]}}
        theirs.entry({**update, "values": {"n": 1}})
        for _ in range(40):
            ours.ask(update)
            theirs.entry(update)
            self.assertNotIn("error", ours.answer())
        (namespace,) = theirs.entry({"op": "dump"})["db"]
        self.assertEqual(len(namespace["checkpoints"]), 81)

    def locked(self, database):
        """Returns what unlocks it again."""
        connection = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        connection.execute("begin immediate")

        def release():
            connection.execute("rollback")
            connection.close()

        return release

    def test_a_busy_file_is_waited_for(self):
        database = self.folder / "busy.db"
        ours = self.engine({"graph": LOOP}, database)
        update = {"op": "update_state", "as_node": "step", "values": {"n": 1}}
        ours.entry(update)
        started = time.monotonic()
        timer = threading.Timer(1, self.locked(database))
        timer.start()
        self.addCleanup(timer.join)
        self.assertNotIn("error", ours.entry(update))
        self.assertGreater(time.monotonic() - started, 0.9)
        release = self.locked(database)
        refused = ours.entry(update)  # while it is locked
        self.assertIn("error", refused)
        self.assertRegex(refused["error"]["message"], "locked|busy|another program")
        self.assertEqual(ours.entry({"op": "get_state"})["state"]["values"]["n"], 2)
        release()
        self.assertNotIn("error", ours.entry(update))
        theirs = self.langgraph({"graph": LOOP}, database)
        self.assertEqual(theirs.entry({"op": "get_state"})["state"]["values"]["n"], 3)


if __name__ == "__main__":
    names, load = sys.argv[1:], unittest.defaultTestLoader
    module = sys.modules["__main__"]
    sys.exit(run_unittest.run(load.loadTestsFromNames(names, module) if names else load.loadTestsFromModule(module)))

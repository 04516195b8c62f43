"""Stored snapshots: names written out one by one, and read back into a fresh interpreter."""

import os
import socket
import sys
import time
import unittest
import unittest.mock

from host import Host, pack, unpack
from names_stream import Names
import require
from sandglass_runner import stored_names

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON", sys.executable)


class StoredNames(Names, unittest.TestCase):
    def setUp(self):
        self.host = Host(python=PYTHON)
        self.addCleanup(self.host.close)

    def around(self, name="s"):
        self.host.ask("snapshot", snapshot=name)
        return self.load(self.store(name).back())

    def test_names_come_back_and_what_does_not_is_said(self):
        self.host.cell("import json, math as m\nx = {'a': [1, 2]}; y = x; big = bytearray(b'z' * 3000000)\ng = (i for i in x)")
        missing = self.around()
        self.assertEqual(len(missing), 1)
        self.assertIn("g (TypeError: cannot pickle 'generator' object)", missing[0]["name"])
        self.assertEqual(self.host.value("x, x is y, m.pi > json.loads('3'), len(big)"), "({'a': [1, 2]}, True, True, 3000000)")

    def test_another_name_of_an_object_says_what_it_is(self):
        self.host.call("import os\nLIMIT = 3\ndef node(state): return {}", file="nodes/n.py")
        self.host.ask("snapshot", snapshot="s")
        records = {r["name"]: r for r, _ in self.store("s").records if r["kind"] == "alias"}
        self.assertEqual({name: r["shown"]["type"] for name, r in records.items()}, {"LIMIT": "int", "node": "function", "os": "module"})
        self.assertEqual(records["LIMIT"]["shown"]["preview"], "3")

    def test_what_code_put_in_the_place_of_things_costs_no_other_name(self):
        self.host.call("def node(state): return {}", file="nodes/n.py")
        self.host.cell(
            "import sys, types\nsys.modules['cloudpickle'] = types.ModuleType('cloudpickle')\nsys.modules['random'] = 5\n"
            "broken = types.ModuleType('broken'); del broken.__dict__['__name__']\n"
            "class Row(dict):\n    def __getattr__(self, key): return self[key]\nrow = Row()\n"
            "globals()[5] = 5\nz = 1"
        )
        self.host.ask("snapshot", snapshot="s")
        records = [(record["kind"], record.get("name")) for record, _ in self.store("s").records]
        self.assertIn(("missing", "random"), records)
        self.assertIn(("missing", "?"), records)
        self.assertIn(("name", "z"), records)
        self.assertEqual(records[-1][0], "end")

    def test_pickling_changes_nothing_in_the_copy(self):
        self.host.cell(
            "class C:\n    count = 0\n    def __reduce__(self):\n        C.count += 1; open('ran', 'a').write('x')\n        return (int, ())\nc = C()"
        )
        self.host.ask("snapshot", snapshot="s")
        self.store("s")
        self.assertEqual(self.host.ask("wake", snapshot="s")["ev"], "woken")
        self.assertEqual(self.host.value("C.count"), "0")

    def test_node_files_come_back_with_their_names(self):
        source = "LIMIT = 3\nclass Row:\n    pass\ndef node(state):\n    global rows\n    rows = [Row(), Row()]\n    return {}"
        self.host.call(source, file="nodes/n.py")
        self.assertEqual(self.around(), [])
        self.assertEqual(self.host.value("len(rows), type(rows[0]) is Row, LIMIT, callable(node)"), "(2, True, 3, True)")
        again = source.replace("rows = [Row(), Row()]", "rows.append(Row())")
        self.assertEqual(self.host.call(again, file="nodes/n.py")["status"], "ok")
        self.assertEqual(self.host.value("len(rows)"), "3")

    def test_cell_functions_come_back_where_cloudpickle_is(self):
        self.host.cell("k = 5\ndef f(): return k + 1")
        has = self.host.value("__import__('importlib.util').util.find_spec('cloudpickle') is not None")
        missing = self.around()
        if has == "True":
            self.assertEqual(missing, [])
            self.assertEqual(self.host.value("f()"), "6")
        else:
            self.assertEqual([m["name"].split()[0] for m in missing], ["f"])

    def test_where_the_code_stands_comes_back(self):
        self.host.cell("import os, random, sys\nos.mkdir('w'); os.chdir('w'); open('mine.py', 'w').write('x = 7'); sys.path.insert(0, os.getcwd())")
        self.host.cell("import mine; random.seed(3); first = random.random()")
        self.host.ask("snapshot", snapshot="s")
        drawn = self.host.value("random.random()")
        self.assertEqual(self.load(self.store("s").back()), [])
        self.assertEqual(self.host.value("random.random()"), drawn)
        self.assertEqual(self.host.value("os.path.basename(os.getcwd()), mine.x"), "('w', 7)")

    def test_modules_come_back_with_the_parts_that_were_imported(self):
        self.host.cell("import xml.dom.minidom, json\nimport os.path as where")
        for _ in range(2):
            self.assertEqual(self.around(), [])
            self.assertEqual(self.host.value("xml.dom.minidom.Node.TEXT_NODE, where.sep, callable(json.loads)"), "(3, '/', True)")

    def test_arrays_and_frames_travel_by_themselves(self):
        require.need("runtime")
        self.host = Host(python=require.runtime_python())
        self.addCleanup(self.host.close)
        self.assertEqual(self.host.cell("import numpy as np, pandas as pd")["status"], "ok")
        self.host.cell("a = np.arange(500000.0); f = pd.DataFrame({'x': a, 'y': a * 2}); before = float(f.y.sum())")
        self.host.ask("snapshot", snapshot="s")
        stream = self.store("s")
        buffers = {r["name"]: [len(b) for b in c[1]] for r, c in stream.records if c}
        self.assertEqual(buffers["a"], [4000000])
        self.assertEqual(sum(buffers["f"]), 8000000)
        self.assertEqual(self.load(stream.back()), [])
        self.assertEqual(self.host.value("a[-1] == 499999 and float(f.y.sum()) == before"), "True")
        self.host.cell("a[0] = 7; f.loc[0, 'x'] = 9.0")
        self.assertEqual(self.host.value("float(a[0]), float(f.x[0])"), "(7.0, 9.0)")

    def test_what_is_written_ahead_stands_still_while_code_runs(self):
        self.host.cell("import os; big = os.urandom(40000000)")
        self.host.ask("snapshot", snapshot="s")
        cell = self.host.start_cell("while not os.path.exists('go'): pass")
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": "s", "room": 1 << 28})
        begin, came = time.monotonic(), 0
        while time.monotonic() - begin < 1:
            self.host.seen = []
            self.host.ask("stats")
            if time.monotonic() - begin < 1.5:  # else this machine is too busy to tell
                came += sum(len(m["data"]) for m in self.host.seen if m["ev"] == "piece")
        self.assertEqual(came, 0)
        open(os.path.join(self.host.folder, "go"), "w").close()
        self.host.wait("end", identifier)
        self.assertIn(cell, [m["id"] for m in self.host.seen if m["ev"] == "done"])
        self.assertGreater(sum(len(m["data"]) for m in self.host.seen if m["ev"] == "piece"), 40000000)

    def test_code_that_runs_on_holds_it_up_for_a_while_only(self):
        self.host.cell("import os; big = os.urandom(4000000)")
        self.host.ask("snapshot", snapshot="s")
        cell = self.host.start_cell("while not os.path.exists('go'): pass")
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": "s", "room": 1 << 28})
        self.host.wait("end", identifier)
        self.assertGreater(sum(len(m["data"]) for m in self.host.seen if m["ev"] == "piece"), 4000000)
        open(os.path.join(self.host.folder, "go"), "w").close()
        self.assertEqual(self.host.wait("done", cell)["status"], "ok")

    def test_names_without_room_are_left_out_and_counted(self):
        self.host.cell("a = 'x' * 100; big = bytearray(b'z' * 3000000); many = ['%d' % i for i in range(300000)]; z = 'y' * 100000")
        self.host.ask("snapshot", snapshot="s")
        stream = self.store("s", room=1 << 20)
        self.assertEqual(stream.records[-1][0], {"kind": "end", "over": 2})
        missing = {r["name"]: r["reason"] for r, _ in stream.records if r["kind"] == "missing"}
        self.assertEqual(sorted(missing), ["big", "many"])
        self.assertIn("the 1 MB that are written ahead", missing["big"])
        self.assertEqual(len(self.load(stream.back())), 2)
        self.assertEqual(self.host.value("len(a), len(z)"), "(100, 100000)")
        whole = self.store("s")
        self.assertEqual(whole.records[-1][0], {"kind": "end", "over": 0})

    def test_the_interpreter_itself_can_be_written_out(self):
        self.host.cell("import threading; go = threading.Event(); t = threading.Thread(target=go.wait, daemon=True); t.start(); x = 3")
        stream = self.store()
        missing = self.load(stream.back())
        self.assertEqual(sorted(m["name"].split()[0] for m in missing), ["go", "t"])
        self.assertEqual(self.host.value("x"), "3")

    def test_hostile_pickles_run_inside_only_and_truncation_is_an_error(self):
        self.host.cell("x = 1")
        self.host.ask("snapshot", snapshot="s")
        data = self.store("s").back()
        self.host.ask("restart")
        identifier = self.host.next_id()
        self.host.send({"op": "load", "id": identifier})
        self.host.send({"op": "load_piece", "id": self.host.next_id(), "to": identifier, "data": data[:-3], "last": True})
        done = self.host.wait("done", identifier)
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "EOFError"))
        self.assertEqual(self.host.value("6 * 7"), "42")


class Direct(StoredNames):
    """The stream to read back in a socket that the host hands over."""

    def begin(self):
        """(our end, the request)"""
        self.assertEqual(self.host.ask("await_descriptor")["ev"], "awaiting")
        ours, theirs = socket.socketpair()
        self.addCleanup(ours.close)
        ours.settimeout(30)
        identifier = self.host.next_id()
        self.host.send_with({"op": "load", "id": identifier, "descriptor": True}, theirs.fileno())
        theirs.close()
        self.assertEqual(self.host.receive(), {"ev": "received", "id": identifier})
        return ours, identifier

    def load(self, data):
        self.host.ask("restart")
        ours, identifier = self.begin()
        ours.sendall(data)
        ours.close()
        return self.host.wait("loaded", identifier)["missing"]

    def stored(self, code):
        self.host.cell(code)
        self.host.ask("snapshot", snapshot="s")
        return self.store("s").back()

    def assert_is_over(self, ours):
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            while True:
                ours.sendall(b"x" * 65536)

    def test_frames_before_it_come_whole(self):
        data = self.stored("x = 5")
        self.host.ask("restart")
        put = {"op": "put_file", "path": "f", "offset": 0, "data": b"z" * 4000000, "last": True}
        # The first read has the second frame's begin, which is then being read into its place.
        self.host.send({"op": "await_descriptor", "id": self.host.next_id()}, dict(put, id=self.host.next_id()))
        self.host.wait("stored")
        self.host.send({"op": "ping", "n": 1})
        ours, theirs = socket.socketpair()
        identifier = self.host.next_id()
        self.host.send_with({"op": "load", "id": identifier, "descriptor": True}, theirs.fileno())
        theirs.close()
        ours.sendall(data)
        ours.close()
        self.host.wait("loaded", identifier)
        self.assertIn({"ev": "received", "id": identifier}, self.host.seen)
        self.assertEqual(self.host.value("x"), "5")
        self.assertEqual(os.path.getsize(os.path.join(self.host.folder, "artifacts", "f")), 4000000)

    def test_without_one_it_is_refused_and_pieces_still_go(self):
        data = self.stored("x = 5")
        identifier = self.host.next_id()
        self.host.send({"op": "load", "id": identifier, "descriptor": True})
        self.assertIn("no descriptor", self.host.wait("problem", identifier)["error"]["message"])
        self.host.ask("await_descriptor")
        identifier = self.host.next_id()
        self.host.send({"op": "load", "id": identifier, "descriptor": True})
        self.assertIn("no descriptor", self.host.wait("problem", identifier)["error"]["message"])
        self.assertEqual(StoredNames.load(self, data), [])
        self.assertEqual(self.host.value("x"), "5")

    def test_what_an_earlier_frame_brought_is_not_taken_for_it(self):
        data = self.stored("x = 5")
        self.host.ask("await_descriptor")
        wrong, theirs = socket.socketpair()
        self.addCleanup(wrong.close)
        wrong.settimeout(30)
        self.host.send_with({"op": "load", "id": 0, "descriptor": True}, theirs.fileno())
        theirs.close()
        self.host.wait("problem")
        self.assertEqual(self.load(data), [])
        self.assert_is_over(wrong)
        self.assertEqual(self.host.value("x"), "5")

    def test_a_host_that_stops_midway_is_an_error(self):
        data = self.stored("x = 5")
        self.host.ask("restart")
        ours, identifier = self.begin()
        ours.sendall(data[:-3])
        ours.close()
        done = self.host.wait("done", identifier)
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "EOFError"))
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_an_interpreter_that_dies_midway_ends_the_stream(self):
        data = self.stored("import os\nclass C:\n    def __reduce__(self): return (os._exit, (3,))\nc = C()")
        self.host.ask("restart")
        ours, identifier = self.begin()
        ours.sendall(data)
        self.assertEqual(self.host.wait("done", identifier)["status"], "died")
        self.assert_is_over(ours)
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_one_that_is_stopped_ends_the_stream(self):
        ours, identifier = self.begin()
        self.host.send({"op": "interrupt", "id": identifier})
        self.assertEqual(self.host.wait("done", identifier)["status"], "interrupted")
        self.assert_is_over(ours)
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_one_that_never_began_ends_the_stream(self):
        cell = self.host.start_cell("while True: pass")
        ours, identifier = self.begin()
        self.host.send({"op": "interrupt", "id": identifier})
        self.assertEqual(self.host.wait("done", identifier)["status"], "interrupted")
        self.assert_is_over(ours)
        self.host.send({"op": "interrupt", "id": cell})
        self.host.wait("done", cell)
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_nothing_stays_open(self):
        count = lambda: len(os.listdir("/proc/%d/fd" % self.host.process.pid))
        data = self.stored("x = 5")
        before = count()
        for _ in range(3):
            self.load(data)
        self.assertEqual(count(), before)


class Buffers(unittest.TestCase):
    def test_they_are_bytearrays_of_that_size_with_and_without_ctypes(self):
        for modules in ({}, {"ctypes": None}):
            with unittest.mock.patch.dict(sys.modules, modules):
                for size in (0, 5, 1 << 20):
                    made = stored_names._new_bytes(size)
                    self.assertEqual((type(made), len(made)), (bytearray, size))
                    made[:] = b"x" * size
                    self.assertEqual(made, b"x" * size)


if __name__ == "__main__":
    unittest.main()

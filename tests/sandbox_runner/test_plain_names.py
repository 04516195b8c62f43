"""Names that are plain data come with the answer of a snapshot, as the copy would write them; whatever is not plain stays with it."""

import os
import tempfile
import time
import unittest

from host import PATIENCE, Host

COUNTS = "def node(state):\n    global count\n    count = state['n']\n    return state\n"


class PlainNames(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.host.call(COUNTS, {"n": 1})
        end = time.monotonic() + PATIENCE
        while "names" not in self.host.ask("snapshot", snapshot="first") and time.monotonic() < end:
            time.sleep(0.05)  # what writes names is loaded while nothing is asked for

    def snapshot(self, name="s"):
        answer = self.host.ask("snapshot", snapshot=name)
        self.assertTrue(answer["asleep"], answer)
        return answer.get("names")

    def written(self, name="s", **keys):
        """What the copy itself writes."""
        identifier = self.host.next_id()
        self.host.send(dict(keys, op="store", id=identifier, snapshot=name))
        pieces = []
        while True:
            message = self.host.receive()
            if message.get("id") != identifier:
                continue
            if message["ev"] == "end":
                return b"".join(pieces)
            self.assertEqual(message["ev"], "piece", message)
            pieces.append(message["data"])

    def test_they_are_what_the_copy_would_write(self):
        for code in ("pass", "x = 1; y = 'text'", "a = [1, {'k': (None, 2.5, b'b')}]; b = a", "import json", "s = {1}; t = 1 << 200"):
            with self.subTest(code=code):
                self.host.cell(code)
                names = self.snapshot()
                self.assertIsNotNone(names)
                self.assertEqual(names, self.written())

    def test_a_changed_value_is_seen(self):
        self.host.cell("box = [1]")
        before = self.snapshot()
        self.host.cell("box.append(2)")
        after = self.snapshot()
        self.assertNotEqual(before, after)
        self.assertEqual(after, self.written())
        self.host.call(COUNTS, {"n": 7})
        self.assertNotEqual(self.snapshot(), after)

    def test_what_is_not_plain_is_left_to_the_copy(self):
        for code in (
            "class Own(list): pass\nx = Own()",
            "class Own: pass\nx = [Own()]",
            "def f(): pass",
            "x = lambda: 1",
            "x = []; x.append(x)",
            "x = open('/dev/null')",
            "x = list(range(100000))",
            "x = 'a' * 100000",
            "x = {i: i for i in range(3000)}",
            "x = memoryview(bytearray(b'a'))",
            "x = {}; y = x.keys()",
            "import types\nx = types.MappingProxyType({})",
            "import dataclasses\nx = dataclasses.MISSING",
            "x = ValueError()",
            "x = iter([])",
            "node.mark = 1",
        ):
            with self.subTest(code=code):
                with Host() as self.host:
                    self.setUp()
                    self.host.cell(code)
                    self.assertIsNone(self.snapshot())

    def test_none_of_the_users_code_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace")
            note = "open(%r, 'a').write('x')" % trace
            self.host.cell(
                "class Loud:\n"
                + "".join("    def %s(self, *_): %s\n" % (n, note) for n in ("__repr__", "__reduce__", "__getattr__", "__len__", "__iter__"))
                + "x = [Loud()]; y = Loud()"
            )
            if os.path.exists(trace):
                os.remove(trace)
            self.assertIsNone(self.snapshot())
            self.assertFalse(os.path.exists(trace))

    def test_a_copy_that_leaves_writes_the_same_and_stays_until_it_is_dropped(self):
        self.host.cell("class Own: pass\nx = Own()")
        self.snapshot("leaving")
        self.snapshot("stays")
        self.assertEqual(self.written("leaving", leaves=True)[:4], self.written("stays")[:4])
        self.host.ask("drop", snapshots=["leaving"])
        names = [each["snapshot"] for each in self.host.ask("snapshots")["snapshots"]]
        self.assertEqual(names, ["first", "stays"])
        self.assertEqual(self.host.ask("wake", snapshot="leaving")["ev"], "problem")
        self.assertEqual(self.host.ask("wake", snapshot="stays")["ev"], "woken")

    def test_what_another_branch_ends_does_not_end_it(self):
        self.host.cell("import time\nclass Slow:\n    def __reduce__(self): time.sleep(0.5); return (int, ())\nx = Slow(); y = 5")
        for op, keys in (("restart", {}), ("wake", {"snapshot": "other"})):
            with self.subTest(op=op):
                self.snapshot("leaving")
                self.snapshot("other")
                whole = self.written("other")
                identifier = self.host.next_id()
                self.host.send({"op": "store", "id": identifier, "snapshot": "leaving", "leaves": True})
                time.sleep(0.2)
                answer = self.host.ask(op, **keys)
                self.assertIn(answer["ev"], ("restarted", "woken"), answer)
                pieces = [m["data"] for m in self.host.seen if m["ev"] == "piece" and m["id"] == identifier]
                while True:
                    message = self.host.receive(10)
                    if message.get("id") == identifier and message["ev"] == "end":
                        break
                    if message.get("id") == identifier:
                        pieces.append(message["data"])
                self.assertEqual(b"".join(pieces), whole)
                self.host.ask("wake", snapshot="other")

    def test_one_whose_names_nobody_wants_ends_all_the_same(self):
        self.host.cell("class Endless:\n    def __reduce__(self):\n        while True: pass\nx = Endless()")
        self.snapshot("leaving")
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": "leaving", "leaves": True})
        self.host.send({"op": "interrupt", "id": identifier})
        self.host.wait("end", identifier)
        self.host.ask("drop", snapshots=["leaving"])
        self.assertEqual([each["snapshot"] for each in self.host.ask("snapshots")["snapshots"]], ["first"])


if __name__ == "__main__":
    unittest.main()

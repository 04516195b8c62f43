"""A copy that is being written out is woken all the same, and what cannot be written holds up nobody."""

import os
import time
import unittest

from host import PATIENCE, Host  # first: it says where the runner is
from sandglass_runner import stored_names
from sandglass_runner.patience import Patience

ENDLESS = "class Endless:\n    def __reduce__(self):\n        while True: sum(range(100))\nendless = Endless(); x = 1"
SOON = 10  # seconds: a waking that waited for the writing would wait for the 20 that a name has


class CopiesWritten(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def begin_store(self, name, **keys):
        identifier = self.host.next_id()
        self.host.send(dict(keys, op="store", id=identifier, snapshot=name))
        return identifier

    def soon(self, found):
        """It waits in between, and so has time."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            time.sleep(0.02)
            if found():
                return
        self.fail("not within %d s" % PATIENCE)

    def wake(self, name):
        """How long it took."""
        begin = time.monotonic()
        answer = self.host.ask("wake", snapshot=name)
        self.assertEqual(answer["ev"], "woken", answer)
        return time.monotonic() - begin

    def test_waking_ends_the_writing(self):
        self.host.cell("x = 1; big = [bytes(30 << 20) for _ in range(10)]")
        for room in (1 << 40, None):
            with self.subTest(room=room):
                self.host.ask("snapshot", snapshot="a")
                store = self.begin_store("a", **({} if room is None else {"room": room}))
                self.host.wait("piece", store)
                self.assertLess(self.wake("a"), SOON)
                self.assertEqual(self.host.value("x"), "1")
                if store not in [m.get("id") for m in self.host.seen if m["ev"] == "end"]:
                    self.host.send({"op": "snapshots", "id": self.host.next_id()})
                self.assertEqual(len(self.host.ask("snapshots")["snapshots"]), 1)

    def test_a_name_that_is_never_pickled_holds_up_nobody(self):
        self.host.cell(ENDLESS)
        self.host.ask("snapshot", snapshot="a")
        self.begin_store("a", room=1 << 30)
        time.sleep(0.2)
        for _ in range(2):
            self.assertLess(self.wake("a"), SOON)
            self.assertEqual(self.host.value("x"), "1")
            self.begin_store("a")  # not yet begun when it is woken

    def test_what_was_asked_before_the_waking_does_not_come_first(self):
        self.host.cell(ENDLESS)
        self.host.ask("snapshot", snapshot="a")
        for _ in range(3):
            self.begin_store("a")
        self.assertLess(self.wake("a"), SOON)
        self.assertEqual(self.host.value("x"), "1")

    def test_an_end_of_the_copy_ends_the_writing(self):
        self.host.cell(ENDLESS)
        self.host.ask("snapshot", snapshot="a")
        store = self.begin_store("a")
        time.sleep(0.2)
        self.assertEqual(self.host.ask("drop", snapshots=["a"])["ev"], "dropped")
        self.host.wait("end", store, timeout=SOON)

    def written(self, namespace, **patience):
        """What a process of its own writes of these names, and how it ended. The times hold for what comes before the names, too:
        a busy machine must not need all of them for that."""
        stored_names.load_ahead()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(reader)
                stored_names.write(writer, namespace, {}, None, Patience(**patience))
            finally:
                os._exit(0)
        os.close(writer)
        with open(reader, "rb") as file:
            data = file.read()
        return data, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_a_name_that_takes_too_long_is_left_out(self):
        class Endless:
            def __reduce__(self):
                while True:
                    time.sleep(0.01)

        data, code = self.written({"a": 1, "endless": Endless(), "b": 2}, name_s=4, stuck_s=120)
        self.assertEqual(code, 0)
        self.assertIn(b"TimeoutError: it took longer than 4 s", data)
        for name in (b"a", b"b"):
            self.assertIn(b"\xa4name\xa1" + name, data)

    def test_one_that_hears_of_no_signal_ends_the_writing(self):
        class Stuck:
            def __reduce__(self):
                return (int, (sum(range(10**12)),))

        begin = time.monotonic()
        _, code = self.written({"stuck": Stuck()}, name_s=4, stuck_s=4)
        self.assertEqual(code, 1)
        self.assertLess(time.monotonic() - begin, 60)  # and not for as long as counting takes

    def test_what_writing_needs_is_imported_once_and_not_for_each_copy(self):
        loaded = "[name for name in ('cloudpickle', 'sandglass_runner.stored_names') if name in __import__('sys').modules]"
        self.assertEqual(self.host.value(loaded), "[]")
        self.host.ask("snapshot", snapshot="a")
        self.soon(lambda: "sandglass_runner.stored_names" in self.host.value(loaded))

    def test_nothing_of_the_users_own_is_imported_for_that(self):
        self.host.cell("import sys; open('cloudpickle.py', 'w').write('raise SystemExit'); sys.path.insert(0, '.')")
        self.host.ask("snapshot", snapshot="a")
        self.soon(lambda: self.host.value("'sandglass_runner.stored_names' in sys.modules") == "True")
        self.assertEqual(self.host.value("'cloudpickle' in sys.modules"), "False")


if __name__ == "__main__":
    unittest.main()

"""Names that kill, hold up or confuse the process that writes them out cost themselves alone, and it is said why."""

import os
import signal
import sys
import tempfile
import time
import unittest
import unittest.mock

from host import Host
import require
from names_stream import Names
from sandglass_runner import deadly, kept_state, module_state, settings, stored_names
from sandglass_runner.patience import Patience

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON") or require.runtime_python()
KILLED = "it killed the process that pickled it: "
# What an object does as it is pickled, and what is said of it then.
KILLERS = {
    "exit": ("__import__('os')._exit(0)", KILLED + "exit code 0"),
    "abort": ("__import__('os').abort()", KILLED + "signal 6 (SIGABRT)"),
    "fault": ("__import__('ctypes').string_at(1)", KILLED + "signal 11 (SIGSEGV)"),
    "kill": ("__import__('os').kill(__import__('os').getpid(), 9)", "PermissionError: [Errno 1] Operation not permitted"),
    "alarm": ("__import__('signal').signal(14, 0), __import__('signal').alarm(1), __import__('time').sleep(30)", KILLED + "signal 14 (SIGALRM)"),
    "raises": ("exec('raise SystemExit(3)')", "SystemExit: 3"),
}
DEFINED = "class %s:\n    def __reduce__(self):\n        return %s\n%s = %s()\n"


@require.needs("runtime")
class DeadlyNames(Names, unittest.TestCase):
    def setUp(self):
        self.host = Host(python=PYTHON)
        self.addCleanup(self.host.close)

    def make(self, *names):
        self.host.cell("shared = [1]; a = [shared, 'a']")
        for name in names:
            self.host.cell(DEFINED % (name.title(), KILLERS[name][0], name, name.title()))
        self.host.cell("b = [shared, 'b']; def_after = lambda: a[0] is b[0]; m = a[0].append")

    def kept(self, missing, *names):
        """All other names are there, and objects that they share are still one."""
        self.assertEqual(sorted(each["name"].split(" ")[0] for each in missing), sorted(names))
        self.assertEqual(self.host.value("a, b, a[0] is b[0] is shared, def_after()"), "([[1], 'a'], [[1], 'b'], True, True)")
        self.assertEqual(self.host.value("m(2), shared"), "(None, [1, 2])")

    def test_a_name_that_kills_costs_no_other(self):
        for name, (_code, reason) in KILLERS.items():
            for copy in ("", "s"):
                with self.subTest(name=name, copy=copy):
                    self.host.ask("restart")
                    self.make(name)
                    if copy:
                        self.host.ask("snapshot", snapshot=copy)
                    missing = self.load(self.stored(copy).back())
                    self.kept(missing, name)
                    self.assertEqual(missing[0]["name"], "%s (%s)" % (name, reason))

    def test_the_interpreter_and_the_copy_outlive_it(self):
        self.make("exit", "abort")
        self.host.ask("snapshot", snapshot="s")
        for copy, keys in (("", {}), ("s", {}), ("s", {"leaves": True})):
            with self.subTest(copy=copy, **keys):
                self.assertFalse(self.store(copy, **keys).is_whole)
                self.assertTrue(self.store(copy, careful=True, **keys).is_whole)
        self.assertEqual(self.host.value("a"), "[[1], 'a']")
        self.assertEqual(self.host.ask("wake", snapshot="s")["ev"], "woken")
        self.assertEqual(self.host.value("a"), "[[1], 'a']")

    def test_many_that_kill_cost_themselves_alone(self):
        self.host.cell("import os\nclass K:\n    def __reduce__(self): os._exit(1)\nfor i in range(30): globals()['k%02d' % i] = K(); globals()['v%02d' % i] = [i]")
        missing = self.load(self.stored().back())
        self.assertEqual([each["name"].split(" ")[0] for each in missing], ["k%02d" % i for i in range(30)])
        self.assertEqual(self.host.value("sum(globals()['v%02d' % i][0] for i in range(30))"), str(sum(range(30))))

    def test_what_kills_as_it_is_described_or_told(self):
        for code in (
            "class Bad:\n    def __len__(self): os._exit(1)\n    @property\n    def shape(self): os._exit(1)\nbad = Bad()",
            "class Bad:\n    @property\n    def __class__(self): os._exit(1)\nbad = Bad(); del Bad",
            "class E(Exception):\n    def __str__(self): os._exit(1)\nclass Bad:\n    def __reduce__(self): raise E\nbad = Bad()",
        ):
            with self.subTest(code=code):
                self.host.ask("restart")
                self.host.cell("import os\n" + code)
                self.make()
                self.kept(self.load(self.stored().back()), "bad")

    def test_what_fails_as_it_is_described_or_told(self):
        for code in (
            "class Bad:\n    @property\n    def __class__(self): raise KeyboardInterrupt\nbad = Bad(); del Bad",
            "class E(Exception):\n    def __str__(self): raise SystemExit\nclass Bad:\n    def __reduce__(self): raise E\nbad = Bad()",
            "globals()['n' * 20_000_000] = 1\nbad = (i for i in a)",
        ):
            with self.subTest(code=code):
                self.host.ask("restart")
                self.make()
                self.host.cell(code)
                stream = self.store()
                self.assertTrue(stream.is_whole)
                missing = [each for each in self.load(stream.back()) if not each["name"].startswith("nn")]
                self.kept(missing, "bad")

    def test_state_of_the_process_that_kills_costs_itself_alone(self):
        self.host.cell("import os, logging\nclass K:\n    def __reduce__(self): os._exit(1)\nimport sys; sys.argv = [K()]; os.environ['KEPT'] = '1'")
        self.make()
        missing = self.load(self.stored().back())
        self.assertEqual([each["name"] for each in missing], ["arguments of <settings> (%sexit code 1)" % KILLED])
        self.assertEqual(self.host.value("a, os.environ['KEPT']"), "([[1], 'a'], '1')")

    def test_a_name_that_kills_who_reads_it_costs_no_other(self):
        self.make()
        self.host.cell(
            "import os, time\nclass Ends:\n    def __init__(self, *how): self.how = how\n    def __reduce__(self): return self.how\n"
            "left = Ends(os._exit, (0,)); aborts = Ends(os.abort, ()); prints = Ends(print, ('x',)); fails = Ends(int, ('x',))\nhow = 1"
        )
        stream = self.store()
        stream.records[0][0]["careful"] = True
        self.host.seen = []
        missing = self.load(stream.back())
        self.assertEqual(self.host.printed(), b"x\n")  # once
        self.kept(missing, "aborts", "fails", "left")
        reasons = {each["name"].split(" ")[0]: each["name"] for each in missing}
        self.assertIn("it killed the process that read it back: exit code 0", reasons["left"])
        self.assertIn("it killed the process that read it back: signal 6 (SIGABRT)", reasons["aborts"])
        self.assertIn("ValueError", reasons["fails"])

    def test_a_file_that_kills_who_executes_it_costs_no_name(self):
        self.make()
        self.host.cell("import os")
        self.host.call("import os\nif os.path.exists('dies'): os._exit(3)\ndef node(state): return {}", file="nodes/n.py")
        stream = self.store()
        self.host.cell("open('dies', 'w').close()")
        stream.records[0][0]["careful"] = True
        missing = self.load(stream.back())
        self.assertIn("nodes/n.py: it killed the process that read it back: exit code 3", [each["name"] for each in missing])
        self.assertEqual(self.host.value("a[0] is b[0] is shared, def_after()"), "(True, True)")

    def test_a_copy_that_leaves_is_written_out_whatever_another_branch_ends(self):
        self.make("exit")
        self.host.cell("import time\nclass Slow:\n    def __reduce__(self): time.sleep(0.7); return (int, ())\nslow = Slow()")
        self.host.ask("snapshot", snapshot="other")
        for op, keys in (("restart", {}), ("wake", {"snapshot": "other"})):
            with self.subTest(op=op):
                self.host.ask("wake", snapshot="other")
                self.host.ask("snapshot", snapshot="s")
                identifier = self.begin_store("s", leaves=True, careful=True)
                time.sleep(0.3)
                self.host.ask(op, **keys)
                seen, self.host.seen = self.host.seen, []
                stream = self.rest_of(identifier, seen)
                self.assertTrue(stream.is_whole)
                self.assertEqual([r["name"] for r, _ in stream.records if r["kind"] == "missing"], ["exit"])


class Kills:
    def __reduce__(self):
        os._exit(1)


class Here(unittest.TestCase):
    """In this process, which is no session: the state that a session keeps is not looked at."""

    def setUp(self):
        for module, name in ((module_state, "told"), (module_state, "told_of_libraries"), (settings, "told"), (kept_state, "told")):
            patch = unittest.mock.patch.object(module, name, lambda *_: ({}, []))
            patch.start()
            self.addCleanup(patch.stop)


class Found(Here):
    def test_more_than_can_be_tried_are_said_not_to_have_been(self):
        namespace = {"k%d" % i: Kills() for i in range(4)}
        with unittest.mock.patch.object(deadly, "_MOST", 3):
            found = deadly.Deadly()
            found.find({"a": 1, **namespace, "x": 5}, {})
        self.assertIsNone(found.left_out("", "a"))
        self.assertEqual(found.left_out("", "k2"), KILLED + "exit code 1")
        for name in ("k3", "x"):
            self.assertEqual(found.left_out("", name), "it was not tried, as 3 names before it killed the process that pickled them")

    def test_one_that_hears_of_no_signal_is_found(self):
        class Stuck:
            def __reduce__(self):
                return (int, (sum(range(10**12)),))

        with unittest.mock.patch.object(deadly, "NAME_S", 1):
            found = deadly.Deadly()
            found.find({"a": 1, "stuck": Stuck(), "b": 2}, {})
        self.assertEqual(found.left_out("", "stuck"), "it took longer than 1 s, and could not be interrupted")
        self.assertEqual([found.left_out("", name) for name in "ab"], [None, None])


class Interrupted(Here):
    """The time is over at any moment, also between names."""

    def written(self, namespace, patience):
        with tempfile.TemporaryFile() as file:
            stored_names.write(file.fileno(), namespace, {}, None, patience)
            file.seek(0)
            return Names.cut(file.read())

    def test_no_time_that_is_over_costs_more_than_a_name(self):
        """An alarm is raised at each call that the writer makes of the runner's functions, one after another."""

        class Slow:
            def __reduce__(self):
                return (int, ())

        shared = [1]
        namespace = {"a": [shared], "slow": Slow(), "b": [shared], "text": "x" * 70000, "c": [shared]}
        stored_names.load_ahead()
        self.addCleanup(signal.signal, signal.SIGALRM, signal.getsignal(signal.SIGALRM))
        self.addCleanup(signal.alarm, 0)
        import faulthandler

        self.addCleanup(faulthandler.cancel_dump_traceback_later)
        at, lost = 0, 0
        while True:
            patience = Patience(1000, 2000)
            self.addCleanup(patience._nowhere.close)
            count = -1

            def trace(frame, event, _argument):
                nonlocal count
                if "sandglass_runner" in frame.f_code.co_filename and frame.f_code.co_name != "_over":
                    count += 1
                    if count == at:
                        os.kill(os.getpid(), signal.SIGALRM)
                return trace if "sandglass_runner" in frame.f_code.co_filename else None

            sys.settrace(trace)
            try:
                stream = self.written(namespace, patience)
            finally:
                sys.settrace(None)
            self.assertTrue(stream.is_whole, at)
            missing = [record["name"] for record, _ in stream.records if record["kind"] == "missing"]
            self.assertLessEqual(len(missing), 1, (at, missing))
            lost += len(missing)
            if count < at:
                break
            at += 7
        self.assertGreater(at, 200)
        self.assertGreater(lost, 0)


if __name__ == "__main__":
    unittest.main()

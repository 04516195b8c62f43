"""Modules imported ahead: once, in a copy that every later interpreter is forked from."""

import os
import signal
import time
import unittest

from host import PATIENCE, Host

# A module that tells how often it was imported, and by whom.
MODULE = """
import os, random
log = os.path.join(%r, "imports")
with open(log, "a") as file:
    file.write("%%d\\n" %% os.getpid())
drawn_here = random.random()
"""


class Preload(unittest.TestCase):
    def setUp(self):
        self.host = Host(greet=False)
        self.addCleanup(self.host.close)
        with open(os.path.join(self.host.folder, "slow_one.py"), "w") as file:
            file.write(MODULE % self.host.folder)
        self.host.options.update(path=[self.host.folder], preload=["slow_one", "no_such_module"])
        self.host.ready = self.host.hello(self.host.options)

    def imports(self):
        with open(os.path.join(self.host.folder, "imports")) as file:
            return len(file.read().split())

    def wait_for_copy(self):
        """Until the supervisor knows of a copy that sleeps, and so counts it no more: the next interpreter is that."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            own = int(self.host.value("__import__('os').getpid()"))
            copies = [pid for pid in self.descendants() if pid != own]
            if len(copies) == 1 and self.host.ask("stats")["processes"] == 2:
                return copies
            time.sleep(0.01)
        self.fail("no copy sleeps")

    def descendants(self):
        found, waiting = [], [self.host.process.pid]
        while waiting:
            pid = waiting.pop()
            try:
                with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
                    waiting += [int(p) for p in file.read().split()]
            except OSError:
                continue
            found.append(pid)
        return found[1:]

    def kill(self):
        self.host.cell("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")

    def test_a_later_interpreter_imports_nothing_again(self):
        self.assertEqual(self.imports(), 1)
        pids = set()
        for _ in range(4):
            self.wait_for_copy()
            found = self.host.value("import sys; ('slow_one' in sys.modules, 'slow_one' in globals())")
            self.assertEqual(found, "(True, False)")
            pids.add(self.host.value("__import__('os').getpid()"))
            self.host.cell("left = 1")
            self.kill()
            self.assertEqual(self.host.value("'left' in globals()"), "False")
        self.assertEqual((self.imports(), len(pids)), (1, 4))

    def test_a_copy_that_is_gone_is_imported_anew(self):
        for pid in self.wait_for_copy():
            os.kill(pid, signal.SIGKILL)
        self.kill()
        self.assertEqual(self.host.value("import sys; 'slow_one' in sys.modules"), "True")
        self.wait_for_copy()
        self.assertEqual(self.imports(), 2)

    def test_random_numbers_differ_from_one_interpreter_to_the_next(self):
        drawn = set()
        for _ in range(3):
            self.wait_for_copy()
            drawn.add(self.host.value("import random; random.random()"))
            self.kill()
        self.assertEqual(len(drawn), 3)

    def test_an_interpreter_from_a_copy_does_all_that_another_does(self):
        self.wait_for_copy()
        self.kill()
        self.host.cell("import sys; print('out'); print('err', file=sys.stderr)")
        self.assertEqual((self.host.printed(), self.host.printed("stderr")), (b"out\n", b"err\n"))
        self.assertEqual(self.host.cell("while True: pass", deadline_ms=100)["status"], "timeout")
        main = self.host.value("import threading; threading.current_thread() is threading.main_thread()")
        self.assertEqual(main, "True")
        self.assertEqual(self.host.value("import subprocess; subprocess.run(['true']).returncode"), "0")
        self.host.cell("x = [1]")
        self.assertTrue(self.host.ask("snapshot", snapshot="a")["asleep"])
        self.host.cell("x.append(2)")
        self.assertEqual(self.host.ask("wake", snapshot="a")["ev"], "woken")
        self.assertEqual(self.host.value("x"), "[1]")
        self.assertEqual([s["snapshot"] for s in self.host.ask("snapshots")["snapshots"]], ["a"])

    def test_a_restart_leaves_no_process_behind(self):
        for _ in range(3):
            self.host.ask("restart")
            self.wait_for_copy()
        self.assertEqual(len(self.descendants()), 2)  # the interpreter and what the next comes from


if __name__ == "__main__":
    unittest.main()

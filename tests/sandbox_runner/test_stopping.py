"""Whatever code does, it can be stopped, the host is told what happened, and the next cell works."""

import os
import subprocess
import time
import unittest

from host import PATIENCE, Host
import require


def is_stopped(pid, patience=PATIENCE):
    """A process of several threads stands still once each of them was stopped, a moment after the signal."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with open("/proc/%s/stat" % pid) as file:
            if file.read().rsplit(")", 1)[1].split()[0] == "T":
                return True
        time.sleep(0.01)
    return False


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # gone before, or while it was read
        return False


class StoppedCode(unittest.TestCase):
    """What reacts to an interrupt has as much time for it as a busy machine may need."""

    GRACE_MS = 20000

    def setUp(self):
        self.host = Host(options={"grace_ms": self.GRACE_MS})
        self.addCleanup(self.host.close)

    def file(self, name):
        return os.path.join(self.host.folder, name)

    def next_cell_works(self):
        self.assertEqual(self.host.value("6 * 7"), "42")

    def deadline(self, code, restarted, **keys):
        # Code is only told once that its time is over: it must be where it is meant to be by then, beside other load too.
        self.next_cell_works()
        begin = time.monotonic()
        done = self.host.cell(code, deadline_ms=1000, **keys)
        self.assertEqual(done["status"], "timeout", done)
        self.assertEqual(done["restarted"], restarted)
        self.assertLess(time.monotonic() - begin, 16)
        self.next_cell_works()
        return done


class KilledCode(StoppedCode):
    GRACE_MS = 300

    def test_code_that_swallows_the_interrupt_is_killed(self):
        self.deadline(
            "while True:\n    try:\n        while True: sum(range(100))\n    except BaseException: pass",
            restarted=True,
        )

    def test_code_that_ignores_the_signal_is_killed(self):
        self.deadline(
            "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(1000)", restarted=True
        )

    def test_c_code_that_holds_the_interpreter_lock_is_killed(self):
        self.deadline("sum(range(10**12))", restarted=True)

    def test_a_fork_bomb_is_ended(self):
        # Limited here by the test, in a sandbox by its process limit.
        code = (
            "import os, signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
            "r, w = os.pipe()\nos.write(w, b'x' * 60)\nos.set_blocking(r, False)\n"
            "while True:\n"
            "    try:\n        token = os.read(r, 1)\n        os.fork()\n        open('forked', 'a').write('x')\n"
            "    except BlockingIOError: time.sleep(0.01)"
        )
        self.deadline(code, restarted=True)
        self.assertEqual(os.path.getsize(self.file("forked")), 120)  # each fork returns twice
        self.assertLess(self.processes(), 10)

    def processes(self):
        """How many there are in the session's folder: those of other tests do not count."""
        found = 0
        for each in os.listdir("/proc"):
            try:
                found += each.isdigit() and os.readlink("/proc/%s/cwd" % each).startswith(self.host.folder)
            except OSError:  # gone, or a zombie
                pass
        return found


class Stopping(StoppedCode):
    def test_a_timer_that_raises_while_nothing_runs_ends_nothing(self):
        self.host.cell(
            "import signal\ndef late(*_): went_off.append(1); open('went_off', 'w').close(); raise TimeoutError\n"
            "went_off = []; signal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 0.2)"
        )
        self.wait_for(lambda: os.path.exists(self.file("went_off")))
        self.assertEqual(self.host.value("went_off"), "[1]")

    def wait_for(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_at_rest_nothing_uses_the_processor_until_something_is_asked(self):
        pid = self.host.value("import os, threading, time; held = 1; os.getpid()")
        self.host.cell("def spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()")
        self.assertEqual(self.host.ask("rest")["ev"], "resting")
        self.assertTrue(is_stopped(pid))
        self.host.send({"op": "ping", "n": 1})
        self.host.wait("pong")
        self.assertTrue(is_stopped(pid))
        self.assertEqual(self.host.value("held"), "1")
        self.assertEqual(self.host.value("os.getpid()"), pid)

    def test_an_interrupt_that_comes_before_a_wait_ends_the_wait(self):
        # What the first signal meets is over when the wait begins, as when it comes between Python and the C code that waits.
        code = (
            "import signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]); print('here', flush=True)\n"
            "signal.sigwait([signal.SIGINT]); signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\ntime.sleep(60)"
        )
        cell = self.host.start_cell(code)
        self.host.wait("out", cell)
        self.host.send({"op": "interrupt", "id": cell, "grace_ms": 30000})
        done = self.host.wait("done", cell)
        self.assertEqual((done["status"], done["restarted"]), ("interrupted", False), done)
        self.next_cell_works()

    def test_code_that_puts_things_in_order_is_interrupted_once(self):
        code = "import time\ntry:\n    print('here', flush=True); time.sleep(60)\nexcept KeyboardInterrupt:\n    time.sleep(1); kept = 'whole'"
        for _ in range(2):
            cell = self.host.start_cell(code)
            self.host.wait("out", cell)
            self.host.send({"op": "interrupt", "id": cell, "grace_ms": 30000})
            self.assertEqual(self.host.wait("done", cell)["status"], "ok")
            self.assertEqual(self.host.value("kept"), "'whole'")
            self.host.cell("del kept")

    def test_nothing_that_runs_is_put_to_rest(self):
        cell = self.host.start_cell("import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)")
        self.assertIn("something runs", self.host.ask("rest")["error"]["message"])
        open(os.path.join(self.host.folder, "go"), "w").close()
        self.assertEqual(self.host.wait("done", cell)["status"], "ok")

    def test_a_deadline_keeps_the_names_of_code_that_can_be_interrupted(self):
        self.host.cell("kept = 1")
        for code in (
            "while True: pass",
            "import time; time.sleep(1000)",
            "import subprocess; subprocess.run(['sleep', '1000'])",
        ):
            with self.subTest(code):
                done = self.deadline(code, restarted=False)
                self.assertEqual(done["error"]["type"], "KeyboardInterrupt")
                self.assertEqual(self.host.value("kept"), "1")

    def test_an_interrupt_may_come_before_the_code_begins(self):
        self.host.cell("kept = 1")
        for _ in range(50):
            identifier = self.host.next_id()
            self.host.send({"op": "cell", "id": identifier, "code": "import time; time.sleep(1000)"})
            self.host.send({"op": "interrupt", "id": identifier})
            done = self.host.wait("done")
            self.assertEqual(done["status"], "interrupted", done)
            self.assertFalse(done["restarted"])
        self.assertEqual(self.host.value("kept"), "1")

    def test_a_deadline_counts_even_if_the_code_ends_well_afterwards(self):
        self.deadline("import os; os.system('sleep 1000')", restarted=False)
        self.deadline("try:\n    while True: sum(range(100))\nexcept KeyboardInterrupt: pass\n7", restarted=False)

    def test_the_traceback_shows_where_the_code_was(self):
        done = self.deadline("def f():\n    while True: pass\nf()", restarted=False)
        self.assertEqual([t["function"] for t in done["error"]["traceback"]], ["<module>", "f"])

    def test_a_pattern_that_takes_for_ever(self):
        self.deadline("import re; re.match('(a|aa)+$', 'a' * 60 + 'b')", restarted=False)

    def test_code_that_stops_its_own_process(self):
        self.deadline("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)\nwhile True: pass", restarted=False)

    def test_code_that_closes_every_descriptor_and_sleeps(self):
        done = self.host.cell("import os, time\nos.closerange(0, 4096)\ntime.sleep(1000)")
        self.assertEqual((done["status"], done["restarted"]), ("died", True))
        self.assertIn("channel", done["error"]["message"])
        self.next_cell_works()

    def test_a_helper_that_outlives_its_cell_is_gone_after_a_kill(self):
        code = (
            "import subprocess\n"
            "p = subprocess.Popen(['sh', '-c', 'setsid sleep 1000 & echo $!; sleep 0.1'], stdout=subprocess.PIPE)\n"
            "print(p.stdout.readline().decode())"
        )
        self.host.cell(code)
        pid = int(self.host.printed())
        self.assertTrue(os.path.exists("/proc/%d" % pid))
        self.host.cell("import os; os._exit(1)")
        self.assertFalse(os.path.exists("/proc/%d" % pid))
        self.next_cell_works()

    def test_a_helper_started_in_a_cell_lives_on_in_the_next(self):
        self.host.cell("import subprocess; p = subprocess.Popen(['sleep', '1000'])")
        self.assertEqual(self.host.value("p.poll() is None"), "True")

    def test_what_a_stopped_cell_started_ends_with_it_and_older_helpers_go_on(self):
        self.host.cell("import subprocess, time\nolder = subprocess.Popen(['sleep', '1000'])\ntime.sleep(0.05)")
        code = "newer = subprocess.Popen(['sleep', '1000'], start_new_session=True)\nwhile True: pass"
        self.deadline(code, restarted=False)
        self.assertEqual(self.host.value("older.poll(), newer.wait()"), "(None, -9)")

    def test_endings(self):
        for code, exit_code, signal in (
            ("import os; os._exit(3)", 3, None),
            ("import os; os.abort()", None, 6),
            ("import ctypes; ctypes.string_at(0)", None, 11),
            ("import os; os.kill(os.getpid(), 9)", None, 9),
            ("import os; os.kill(0, 9)", None, 9),
        ):
            with self.subTest(code):
                self.host.cell("name = 1")
                done = self.host.cell(code)
                self.assertEqual((done["status"], done["restarted"]), ("died", True))
                self.assertEqual((done["exit"]["code"], done["exit"]["signal"]), (exit_code, signal))
                self.assertEqual(self.host.cell("name")["error"]["type"], "NameError")

    def test_what_was_printed_before_the_end_arrives(self):
        self.host.cell("import os; print('last words'); os._exit(1)")
        self.assertEqual(self.host.printed(), b"last words\n")

    def test_sys_exit_ends_the_cell_only(self):
        self.host.cell("kept = 1")
        for code in ("import sys; sys.exit(3)", "raise SystemExit", "exit()", "quit(1)"):
            done = self.host.cell(code)
            self.assertEqual((done["status"], done["error"]["type"]), ("error", "SystemExit"))
            self.assertIn("the session goes on", done["error"]["message"])
        self.assertEqual(self.host.value("kept"), "1")

    def test_memory_error_leaves_the_session_usable(self):
        self.host.cell(
            "import resource; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, resource.RLIM_INFINITY)); kept = 1"
        )
        done = self.host.cell("big = bytearray(1 << 30)")
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "MemoryError"))
        done = self.host.cell("hoard = []\nwhile True: hoard.append(bytearray(1 << 16))")
        self.assertEqual(done["error"]["type"], "MemoryError")
        self.host.cell("del hoard")
        self.assertEqual(self.host.value("kept"), "1")

    def test_deep_recursion(self):
        done = self.host.cell("def f(): f()\nf()")
        self.assertEqual(done["error"]["type"], "RecursionError")
        self.assertLess(len(done["error"]["traceback"]), 200)
        self.host.cell("import sys; sys.setrecursionlimit(40)")
        self.next_cell_works()

    def test_interrupt_of_the_running_cell(self):
        identifier = self.host.start_cell("kept = 1\nprint('on')\nwhile True: pass")
        self.host.wait("out")
        self.host.send({"op": "interrupt", "id": identifier})
        done = self.host.wait("done", identifier)
        self.assertEqual((done["status"], done["restarted"]), ("interrupted", False))
        self.assertEqual(self.host.value("kept"), "1")

    def test_kill_of_the_running_cell(self):
        identifier = self.host.start_cell("print('on')\nwhile True: pass")
        self.host.wait("out")
        self.host.send({"op": "interrupt", "id": identifier, "kill": True})
        done = self.host.wait("done", identifier)
        self.assertEqual((done["status"], done["restarted"]), ("interrupted", True))
        self.next_cell_works()

    def test_interrupt_of_a_waiting_cell(self):
        first = self.host.start_cell(
            "import time\nwhile True: time.sleep(0.01)"
        )
        waiting = self.host.start_cell("open('never', 'w')")
        self.host.send({"op": "interrupt", "id": waiting})
        self.assertEqual(self.host.wait("done")["id"], waiting)
        self.host.send({"op": "interrupt", "id": first})
        self.host.wait("done", first)
        self.assertEqual(self.host.value("import os; os.path.exists('never')"), "False")

    def test_interrupt_that_comes_late_hits_nobody(self):
        for _ in range(50):
            identifier = self.host.start_cell("1")
            self.host.send({"op": "interrupt", "id": identifier})
            self.assertIn(self.host.wait("done", identifier)["status"], ("ok", "interrupted"))
            self.next_cell_works()

    def test_a_deadline_starts_when_its_cell_starts(self):
        first = self.host.start_cell("import time; time.sleep(3)")
        second = self.host.start_cell("7", deadline_ms=2500)
        self.host.wait("done", first)
        self.assertEqual(self.host.wait("done", second)["status"], "ok")

    def test_restart(self):
        self.host.cell("name = 1")
        self.assertEqual(self.host.ask("restart")["ev"], "restarted")
        self.assertEqual(self.host.cell("name")["error"]["type"], "NameError")

    def test_an_interpreter_that_ends_between_cells_is_replaced_and_said(self):
        self.host.cell(
            "import os, threading, time\ndef leave():\n    while not os.path.exists('go'): time.sleep(0.01)\n    os._exit(4)\n"
            "threading.Thread(target=leave, daemon=True).start()"
        )
        open(self.file("go"), "w").close()
        told = self.host.wait("restarted")
        self.assertEqual((told["id"], told["exit"]["code"]), (0, 4))
        self.next_cell_works()

    def test_waiting_cells_run_after_a_restart(self):
        first = self.host.start_cell("import os; os._exit(1)")
        second = self.host.start_cell("'still'")
        self.assertEqual(self.host.wait("done", first)["status"], "died")
        self.assertEqual(self.host.wait("done", second)["result"]["text/plain"], "'still'")

    @require.needs("root")
    def test_an_interpreter_that_cannot_be_started_now_is_started_when_there_is_room(self):
        user = 64999
        with Host(user=user, processes=4) as host:
            hogs = [subprocess.Popen(["sleep", "1000"], user=user, group=user) for _ in range(4)]
            try:
                self.assertEqual(host.cell("import os; os._exit(1)")["status"], "died")
                waiting = host.start_cell("'there'")
                host.send({"op": "ping", "n": 1})
                host.wait("pong")
            finally:
                for hog in hogs:
                    hog.kill()
                    hog.wait()
            self.assertEqual(host.wait("done", waiting)["result"]["text/plain"], "'there'")

    def test_a_crash_tells_where_it_was(self):
        self.host.cell("def deep():\n    import ctypes; ctypes.string_at(0)\ndeep()")
        self.assertIn(b"Segmentation fault", self.host.printed("stderr"))
        self.assertIn(b"in deep", self.host.printed("stderr"))

    def test_processes_of_the_standard_library(self):
        code = (
            "import multiprocessing\ndef f(n): return n * n\n"
            "with multiprocessing.get_context('fork').Pool(2) as p: r = p.map(f, range(4))\nr"
        )
        self.assertEqual(self.host.value(code), "[0, 1, 4, 9]")

    def test_killing_the_supervisor_ends_everything(self):
        pid = self.host.ready["interpreter"]
        self.host.send({"op": "cell", "id": 1, "code": "import os; os.kill(os.getppid(), 9)\nwhile True: pass"})
        self.host.process.wait(PATIENCE)
        self.wait_for(lambda: not is_alive(pid))


if __name__ == "__main__":
    unittest.main()

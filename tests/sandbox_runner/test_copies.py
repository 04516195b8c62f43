"""Live snapshots: copies of the interpreter that sleep, and go on as if nothing had happened since."""

import os
import time
import unittest

from host import PATIENCE, Host, unpack


class Copies(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def snapshot(self, name, asleep=True):
        answer = self.host.ask("snapshot", snapshot=name)
        self.assertEqual(answer["ev"], "snapshot", answer)
        self.assertEqual(answer["asleep"], asleep, answer)
        return answer

    def wake(self, name):
        answer = self.host.ask("wake", snapshot=name)
        self.assertEqual(answer["ev"], "woken", answer)
        return answer["lost"]

    def live(self):
        return sorted(s["snapshot"] for s in self.host.ask("snapshots")["snapshots"])

    def test_names_are_as_they_were_in_any_order_any_number_of_times(self):
        self.host.cell("x = [0]\ndef grow(): x.append(len(x))")
        for i in range(4):
            self.snapshot("s%d" % i)
            self.host.cell("grow()")
        for i in (2, 0, 3, 2, 1, 0, 0):
            self.assertEqual(self.wake("s%d" % i), [])
            self.assertEqual(self.host.value("x"), repr(list(range(i + 1))))
            self.host.cell("grow(); x.append('future')")
        self.assertEqual(self.live(), ["s0", "s1", "s2", "s3"])

    def test_what_cannot_be_pickled_is_there(self):
        self.host.cell("g = (n * n for n in range(100))\nnext(g); next(g)\nf = lambda: next(g)")
        self.snapshot("a")
        self.assertEqual(self.host.value("[f(), f()]"), "[4, 9]")
        self.wake("a")
        self.assertEqual(self.host.value("[f(), f(), f()]"), "[4, 9, 16]")

    def test_random_generators_go_on_as_they_would_have(self):
        self.host.cell("import random; random.seed(7)")
        self.snapshot("a")
        first = self.host.value("[random.random() for _ in range(5)]")
        self.wake("a")
        self.assertEqual(self.host.value("[random.random() for _ in range(5)]"), first)

    def test_handlers_for_forks_do_not_run(self):
        self.host.cell("import os; seen = []\nos.register_at_fork(after_in_child=lambda: seen.append(1))")
        self.snapshot("a")
        self.wake("a")
        self.assertEqual(self.host.value("seen"), "[]")

    def test_open_files_stand_at_their_offsets_and_are_not_shared(self):
        path = os.path.join(self.host.folder, "log.txt")
        self.host.cell("w = open(%r, 'w'); w.write('one\\n'); w.flush(); w.write('buffered\\n')" % path)
        self.host.cell("import os; open('in.txt', 'w').write('abcdef'); r = open('in.txt'); fd = os.open('in.txt', 0); os.read(fd, 2)")
        self.snapshot("a")
        self.host.cell("w.write('two\\n'); w.flush(); r.read(); os.read(fd, 9)")
        with open(path, "w") as file:
            file.write("one\n")  # as the host does when it goes back
        self.wake("a")
        self.assertEqual(self.host.value("os.read(fd, 9)"), repr(b"cdef"))
        self.assertEqual(self.host.value("r.read()"), repr("abcdef"))
        self.host.cell("w.write('three\\n'); w.flush()")
        with open(path) as file:
            self.assertEqual(file.read(), "one\nbuffered\nthree\n")

    def listed(self, name):
        """What a person sees of a copy's names."""
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": name, "listed": True})
        data = b""
        while True:
            message = self.host.receive()
            if message.get("id") == identifier:
                self.assertIn(message["ev"], ("piece", "end"), message)
                if message["ev"] == "end":
                    return unpack(data) if data else None
                data += message["data"]

    def test_the_names_of_a_copy_can_be_listed_while_code_runs(self):
        self.host.cell("x = [1, 2]; _hidden = 1; import math")
        self.snapshot("a")
        self.host.cell("x.append(3); y = 1")
        self.host.start_cell("import time; time.sleep(1)")
        found = self.listed("a")
        self.assertEqual([(v["name"], v["preview"]) for v in found["variables"]], [("x", "[1, 2]")])
        self.assertEqual(found["modules"], ["math"])

    def test_listing_changes_nothing_in_the_copy(self):
        self.host.cell("seen = []\nclass Odd:\n    def __repr__(self):\n        seen.append(1)\n        return 'odd'\nodd = Odd()")
        self.snapshot("a")
        self.assertIn("odd", [v.get("preview") for v in self.listed("a")["variables"]])
        self.wake("a")
        self.assertEqual(self.host.value("seen"), "[]")

    def test_an_object_that_never_describes_itself_does_not_hold_the_copy(self):
        self.host.cell("class Stuck:\n    def __repr__(self):\n        while True: pass\nstuck = Stuck()")
        self.snapshot("a")
        self.assertIsNone(self.listed("a"))
        self.wake("a")
        self.assertEqual(self.host.value("type(stuck).__name__"), "'Stuck'")

    def test_a_copy_can_be_woken_and_made_again_without_a_pause(self):
        self.host.cell("n = 0")
        requests = []
        for i in range(12):
            for op in ("snapshot", "wake"):
                requests.append(self.host.next_id())
                self.host.send({"op": op, "id": requests[-1], "snapshot": "s%d" % (i % 3)})
        answers = {}
        while len(answers) < len(requests):
            message = self.host.receive()
            if message.get("id") in requests:
                answers[message["id"]] = message["ev"]
        self.assertEqual([answers[r] for r in requests], ["snapshot", "woken"] * 12)
        self.assertEqual(self.live(), ["s0", "s1", "s2"])
        for name in self.live():
            self.wake(name)
            self.assertEqual(self.host.value("n"), "0")

    def test_what_is_not_carried_is_named(self):
        self.host.cell(
            "import os, socket, subprocess, tempfile\n"
            "pipe = os.pipe(); pair = socket.socketpair(); gone = open('gone.txt', 'w+'); os.unlink('gone.txt')\n"
            "child = subprocess.Popen(['sleep', '1000'])\n"
            "while 'sleep' not in open('/proc/%d/cmdline' % child.pid).read(): pass"
        )
        left = self.snapshot("a")["left"]
        kinds = sorted(entry["kind"] for entry in left)
        self.assertEqual(kinds, ["deleted file", "pipe", "pipe", "process", "socket", "socket"])
        self.assertIn("sleep 1000", [e["name"] for e in left if e["kind"] == "process"][0])
        for entry in left:
            if entry["kind"] in ("pipe", "socket"):
                self.assertRegex(entry["name"], r"^\(descriptor \d+\)$")
        self.assertIsNone(self.host.value("child.poll()"))  # here it goes on
        self.wake("a")
        self.assertEqual(self.host.value("os.read(pipe[0], 9)"), "b''")
        self.assertEqual(self.host.value("pair[0].recv(9)"), "b''")

    def test_other_threads_forbid_a_live_copy(self):
        self.host.cell("import threading; go = threading.Event()\nt = threading.Thread(target=go.wait, name='mine'); t.start()")
        self.host.cell("import os; pipe = os.pipe()")
        answer = self.snapshot("a", asleep=False)
        self.assertEqual(answer["obstacles"], [{"kind": "thread", "name": "mine"}])
        self.assertEqual([entry["kind"] for entry in answer["left"]], ["pipe", "pipe"])  # nor are they stored
        self.assertEqual(self.live(), [])
        self.host.cell("go.set(); t.join()")
        self.snapshot("a")
        self.assertEqual(self.live(), ["a"])

    def test_threads_of_unknown_c_code_forbid_a_live_copy(self):
        self.host.cell(
            "import ctypes; c = ctypes.CDLL(None)\n"
            "thread = ctypes.c_ulong(); c.pthread_create(ctypes.byref(thread), None, c.pause, None)"
        )
        answer = self.snapshot("a", asleep=False)
        self.assertEqual(answer["obstacles"], [{"kind": "thread", "name": "threads of C code: 1"}])

    def test_code_that_waits_for_its_children_meets_no_copy(self):
        self.host.cell("import os")
        for i in range(3):
            self.snapshot("s%d" % i)
            self.assertIn("ChildProcessError", self.host.cell("os.wait()", deadline_ms=60000)["error"]["text"])
        self.wake("s1")
        self.assertIn("ChildProcessError", self.host.cell("os.wait()", deadline_ms=60000)["error"]["text"])

    def test_await_works_on_both_sides(self):
        code = "import asyncio\nqueue = asyncio.Queue()\nawait queue.put(1)\nawait asyncio.sleep(0.001)"
        self.assertEqual(self.host.cell(code)["status"], "ok")
        self.assertEqual(self.snapshot("a")["left"], [])
        self.host.cell("await queue.put(2)")
        self.assertEqual(self.host.value("await asyncio.sleep(0.001, queue.qsize())"), "2")
        self.wake("a")
        self.assertEqual(self.host.value("await asyncio.sleep(0.001, queue.qsize())"), "1")
        # Told by another thread, the loop goes on at once and not when the time is over.
        slow = "begin = time.monotonic()\nawait asyncio.wait_for(asyncio.to_thread(time.sleep, 0.2), 25)"
        self.assertEqual(self.host.cell("import time\n" + slow)["status"], "ok")
        self.assertLess(float(self.host.value("time.monotonic() - begin")), 20)

    def test_many_wakings_in_a_row(self):
        self.host.cell("x = 0")
        for i in range(3):
            self.host.cell("x += 1")
            self.snapshot("s%d" % i)
        for i in range(30):
            self.assertEqual(self.wake("s%d" % (i % 3)), [])
            self.assertEqual(self.host.value("x"), str(i % 3 + 1))
            if i % 10 == 0:
                time.sleep(0.2)  # what the next one needs is made ahead then
            self.host.cell("x = 'another'")
        self.assertEqual(self.live(), ["s0", "s1", "s2"])

    def test_an_interrupt_right_after_waking_is_for_the_code(self):
        self.host.cell("x = 1; import time")
        self.snapshot("a")
        for _ in range(40):
            self.wake("a")
            identifier = self.host.start_cell("time.sleep(20)")
            self.host.send({"op": "interrupt", "id": identifier, "grace_ms": 15000})
            done = self.host.wait("done", identifier)
            self.assertEqual((done["status"], done["restarted"]), ("interrupted", False), done)
            self.assertEqual(self.host.value("x"), "1")

    def test_copies_are_the_first_that_memory_is_taken_from(self):
        def scores():
            """Of the interpreter, and of the copies."""
            own = int(self.host.value("__import__('os').getpid()"))
            with open("/proc/%d/task/%d/children" % (2 * (self.host.process.pid,))) as file:
                pids = [int(pid) for pid in file.read().split()]
            found = {}
            for pid in pids:
                with open("/proc/%d/oom_score_adj" % pid) as file:
                    found[pid] = int(file.read())
            interpreter = found.pop(own)
            return interpreter, sorted(found.values())

        with open("/proc/self/oom_score_adj") as file:
            if int(file.read()) > 0:
                self.skipTest("this process has a score of its own")
        self.snapshot("a")
        self.snapshot("b")
        self.wake("a")
        end = time.monotonic() + PATIENCE
        while scores() != (300, [900, 900]) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(scores(), (300, [900, 900]))

    def test_an_interpreter_that_died_is_brought_back(self):
        self.host.cell("x = 1")
        self.snapshot("a")
        self.assertEqual(self.host.cell("import os; os._exit(3)")["status"], "died")
        self.wake("a")
        self.assertEqual(self.host.value("x"), "1")
        self.assertEqual(self.host.cell("import time; time.sleep(100)", deadline_ms=1000)["status"], "timeout")
        self.assertEqual(self.host.value("x"), "1")

    def test_waking_ends_what_the_other_branch_had_started(self):
        self.snapshot("a")
        pid = int(self.host.value("__import__('subprocess').Popen(['sleep', '1000']).pid"))
        self.wake("a")
        self.assertFalse(os.path.exists("/proc/%d" % pid))

    def test_a_copy_that_was_killed_is_missed(self):
        self.host.cell("import os, signal, glob")
        self.snapshot("a")
        self.host.cell(
            "for p in glob.glob('/proc/[0-9]*/stat'):\n"
            "    try: f = open(p).read().rsplit(')', 1)[1].split()\n"
            "    except OSError: continue\n"
            "    pid = int(p.split('/')[2])\n"
            "    if int(f[1]) == os.getppid() and pid != os.getpid(): os.kill(pid, 9)"
        )
        deadline = time.monotonic() + PATIENCE  # the supervisor hears of its death a moment later
        while self.live() and time.monotonic() < deadline:
            time.sleep(0.01)
        answer = self.host.ask("wake", snapshot="a")
        self.assertEqual((answer["ev"], answer["error"]["type"]), ("problem", "NotAsleep"))
        self.assertEqual(self.host.value("6 * 7"), "42")
        self.assertEqual(self.live(), [])

    def test_dropping_and_a_second_one_of_the_name(self):
        self.host.cell("x = 1")
        self.snapshot("a")
        self.host.cell("x = 2")
        self.snapshot("a")
        self.wake("a")
        self.assertEqual(self.host.value("x"), "2")
        self.host.ask("drop", snapshots=["a", "never"])
        self.assertEqual(self.live(), [])
        self.assertEqual(self.host.value("x"), "2")

    def test_a_death_between_two_calls_is_told_by_the_next(self):
        source = "def node(state):\n    return {}"
        for kill in (True, False, True):
            if kill:
                os.kill(int(self.host.value("__import__('os').getpid()")), 9)
            done = self.host.call(source)
            self.assertEqual(done["status"] == "died" or done.get("restarted", False), kill, done)

    def test_no_copy_stands_for_an_interpreter_that_died(self):
        os.kill(int(self.host.value("__import__('os').getpid()")), 9)
        for number in range(100):  # until the end was noticed, what is asked fails, and no copy is made
            answer = self.host.ask("snapshot", snapshot="s%d" % number)
            if answer.get("renewed") or answer.get("error", {}).get("type") == "InterpreterDied":
                break
            self.assertEqual(answer["ev"], "problem", answer)
        else:
            self.fail("nothing said that the interpreter died")
        after = self.host.ask("snapshot", snapshot="after")
        self.assertTrue(after["asleep"])
        self.assertNotIn("renewed", after)  # said once

    def test_one_that_is_dropped_while_it_wakes(self):
        self.host.cell("x = 1\nclass Slow:\n    def __reduce__(self): __import__('time').sleep(0.3); return (int, ())\nslow = Slow()")
        self.snapshot("a")
        store, wake, drop = (self.host.next_id() for _ in range(3))
        self.host.send({"op": "store", "id": store, "snapshot": "a"})  # it cannot wake before this is done
        self.host.send({"op": "wake", "id": wake, "snapshot": "a"})
        self.host.send({"op": "drop", "id": drop, "snapshots": ["a"]})
        answer = {}
        while answer.get("id") != wake:
            answer = self.host.receive()
        self.assertIn(answer["ev"], ("woken", "problem"))
        if answer["ev"] == "woken":
            self.assertEqual(self.host.value("x"), "1")
        self.assertEqual(self.live(), [])

    def test_a_call_is_followed_by_its_copy(self):
        source = "def node(state):\n    global x\n    x = %d\n    return {'x': x}"
        for number in (1, 2):
            copy = {"id": self.host.next_id(), "snapshot": "s%d" % number}
            self.assertEqual(self.host.call(source % number, copy=copy)["update"], {"x": number})
            answer = self.host.wait("snapshot", copy["id"])
            self.assertEqual((answer["asleep"], answer["obstacles"]), (True, []))
        self.host.cell("x = 9")
        for number in (1, 2, 1):
            self.assertEqual(self.host.ask("wake", snapshot="s%d" % number)["ev"], "woken")
            self.assertEqual(self.host.value("x"), str(number))

    def test_only_a_call_that_ended_well_is_followed(self):
        failing = "def node(state):\n    global y\n    y = 1\n    raise ValueError"
        copy = {"id": self.host.next_id(), "snapshot": "bad"}
        self.assertEqual(self.host.call(failing, copy=copy)["status"], "error")
        self.assertEqual(self.host.value("y"), "1")
        self.assertEqual([m for m in self.host.seen if m.get("id") == copy["id"]], [])
        self.assertEqual(self.host.ask("wake", snapshot="bad")["ev"], "problem")
        kept = {"id": self.host.next_id(), "snapshot": "kept", "always": True}
        self.assertEqual(self.host.call(failing, copy=kept)["status"], "error")
        self.assertTrue(self.host.wait("snapshot", kept["id"])["asleep"])
        self.assertEqual(self.host.ask("wake", snapshot="kept")["ev"], "woken")

    def test_a_call_whose_interpreter_dies_is_followed_by_nothing(self):
        copy = {"id": self.host.next_id(), "snapshot": "s", "always": True}
        done = self.host.call("import os\ndef node(state):\n    os._exit(3)", copy=copy)
        self.assertEqual((done["status"], done["restarted"]), ("died", True))
        self.assertEqual(self.host.value("1"), "1")
        self.assertEqual(self.host.ask("wake", snapshot="s")["ev"], "problem")

    def test_a_thread_that_forbids_the_copy_is_told_after_the_call(self):
        source = "import threading\ngo = threading.Event()\ndef node(state):\n    threading.Thread(target=go.wait, daemon=True).start()"
        copy = {"id": self.host.next_id(), "snapshot": "s"}
        self.assertEqual(self.host.call(source, copy=copy)["status"], "ok")
        answer = self.host.wait("snapshot", copy["id"])
        self.assertEqual((answer["asleep"], [o["kind"] for o in answer["obstacles"]]), (False, ["thread"]))
        self.assertEqual(self.host.value("1"), "1")

    def test_a_wrong_copy_is_refused(self):
        for copy in ({"id": 0, "snapshot": "s"}, {"id": 5}, {"id": "5", "snapshot": "s"}):
            self.host.send({"op": "call", "id": self.host.next_id(), "source": "", "file": "f", "state": b"\x80", "copy": copy})
            self.assertEqual(self.host.wait("problem")["error"]["type"], "BadRequest")

    def children(self):
        pids = set()
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open("/proc/%s/stat" % name) as file:
                        if int(file.read().rsplit(")", 1)[1].split()[1]) == self.host.process.pid:
                            pids.add(int(name))
                except OSError:
                    pass
        return pids

    def test_copies_end_with_the_runner(self):
        self.snapshot("a")
        self.wake("a")
        self.snapshot("b")
        end = time.monotonic() + PATIENCE
        pids = self.children()
        while len(pids) > 3 and time.monotonic() < end:  # the interpreter whose place was taken gives back its memory
            time.sleep(0.01)
            pids = self.children()
        self.assertEqual(len(pids), 3)
        self.host.process.kill()
        self.host.process.wait()
        end = time.monotonic() + PATIENCE
        while any(_alive(pid) for pid in pids) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse([pid for pid in pids if _alive(pid)])

    def test_redirected_output_comes_from_where_the_copy_had_it(self):
        self.host.cell("import sys, io; sys.stdout = io.StringIO(); print('kept')")
        self.snapshot("a")
        self.host.cell("sys.stdout = sys.__stdout__")
        self.wake("a")
        self.assertEqual(self.host.value("sys.stdout.getvalue()"), repr("kept\n"))
        self.host.cell("sys.stdout = sys.__stdout__; print('seen'); import os; os.system('echo too')")
        self.assertEqual(self.host.printed(), b"seen\ntoo\n")


def _alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()

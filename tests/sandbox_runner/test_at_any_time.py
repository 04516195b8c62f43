"""What running code prints, shows and asks may come at any time, and no copy that fails costs the names."""

import os
import subprocess
import sys
import time
import unittest

from host import Host
import require
from names_stream import Stream

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON", sys.executable)
NOBODY = 65534
_LAST = ("done", "problem", "end", "loaded", "snapshot", "variables", "woken", "completions", "inspection")

HEARTBEAT = """
import threading, time, sys
def beat():
    while not stop.wait(0.002):
        print('beat')
        print('beat', file=sys.stderr)
stop = threading.Event()
threading.Thread(target=beat, daemon=True).start()
"""


class Strict(unittest.TestCase):
    def start(self, **options):
        self.host = Host(python=PYTHON, **options)
        self.addCleanup(self.host.close)

    def own_frames(self, op, pieces=(), **keys):
        """All frames with the request's own id, to the last."""
        identifier = self.host.next_id()
        self.host.send(dict(keys, op=op, id=identifier))
        for place, piece in enumerate(pieces):
            last = place == len(pieces) - 1
            self.host.send({"op": "load_piece", "id": self.host.next_id(), "to": identifier, "data": piece, "last": last})
        frames = []
        self.others = []
        while not frames or frames[-1]["ev"] not in _LAST:
            frame = self.host.receive()
            (frames if frame.get("id") == identifier else self.others).append(frame)
        return frames

    def snapshot(self):
        frames = self.own_frames("snapshot", snapshot="s")
        self.assertEqual(len(frames), 1, frames)
        return frames[0]

    def store(self):
        frames = self.own_frames("store", snapshot="")
        self.assertEqual({f["ev"] for f in frames}, {"piece", "end"}, frames)
        return Stream(b"".join(f["data"] for f in frames[:-1]))

    def stored_names(self):
        return {record["name"] for record, contents in self.store().records if contents}

    def cell(self, code):
        done = self.host.cell(code, deadline_ms=20000)
        self.assertEqual(done["status"], "ok", done)
        self.assertNotIn("restarted", done)
        return done

    def count(self):
        """One step more, as a node would make it: what came before is there."""
        self.cell("seen = globals().get('seen', []) + [len(globals().get('seen', [])) + 1]")
        return self.host.value("seen")


class AtAnyTime(Strict):
    def setUp(self):
        self.start()

    def test_a_thread_that_prints_disturbs_no_answer(self):
        self.cell(HEARTBEAT)
        for step in range(1, 13):
            self.assertEqual(self.count(), repr(list(range(1, step + 1))))
            self.assertEqual(self.snapshot()["asleep"], False)
            self.assertIn("seen", self.stored_names())
            self.assertEqual(len(self.own_frames("variables")), 1)
            self.assertEqual(len(self.own_frames("complete", code="se", cursor=2)), 1)

    def test_a_child_that_prints_disturbs_no_answer(self):
        self.cell("import subprocess; p = subprocess.Popen(['sh', '-c', 'while :; do echo beat; sleep 0.002; done'])")
        for step in range(1, 6):
            self.assertEqual(self.count(), repr(list(range(1, step + 1))))
            self.assertEqual(self.snapshot()["asleep"], True)
            self.assertIn("seen", self.stored_names())
        self.assertEqual(len(self.own_frames("wake", snapshot="s")), 1)
        self.assertEqual(self.host.value("seen"), "[1, 2, 3, 4, 5]")

    def test_a_module_that_prints_as_names_come_back(self):
        with open(os.path.join(self.host.folder, "loud.py"), "w") as file:
            file.write("import sys\nprint('hello'); print('warned', file=sys.stderr)\ndisplay('shown')\n")
        self.cell("import loud, this; x = 41")
        stream = self.store()
        self.assertEqual(self.host.ask("restart")["ev"], "restarted")
        frames = self.own_frames("load", [stream.back()])
        self.assertEqual([f["ev"] for f in frames], ["loaded"])
        self.assertEqual(self.host.value("x + 1"), "42")
        printed = b"".join(f["data"] for f in self.others + self.host.seen if f["ev"] == "out" and f["id"] == 0)
        for text in (b"The Zen of Python", b"hello", b"warned"):
            self.assertIn(text, printed)
        self.assertEqual([f["id"] for f in self.others if f["ev"] == "display"], [0])

    def test_a_thread_shows_and_emits_while_nothing_runs(self):
        """None of it ends the interpreter, or takes the next request for itself."""
        source = """
import threading, time
from langgraph.config import get_stream_writer
def node(state):
    write = get_stream_writer()
    def go_on():
        for i in range(300):
            display(i)
            try: write(i)
            except RuntimeError: pass
            time.sleep(0.001)
    global t
    t = threading.Thread(target=go_on); t.start()
    return {}
"""
        self.assertEqual(self.host.call(source)["status"], "ok")
        for step in range(1, 30):
            self.assertEqual(self.count(), repr(list(range(1, step + 1))))
            self.assertEqual(self.snapshot()["ev"], "snapshot")
            if step % 5 == 0:
                self.assertIn("seen", self.stored_names())
        self.cell("t.join()")

    def test_a_thread_that_shows_from_cell_to_cell(self):
        self.cell("import threading\ndef show():\n    while not stop.wait(0.001): display('x')\nstop = threading.Event()")
        self.cell("t = threading.Thread(target=show); t.start()")
        for step in range(1, 60):
            self.assertEqual(self.count(), repr(list(range(1, step + 1))))
        self.cell("stop.set(); t.join()")


class WritingOut(Strict):
    """Names are written by a child: whatever that does, the interpreter goes on with them."""

    def setUp(self):
        self.start(options={"grace_ms": 300})  # what hangs reacts to no interrupt

    def goes_on(self):
        self.assertEqual(self.host.value("x"), "1")

    def interrupt_where_it_hangs(self):
        self.cell(
            "x = 1\nclass Hangs:\n    def __reduce__(self):\n        print('hangs', flush=True)\n        while True:\n"
            "            try: __import__('time').sleep(1)\n            except BaseException: pass\nh = Hangs()"
        )
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": ""})
        while b"hangs" not in self.host.wait("out")["data"]:
            pass
        self.host.send({"op": "interrupt", "id": identifier})
        return identifier

    def test_what_ends_the_process(self):
        self.cell("x = 1\nclass Ends:\n    def __reduce__(self): __import__('os')._exit(3)\ne = Ends()")
        self.own_frames("store", snapshot="")
        self.goes_on()

    def test_what_acts_as_it_is_written(self):
        self.cell("x = 1\nclass Acts:\n    def __reduce__(self):\n        global x; x = 2; return (int, ())\na = Acts()")
        self.assertIn("x", self.stored_names())
        self.goes_on()

    def test_what_hangs_is_given_up(self):
        self.interrupt_where_it_hangs()
        self.goes_on()

    def test_what_hangs_where_there_is_no_room_for_a_child(self):
        """No interpreter is ended for that; code that waits for it in vain says so."""
        self.cell("import sys; c = sys.modules['sandglass_runner.copies']\ndef none(): raise BlockingIOError(11, 'no')")
        self.cell("c.forked_for_a_moment = none")
        identifier = self.interrupt_where_it_hangs()
        self.assertEqual(self.host.wait("problem", identifier)["error"]["type"], "Busy")
        done = self.host.cell("1", deadline_ms=300)
        self.assertEqual((done["status"], done["restarted"]), ("timeout", True))


class WithoutRoom(Strict):
    """No copy can be made: the interpreter says so, and goes on with its names."""

    def counts(self, steps=3):
        for step in range(1, steps + 1):
            self.assertEqual(self.count(), repr(list(range(1, step + 1))))
            answer = self.snapshot()
            self.assertNotEqual(answer.get("asleep"), True, answer)
            self.said = answer.get("obstacles") or [answer.get("error")]
            self.own_frames("store", snapshot="")

    def test_descriptors_up_to_the_limit(self):
        for spare in range(4):
            with self.subTest(spare=spare):
                self.start()
                self.cell("import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (600, 600))\nopen_ones = []")
                self.cell("while True:\n    try: open_ones.append(os.open('/dev/null', 0))\n    except OSError: break")
                self.cell("for n in open_ones[len(open_ones) - %d:]: os.close(n)" % spare)
                self.counts()
                self.assertIn("of open files", str(self.said))

    @require.needs("root")
    def test_processes_up_to_the_limit(self):
        self.start(user=NOBODY - 11)
        self.cell("import resource; resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))")
        self.counts()
        self.assertIn("of processes", str(self.said))
        self.assertIn("seen", self.stored_names())

    @require.needs("root")
    def test_a_copy_is_written_out_in_vain_and_sleeps_on(self):
        self.user = NOBODY - 12
        self.start(user=self.user, processes=8)
        self.count()
        self.assertEqual(self.snapshot()["asleep"], True)
        hogs = [subprocess.Popen(["sleep", "100"], user=self.user, group=self.user) for _ in range(8)]
        try:
            self.assertEqual({f["ev"] for f in self.own_frames("store", snapshot="s")}, {"end"})
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait()
        self.assertEqual(self.own_frames("wake", snapshot="s")[-1]["ev"], "woken")
        self.assertEqual(self.host.value("seen"), "[1]")

    @require.needs("root")
    def test_descriptors_in_flight(self):
        self.start(user=NOBODY - 13, files=900)
        self.cell("""
import array, socket
ends = []
def fill():
    while True:
        a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        ends.append((a, b)); a.setblocking(False)
        while True:
            try: a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 250))])
            except BlockingIOError: break
            except OSError as e: return e.errno
import errno; assert fill() == errno.ETOOMANYREFS
""")
        self.counts()


if __name__ == "__main__":
    unittest.main()

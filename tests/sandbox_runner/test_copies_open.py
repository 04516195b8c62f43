"""What a process has open, mapped and set, beside a copy that sleeps and in one that wakes."""

import os
import shutil
import sys
import unittest

from host import Host

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON", sys.executable)


class Open(unittest.TestCase):
    def setUp(self):
        self.host = Host(python=PYTHON)
        self.addCleanup(self.host.close)

    def path(self, name):
        return os.path.join(self.host.folder, name)

    def cell(self, code):
        done = self.host.cell(code, deadline_ms=20000)
        self.assertEqual(done["status"], "ok", done)

    def snapshot(self):
        answer = self.host.ask("snapshot", snapshot="s")
        self.assertEqual((answer["asleep"], answer["obstacles"]), (True, []))
        return [(entry["kind"], entry["name"]) for entry in answer["left"]]

    def wake(self):
        answer = self.host.ask("wake", snapshot="s")
        self.assertEqual(answer["ev"], "woken", answer)
        return answer["lost"]

    def bring_back(self, name, content):
        """As the host does: another file takes the name."""
        with open(self.path("part"), "wb") as file:
            file.write(content)
        os.rename(self.path("part"), self.path(name))


class BesideASleepingCopy(Open):
    """What the interpreter closes is closed."""

    def test_a_child_finds_the_end_of_its_input(self):
        self.cell("import subprocess; p = subprocess.Popen(['cat'], stdin=-1, stdout=-1)")
        self.snapshot()
        self.cell("p.stdin.write(b'x'); p.stdin.close()")
        self.assertEqual(self.host.value("p.stdout.read(), p.wait()"), "(b'x', 0)")

    def test_pipes_and_sockets_end(self):
        self.cell("import os, socket; r, w = os.pipe(); a, b = socket.socketpair()")
        self.snapshot()
        self.cell("os.close(w); a.close()")
        self.assertEqual(self.host.value("os.read(r, 9), b.recv(9)"), "(b'', b'')")

    def test_an_address_is_free_at_once(self):
        self.cell("import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); place = s.getsockname()")
        self.snapshot()
        self.cell("s.close(); t = socket.socket(); t.bind(place); t.listen()")

    def test_a_file_is_unlocked_at_once(self):
        self.cell("import fcntl; f = open('lock', 'w'); fcntl.flock(f, fcntl.LOCK_EX)")
        self.assertEqual(self.snapshot(), [("file lock", self.path("lock"))])
        self.cell("f.close(); g = open('lock', 'w'); fcntl.flock(g, fcntl.LOCK_EX | fcntl.LOCK_NB)")

    def test_what_is_written_out_of_it_moves_nothing_in_the_files(self):
        self.cell("class Reader:\n    def __init__(self): self.f = open('in')\n    def __reduce__(self): return (str, (self.f.read(),))")
        with open(self.path("in"), "w") as file:
            file.write("abc")
        self.cell("reader = Reader()")
        self.snapshot()
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": "s"})
        self.host.wait("end", identifier)
        self.assertEqual(self.host.value("reader.f.read()"), "'abc'")


class InAWokenCopy(Open):
    def test_a_folder_that_was_made_anew_is_stood_in(self):
        self.cell("import os; os.mkdir('w'); os.chdir('w'); d = os.open('.', os.O_RDONLY)")
        self.snapshot()
        self.cell("os.chdir('..')")
        shutil.rmtree(self.path("w"))
        os.mkdir(self.path("w"))
        self.bring_back("w/f", b"")
        self.assertEqual(self.wake(), [])
        self.assertEqual(self.host.value("os.getcwd(), os.listdir('.'), os.listdir(d)"), repr((self.path("w"), ["f"], ["f"])))

    def test_two_descriptors_of_one_opening_move_together(self):
        self.bring_back("f", b"0123456789")
        self.cell("import os; f = os.open('f', 0); g = os.dup(f); h = os.open('f', 0)")
        self.snapshot()
        self.cell("os.read(f, 5)")
        self.wake()
        self.assertEqual(self.host.value("os.read(f, 2), os.read(g, 2), os.read(h, 2)"), "(b'01', b'23', b'01')")

    def test_timers_go_on(self):
        self.cell("import signal; signal.setitimer(signal.ITIMER_REAL, 5000)\nsignal.setitimer(signal.ITIMER_PROF, 300, 7)")
        self.snapshot()
        self.cell("signal.setitimer(signal.ITIMER_REAL, 0); signal.setitimer(signal.ITIMER_PROF, 0)")
        self.wake()
        self.assertEqual(self.host.value("4000 < signal.getitimer(signal.ITIMER_REAL)[0] <= 5000"), "True")
        self.assertEqual(self.host.value("signal.getitimer(signal.ITIMER_PROF)[1]"), "7.0")

    def test_memory_of_a_file_is_that_of_the_file_that_came_back(self):
        self.cell("import mmap; f = open('m', 'w+b'); f.write(b'a' * 8192); f.flush(); m = mmap.mmap(f.fileno(), 4096, offset=4096)")
        self.assertEqual(self.snapshot(), [])
        self.cell("m[:3] = b'new'; m.flush()")
        self.bring_back("m", b"a" * 8192)
        self.assertEqual(self.wake(), [])
        self.assertEqual(self.host.value("bytes(m[:4])"), "b'aaaa'")
        self.cell("m[:3] = b'two'; m.flush()")
        with open(self.path("m"), "rb") as file:
            self.assertEqual(file.read()[4096:4100], b"twoa")

    def test_a_database_that_writes_ahead_goes_on(self):
        self.cell("import sqlite3; c = sqlite3.connect('db'); c.execute('pragma journal_mode=wal').fetchall()")
        self.cell("c.execute('create table t(x)'); c.execute('insert into t values(1)'); c.commit()")
        self.snapshot()
        names = ("db", "db-wal", "db-shm")
        contents = {}
        for name in names:
            with open(self.path(name), "rb") as file:
                contents[name] = file.read()
        self.cell("c.executemany('insert into t values(?)', [(i,) for i in range(3000)]); c.commit()")
        for name in names:
            self.bring_back(name, contents[name])
        self.wake()
        self.assertEqual(self.host.value("c.execute('select count(*) from t').fetchone()"), "(1,)")
        self.cell("c.execute('insert into t values(2)'); c.commit()")
        self.assertEqual(self.host.value("c.execute('pragma integrity_check').fetchone()"), "('ok',)")

    def test_a_file_without_a_name_is_there(self):
        self.cell("import tempfile; t = tempfile.TemporaryFile('w+'); t.write('x'); t.flush()")
        self.assertEqual([kind for kind, _name in self.snapshot()], ["deleted file"])
        self.assertEqual(self.wake(), [])
        self.assertEqual(self.host.value("t.seek(0), t.read()"), "(0, 'x')")


class WithALowLimit(Open):
    """Of open files: below descriptors that the process has."""

    def lower(self, hard):
        self.cell("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (60, %s))" % hard)
        return "resource.getrlimit(resource.RLIMIT_NOFILE)[0]"

    def test_it_is_lifted_to_wake(self):
        soft = self.lower("resource.getrlimit(resource.RLIMIT_NOFILE)[1]")
        self.snapshot()
        self.assertEqual(self.wake(), [])
        self.assertEqual(self.host.value(soft), "60")
        self.snapshot()

    def test_one_that_cannot_be_lifted_forbids_a_copy(self):
        soft = self.lower("60")
        answer = self.host.ask("snapshot", snapshot="s")
        self.assertEqual((answer["asleep"], answer["obstacles"]), (False, [{"kind": "limit", "name": "of open files: 60"}]))
        self.assertEqual(self.host.value(soft), "60")

    def test_where_no_more_can_be_open_there_is_no_copy(self):
        self.lower("60")
        self.cell("import os\nheld = []\ntry:\n    while True: held.append(os.dup(0))\nexcept OSError: pass")
        self.assertEqual(self.host.ask("snapshot", snapshot="s")["obstacles"][0]["kind"], "limit")
        self.cell("for fd in held: os.close(fd)")


class Told(Open):
    def test_children_that_ended_and_nobody_waited_for(self):
        self.cell("import os, subprocess; p = subprocess.Popen(['false']); os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)")
        ((kind, name),) = self.snapshot()
        self.assertEqual((kind, name.startswith("false (ended, and not waited for)")), ("process", True))

    def test_files_that_no_snapshot_has(self):
        self.cell("import tempfile; t = tempfile.NamedTemporaryFile('w', dir='/tmp'); r = open('/etc/passwd')")
        ((kind, name),) = self.snapshot()
        self.assertEqual((kind, name.split()[0]), ("file", self.host.value("t.name").strip("'")))

    def test_semaphores(self):
        self.cell("import multiprocessing; lock = multiprocessing.Lock()")
        self.assertEqual([kind for kind, _name in self.snapshot()], ["memory map"])

    def test_what_is_written_through_memory_is_seen_as_a_change(self):
        self.cell("import mmap; f = open('m', 'w+b'); f.truncate(4096); m = mmap.mmap(f.fileno(), 4096); m[0] = 1")
        self.snapshot()
        before = os.stat(self.path("m"))
        self.cell("m[0] = 2")
        after = os.stat(self.path("m"))
        self.assertGreater(after.st_ctime_ns, before.st_ctime_ns)
        self.assertEqual(after.st_mode, before.st_mode)


if __name__ == "__main__":
    unittest.main()

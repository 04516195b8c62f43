"""Code of the session that runs unasked, as its names are written out or listed, changes nothing outside of its process."""

import os
import socket
import subprocess
import sys
import tempfile
import unittest

from host import Host  # first: it says where the runner is
from sandglass_runner import only_reads

# Each tries one thing from within __reduce__ and __repr__; `done` is what it leaves where it succeeds.
ACTS = {
    "makes a file": ("open('made', 'w').write('x')", "os.path.exists('made')"),
    "adds to a file": ("open('kept', 'a').write('x')", "open('kept').read() != 'kept'"),
    "opens to read and write": ("open('kept', 'r+').write('x')", "open('kept').read() != 'kept'"),
    "empties a file": ("os.truncate('kept', 0)", "open('kept').read() != 'kept'"),
    "removes a file": ("os.unlink('kept')", "not os.path.exists('kept')"),
    "renames a file": ("os.rename('kept', 'other')", "not os.path.exists('kept')"),
    "makes a folder": ("os.mkdir('folder')", "os.path.isdir('folder')"),
    "makes a link": ("os.symlink('kept', 'link')", "os.path.lexists('link')"),
    "changes a mode": ("os.chmod('kept', 0o600)", "os.stat('kept').st_mode & 0o777 == 0o600"),
    "changes a time": ("os.utime('kept', (1, 1))", "os.stat('kept').st_mtime == 1"),
    "writes to /tmp": ("open(scratch, 'w').write('x')", "os.path.exists(scratch)"),
    "starts a program": ("__import__('subprocess').run(['touch', 'made'])", "os.path.exists('made')"),
    "forks": ("os.fork() or os._exit(0)", "False"),
    "ends another process": ("os.kill(other.pid, 9)", "other.poll() is not None"),
    "makes a connection": ("__import__('socket').create_connection(('127.0.0.1', port), 1)", "False"),
    "limits another process": ("__import__('resource').prlimit(other.pid, 7, (10, 10))", "__import__('resource').prlimit(other.pid, 7)[0] == 10"),
}

HOLDS = """
import os
class Acts:
    def _act(self):
        try:
            result = %s
        except OSError as error:
            return "refused: %%s" %% error.errno
        return "done"
    def __reduce__(self):
        return (str, (self._act(),))
    def __repr__(self):
        return self._act()
thing = Acts()
"""


class OnlyReads(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listening.close)
        self.host.cell(
            "import os, subprocess\nopen('kept', 'w').write('kept'); os.chmod('kept', 0o644)\n"
            "other = subprocess.Popen(['sleep', '600'])\nscratch = %r; port = %d"
            % (os.path.join(tempfile.mkdtemp(), "x"), self.listening.getsockname()[1])
        )
        self.addCleanup(lambda: self.host.cell("other.kill(); other.wait(); del other"))

    def test_what_pickling_and_describing_may_not_do(self):
        for name, (act, done) in ACTS.items():
            with self.subTest(name):
                self.host.cell(HOLDS % act)
                self.host.ask("snapshot", snapshot="a")
                pieces = self.stored("a")
                self.assertIn(b"refused: ", pieces)
                self.assertNotIn(b"\x04done", pieces)
                self.listed("a")
                self.assertEqual(self.host.value(done), "False")

    def test_what_it_may_do(self):
        self.host.cell(HOLDS % "open('kept').read() and sum(range(1000)) and __import__('threading').Thread(target=print).start()")
        self.host.ask("snapshot", snapshot="a")
        self.assertIn(b"done", self.stored("a"))

    def test_in_the_interpreter_itself_all_is_as_before(self):
        self.host.cell(HOLDS % "open('made', 'w').write('x')")
        self.host.ask("snapshot", snapshot="a")
        self.stored("a")
        self.assertEqual(self.host.value("thing"), "done")
        self.assertEqual(self.host.value("os.path.exists('made')"), "True")

    def stored(self, name):
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": name})
        self.host.wait("end", identifier)
        return b"".join(m["data"] for m in self.host.seen if m.get("id") == identifier and m["ev"] == "piece")

    def listed(self, name):
        identifier = self.host.next_id()
        self.host.send({"op": "store", "id": identifier, "snapshot": name, "listed": True})
        self.host.wait("end", identifier)


class OnThisMachine(unittest.TestCase):
    def test_numbers_are_those_of_this_machine(self):
        """A call by its number, which is what the filter knows: each is refused, and not unknown to this kernel."""
        code = (
            "import ctypes, os, sys; sys.path.insert(0, %r); from sandglass_runner import only_reads; only_reads.begin()\n"
            "libc = ctypes.CDLL(None, use_errno=True); machine = only_reads._MACHINES[os.uname().machine]\n"
            "print([n for k, e in (('files', 30), ('others', 1), ('absent', 38)) for n in machine[k]"
            " if (libc.syscall(n, 0, 0, 0, 0, 0, 0), ctypes.get_errno()) != (-1, e)])"
        ) % os.path.dirname(os.path.dirname(only_reads.__file__))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))


if __name__ == "__main__":
    unittest.main()

"""Limits that the host asks for: the code's own are lower than its supervisor's, so that it cannot take from it what both share."""

import os
import unittest

from host import Host

IN_FLIGHT = """import os, socket
one, end = socket.socketpair(); null = os.open("/dev/null", os.O_RDONLY); sent = 0
try:
    while sent < 20000: socket.send_fds(one, [b"x"], [null] * 250, socket.MSG_DONTWAIT); sent += 250
except OSError: pass
"""


def limit(pid, name):
    with open("/proc/%d/limits" % pid) as file:
        return next(line[len(name) :].split()[:2] for line in file if line.startswith(name))


class Limits(unittest.TestCase):
    def host(self, **keys):
        host = Host(**keys)
        self.addCleanup(host.close)
        return host

    def test_the_code_may_have_fewer_open_files_than_the_supervisor(self):
        host = self.host(limits="code=300,core=0")
        self.assertEqual(limit(host.ready["interpreter"], "Max open files"), ["300", "300"])
        self.assertNotEqual(limit(host.ready["pid"], "Max open files"), ["300", "300"])
        self.assertEqual(limit(host.ready["pid"], "Max core file size"), ["0", "0"])
        host.cell("import os; os._exit(1)")
        self.assertEqual(host.value("import resource; resource.getrlimit(resource.RLIMIT_NOFILE)"), "(300, 300)")

    def test_it_has_fewer_also_where_the_machine_gives_less_than_was_asked_for(self):
        host = self.host(limits="nofile=400,code=400")
        self.assertEqual(limit(host.ready["interpreter"], "Max open files"), ["200", "200"])

    def test_descriptors_in_flight_stop_nothing(self):
        host = self.host(limits="nofile=4096,code=640", user=61500)
        host.cell("x = 1")
        self.assertTrue(host.ask("snapshot", snapshot="a")["asleep"])
        host.cell(IN_FLIGHT)
        self.assertGreater(int(host.value("sent")), 500)
        self.assertTrue(host.ask("snapshot", snapshot="b")["asleep"])
        self.assertEqual(host.ask("wake", snapshot="a")["ev"], "woken")
        self.assertEqual(host.value("x"), "1")

    def test_the_code_cannot_shut_itself_in(self):
        host = self.host()
        for code in ("setrlimit(7, (0, 0))", "setrlimit(7, (7, 100))", "prlimit(0, 7, (3, 3))"):
            done = host.cell("import resource; kept = 1; resource." + code)
            self.assertEqual(done["error"]["type"], "ValueError", code)
            self.assertIn("a session's limit of open files cannot be below 8: nothing could be opened", done["error"]["message"])
        self.assertEqual(host.value("resource.setrlimit(7, (8, 8)), resource.getrlimit(7), resource.prlimit(0, 7), kept"), "(None, (8, 8), (8, 8), 1)")
        alone = "import os\npid = os.fork()\nif pid == 0:\n    resource.setrlimit(7, (0, 0)); os._exit(5)\nos.waitpid(pid, 0)[1] >> 8"
        self.assertEqual(host.value(alone), "5")

    def test_a_session_that_cannot_open_anything_goes_on_and_says_why_it_cannot_be_copied(self):
        host = self.host()
        host.cell("import ctypes; names = [1]; ctypes.CDLL(None).setrlimit(7, (ctypes.c_ulong * 2)(0, 0))")
        for count in range(2, 5):
            answer = host.ask("snapshot", snapshot="s")
            self.assertFalse(answer["asleep"])
            self.assertIn({"kind": "limit", "name": "of open files: 0"}, answer["obstacles"])
            self.assertEqual(host.value("names.append(%d); names" % count), str(list(range(1, count + 1))))
        host.ask("store", snapshot="")
        self.assertEqual(host.value("names"), "[1, 2, 3, 4]")


if __name__ == "__main__":
    unittest.main()

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


if __name__ == "__main__":
    unittest.main()

"""A shell on a terminal lives beside the interpreter, in bounded memory, and ends with its host."""

import os
import sys
import tempfile
import time
import unittest

from host import PATIENCE, Host
from test_stopping import is_alive


class Terminals(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def open(self, **keys):
        identifier = self.host.next_id()
        self.host.send(dict({"op": "terminal", "id": identifier, "rows": 24, "columns": 80}, **keys))
        return identifier

    def type(self, terminal, text):
        self.host.send({"op": "terminal_input", "id": terminal, "data": text.encode()})

    def printed(self, terminal, until, take=True):
        """What the terminal shows, until a text is in it."""
        end = time.monotonic() + PATIENCE
        data = b""
        while until.encode() not in data:
            message = self.host.wait("terminal_output", terminal, max(0.01, end - time.monotonic()))
            data += message["data"]
            if take:
                self.host.send({"op": "terminal_taken", "id": terminal, "bytes": len(message["data"])})
        return data.decode("utf-8", "replace")

    def test_it_is_a_terminal_of_the_size_told_in_the_sessions_folder(self):
        terminal = self.open(rows=30, columns=99)
        self.type(terminal, "stty size; tty | cut -c1-8; pwd; echo $TERM; echo do''ne\n")
        text = self.printed(terminal, "done")
        for expected in ("30 99", "/dev/pts", self.host.folder, "xterm-256color"):
            self.assertIn(expected, text)
        self.host.send({"op": "terminal_size", "id": terminal, "rows": 10, "columns": 40})
        self.type(terminal, "stty size; echo ag''ain\n")
        self.assertIn("10 40", self.printed(terminal, "again"))

    def test_a_python_in_it_finds_modules_of_the_project(self):
        with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "shared_rate.py"), "w") as module:
            module.write("RATE = 41\n")
            module.flush()
            self.host.close()
            self.host = Host(options={"modules": {"lib": folder}})
            terminal = self.open()
            self.type(terminal, "%s -c 'import shared_rate; print(shared_rate.RATE + 1)'\n" % sys.executable)
            self.printed(terminal, "42")

    def test_it_writes_to_the_live_session_while_a_cell_runs(self):
        terminal = self.open()
        cell = self.host.start_cell("import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nopen('go').read()")
        self.type(terminal, "echo from the shell > go.new; mv go.new go\n")
        self.assertIn("from the shell", self.host.wait("done", cell)["result"]["text/plain"])

    def test_ctrl_c_reaches_what_runs_in_it_and_not_the_cell(self):
        terminal = self.open()
        cell = self.host.start_cell("import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\n'whole'")
        self.type(terminal, "PS1=pro''mpt'> '; sh -c \"echo sle''eping; exec sleep 1000\"\n")
        self.printed(terminal, "sleeping")
        self.type(terminal, "\x03")
        self.printed(terminal, "prompt> ")
        self.type(terminal, "touch go\n")
        self.assertEqual(self.host.wait("done", cell)["result"]["text/plain"], "'whole'")

    def test_the_shells_exit_is_told(self):
        terminal = self.open()
        self.type(terminal, "exit 7\n")
        self.assertEqual(self.host.wait("terminal_ended", terminal)["exit"], 7)
        self.type(terminal, "echo\n")
        self.assertIn("no terminal", self.host.wait("problem")["error"]["message"])

    def test_a_host_that_does_not_take_it_is_not_sent_more(self):
        terminal = self.open()
        self.type(terminal, "yes\n")
        got = 0
        while got < 262144:
            got += len(self.host.wait("terminal_output", terminal)["data"])
        self.assertEqual(self.host.value("6 * 7"), "42")  # all that was on its way came before
        got += sum(len(m["data"]) for m in self.host.seen if m["ev"] == "terminal_output")
        self.assertLess(got, 262144 + 65536)
        self.host.send({"op": "terminal_taken", "id": terminal, "bytes": got})
        self.assertGreater(len(self.host.wait("terminal_output", terminal)["data"]), 0)

    def test_what_is_typed_is_told_once_the_terminal_has_it(self):
        terminal = self.open()
        self.type(terminal, "stty -echo; echo rea''dy; until [ -e go ]; do sleep 0.05; done; head -c 400000 | wc -c\n")
        self.printed(terminal, "ready")
        line = "a line of thirty-two characters\n"
        self.type(terminal, (line * 12500)[:400000])
        self.assertEqual(self.host.value("6 * 7"), "42")
        told = sum(m["bytes"] for m in self.host.seen if m["ev"] == "terminal_typed")
        self.assertLess(told, 300000)  # nothing reads it, and the kernel holds little
        open(os.path.join(self.host.folder, "go"), "w").close()
        while told < 400000:
            told += self.host.wait("terminal_typed", terminal)["bytes"]
        self.assertEqual(told, 400000)

    def test_a_closed_one_takes_its_shell_along_even_if_that_ignores_it(self):
        terminal = self.open()
        self.type(terminal, "trap '' HUP; echo pid=$$.; while :; do sleep 1; done\n")
        pid = int(self.printed(terminal, ".\r").rsplit("pid=", 1)[1].split(".")[0])
        self.host.send({"op": "terminal_close", "id": terminal})
        self.host.wait("terminal_ended", terminal)
        end = time.monotonic() + PATIENCE
        while is_alive(pid) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(is_alive(pid))
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_it_ends_with_a_new_interpreter(self):
        terminal = self.open()
        self.type(terminal, "echo re''ady\n")
        self.printed(terminal, "ready")
        self.host.send({"op": "restart", "id": self.host.next_id()})
        self.host.wait("terminal_ended", terminal)
        self.assertEqual(self.host.value("6 * 7"), "42")

    def test_there_are_only_so_many(self):
        for _ in range(8):
            self.open()
        self.open()
        self.assertIn("8 terminals", self.host.wait("problem")["error"]["message"])

    def test_the_supervisors_descriptors_are_not_the_shells(self):
        terminal = self.open()
        self.type(terminal, "ls /proc/$$/fd | tr '\\n' ' '; echo do''ne\n")
        text = self.printed(terminal, "done").replace("255", "")  # bash's own copy of its terminal
        numbers = [n for line in text.splitlines() if line.endswith("done") for n in line.split() if n.isdigit()]
        self.assertEqual(numbers, ["0", "1", "2"], text)


if __name__ == "__main__":
    unittest.main()

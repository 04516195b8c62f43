"""What code prints arrives as printed, in order, bounded, any bytes."""

import time
import unittest

from host import Host, unpack


class Output(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_both_streams(self):
        self.host.cell("import sys\nprint('out')\nprint('err', file=sys.stderr)\nprint('more', end='')")
        self.assertEqual(self.host.printed(), b"out\nmore")
        self.assertEqual(self.host.printed("stderr"), b"err\n")

    def test_any_bytes_arrive_as_they_are(self):
        raw = bytes(range(256)) + b"\x1b]52;c;aGk=\x07\x1b[31m\xff\xfe\xc3"
        self.host.cell("import sys\nsys.stdout.buffer.write(%r)" % raw)
        self.assertEqual(self.host.printed(), raw)

    def test_lone_surrogates_are_escaped(self):
        self.assertEqual(self.host.cell(r"print('\udc80')")["status"], "ok")
        self.assertEqual(self.host.printed(), b"\\udc80\n")

    def test_what_children_and_c_code_print(self):
        self.host.cell("import subprocess; subprocess.run('echo child; echo bad >&2', shell=True)")
        self.assertEqual((self.host.printed(), self.host.printed("stderr")), (b"child\n", b"bad\n"))
        self.host.cell("import ctypes; ctypes.CDLL(None).printf(b'no newline')")
        self.assertEqual(self.host.printed(), b"no newline")

    def test_output_streams_while_the_code_runs(self):
        for code in (
            "print('x')",
            "print('x', end='')",
            "import os; os.write(1, b'x')",
            "import ctypes; ctypes.CDLL(None).puts(b'x')",
        ):
            with self.subTest(code):
                identifier = self.host.start_cell(code + "\nimport time; time.sleep(1000)")
                self.host.wait("out")
                self.host.send({"op": "interrupt", "id": identifier})
                self.host.wait("done")

    def test_nothing_comes_after_done(self):
        for _ in range(200):
            self.host.cell("for i in range(20): print(i)")
            self.assertEqual(self.host.printed().count(b"\n"), 20)

    def test_pieces_are_gathered_and_no_larger_than_said(self):
        self.host.cell("for i in range(100000): print('line', i)")
        outs = [m for m in self.host.seen if m["ev"] == "out"]
        self.assertEqual(b"".join(m["data"] for m in outs).count(b"\n"), 100000)
        self.assertLessEqual(max(len(m["data"]) for m in outs), 65536)
        self.assertLess(len(outs), 20000)

    def test_the_limit_holds_and_the_loss_is_counted(self):
        with Host(options={"output_limit": 1000}) as host:
            done = host.cell(
                "import sys\nprint('x' * 5000, end='')\nprint('y' * 50, end='', file=sys.stderr)\n'went on'"
            )
            self.assertEqual(done["result"]["text/plain"], "'went on'")
            self.assertEqual(len(host.printed()), 1000)
            told = {m["stream"]: m["dropped"] for m in host.seen if m["ev"] == "truncated"}
            self.assertEqual(told, {"stdout": 4000, "stderr": 50})
            host.cell("print('fresh')")
            self.assertEqual(host.printed(), b"fresh\n")

    def test_a_gigabyte_in_bounded_memory(self):
        code = "import os\nblock = b'z' * (1 << 20)\nfor _ in range(1024): os.write(1, block)"
        begin = time.monotonic()
        done = self.host.cell(code, timeout=60)
        self.assertEqual(done["status"], "ok")
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(len(self.host.printed()), 8388608)
        dropped = [m["dropped"] for m in self.host.seen if m["ev"] == "truncated"]
        self.assertEqual(dropped[-1], (1 << 30) - 8388608)
        self.assertLess(self.peak(self.host.ready["pid"]), 60 << 20)

    def test_a_host_that_does_not_read_slows_the_code_and_no_memory_fills(self):
        with Host(options={"output_limit": 1 << 40}) as host:
            host.start_cell("import os\nfor _ in range(300): os.write(1, b'z' * (1 << 20))", deadline_ms=1500)
            end = time.monotonic() + 1
            while time.monotonic() < end:
                self.assertLess(self.peak(host.ready["pid"]), 60 << 20)
                time.sleep(0.05)
            self.assertIn(host.wait("done")["status"], ("ok", "timeout"))

    def peak(self, pid):
        with open("/proc/%d/status" % pid) as file:
            for line in file:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) * 1024
        raise AssertionError("no VmHWM")

    def test_output_between_cells_has_no_cell(self):
        self.host.cell("import threading\nthreading.Timer(0.05, print, ('late',)).start()")
        data = b""
        while data != b"late\n":
            out = self.host.wait("out")
            self.assertEqual(out["id"], 0)
            data += out["data"]

    def test_closed_and_redirected_output_is_back_in_the_next_cell(self):
        for code in (
            "import os; os.close(1)",
            "import os; os.dup2(os.open('/dev/null', 1), 1)",
            "import sys; sys.stdout.close()",
            "import sys; sys.stdout.detach()",
            "import sys; sys.stdout = None",
        ):
            with self.subTest(code):
                self.host.cell(code)
                self.host.cell("print('back')")
                self.assertEqual(self.host.printed(), b"back\n")

    def test_input_is_empty(self):
        self.assertEqual(self.host.cell("input()")["error"]["type"], "EOFError")

    def test_a_large_result_is_cut_and_says_so(self):
        text = self.host.value("'q' * 3000000")
        self.assertLess(len(text), 1100000)
        self.assertIn("more characters", text)

    def test_custom_events_come_after_what_was_printed_before_them(self):
        source = (
            "from langgraph.config import get_stream_writer\n"
            "def node(state):\n    w = get_stream_writer()\n    print('a')\n    w({'n': 1})\n"
            "    print('b')\n    w('two')\n"
        )
        self.host.call(source)
        order = [m["data"] if m["ev"] == "out" else unpack(m["data"]) for m in self.host.seen]
        self.assertEqual([o for o in order if not isinstance(o, bytes)], [{"n": 1}, "two"])
        self.assertTrue(b"".join(order[: order.index({"n": 1})]).startswith(b"a\n"))
        self.assertEqual(order[-1], "two")

    def test_too_many_custom_events_are_dropped_and_counted(self):
        with Host(options={"output_limit": 1000}) as host:
            source = "def node(state, writer):\n    for i in range(50): writer('x' * 100)\n"
            self.assertEqual(host.call(source)["status"], "ok")
            passed = [m for m in host.seen if m["ev"] == "custom"]
            dropped = [m["dropped"] for m in host.seen if m["ev"] == "truncated" and m["stream"] == "custom"]
            self.assertEqual(len(passed), 9)
            self.assertEqual(dropped[-1], 41 * 102)


if __name__ == "__main__":
    unittest.main()

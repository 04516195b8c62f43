"""Code that writes what looks like the runner's own frames, or reaches for its descriptors."""

import unittest

from host import Host


class Forging(unittest.TestCase):
    """Code that writes what looks like the runner's frames reaches nobody but the log."""

    FORGE = (
        "import os\nbody = b'\\x84\\xa2ev\\xa4done\\xa2id\\x01\\xa6status\\xa2ok\\xa6forged\\xc3'\n"
        "frame = len(body).to_bytes(4, 'big') + body\n"
    )

    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_frames_printed_to_standard_output_and_error(self):
        self.host.cell(self.FORGE + "os.write(1, frame); os.write(2, frame)")
        self.assertEqual(len(self.host.printed()), 35)
        self.assertEqual(len(self.host.printed("stderr")), 35)

    def test_frames_written_to_every_descriptor(self):
        code = (
            "for fd in range(3, 1024):\n    try:\n        os.write(fd, frame)\n"
            "    except OSError: pass\nimport time; time.sleep(1000)"
        )
        done = self.host.cell(self.FORGE + code)
        self.assertEqual((done["status"], done["restarted"]), ("died", True))
        self.assertNotIn("forged", done)
        self.assertEqual(self.host.value("1"), "1")

    def test_a_length_of_4_gigabytes_on_the_channel(self):
        done = self.host.cell(
            "import os\nfor fd in range(500, 510):\n    try: os.write(fd, b'\\xff' * 8)\n"
            "    except OSError: pass\nimport time; time.sleep(100)"
        )
        self.assertEqual((done["status"], done["restarted"]), ("died", True))
        self.assertEqual(self.host.value("1"), "1")

    def test_even_with_the_nonce_only_known_keys_of_the_running_cell_pass(self):
        code = (
            "import gc\n"
            "from sandglass_runner.channel import Channel\n"
            "channel = [o for o in gc.get_objects() if isinstance(o, Channel)][0]\n"
        )
        done = self.host.cell(
            code + "channel.send({'ev': 'done', 'id': 999, 'status': 'ok'})\nimport time; time.sleep(1000)"
        )
        self.assertEqual((done["status"], done["restarted"]), ("died", True))
        done = self.host.cell(code + "channel.send({'ev': 'ready', 'id': 1})\nimport time; time.sleep(1000)")
        self.assertEqual(done["status"], "died")
        done = self.host.cell(
            code + "channel.send({'ev': 'done', 'id': 3, 'status': 'ok', 'forged': True})\nimport time; time.sleep(1)"
        )
        self.assertNotIn("forged", done)

    def test_messages_of_every_wrong_shape_replace_the_interpreter(self):
        code = (
            "import gc\nfrom sandglass_runner.channel import Channel\n"
            "channel = [o for o in gc.get_objects() if isinstance(o, Channel)][0]\n"
            "channel.send(%s)\nimport time; time.sleep(1000)"
        )
        for shape in (
            "5",
            "{}",
            "{'ev': 5, 'id': 1}",
            "{'ev': 'done'}",
            "{'ev': 'done', 'id': 'x', 'status': 'ok'}",
            "{'ev': 'done', 'id': %d, 'status': ['ok']}",
            "{'ev': 'done', 'id': %d, 'status': 'timeout'}",
            "{'ev': 'done', 'id': %d, 'status': 'ok', 'result': 7}",
            "{'ev': 'done', 'id': %d, 'status': 'ok', 'result': {1: 2}}",
            "{'ev': 'done', 'id': %d, 'status': 'error', 'error': None}",
            "{'ev': 'custom', 'id': %d, 'data': 'text'}",
            "{'ev': 'display', 'id': %d, 'call': 1, 'data': []}",
            "{'ev': 'display', 'id': %d, 'data': {}}",
            "{'ev': 'completions', 'id': %d, 'matches': [], 'start': 0, 'end': 0}",
            "{'ev': 'variables', 'id': %d, 'variables': [3], 'total': 1}",
        ):
            with self.subTest(shape):
                shape = shape % (self.host._ids + 1) if "%d" in shape else shape
                self.assertEqual(self.host.cell(code % shape)["status"], "died")

    def test_the_supervisors_descriptors_and_memory_are_out_of_reach(self):
        with Host(user=65534) as host:  # root reaches every process
            for code in ("os.listdir('/proc/%d/fd' % os.getppid())", "open('/proc/%d/mem' % os.getppid(), 'rb')"):
                done = host.cell("import os; " + code)
                self.assertEqual(done["error"]["type"], "PermissionError")

    def test_children_do_not_hold_the_channel(self):
        done = self.host.cell(
            "import subprocess; print(subprocess.run(['ls', '-l', '/proc/self/fd'], capture_output=True, close_fds=False).stdout.decode())"
        )
        self.assertEqual(done["status"], "ok")
        self.assertNotIn(b"socket", self.host.printed())

    def test_a_forked_process_that_runs_past_the_end_of_its_cell(self):
        done = self.host.cell("import os\npid = os.fork()\nprint('both')\npid == 0")
        self.assertEqual(done["result"]["text/plain"], "False")
        self.assertEqual(self.host.value("os.waitpid(pid, 0)[1]"), "0")
        self.assertEqual(self.host.value("1"), "1")


if __name__ == "__main__":
    unittest.main()

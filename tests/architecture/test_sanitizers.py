"""A sanitizer's gate can fail: each kind of fault that it is there for ends a program with an error."""

import os
import subprocess
import unittest

import require

PROGRAM = os.path.join(os.environ["SG_BUILT_TESTS"], "planted_fault")
SANITIZE = os.environ["SG_SANITIZE"]


class Sanitizers(unittest.TestCase):
    def ends(self, fault, report):
        done = subprocess.run([PROGRAM, fault], capture_output=True, text=True, timeout=120)
        text = done.stdout + done.stderr
        self.assertIn(report, text)
        self.assertNotIn(done.returncode, (0, 77), text)

    @require.only_where("address" in SANITIZE)
    def test_memory(self):
        self.ends("use after free", "ERROR: AddressSanitizer: heap-use-after-free")
        self.ends("leak", "ERROR: LeakSanitizer: detected memory leaks")

    @require.only_where("undefined" in SANITIZE)
    def test_undefined_behaviour(self):
        self.ends("overflow", "runtime error: signed integer overflow")

    @require.only_where("thread" in SANITIZE)
    def test_a_race_in_a_test_function(self):
        self.ends("race", "WARNING: ThreadSanitizer: data race")


if __name__ == "__main__":
    unittest.main()

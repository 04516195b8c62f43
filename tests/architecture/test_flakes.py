"""How packaging/test.sh treats tests that fail beside others, tried with a ctest project whose tests fail on purpose."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESETS = """{"version": 6,
  "configurePresets": [{"name": "own", "generator": "Ninja", "binaryDir": "${sourceDir}/build/own"}],
  "testPresets": [{"name": "own", "configurePreset": "own", "output": {"outputOnFailure": true}}]}"""
# A test script that fails as often as the number says, then passes.
TEST = """#!/bin/sh
echo x >>"$0.runs"
[ "$(wc -l <"$0.runs")" -gt %d ]
"""


class Flakes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "packaging").mkdir()
        (self.folder / "packaging/setup").symlink_to(ROOT / "packaging/setup")
        (self.folder / "CMakePresets.json").write_text(PRESETS)
        self.build = self.folder / "build/own"
        (self.folder / "tests").mkdir()
        self.build.mkdir(parents=True)

    def run_tests(self, failures, known=""):
        """failures: {name: how often it fails before it passes}."""
        (self.folder / "tests/flakes.txt").write_text("# comment\n\n" + known)
        lines = ['add_test(flakes "%s/packaging/setup/flakes.py" "%s/tests/flakes.txt")' % (self.folder, self.folder)]
        for name, count in failures.items():
            script = self.build / name
            script.write_text(TEST % count)
            script.chmod(0o755)
            lines.append('add_test([=[%s]=] "%s")' % (name, script))
        (self.build / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("CTEST", "SG_"))}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", ". packaging/setup/run_tests.sh; run_tests own"], cwd=self.folder,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        return done.returncode, done.stdout

    def assert_end(self, text, passed):
        """The log ends with ctest's own summary, which agrees with the exit code."""
        end = text[text.rindex("% tests passed") - 3:]
        self.assertEqual(end.strip().startswith("100%"), passed, text)
        self.assertIn("Total Test time", end)
        self.assertEqual("The following tests FAILED" in end, not passed, text)

    def test_what_passes_at_once_is_run_once(self):
        code, text = self.run_tests({"a": 0, "b": 0})
        self.assertEqual(code, 0, text)
        self.assertNotIn("each again", text)
        self.assertEqual((self.build / "a.runs").read_text(), "x\n")

    def test_a_known_one_passes_and_is_named_with_its_cause(self):
        code, text = self.run_tests({"a.b": 1, "a-b": 0}, "a.b  it waits for a clock\n")
        self.assertEqual(code, 0, text)
        self.assertIn("a.b: it waits for a clock", text)
        self.assert_end(text, True)
        self.assertEqual((self.build / "a-b.runs").read_text(), "x\n")

    def test_one_that_nobody_knows_fails_the_run(self):
        code, text = self.run_tests({"a": 1, "b": 1}, "a  it waits for a clock\n")
        self.assertNotEqual(code, 0)
        self.assertIn("b failed beside other tests and is not in", text)
        self.assert_end(text, False)

    def test_two_may_and_three_may_not(self):
        known = "a  one\nb  two\nc+  three\n"
        code, text = self.run_tests({"a": 1, "b": 1, "c+": 0}, known)
        self.assertEqual(code, 0, text)
        for name in "ab":
            (self.build / (name + ".runs")).unlink()
        (self.build / "c+.runs").unlink()
        code, text = self.run_tests({"a": 1, "b": 1, "c+": 1}, known)
        self.assertNotEqual(code, 0)
        self.assertIn("3 tests failed beside others, and 2 may", text)
        self.assert_end(text, False)

    def test_what_fails_alone_too_fails_the_run(self):
        code, text = self.run_tests({"a": 9}, "a  it waits for a clock\n")
        self.assertNotEqual(code, 0)
        self.assertEqual((self.build / "a.runs").read_text(), "x\nx\n")
        self.assert_end(text, False)

    def test_a_line_without_a_cause_fails_the_run(self):
        for known, says in (("a\n", "line 3: 'a' has no cause"), ("a x\na y\n", "line 4: 'a' stands there twice")):
            with self.subTest(known):
                code, text = self.run_tests({"b": 0}, known)
                self.assertNotEqual(code, 0)
                self.assertIn(says, text)
                self.assert_end(text, False)


if __name__ == "__main__":
    unittest.main()

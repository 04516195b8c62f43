"""A test that does not run is noticed: every test file is one of ctest's, and each skip names the part that is missing."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
SUPPORT = TESTS / "support"
# The folder of the built executables, if ctest sets it.
BUILT = os.environ.get("SG_BUILT_TESTS", "")


def sources(*patterns):
    found = sorted(path for pattern in patterns for path in TESTS.rglob(pattern))
    assert found, patterns
    return [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in found]


def parts():
    lines = (SUPPORT / "parts.txt").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if not line.startswith("#")]


class Sources(unittest.TestCase):
    def test_every_test_file_is_run(self):
        for path, _ in sources("tst_*.cpp", "test_*.py"):
            with self.subTest(path):
                folder, stem = (ROOT / path).parent, pathlib.PurePath(path).stem
                lists = re.sub(r"#.*", "", (folder / "CMakeLists.txt").read_text(encoding="utf-8"))
                # It is named as such, or by a loop over the names after a prefix.
                prefixes = re.findall(r"\b(t(?:e)?st_\w*)\$\{", lists) + ["test_"] * ("test_${" in lists)
                names = [stem] + [stem[len(prefix):] for prefix in prefixes if stem.startswith(prefix)]
                self.assertTrue(any(re.search(r"(?<!\w)%s(?!\w)" % re.escape(name), lists) for name in names), "no CMakeLists.txt names it")

    def test_nothing_skips_past_the_count(self):
        for path, text in sources("*.cpp", "*.h"):
            if not path.endswith("support/require.h"):
                self.assertNotRegex(text, r"\bQSKIP\b", path)

    def test_no_program_skips_by_a_code_of_its_own(self):
        for path, text in sources("*.py"):
            if not path.startswith("tests/support/"):
                self.assertNotRegex(text, r"exit\(77\)|\bSkipTest\b", path)

    def test_a_skip_is_told_by_the_exit_code(self):
        # A regular expression would turn a test with a skip and a failure into a skipped one.
        for path, text in sources("CMakeLists.txt"):
            self.assertNotIn("SKIP_REGULAR_EXPRESSION", text, path)

    def test_parts_are_those_of_the_list(self):
        self.assertEqual(len(parts()), len(set(parts())))
        used = set()
        for path, text in sources("*.cpp", "*.h", "*.py"):
            if path.startswith(("tests/support/require", "tests/architecture/")):
                continue
            used |= {
                (path, name) for name in re.findall(r'(?:SG_NEED|SG_SKIP_WITHOUT|require\.(?:needs?|skip|leave|missing))\("(\w+)"', text)
            }
        self.assertEqual([], sorted((path, name) for path, name in used if name not in parts()))

    def test_every_part_is_looked_for(self):
        looks = re.findall(r"^look_(\w+)\(\)", (SUPPORT / "machine.sh").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(sorted(looks), sorted(parts()))


@unittest.skipUnless(BUILT, "SG_BUILT_TESTS names no folder of built tests")
class Executables(unittest.TestCase):
    """Runs a test that needs git where there is none."""

    def run_it(self, require):
        environment = {"PATH": "/nowhere", "QT_QPA_PLATFORM": "offscreen", "SG_REQUIRE": require}
        command = [os.path.join(BUILT, "tests_core_graph"), "tst_graph_file"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    def test_a_skip_is_77(self):
        done = self.run_it("docker")
        self.assertEqual(done.returncode, 77, done.stdout)
        self.assertIn("git: git is not installed: apt install git", done.stdout)

    def test_what_is_required_is_no_skip(self):
        done = self.run_it("docker,git")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("git is missing, and SG_REQUIRE names it", done.stdout)

    def test_a_name_that_is_no_part_is_an_error(self):
        done = self.run_it("gitt")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("SG_REQUIRE names 'gitt'", done.stderr)


class Runner(unittest.TestCase):
    """tests/support/run_unittest.py and require.py."""

    CASES = '''
import inspect
import unittest
import require

class Passes(unittest.TestCase):
    def test(self): pass
class Fails(unittest.TestCase):
    def test(self): self.fail("no")
class Skips(unittest.TestCase):
    def test(self): require.skip("git", "not here")
@require.needs("root")
class Needs(unittest.TestCase):
    def test(self): pass
@require.only_where(False)
class Elsewhere(unittest.TestCase):
    def test(self): self.fail("no")
class Waits(unittest.TestCase):
    def test(self):
        async def waits(): pass
        self.assertTrue(inspect.iscoroutinefunction(require.needs("root")(waits)))
class Empty(unittest.TestCase):
    pass
'''

    def run_it(self, *cases, require=""):
        environment = {**os.environ, "SG_REQUIRE": require}
        code = "import sys, types\nsys.path.insert(0, %r)\nimport run_unittest\n" % str(SUPPORT)
        code += "cases = types.ModuleType('cases'); sys.modules['cases'] = cases\nexec(%r, cases.__dict__)\n" % self.CASES
        code += "sys.exit(run_unittest.main(%r))" % [case if case.startswith("-") else "cases" + case for case in cases]
        done = subprocess.run(["/usr/bin/python3", "-B", "-c", code], env=environment, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def test_passed(self):
        self.assertEqual(self.run_it(".Passes")[0], 0)

    def test_a_skip_is_named(self):
        code, text = self.run_it(".Passes", ".Skips")
        self.assertEqual(code, 77, text)
        self.assertIn("skipped: cases.Skips.test: git: not here", text)

    def test_a_failure_beside_a_skip_is_a_failure(self):
        self.assertEqual(self.run_it(".Skips", ".Fails")[0], 1)

    def test_what_is_required_fails(self):
        code, text = self.run_it(".Skips", require="docker,git")
        self.assertEqual(code, 1, text)
        self.assertIn("git is missing, and SG_REQUIRE names it: not here", text)

    def test_what_has_to_be_awaited_is(self):
        code, text = self.run_it(".Waits")
        self.assertEqual(code, 0, text)

    def test_nothing_is_no_success(self):
        code, text = self.run_it(".Empty")
        self.assertEqual(code, 1, text)
        self.assertIn("there is no test", text)

    def test_tests_for_elsewhere_are_not_there(self):
        self.assertEqual(self.run_it("")[1].count("Elsewhere"), 0)

    def test_a_name_that_is_no_part_is_an_error(self):
        self.assertEqual(self.run_it(".Passes", require="dokcer")[0], 1)


if __name__ == "__main__":
    unittest.main()

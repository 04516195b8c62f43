"""What a busy machine makes late fails no test: waits look once more than enough, have patience, and ctest has more of it."""

import functools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
LEAST_TIMEOUT = 300  # seconds of a whole test: for what hangs, and several times what the slowest needs
LEAST_PATIENCE_MS = 20_000
OTHERS = ("bench", "ui")  # the tests of widgets have one process and one thread, and the macros of QTest


@functools.lru_cache(maxsize=None)
def text_of(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(maxsize=None)
def included(path):
    """The project's files that this one includes, also by way of others."""
    found = set()
    for name in re.findall(r'^#include "([^"]+)"', text_of(path), re.MULTILINE):
        if (ROOT / name).is_file() and name.startswith("tests/"):
            found |= {name} | included(ROOT / name)
    return frozenset(found)


def arguments(text, begin):
    """The arguments of a call whose bracket opens at `begin`."""
    found, depth, current, quote = [], 0, "", ""
    for at in range(begin, len(text)):
        char = text[at]
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char == '"' or (char == "'" and not text[at - 1].isdigit()):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if depth == 0:
            return [each.strip() for each in found + [current[1:]]]
        if char == "," and depth == 1 and not quote:
            found, current = found + [current[1:]], ","
        else:
            current += char
    raise AssertionError("a call that does not end")


def milliseconds(text):
    """The time that an argument names in digits, or None."""
    for pattern, factor in ((r"([\d']+)(?:ms)?", 1), (r"([\d']+)s", 1000), (r".*milliseconds\(([\d']+)\)", 1), (r".*seconds\(([\d']+)\)", 1000)):
        match = re.fullmatch(pattern, text)
        if match:
            return int(match[1].replace("'", "")) * factor
    return None


class Waits(unittest.TestCase):
    def sources(self):
        found = sorted(path for pattern in ("*.cpp", "*.h") for path in TESTS.rglob(pattern) if path.relative_to(TESTS).parts[0] not in OTHERS)
        self.assertTrue(found)
        return found

    def test_no_macro_looks_again_after_it_has_held(self):
        for path in self.sources():
            if "QTRY_" in text_of(path) and path.name != "qtry.h":
                self.assertIn("tests/support/qtry.h", included(path), "%s has the macros of QTest" % path)

    def test_waits_have_patience(self):
        # QTest's default is 5 s. A bound that is a claim is measured, and compared with what it is a claim about.
        calls = re.compile(r"\b(QTest::qWaitFor\w*|QTRY_\w+_WITH_TIMEOUT|waitFor|try_acquire_for)\(")
        for path in self.sources():
            text = text_of(path)
            for call in calls.finditer(text):
                if path.parent.name == "support":
                    continue
                given = arguments(text, call.end() - 1)
                where = "%s:%d: %s" % (path.relative_to(ROOT), text.count("\n", 0, call.start()) + 1, call[1])
                with self.subTest(where):
                    if call[1].startswith("QTest::"):
                        self.assertGreater(len(given), 1, "it needs sg::test::kPatienceMs")
                    time = milliseconds(given[-1])
                    self.assertTrue(time is None or time >= LEAST_PATIENCE_MS, "%s is too little" % given[-1])

    def test_ctest_has_patience(self):
        helpers = (ROOT / "packaging/cmake/SgTargets.cmake").read_text(encoding="utf-8")
        lists = {path: text_of(path) for path in TESTS.rglob("CMakeLists.txt")}
        for path, text in lists.items():
            for time in re.findall(r"\bTIMEOUT (\d+)", text):
                self.assertGreaterEqual(int(time), LEAST_TIMEOUT, path)
        self.assertGreaterEqual(int(re.search(r"set\(ARG_TIMEOUT (\d+)\)", helpers)[1]), LEAST_TIMEOUT)


if __name__ == "__main__":
    unittest.main()

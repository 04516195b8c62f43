"""A loop over what a returned Result holds outlives it: C++20 destroys the Result before the first turn. It needs a name."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("app", "core", "ui", "tests", "resources")
# `for (… : *call(…))`, also by way of members: the star takes a part of a temporary. A pointer that outlives the loop is read from
# a member or a variable, without a call.
LOOP = re.compile(r"for \([^;{}]*? : (\*[\w:.>\[\]-]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[\w:.>\[\]-]*)+)\)")
# An assignment returns a reference to the temporary that it changed.
CHANGED = re.compile(r"for \([^;{}]*? : ([\w:<>]+\([^()]*\) [-+|&^]= [^;{}]*?)\)\n")
SAFE = re.compile(r"\*(?:std::move|std::as_const|std::get(?:_if)?|Q_CHECK_PTR)\b")


def faults(text):
    return [match[1] for match in LOOP.finditer(text) if not SAFE.match(match[1])] + CHANGED.findall(text)


class Lifetimes(unittest.TestCase):
    def test_a_loop_has_its_results(self):
        found = []
        for part in PARTS:
            for path in sorted((ROOT / part).rglob("*")):
                if path.suffix in (".cpp", ".h"):
                    found += [f"{path.relative_to(ROOT)}: {each}" for each in faults(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [], "give the Result a name before the loop")

    def test_what_is_a_fault(self):
        self.assertEqual(faults("for (const Row& row : *store.log().rows(thread, 1000))"), ["*store.log().rows(thread, 1000)"])
        self.assertEqual(faults("for (auto& each : *all())\n"), ["*all()"])
        self.assertEqual(faults("for (const QString& id : QSet<QString>(kept) -= known)\n"), ["QSet<QString>(kept) -= known"])
        self.assertEqual(faults("for (const Row& row :\n     *rows)"), [])
        self.assertEqual(faults("for (const Row& row : rows())"), [])
        self.assertEqual(faults("for (const Row& row : *m_rows)"), [])


if __name__ == "__main__":
    unittest.main()

"""A comment that begins a block is a sentence: it does not begin as a fragment does, "What …", "Of …", without saying what is done."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"\s*// ?(.*)")
FRAGMENT = re.compile(r"(?:What|Of|Those|That|Whether|How)\b")


def fragments(text):
    """The numbers of the lines where a block of comments begins with such a word."""
    found, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        comment = COMMENT.match(line)
        if comment and not inside and FRAGMENT.match(comment[1]):
            found.append(number)
        inside = comment is not None
    return found


class Comments(unittest.TestCase):
    def test_none_begins_as_a_fragment(self):
        tops = ("app", "core", "resources", "tests", "ui")
        sources = [path for top in tops for path in sorted((ROOT / top).rglob("*")) if path.suffix in (".h", ".cpp")]
        self.assertGreater(len(sources), 1500)
        found = ["%s:%d" % (path.relative_to(ROOT), number) for path in sources for number in fragments(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [], "begin with a subject, or with Returns, Tells, Shows")

    def test_a_fragment_is_found(self):
        text = """
// Whether it is there.
bool isThere();

// Tells whether it is there.
// What it is does not matter.
bool isThere();
struct Row {
    // Of the thread:
    int a = 0; // what it counts
    // Whatever comes is taken.
    // How
    int b = 0;
    //What nobody formatted
    int c = 0;
};
"""
        self.assertEqual(fragments(text), [2, 9, 14])


if __name__ == "__main__":
    unittest.main()

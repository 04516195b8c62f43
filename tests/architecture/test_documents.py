"""README files are read in one look: the first page has at most 120 lines, that of a module at most 40, and every module has one."""

import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_OF_FIRST = 120
MOST_OF_MODULE = 40
TOPS = ("app", "core", "packaging", "resources", "tests", "ui")


def faults(root):
    """What is wrong with the README files below this folder."""
    places = [root / "README.md"] + sorted(path for top in TOPS for path in (root / top).rglob("README.md"))
    found = []
    for place in places:
        if not place.is_file():
            found.append("%s is missing" % place.relative_to(root))
            continue
        lines, most = len(place.read_text(encoding="utf-8").splitlines()), MOST_OF_FIRST if place.parent == root else MOST_OF_MODULE
        if lines > most:
            found.append("%s has %d lines, more than %d" % (place.relative_to(root), lines, most))
    for top in ("core", "ui"):
        for build in sorted((root / top).rglob("CMakeLists.txt")):
            if build.parent != root / top and not (build.parent / "README.md").is_file():
                found.append("%s has no README.md" % build.parent.relative_to(root))
    return found


class Documents(unittest.TestCase):
    def test_modules_are_told_in_one_look(self):
        self.assertEqual(faults(ROOT), [])

    def test_a_fault_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, lines in (("README.md", 120), ("core/CMakeLists.txt", 1), ("core/a/CMakeLists.txt", 1), ("core/a/README.md", 40)):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("line\n" * lines, encoding="utf-8")
            self.assertEqual(faults(root), [])
            (root / "README.md").write_text("line\n" * 121, encoding="utf-8")
            (root / "core/a/README.md").write_text("line\n" * 41, encoding="utf-8")
            (root / "core/a/b").mkdir()
            (root / "core/a/b/CMakeLists.txt").write_text("\n", encoding="utf-8")
            self.assertEqual(faults(root), ["README.md has 121 lines, more than 120", "core/a/README.md has 41 lines, more than 40",
                                            "core/a/b has no README.md"])


if __name__ == "__main__":
    unittest.main()

"""The runner's tests of snapshots, cells and values under every Python from 3.9 to 3.13 that is here.

SANDGLASS_TEST_PYTHONS names further ones, separated by ":". Where there is none but the one that runs this, it is skipped."""

import glob
import os
import subprocess
import sys
import unittest

import host  # noqa: F401  (puts tests/support on the path)
import require

MODULES = ["test_copies", "test_copies_open", "test_forks", "test_huge_pages", "test_manifest", "test_stored_names", "test_cells", "test_nodes", "test_values"]
PLACES = ("/usr/bin/python3.*", "/usr/local/bin/python3.*", "/opt/python*/bin/python3", "~/.pyenv/versions/*/bin/python3")
WANTED = ["3.9", "3.10", "3.11", "3.12", "3.13"]


def version(python):
    try:
        told = subprocess.run(
            [python, "-I", "-c", "import sys, ctypes, ssl; print('%d.%d' % sys.version_info[:2])"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout.decode().strip() if told.returncode == 0 else ""


def others():
    """{version: program}, without the version that runs this."""
    found = {}
    named = [name for name in os.environ.get("SANDGLASS_TEST_PYTHONS", "").split(":") if name]
    for program in named + [p for place in PLACES for p in sorted(glob.glob(os.path.expanduser(place)))]:
        if program.endswith("-config"):
            continue
        told = version(program)
        if told in WANTED and told != "%d.%d" % sys.version_info[:2]:
            found.setdefault(told, program)
    return found


class Pythons(unittest.TestCase):
    def test_each(self):
        found = others()
        if not found:
            require.skip("pythons", "no other Python of %s is here; name some in SANDGLASS_TEST_PYTHONS" % ", ".join(WANTED))
        for told, program in sorted(found.items()):
            with self.subTest(python=told):
                environment = dict(os.environ, SANDGLASS_TEST_PYTHON=program)
                done = subprocess.run(
                    [program, "-B", "-m", "unittest"] + MODULES,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    env=environment,
                )
                self.assertEqual(done.returncode, 0, done.stdout.decode("utf-8", "replace")[-4000:])
                print("Python %s (%s): %s" % (told, program, done.stdout.decode().strip().splitlines()[-3]))


if __name__ == "__main__":
    unittest.main()

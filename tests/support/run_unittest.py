#!/usr/bin/env python3
"""Runs unittest for ctest: run_unittest.py [--need PART]… [--python-of-runtime] MODULE…

--python-of-runtime goes on by the Python of bubblewrap sandboxes, which has its packages.
Exit code 77: nothing failed and something was skipped, which is printed with its reason; 1: something failed, nothing was
run at all, or SG_REQUIRE names a part that there is not. Modules are found in the working directory.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import require  # noqa: E402


def exit_code(result):
    for test, reason in result.skipped:
        print("skipped: %s: %s" % (test.id(), reason))
    sys.stdout.flush()
    if require.unknown():
        print("error: " + require.unknown(), file=sys.stderr)
        return 1
    if not result.wasSuccessful():
        return 1
    if result.skipped:
        return require.SKIPPED
    if result.testsRun == 0:
        print("error: there is no test", file=sys.stderr)
        return 1
    return 0


def run(suite, verbosity=1):
    return exit_code(unittest.TextTestRunner(verbosity=verbosity).run(suite))


def main(arguments):
    while len(arguments) > 1 and arguments[0] == "--need":
        if require.missing(arguments[1]):
            require.leave(arguments[1], require.missing(arguments[1]))
        arguments = arguments[2:]
    if arguments[:1] == ["--python-of-runtime"]:
        python = require.runtime_python()
        os.execv(python, [python, "-B", os.path.abspath(__file__), *arguments[1:]])
    sys.path.insert(0, os.getcwd())
    return run(unittest.defaultTestLoader.loadTestsFromNames(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

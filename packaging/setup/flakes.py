#!/usr/bin/env python3
"""Judges tests that failed beside others and are run again alone: flakes.py FILE [NAME…]

FILE has a line for each that is known: its name, then its cause in words; lines that begin with # are comments. Without NAMEs
those of SG_FAILED_BESIDE (separated by spaces) are judged. Exit code 1: one is not in the file, or there are more than two;
such a run fails although each passes alone. 2: the file is not as described.
"""

import os
import sys

AT_MOST = 2


def known(text):
    """Parses {name: cause}. A ValueError names the wrong line."""
    causes = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, cause = line.partition(" ")
        if not cause.strip():
            raise ValueError("line %d: '%s' has no cause" % (number, name))
        if name in causes:
            raise ValueError("line %d: '%s' stands there twice" % (number, name))
        causes[name] = cause.strip()
    return causes


def judged(names, causes, file):
    """Returns the report on these tests, and whether the run may pass."""
    lines = ["%s: %s" % (name, causes.get(name, "not in %s" % file)) for name in names]
    strangers = [name for name in names if name not in causes]
    if strangers:
        lines.append(
            "error: %s failed beside other tests and is not in %s. Find the cause and mend it; where it cannot be mended, add a line "
            "with the test's name and the cause." % (", ".join(strangers), file)
        )
    if len(names) > AT_MOST:
        lines.append("error: %d tests failed beside others, and %d may. Mend what they have in common." % (len(names), AT_MOST))
    return lines, not strangers and len(names) <= AT_MOST


def main(file, *names):
    try:
        with open(file, encoding="utf-8") as opened:
            causes = known(opened.read())
    except (OSError, ValueError) as problem:
        print("error: %s: %s" % (file, problem), file=sys.stderr)
        return 2
    lines, passes = judged(names or os.environ.get("SG_FAILED_BESIDE", "").split(), causes, os.path.relpath(file))
    if lines:
        print("\n".join(lines))
    return 0 if passes else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

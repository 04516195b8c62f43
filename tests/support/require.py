"""For Python tests that need a part of the machine: they skip without it, or fail where SG_REQUIRE names the part.

parts.txt lists the parts and machine.sh checks for them. In unittest cases: need(), skip() and the decorators; in plain
scripts: leave(), which ends the program with 77. A test that only another entry of ctest runs (@only_where) is removed instead
of skipped."""

import functools
import inspect
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


@functools.lru_cache(maxsize=None)
def parts():
    lines = (HERE / "parts.txt").read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def required():
    return {name for name in os.environ.get("SG_REQUIRE", "").split(",") if name}


def unknown():
    """What is wrong with SG_REQUIRE; empty: nothing."""
    names = sorted(required() - parts())
    return "SG_REQUIRE names '%s', which is no part of tests/support/parts.txt" % "', '".join(names) if names else ""


@functools.lru_cache(maxsize=None)
def missing(part):
    """Why the machine lacks the part; empty: it has it."""
    known(part)
    told = subprocess.run(["/bin/sh", str(HERE / "machine.sh"), part], capture_output=True, text=True, timeout=120)
    return "" if told.returncode == 0 else (told.stdout or told.stderr).strip() or "machine.sh ended with %d" % told.returncode


def runtime_python():
    """The path of the Python of bubblewrap sandboxes, whether it exists or not."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(os.environ.get("SANDGLASS_PYTHON") or os.path.join(data, "sandglass", "python"), "bin", "python3")


def known(part):
    if part not in parts():
        raise ValueError("'%s' is no part of tests/support/parts.txt" % part)


def skip(part, reason):
    """Skips a test that has itself found the part missing."""
    known(part)
    if part in required():
        raise AssertionError("%s is missing, and SG_REQUIRE names it: %s" % (part, reason))
    raise unittest.SkipTest("%s: %s" % (part, reason))


def need(part):
    if missing(part):
        skip(part, missing(part))


def needs(part):
    """need() as a decorator of a class or a function."""
    def decorate(test):
        if inspect.iscoroutinefunction(test):  # else what it returns is never awaited, and the test passes
            @functools.wraps(test)
            async def awaited(*arguments, **named):
                need(part)
                return await test(*arguments, **named)

            return awaited
        if not isinstance(test, type):
            @functools.wraps(test)
            def checked(*arguments, **named):
                need(part)
                return test(*arguments, **named)

            return checked
        inner = test.setUpClass

        def set_up(cls):
            need(part)
            inner.__func__(cls)

        test.setUpClass = classmethod(set_up)
        return test

    return decorate


def only_where(holds):
    """A decorator for a test of another ctest entry: elsewhere the test is removed, as nothing is missing."""
    return (lambda test: test) if holds else (lambda test: None)


def leave(part, reason):
    """Ends a plain script that cannot run."""
    known(part)
    if part in required():
        print("error: %s is missing, and SG_REQUIRE names it: %s" % (part, reason), file=sys.stderr)
        sys.exit(1)
    print("skipped: %s: %s" % (part, reason))
    sys.exit(SKIPPED)

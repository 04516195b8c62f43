"""What the window's tests share. A test file is started by ctest with the folder of the executables; exit code 77: it cannot
be run here, with the reason."""

import atexit
import json
import os
import shutil
import sys
import tempfile
import time
import unittest

import window_driver

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import require  # noqa: E402
import run_unittest  # noqa: E402

BIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
WORKBENCH = os.path.join(BIN, "sandglass-workbench")
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "examples")


def need_sandbox():
    require.need("bubblewrap")
    require.need("runtime")


def window_driver_focusable():
    import pyatspi

    return pyatspi.STATE_FOCUSABLE


def showing_state():
    import pyatspi

    return pyatspi.STATE_SHOWING


def enabled_state():
    import pyatspi

    return pyatspi.STATE_ENABLED


def copied(example):
    folder = tempfile.mkdtemp(prefix="sandglass-example-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = os.path.join(folder, example)
    shutil.copytree(os.path.join(EXAMPLES, example), target, ignore=shutil.ignore_patterns(".sandglass"))
    return target


class EditingCase(unittest.TestCase):
    """An empty graph, and what the keys do to it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.path = os.path.join(self.folder, "built.graph.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"format": 1, "name": "built", "state": {"value": {}}, "nodes": [], "edges": []}, file)

    def graph(self):
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def add(self, window, words, name):
        window.key("Tab")
        window.inside(window.need("Add node", "dialog"), "Search nodes", "text")
        window.type(words)
        window.key("Return")
        window.need(name + ",", contains=True)

    def focus_canvas(self, window):
        window.need("Graph canvas").queryComponent().grabFocus()

    def wait_for(self, holds, seconds=60):
        deadline = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


def main():
    """Runs the tests of the file that was started."""
    missing = window_driver.missing_programs()
    if missing:
        require.leave("window", "missing " + ", ".join(missing))
    window_driver.enter_display()
    names, started = sys.argv[2:], sys.modules["__main__"]
    load = unittest.defaultTestLoader
    sys.exit(run_unittest.run(load.loadTestsFromNames(names, started) if names else load.loadTestsFromModule(started), verbosity=2))

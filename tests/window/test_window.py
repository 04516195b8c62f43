"""The window from outside: first run, the sample run in a sandbox, what a screen reader is told, bad files.
Started by ctest with the folder of the executables; exit code 77: cannot be run here, with the reason."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import window_driver  # noqa: E402

BIN = sys.argv[1] if len(sys.argv) > 1 else ""
WORKBENCH = os.path.join(BIN, "sandglass-workbench")
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "examples")
UNNAMED_ALLOWED = {"filler", "panel", "scroll bar", "separator", "layered pane", "label", "status bar", "tool bar", "scroll pane",
                   "viewport", "split pane", "page tab list", "menu", "popup menu", "frame", "application", "window", "menu bar",
                   "table column header", "table row header", "header", "table cell", "tree item", "list item", "dialog", "list",
                   "image", "animation", "unknown", "invalid", "page tab", "tree table", "document frame", "text"}


def has_sandbox():
    return shutil.which("bwrap") is not None and os.path.exists(os.path.join(os.environ["SANDGLASS_PYTHON"], "bin", "python3"))


class FirstRun(unittest.TestCase):
    def test_three_choices_and_nothing_else_to_do(self):
        with window_driver.Window(WORKBENCH, "--theme", "light") as window:
            for choice in ("Open sample", "New graph", "Open…"):
                window.need(choice, "button")
            self.assertLess(window.seconds_to_window, 5)
        self.assertEqual(window.exit_code, 0)

    def test_sample_runs_within_a_minute(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")
        with window_driver.Window(WORKBENCH, "--theme", "light") as window:
            started = time.monotonic()
            window.press("Open sample", "button")
            window.need("load", contains=True)
            window.need("Project penguins", "button")
            time.sleep(0.5)
            window.press("Run", "button")
            window.need("visualize, python node, done", contains=True, wait=60)
            self.assertLess(time.monotonic() - started, 60)
            window.need("penguins.png", contains=True)
            window.need("penguins.parquet", contains=True)
            for name in ("load", "analyze", "visualize"):
                window.need(f"{name}, python node, done", contains=True)
            if os.environ.get("SG_PICTURES"):
                window.picture(os.path.join(os.environ["SG_PICTURES"], "sample.png"))
        self.assertEqual(window.exit_code, 0)


class Controls(unittest.TestCase):
    def test_every_control_has_a_name(self):
        with window_driver.Window(WORKBENCH, os.path.join(copied("counter"), "counter.graph.json")) as window:
            window.need("incrementer", contains=True)
            unnamed = []
            for node, _ in window.walk():
                try:
                    role, name = node.getRoleName(), node.name
                    focusable = node.getState().contains(window_driver_focusable())
                except Exception:
                    continue
                if focusable and not name and role not in UNNAMED_ALLOWED:
                    unnamed.append(role)
            self.assertEqual(unnamed, [])

    def test_keyboard_alone_runs_the_graph(self):
        project = copied("counter")
        with window_driver.Window(WORKBENCH, os.path.join(project, "counter.graph.json")) as window:
            window.need("incrementer", contains=True)
            time.sleep(0.5)
            window.key("F5")
            window.need("doubler, jq node, done", contains=True, wait=20)
        history = json.loads(subprocess.run([os.path.join(BIN, "sandglass"), "threads", "--project", project, "--json"],
                                            capture_output=True, check=True).stdout)
        self.assertEqual([row["status"] for row in history], ["done"])


class BadInput(unittest.TestCase):
    def test_a_broken_graph_is_shown_with_its_problem(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "broken.graph.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": 1, "name": "broken", "state": {"value": {}},
                       "nodes": [{"name": "a", "kind": "jq", "jq": "{value: 1}"}],
                       "edges": [["__start__", "a"], ["a", "nowhere"]]}, file)
        with window_driver.Window(WORKBENCH, path) as window:
            window.need("nowhere", contains=True)

    def test_a_missing_file_leaves_the_start_page_usable(self):
        with window_driver.Window(WORKBENCH, "/nonexistent/x.graph.json") as window:
            window.need("Open sample", "button")
            window.need("/nonexistent/x.graph.json", contains=True)


def window_driver_focusable():
    import pyatspi

    return pyatspi.STATE_FOCUSABLE


def copied(example):
    folder = tempfile.mkdtemp(prefix="sandglass-example-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = os.path.join(folder, example)
    shutil.copytree(os.path.join(EXAMPLES, example), target, ignore=shutil.ignore_patterns(".sandglass"))
    return target


if __name__ == "__main__":
    missing = window_driver.missing_programs()
    if missing:
        print("skipped: missing " + ", ".join(missing))
        sys.exit(77)
    window_driver.enter_display()
    unittest.main(argv=[sys.argv[0], "-v"])

"""Sessions, log and artifacts from outside: one cursor for all of them, and all of it without a pointer."""

import hashlib
import json
import os
import tempfile
import time
import unittest

import window_driver
from files_project import mouse, project_with_files, sandglass
from window_case import WORKBENCH, need_sandbox, main

STEPS = """
import time

def node(state, config, name):
    time.sleep(2)
    for folder in ('/session/artifacts', '/session'):
        with open(f'{folder}/{name}.txt', 'w') as file:
            file.write(name)
    print('printed by', name)
    time.sleep(2)
    return {'count': 1}

def first(state, config):
    return node(state, config, 'first')

def second(state, config):
    return node(state, config, 'second')
"""
STEPS_GRAPH = {
    "format": 1,
    "name": "steps",
    "state": {"count": {"type": "last_value"}},
    "nodes": [{"name": name, "kind": "python", "file": "nodes/steps.py", "function": name} for name in ("first", "second")],
    "edges": [["__start__", "first"], ["first", "second"], ["second", "__end__"]],
}


class Moments(unittest.TestCase):
    """Whatever a moment is chosen in, the others follow."""

    def setUp(self):
        need_sandbox()
        self.project = tempfile.mkdtemp(prefix="sandglass-steps-")
        os.makedirs(os.path.join(self.project, "nodes"))
        with open(os.path.join(self.project, "steps.graph.json"), "w", encoding="utf-8") as file:
            json.dump(STEPS_GRAPH, file)
        with open(os.path.join(self.project, "nodes", "steps.py"), "w", encoding="utf-8") as file:
            file.write(STEPS)

    def until(self, holds, what):
        deadline = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.1)

    def is_seen(self, window, words):
        import pyatspi

        places = [place for place in window.read() if words in place.name]
        return any(int(pyatspi.STATE_SHOWING) in states for states in window.places.states(places))

    def see(self, window, words):
        self.until(lambda: self.is_seen(window, words), f"{words!r} is not seen")

    def back(self, window):
        window.press("Return to head", "button")
        self.until(lambda: not self.is_seen(window, "Viewing step"), "the head is not shown again")

    def focus(self, node):
        import pyatspi

        self.until(lambda: node.queryComponent().grabFocus() and node.getState().contains(pyatspi.STATE_FOCUSED), "no focus")

    def test_log_files_artifacts_and_meters_move_the_one_cursor(self):
        with window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.resize(1500, 1000)
            window.need("second, python node", contains=True)
            window.key("F5")
            window.need("second, python node, done", contains=True, wait=60)

            window.press("Log", "page tab")
            window.need("Filter the log", "text").queryEditableText().setTextContents("printed by first")
            log = window.need("Log lines")
            self.focus(log)
            window.key("Home")
            self.until(lambda: "printed by first" in log.description, log.description)
            window.key("Return")
            self.see(window, "Viewing step 1")
            window.press("Artifacts", "page tab")
            self.see(window, "up to step 1")  # artifacts follow
            window.press("Files", "page tab")
            window.need("first.txt, 5\xa0B, added", contains=True)  # and files
            self.assertIsNone(window.find("second.txt, 6\xa0B", contains=True))
            self.back(window)

            window.need("second.txt, 6\xa0B", contains=True)  # the head's files are there
            row = window.need("first.txt, 5\xa0B", "table cell", contains=True).queryComponent().getExtents(0)
            mouse("mousemove", str(row.x + 40), str(row.y + row.height // 2), "click", "1")
            window.key("alt+Return")
            self.see(window, "Viewing step 1")
            self.back(window)

            window.press("Session", "page tab")
            window.press("1 min")
            meters = window.need("Meters", "filler").queryComponent().getExtents(0)
            for back in range(40, meters.width - 160, 40):  # from now on back to where the run was
                mouse("mousemove", str(meters.x + meters.width - back), str(meters.y + meters.height // 2), "click", "1")
                time.sleep(0.3)
                if self.is_seen(window, "Viewing step"):
                    break
            self.see(window, "Viewing step")


TABLE = """
def node(state, config):
    import pyarrow as pa, pyarrow.parquet as parquet
    parquet.write_table(pa.table({'mass': [4200, 2700, None, 6300], 'name': ['b', 'a', 'c', 'd']}), '/session/artifacts/t.parquet')
    return {'count': 0}
"""


class Tables(unittest.TestCase):
    def setUp(self):
        need_sandbox()

    def test_a_table_is_sorted_by_key_and_tells_what_its_columns_hold(self):
        project = project_with_files()
        with open(os.path.join(project, "nodes", "write.py"), "w", encoding="utf-8") as file:
            file.write(TABLE)
        self.assertEqual(sandglass("run", project, "--thread", "alice", "--input", "{}", check=False).returncode, 0)
        with window_driver.Window(WORKBENCH, "--theme", "light", "--panel", "Artifacts", project) as window:
            window.resize(1270, 980)
            window.need("mass int64; 2700 to 6300; 1 empty", contains=True, wait=60)  # a head, as it is read out
            for key, wanted in (("alt+Down", ["6300", "4200", "2700"]), ("alt+Up", ["2700", "4200", "6300"]),
                                ("alt+0", ["4200", "2700", "6300"])):
                cell = window.need("4200", "table cell").queryComponent().getExtents(0)
                mouse("mousemove", str(cell.x + 5), str(cell.y + 5), "click", "1")
                window.key(key)
                deadline = time.monotonic() + 60
                while (cells := [place.name for place in window.read() if place.name in wanted]) != wanted:
                    self.assertLess(time.monotonic(), deadline, (key, cells))
                    time.sleep(0.1)
            window.need("Filter the rows of the table").queryEditableText().setTextContents("mass > 4000")
            deadline = time.monotonic() + 60
            while (cells := [place.name for place in window.read() if place.name in ("4200", "2700", "6300")]) != ["4200", "6300"]:
                self.assertLess(time.monotonic(), deadline, cells)
                time.sleep(0.1)


class WithoutAPointer(unittest.TestCase):
    def setUp(self):
        need_sandbox()

    def focus(self, node):
        import pyatspi

        deadline = time.monotonic() + 60
        while not node.getState().contains(pyatspi.STATE_FOCUSED):
            self.assertLess(time.monotonic(), deadline, f"{node.name} takes no focus")
            node.queryComponent().grabFocus()
            time.sleep(0.2)

    def read_log(self, window, words):
        """Line by line, as a screen reader hears it."""
        window.press("Log", "page tab")
        window.need("Filter the log", "text").queryEditableText().setTextContents(words)
        log = window.need("Log lines")
        lines = []
        deadline = time.monotonic() + 60
        while not lines and time.monotonic() < deadline:
            self.focus(log)
            window.key("Home")
            for _ in range(40):
                time.sleep(0.05)
                line = log.description
                if lines and line == lines[-1]:
                    break
                if line:
                    lines.append(line)
                window.key("Down")
        return "\n".join(lines)

    def test_a_session_is_found_extended_stopped_and_its_log_read(self):
        project = project_with_files()
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("write, python node", contains=True)
            window.key("F5")
            window.need("write, python node, done", contains=True, wait=60)
            window.press("Session", "page tab")
            window.need("Session s-", contains=True)
            self.focus(window.need("Extend session", "button"))
            window.key("space")
            time.sleep(0.5)
            for key in ("Down", "Down", "Return"):  # in its menu, which assistive programs do not list: 2 hours
                window.key(key)
            window.need("1:59:", contains=True, wait=60)
            self.assertIn("red words", self.read_log(window, ""))
            self.assertIn("cell ok", self.read_log(window, "source:audit cell"))
            window.press("Session", "page tab")
            window.press("Stop session", "button")
            window.need("Ended", contains=True, wait=60)

    def test_what_the_console_printed_stays_in_the_log(self):
        project = project_with_files()
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("write, python node", contains=True)
            window.key("F5")
            window.need("write, python node, done", contains=True, wait=60)
            window.press("Session", "page tab")
            window.press("Console")
            self.focus(window.need("Python code for the session"))
            window.type("print('kept words')")
            window.key("Return")
            self.assertIn("kept words", self.read_log(window, "source:cell"))
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("write, python node, done", contains=True, wait=60)
            self.assertEqual(self.read_log(window, "source:cell").count("kept words"), 1)

    def test_what_another_programs_cell_printed_is_in_the_log(self):
        project = project_with_files()
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("write, python node", contains=True)
            window.key("F5")
            window.need("write, python node, done", contains=True, wait=60)
            time.sleep(3)  # what is written while the run's own last rows are is not told apart from them
            sandglass("session", "exec", "--project", project, "--thread", "main", "--backend", "bubblewrap",
                      "print('from outside')")
            self.assertIn("from outside", self.read_log(window, "source:cell"))

    def digests(self, folder):
        """Of what is whole there: files under way have other names."""
        found = []
        for name in os.listdir(folder):
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    found.append(hashlib.sha256(file.read()).hexdigest())
            except FileNotFoundError:
                pass
        return found

    def test_an_artifact_is_exported(self):
        project = project_with_files()
        target = tempfile.mkdtemp(prefix="sandglass-export-")
        with window_driver.Window(WORKBENCH, "--panel", "Artifacts", project) as window:
            window.need("write, python node", contains=True)
            window.key("F5")
            window.need("plot.txt", contains=True, wait=60)
            window.press("Export…", "button")
            window.need("Export", "dialog", contains=True)
            time.sleep(0.5)
            window.key("ctrl+a")
            window.type(target)
            window.key("Return")
            rows = json.loads(sandglass("artifacts", "list", "--project", project, "--json").stdout)
            stored = [row["sha256"] for row in rows]
            deadline = time.monotonic() + 60
            while self.digests(target)[:1] not in [[each] for each in stored]:
                self.assertLess(time.monotonic(), deadline, os.listdir(target))
                time.sleep(0.1)
            self.assertEqual(len(os.listdir(target)), 1)


if __name__ == "__main__":
    main()

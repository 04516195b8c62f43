"""Sessions, log and artifacts from outside: files dragged into a second program by real X11 events, and all of it without a
pointer."""

import glob
import hashlib
import json
import os
import subprocess
import tempfile
import time
import unittest

import window_driver
from window_case import BIN, WORKBENCH, copied, has_sandbox, main

DROP_TARGET = os.path.join(BIN, "..", "tests", "drop_target")
GRAPH = {
    "format": 1,
    "name": "files",
    "state": {"count": {"type": "last_value"}},
    "sandbox": {"idle_timeout_s": 1800},
    "nodes": [{"name": "write", "kind": "python", "file": "nodes/write.py"}],
    "edges": [["__start__", "write"], ["write", "__end__"]],
}
# Two files of one name, one that is too large to be copied at the press of a button, one with a name for nobody.
WRITE = """
import os

def node(state, config):
    root = '/session/artifacts'
    for folder in ('a', 'b'):
        os.makedirs(f'{root}/{folder}', exist_ok=True)
        with open(f'{root}/{folder}/plot.txt', 'w') as file:
            file.write(folder * 100)
    with open(f'{root}/large.bin', 'wb') as file:
        file.write(os.urandom(1 << 20) * 12)
    with open(f'{root}/COM1.txt', 'w') as file:
        file.write('named like a device')
    for i in range(state.get('count') or 0):
        with open(f'{root}/many-{i:03}.txt', 'w') as file:
            file.write(f'file {i}')
    print('\\x1b[31mred\\x1b[0m words')
    return {'count': 0}
"""


def project_with_files():
    folder = tempfile.mkdtemp(prefix="sandglass-files-")
    os.makedirs(os.path.join(folder, "nodes"))
    with open(os.path.join(folder, "files.graph.json"), "w", encoding="utf-8") as file:
        json.dump(GRAPH, file)
    with open(os.path.join(folder, "nodes", "write.py"), "w", encoding="utf-8") as file:
        file.write(WRITE)
    os.chmod(folder, 0o755)
    return folder


def sandglass(*arguments, check=True):
    return subprocess.run([os.path.join(BIN, "sandglass"), *arguments], capture_output=True, text=True, check=check)


class Target:
    """The second program, at the right of the display."""

    def __init__(self, *files):
        self.files = files

    def __enter__(self):
        self.lines = tempfile.NamedTemporaryFile("r", prefix="sandglass-drop-")
        self.output = open(self.lines.name, "w", encoding="utf-8")
        self.process = subprocess.Popen([DROP_TARGET, "1300", "200", "250", "400", *self.files], stdout=self.output)
        self.wait_for("ready")
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "drop target"]
        client = subprocess.run(search, capture_output=True, text=True, timeout=20).stdout.split()[-1]
        subprocess.run(["xdotool", "windowmove", client, "1300", "200"], check=True)
        time.sleep(0.5)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.output.close()
        self.lines.close()

    def told(self, key):
        with open(self.lines.name, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file if line.strip()]
        return [row for row in rows if key in row]

    def wait_for(self, key, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if rows := self.told(key):
                return rows[-1]
            time.sleep(0.05)
        raise AssertionError(f"the second program was not told of {key!r}")


def mouse(*words):
    subprocess.run(["xdotool", *words], check=True)


def drag(start, end, target, then="mouseup"):
    """By real pointer events: press, some steps on the way, and release (or a key) once the target knows of it."""
    mouse("mousemove", str(start[0]), str(start[1]))
    time.sleep(0.2)
    mouse("mousedown", "1")
    time.sleep(0.3)
    for step in range(1, 16):
        mouse("mousemove", str(start[0] + (end[0] - start[0]) * step // 15), str(start[1] + (end[1] - start[1]) * step // 15))
        time.sleep(0.05)
    deadline = time.monotonic() + 30
    while not target.told("entered") and time.monotonic() < deadline:
        for x in (end[0] - 4, end[0]):
            mouse("mousemove", str(x), str(end[1]))
            time.sleep(0.1)
    time.sleep(0.7)  # for the answer to the last move
    if then == "mouseup":
        mouse("mouseup", "1")
    else:
        mouse("key", then)
        time.sleep(0.5)
        mouse("mouseup", "1")


def staged_folders():
    return glob.glob(os.path.join(os.environ["XDG_RUNTIME_DIR"], "sandglass-drag-*"))


@unittest.skipUnless(os.path.exists(DROP_TARGET), "the second program is not built")
class Drag(unittest.TestCase):
    def setUp(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")
        self.project = project_with_files()

    def stored(self):
        rows = json.loads(sandglass("artifacts", "list", "--project", self.project, "--json").stdout)
        return sorted(row["sha256"] for row in rows)

    def opened(self, count=0):
        ran = sandglass("run", self.project, "--thread", "alice", "--input", json.dumps({"count": count}), check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return window_driver.Window(WORKBENCH, "--theme", "light", self.project)

    def choose_all(self, window, name):
        window.resize(1270, 980)
        row = window.need(name, "list item", contains=True, wait=30)
        place = row.queryComponent().getExtents(0)
        point = (place.x + 60, place.y + place.height // 2)
        mouse("mousemove", str(point[0]), str(point[1]), "click", "1")
        time.sleep(0.3)
        window.key("ctrl+a")
        time.sleep(0.3)
        return point

    def test_all_that_is_dragged_arrives_under_the_right_names(self):
        with Target() as target, self.opened() as window:
            point = self.choose_all(window, "plot.txt")
            drag(point, (1420, 400), target)
            dropped = target.wait_for("dropped")
            self.assertEqual(target.told("entered")[-1]["actions"], 1)  # copy alone is offered
            self.assertIn("application/x-workbench-artifact", target.told("entered")[-1]["formats"])
            names = sorted(file["name"] for file in dropped["dropped"])
            self.assertEqual(len(names), 4)
            for name in ("large.bin", "plot.txt", "plot (2).txt"):
                self.assertIn(name, names)
            self.assertNotIn("COM1.txt", names)
            self.assertEqual(sorted(file["sha256"] for file in dropped["dropped"]), self.stored())

    def test_escape_leaves_nothing_behind(self):
        with Target() as target, self.opened() as window:
            before = set(staged_folders())  # of other windows
            point = self.choose_all(window, "plot.txt")
            drag(point, (1420, 400), target, then="Escape")
            deadline = time.monotonic() + 15
            while set(staged_folders()) - before and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual(set(staged_folders()) - before, set())
            self.assertEqual(target.told("dropped"), [])

    def test_five_hundred_at_once(self):
        with Target() as target, self.opened(496) as window:
            point = self.choose_all(window, "many-", )
            drag(point, (1420, 400), target)
            dropped = target.wait_for("dropped", 40)
            self.assertEqual(len(dropped["dropped"]), 500)
            self.assertEqual(sorted(file["sha256"] for file in dropped["dropped"]), self.stored())


LIVE = """
import os, time

def node(state, config):
    os.makedirs('work', exist_ok=True)
    with open('work/early.txt', 'w') as file:
        file.write('early')
    while not os.path.exists('/session/go.txt'):
        time.sleep(0.1)
    with open('work/late.txt', 'w') as file:
        file.write('late')
    return {'count': 1}
"""


@unittest.skipUnless(os.path.exists(DROP_TARGET), "the second program is not built")
class SessionFiles(unittest.TestCase):
    """Files of a session that runs, and of one that has ended, over real drags."""

    def setUp(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")
        self.project = project_with_files()
        with open(os.path.join(self.project, "nodes", "write.py"), "w", encoding="utf-8") as file:
            file.write(LIVE)

    def place_of(self, window, name, role):
        place = window.need(name, role, contains=True, wait=30).queryComponent().getExtents(0)
        return place.x + min(60, place.width // 2), place.y + place.height // 2

    def drag_out(self, window, target, name):
        start = self.place_of(window, name, "table cell")
        mouse("mousemove", str(start[0]), str(start[1]), "click", "1")
        drag(start, (1420, 400), target)
        return target.wait_for("dropped")["dropped"]

    def drop_in(self, window, target):
        end = self.place_of(window, "Files", "tree")
        mouse("mousemove", "1420", "400")
        mouse("mousedown", "1")
        for step in range(1, 16):
            mouse("mousemove", str(1420 + (end[0] - 1420) * step // 15), str(400 + (end[1] - 400) * step // 15))
            time.sleep(0.05)
        window.need("Copy to /session of the live session", contains=True)
        mouse("mouseup", "1")
        self.assertEqual(target.wait_for("dragged")["dragged"], 1)  # copied: the source keeps its file

    def test_files_go_in_and_out_while_a_cell_runs_and_out_of_what_has_ended(self):
        sent = os.path.join(tempfile.mkdtemp(prefix="sandglass-sent-"), "go.txt")
        with open(sent, "w", encoding="utf-8") as file:
            file.write("go on")
        with Target(sent) as target, window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.resize(1270, 980)
            window.need("write, python node", contains=True)
            window.key("F5")
            window.press("Files", "page tab")
            window.need("work/early.txt, 5\xa0B, added", contains=True, wait=60)  # the node has not ended
            window.need("write, python node, running", contains=True)
            self.drop_in(window, target)
            window.need("write, python node, done", contains=True, wait=60)
            window.need("work/late.txt, 4\xa0B", contains=True)
            self.assertTrue(os.path.exists(sent))
            dropped = self.drag_out(window, target, "go.txt, 5\xa0B")
            self.assertEqual([file["name"] for file in dropped], ["go.txt"])
            self.assertEqual(dropped[0]["sha256"], hashlib.sha256(b"go on").hexdigest())
        with Target() as target, window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.resize(1270, 980)  # its session ended with the window before
            window.need("write, python node, done", contains=True)
            window.press("Files", "page tab")
            dropped = self.drag_out(window, target, "work, folder")
            self.assertEqual([file["name"] for file in dropped], ["work"])  # the folder as a whole


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
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")
        self.project = tempfile.mkdtemp(prefix="sandglass-steps-")
        os.makedirs(os.path.join(self.project, "nodes"))
        with open(os.path.join(self.project, "steps.graph.json"), "w", encoding="utf-8") as file:
            json.dump(STEPS_GRAPH, file)
        with open(os.path.join(self.project, "nodes", "steps.py"), "w", encoding="utf-8") as file:
            file.write(STEPS)

    def until(self, holds, what):
        deadline = time.monotonic() + 15
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
            window.need("Filter the log").queryEditableText().setTextContents("printed by first")
            log = window.need("Log lines")
            self.focus(log)
            window.key("Home")
            self.until(lambda: "printed by first" in log.description, log.description)
            window.key("Return")
            self.see(window, "Viewing step 1")
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
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")

    def test_a_table_is_sorted_by_key_and_tells_what_its_columns_hold(self):
        project = project_with_files()
        with open(os.path.join(project, "nodes", "write.py"), "w", encoding="utf-8") as file:
            file.write(TABLE)
        self.assertEqual(sandglass("run", project, "--thread", "alice", "--input", "{}", check=False).returncode, 0)
        with window_driver.Window(WORKBENCH, "--theme", "light", project) as window:
            window.resize(1270, 980)
            window.need("mass int64; 2700 to 6300; 1 empty", contains=True, wait=40)  # a head, as it is read out
            for key, wanted in (("alt+Down", ["6300", "4200", "2700"]), ("alt+Up", ["2700", "4200", "6300"]),
                                ("alt+0", ["4200", "2700", "6300"])):
                cell = window.need("4200", "table cell").queryComponent().getExtents(0)
                mouse("mousemove", str(cell.x + 5), str(cell.y + 5), "click", "1")
                window.key(key)
                deadline = time.monotonic() + 20
                while (cells := [place.name for place in window.read() if place.name in wanted]) != wanted:
                    self.assertLess(time.monotonic(), deadline, (key, cells))
                    time.sleep(0.1)
            window.need("Filter the rows of the table").queryEditableText().setTextContents("mass > 4000")
            deadline = time.monotonic() + 20
            while (cells := [place.name for place in window.read() if place.name in ("4200", "2700", "6300")]) != ["4200", "6300"]:
                self.assertLess(time.monotonic(), deadline, cells)
                time.sleep(0.1)


class WithoutAPointer(unittest.TestCase):
    def setUp(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")

    def focus(self, node):
        import pyatspi

        deadline = time.monotonic() + 10
        while not node.getState().contains(pyatspi.STATE_FOCUSED):
            self.assertLess(time.monotonic(), deadline, f"{node.name} takes no focus")
            node.queryComponent().grabFocus()
            time.sleep(0.2)

    def read_log(self, window, words):
        """Line by line, as a screen reader hears it."""
        window.press("Log", "page tab")
        window.need("Filter the log").queryEditableText().setTextContents(words)
        log = window.need("Log lines")
        lines = []
        deadline = time.monotonic() + 20
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
            window.need("1:59:", contains=True)
            self.assertIn("red words", self.read_log(window, ""))
            self.assertIn("cell ok", self.read_log(window, "source:audit cell"))
            window.press("Session", "page tab")
            window.press("Stop session", "button")
            window.need("Ended", contains=True, wait=30)

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
            window.need("write, python node, done", contains=True, wait=30)
            self.assertEqual(self.read_log(window, "source:cell").count("kept words"), 1)

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
        with window_driver.Window(WORKBENCH, project) as window:
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
            deadline = time.monotonic() + 20
            while self.digests(target)[:1] not in [[each] for each in stored]:
                self.assertLess(time.monotonic(), deadline, os.listdir(target))
                time.sleep(0.1)
            self.assertEqual(len(os.listdir(target)), 1)


if __name__ == "__main__":
    main()

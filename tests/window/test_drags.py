"""Files dragged into a second program by real X11 events, and out of it into a session."""

import glob
import hashlib
import json
import os
import subprocess
import tempfile
import time
import unittest

import window_driver
from files_project import mouse, project_with_files, sandglass
from window_case import BIN, WORKBENCH, need_sandbox, main

DROP_TARGET = os.path.join(BIN, "..", "tests", "drop_target")


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
        client = subprocess.run(search, capture_output=True, text=True, timeout=window_driver.PATIENCE).stdout.split()[-1]
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

    def wait_for(self, key, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if rows := self.told(key):
                return rows[-1]
            time.sleep(0.05)
        raise AssertionError(f"the second program was not told of {key!r}")


def drag(start, end, target, then="mouseup"):
    """By real pointer events: press, some steps on the way, and release (or a key) once the target knows of it."""
    mouse("mousemove", str(start[0]), str(start[1]))
    time.sleep(0.2)
    mouse("mousedown", "1")
    time.sleep(0.3)
    for step in range(1, 16):
        mouse("mousemove", str(start[0] + (end[0] - start[0]) * step // 15), str(start[1] + (end[1] - start[1]) * step // 15))
        time.sleep(0.05)
    deadline = time.monotonic() + 60
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


class Drag(unittest.TestCase):
    def setUp(self):
        self.assertTrue(os.path.exists(DROP_TARGET), "the second program, tests/drop_target, is not built")
        need_sandbox()
        self.project = project_with_files()

    def stored(self):
        rows = json.loads(sandglass("artifacts", "list", "--project", self.project, "--json").stdout)
        return sorted(row["sha256"] for row in rows)

    def opened(self, count=0):
        ran = sandglass("run", self.project, "--thread", "alice", "--input", json.dumps({"count": count}), check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return window_driver.Window(WORKBENCH, "--theme", "light", "--panel", "Artifacts", self.project)

    def choose_all(self, window, name):
        window.resize(1270, 980)
        row = window.need(name, "list item", contains=True, wait=60)
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
            deadline = time.monotonic() + 60
            while set(staged_folders()) - before and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual(set(staged_folders()) - before, set())
            self.assertEqual(target.told("dropped"), [])

    def test_the_graph_is_dragged_as_a_picture(self):
        with Target() as target, window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.resize(1270, 980)
            window.need("write, python node", contains=True)
            grip = window.need("Picture of the graph", "button").queryComponent().getExtents(0)
            drag((grip.x + grip.width // 2, grip.y + grip.height // 2), (1420, 400), target)
            dropped = target.wait_for("dropped")
            self.assertEqual([file["name"] for file in dropped["dropped"]], ["files.png"])
            formats = target.told("entered")[-1]["formats"]
            for kind in ("image/png", "image/svg+xml", "text/uri-list"):
                self.assertIn(kind, formats)

    def test_a_data_file_dropped_on_a_node_offers_what_it_can_be(self):
        sent = os.path.join(tempfile.mkdtemp(prefix="sandglass-sent-"), "penguins.csv")
        with open(sent, "w", encoding="utf-8") as file:
            file.write("mass\n4000\n")
        path = os.path.join(self.project, "files.graph.json")
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        graph["sandbox"]["datasets"] = "LOCAL_RO"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(graph, file)
        with Target(sent) as target, window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.resize(1270, 980)
            time.sleep(1)
            node = window.need("write, python node", contains=True).queryComponent().getExtents(0)
            end = node.x + node.width // 2, node.y + node.height // 2
            mouse("mousemove", "1420", "400")
            mouse("mousedown", "1")
            for step in range(1, 16):
                mouse("mousemove", str(1420 + (end[0] - 1420) * step // 15), str(400 + (end[1] - 400) * step // 15))
                time.sleep(0.05)
            time.sleep(0.5)
            mouse("mouseup", "1")
            target.wait_for("dragged")
            window.need("Copy it into the session, as /session/penguins.csv (no session runs)", contains=True)
            window.press("Write its path into nodes/write.py", contains=True)
            deadline = time.monotonic() + 60
            while not os.path.exists(os.path.join(self.project, "datasets", "penguins.csv")) and time.monotonic() < deadline:
                time.sleep(0.1)
            mouse("mousemove", str(node.x), str(node.y - 60), "click", "1")  # the window that it came from has the keys
            window.key("ctrl+s")
            code = os.path.join(self.project, "nodes", "write.py")
            while 'PENGUINS_CSV = "/data/penguins.csv"' not in open(code, encoding="utf-8").read():
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.1)

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


class SessionFiles(unittest.TestCase):
    """Files of a session that runs, and of one that has ended, over real drags."""

    def setUp(self):
        self.assertTrue(os.path.exists(DROP_TARGET), "the second program, tests/drop_target, is not built")
        need_sandbox()
        self.project = project_with_files()
        with open(os.path.join(self.project, "nodes", "write.py"), "w", encoding="utf-8") as file:
            file.write(LIVE)

    def place_of(self, window, name, role):
        for _ in range(10):
            place = window.need(name, role, contains=True, wait=60).queryComponent().getExtents(0)
            files = window.need("Files", "tree").queryComponent().getExtents(0)
            if place.y + place.height <= files.y + files.height:
                break
            mouse("mousemove", str(files.x + 60), str(files.y + 60), "click", "5")  # the wheel: the row is below what is seen
            time.sleep(0.3)
        return place.x + min(60, place.width // 2), place.y + place.height // 2

    def drag_out(self, window, target, name):
        start = self.place_of(window, name, "table cell")
        mouse("mousemove", str(start[0]), str(start[1]), "click", "1")
        drag(start, (1420, 400), target)
        return target.wait_for("dropped")["dropped"]

    def drop_in(self, window, target):
        place = window.need("Files", "tree").queryComponent().getExtents(0)
        end = place.x + 60, place.y + place.height - 24  # below the rows: a row's folder would be the target
        mouse("mousemove", "1420", "400")
        mouse("mousedown", "1")
        for step in range(1, 16):
            mouse("mousemove", str(1420 + (end[0] - 1420) * step // 15), str(400 + (end[1] - 400) * step // 15))
            time.sleep(0.05)
        deadline = time.monotonic() + window_driver.PATIENCE
        while not window.find("Copy to /session of the live session", contains=True):
            self.assertLess(time.monotonic(), deadline, window.tree())
            end = end[0] + (1 if end[0] == place.x + 60 else -1), end[1]  # a hand that holds a file does not stand still
            mouse("mousemove", str(end[0]), str(end[1]))
        mouse("mouseup", "1")
        self.assertEqual(target.wait_for("dragged")["dragged"], 1)  # copied: the source keeps its file

    def test_files_go_in_and_out_while_a_cell_runs_and_out_of_what_has_ended(self):
        sent = os.path.join(tempfile.mkdtemp(prefix="sandglass-sent-"), "go.txt")
        with open(sent, "w", encoding="utf-8") as file:
            file.write("go on")
        with Target(sent) as target, window_driver.Window(WORKBENCH, "--theme", "light", "--panel", "Artifacts", self.project) as window:
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
        with Target() as target, window_driver.Window(WORKBENCH, "--theme", "light", "--panel", "Artifacts", self.project) as window:
            window.resize(1270, 980)  # its session ended with the window before
            window.need("write, python node, done", contains=True)
            window.press("Files", "page tab")
            dropped = self.drag_out(window, target, "work, folder")
            self.assertEqual([file["name"] for file in dropped], ["work"])  # the folder as a whole


if __name__ == "__main__":
    main()

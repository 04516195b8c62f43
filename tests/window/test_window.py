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

BIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
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


class Layout(unittest.TestCase):
    def test_docks_side_by_side_keep_their_shares(self):
        project = copied("counter")
        for turn in ("first start", "second start"):
            with window_driver.Window(WORKBENCH, project) as window:
                window.need("incrementer", contains=True)
                for width, height in ((1600, 990), (1280, 800)):
                    window.resize(width, height)
                    artifacts = window.extents("Artifacts")
                    state = window.extents("State")
                    with self.subTest(turn=turn, width=width):
                        self.assertAlmostEqual(artifacts.width, width / 2, delta=40)
                        self.assertGreater(artifacts.height, 150)
                        self.assertGreater(width - 200 - state.width, 600)


class Runs(unittest.TestCase):
    def setUp(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")

    def project(self, code):
        project = copied("penguins")
        self.write(project, code)
        return project

    def write(self, project, code):
        with open(os.path.join(project, "nodes", "analyze.py"), "w", encoding="utf-8") as file:
            file.write(code)

    def test_a_failed_node_shows_its_traceback_and_goes_on_once_it_is_mended(self):
        project = self.project("def node(state, config):\n    return {'statistics': state['wing']}\n")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("analyze", contains=True)
            time.sleep(0.5)
            window.press("Run", "button")
            window.need("analyze, python node, failed", contains=True, wait=60)
            window.press("Show traceback", "button")
            code = window.need("Traceback", "text")
            self.assertIn('File "nodes/analyze.py", line 2, in node', code.queryText().getText(0, -1))
            self.write(project, "def node(state, config):\n    return {'statistics': {}}\n")
            window.press("Resume", "button")
            window.need("analyze, python node, done", contains=True, wait=30)

    def test_a_stopped_run_is_called_stopped_and_can_go_on(self):
        project = self.project("import time\n\n\ndef node(state, config):\n    time.sleep(600)\n")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("analyze", contains=True)
            time.sleep(0.5)
            window.press("Run", "button")
            window.need("analyze, python node, running", contains=True, wait=60)
            window.press("Stop", "button")
            window.need("analyze, python node, stopped", contains=True, wait=30)
            self.write(project, "def node(state, config):\n    return {'statistics': {}}\n")
            window.press("Resume", "button")
            window.need("analyze, python node, done", contains=True, wait=60)

    def test_what_kill_9_left_goes_on_after_the_next_start(self):
        project = self.project("import time\n\n\ndef node(state, config):\n    time.sleep(600)\n")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("analyze", contains=True)
            time.sleep(0.5)
            window.press("Run", "button")
            window.need("analyze, python node, running", contains=True, wait=60)
            window.process.kill()
            window.process.wait()
        self.write(project, "def node(state, config):\n    return {'statistics': {}}\n")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("analyze, python node, queued", contains=True)
            window.press("Resume", "button")
            window.need("analyze, python node, done", contains=True, wait=60)


class TimeTravel(unittest.TestCase):
    def command(self, project, *words):
        answer = subprocess.run([os.path.join(BIN, "sandglass"), "--json", *words], cwd=project, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)

    def test_a_fork_with_a_changed_value_without_a_pointer(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        before = self.command(project, "history", "--thread", "main")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("alt+comma")
            window.need("Viewing step 1", contains=True)
            window.key("ctrl+shift+r")
            window.need("Fork from step 1")
            window.need("value", "table cell")
            for key in ("Home", "Return", "ctrl+a", "1", "0", "Return"):
                window.key(key)
                time.sleep(0.2)
            window.press("Fork and run", "button")
            window.need("Step 4", contains=True)
            window.need("of branch 2", contains=True)
        self.assertEqual(self.command(project, "state", "--thread", "main")["values"], {"value": 20})
        after = self.command(project, "history", "--thread", "main")
        self.assertEqual(after[-len(before):], before)  # the branch that was left

    def test_a_replay_is_a_branch_of_its_own(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node, done", contains=True)
            self.assertFalse(window.need("Replay…", "button").getState().contains(enabled_state()))  # nothing is left to run
            window.key("alt+comma")
            window.need("Viewing step 1", contains=True)
            window.key("ctrl+r")
            window.need("Replay from step 1")
            window.press("Replay", "button")
            window.need("2 branches", contains=True)
        self.assertEqual(self.command(project, "state", "--thread", "main")["values"], {"value": 4})


WORLD_GRAPH = {"format": 1, "name": "world", "state": {"told": {"type": "reduce", "reducer": "append"}},
               "nodes": [{"name": name, "kind": "python", "file": "nodes/world.py", "function": name} for name in ("first", "second")],
               "edges": [["__start__", "first"], ["first", "second"]]}
WORLD_CODE = """
def first(state):
    global table
    table = [1, 2]
    open("notes.txt", "w").write("x")
    return {"told": ["first"]}


def second(state):
    global extra
    extra = "later"
    table.append(3)
    return {"told": ["second"]}
"""


class Worlds(unittest.TestCase):
    def setUp(self):
        if not has_sandbox():
            self.skipTest("bubblewrap or the sandbox's Python is missing")

    def test_names_and_files_at_the_cursor_of_a_session_that_has_ended(self):
        project = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, project)
        os.mkdir(os.path.join(project, "nodes"))
        with open(os.path.join(project, "world.graph.json"), "w", encoding="utf-8") as file:
            json.dump(WORLD_GRAPH, file)
        with open(os.path.join(project, "nodes", "world.py"), "w", encoding="utf-8") as file:
            file.write(WORLD_CODE)
        subprocess.run([os.path.join(BIN, "sandglass"), "run", "world.graph.json", "--thread", "main", "--input", "{}"],
                       cwd=project, check=True, capture_output=True)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("second, python node, done", contains=True)
            window.press("Variables", "page tab")
            window.need("table, list, 3", contains=True)
            window.need("extra, str, 5", contains=True)
            window.key("alt+comma")
            window.need("table, list, 2", contains=True)
            self.assertIsNone(window.find("extra, str, 5", contains=True))
            window.press("Files", "page tab")
            window.need("notes.txt, 1", contains=True)
            if os.environ.get("SG_PICTURES"):
                window.picture(os.path.join(os.environ["SG_PICTURES"], "world.png"))


class Databases(unittest.TestCase):
    def test_checkpoints_from_elsewhere_are_only_read_and_followed(self):
        project = copied("counter")
        elsewhere = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, elsewhere)
        database = os.path.join(elsewhere, "theirs.sqlite")

        def run(thread):
            subprocess.run([os.path.join(BIN, "sandglass"), "run", "counter.graph.json", "--thread", thread, "--db", database,
                            "--input", '{"value": 1}'], cwd=project, check=True, capture_output=True)

        run("alice")
        with window_driver.Window(WORKBENCH, database) as window:
            window.need("Done. Nothing runs after this step.")
            window.need("Read-only", contains=True)
            self.assertFalse(window.need("Run", "button").getState().contains(enabled_state()))
            run("bob")  # by another program
            window.need("bob", contains=True)
        self.assertEqual([name for name in os.listdir(elsewhere) if not name.startswith("theirs.sqlite")], [])


class Editing(unittest.TestCase):
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
        window.need("Search nodes", "text")
        window.type(words)
        window.key("Return")
        window.need(name + ",", contains=True)

    def focus_canvas(self, window):
        window.need("Graph canvas").queryComponent().grabFocus()

    def test_a_graph_is_built_saved_and_run_without_a_pointer(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
            time.sleep(0.5)
            names = ["transform"] + [f"transform_{i}" for i in range(2, 6)]
            for name in names:
                self.add(window, "jq", name)
            window.key("c")
            window.need("Search nodes", "text")
            window.type("end")
            window.key("Return")
            window.need("transform_5, jq node, not run yet, 1 in, 1 out", contains=True)
            window.key("ctrl+z")
            window.need("transform_5, jq node, not run yet, 1 in, 0 out", contains=True)
            window.key("ctrl+shift+z")
            window.need("transform_5, jq node, not run yet, 1 in, 1 out", contains=True)
            if os.environ.get("SG_PICTURES"):
                window.picture(os.path.join(os.environ["SG_PICTURES"], "built.png"))
            self.assertEqual(self.graph()["nodes"], [])
            window.key("ctrl+s")
            self.wait_for(lambda: len(self.graph()["nodes"]) == 5)
            window.key("F5")
            window.need("transform_5, jq node, done", contains=True, wait=30)
        self.assertEqual(window.exit_code, 0)
        graph = self.graph()
        self.assertEqual([node["name"] for node in graph["nodes"]], names)
        self.assertEqual(graph["edges"], [["__start__", names[0]], *[list(pair) for pair in zip(names, names[1:])], [names[-1], "__end__"]])
        self.assertEqual(list(graph)[-1], "layout")

    def wait_for(self, holds, seconds=15):
        deadline = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_edits_survive_kill_9(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
            time.sleep(0.5)
            self.add(window, "jq", "transform")
            time.sleep(2)
            window.process.kill()
            window.process.wait()
        self.assertEqual(self.graph()["nodes"], [])
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.press("Recover", "button")
            window.need("transform, jq node", contains=True)
            window.key("ctrl+s")
            self.wait_for(lambda: len(self.graph()["nodes"]) == 1)

    def test_code_is_typed_saved_and_taken_up_from_elsewhere(self):
        project = copied("penguins")
        path = os.path.join(project, "nodes", "analyze.py")

        def text():
            with open(path, encoding="utf-8") as file:
                return file.read()

        before = text()
        with window_driver.Window(WORKBENCH, project) as window:
            window.press("analyze, python node", contains=True)
            window.need("nodes/analyze.py", "label")
            window.need("Code, Python").queryComponent().grabFocus()
            time.sleep(0.5)
            window.type("# mine")
            window.key("Return")
            window.need("edited", "label")
            self.assertEqual(text(), before)
            window.key("ctrl+s")
            self.wait_for(lambda: text() == "# mine\n" + before)
            window.type("#")
            with open(path, "w", encoding="utf-8") as file:
                file.write("theirs = 1\n")
            window.press("Take the file's", "button")
            self.wait_for(lambda: window.find("Take the file's", "button") is None)
            window.key("ctrl+s")
            time.sleep(1)
            self.assertEqual(text(), "theirs = 1\n")
        self.assertEqual(window.exit_code, 0)

    def test_nodes_become_a_subgraph_that_is_opened(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
            time.sleep(0.5)
            for name in ("transform", "transform_2"):
                self.add(window, "jq", name)
            window.key("ctrl+g")
            window.need("subgraph, subgraph node", contains=True)
            window.key("Return")
            window.need("Place in the graph")
            window.need("transform_2, jq node", contains=True)
            window.key("alt+Up")
            window.need("subgraph, subgraph node", contains=True)
            window.key("ctrl+s")
            self.wait_for(lambda: [node["name"] for node in self.graph()["nodes"]] == ["transform", "subgraph"])
            self.assertEqual([node["name"] for node in self.graph()["nodes"][1]["graph"]["nodes"]], ["transform_2"])
        self.assertEqual(window.exit_code, 0)

    def test_what_another_program_wrote_is_not_overwritten(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
            time.sleep(0.5)
            self.add(window, "jq", "transform")
            theirs = dict(self.graph(), description="theirs")
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(theirs, file)
            window.need("Keep mine", "button")
            window.key("ctrl+s")
            time.sleep(1)
            self.assertEqual(self.graph(), theirs)
            window.press("Keep mine", "button")
            self.wait_for(lambda: len(self.graph()["nodes"]) == 1)


class BadInput(unittest.TestCase):
    def test_a_project_that_was_moved_away_is_named(self):
        project = copied("counter")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("incrementer", contains=True)
            os.rename(project, project + "-moved")
            self.addCleanup(shutil.rmtree, project + "-moved")
            window.need("is not there any more", contains=True)

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


def enabled_state():
    import pyatspi

    return pyatspi.STATE_ENABLED


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
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[2:]])

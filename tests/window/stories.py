"""What a person does with the window, from beginning to end: ten stories, one test each, every action counted. With
SG_STORIES=FOLDER each leaves pictures there; story_screenshots.py makes those of both themes."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

import window_driver
from window_case import BIN, WORKBENCH, copied, main, need_sandbox

THEME = os.environ.get("SG_THEME", "light")
FOLDER = os.environ.get("SG_STORIES", "")


class Person(window_driver.Window):
    """A window whose actions are counted: a press, a key, a word typed, a move of the pointer."""

    def __init__(self, *arguments):
        super().__init__(WORKBENCH, "--theme", THEME, *arguments)
        self.actions = 0
        self.began = time.monotonic()

    def press(self, *words, **options):
        self.actions += 1
        return super().press(*words, **options)

    def key(self, combination):
        self.actions += 1
        super().key(combination)

    def type(self, words):
        self.actions += 1
        super().type(words)

    def seconds(self):
        return time.monotonic() - self.began

    def show(self, name):
        if not FOLDER:
            return
        time.sleep(1.5)  # what is animated comes to rest
        path = os.path.join(FOLDER, f"story-{name}-{THEME}.png")
        self.picture(path)
        subprocess.run(["convert", path, "+dither", "-colors", "256", "PNG8:" + path], check=True)


def sandglass(project, *words):
    return subprocess.run([os.path.join(BIN, "sandglass"), *words], cwd=project, capture_output=True, text=True)


def written(project, node, code):
    with open(os.path.join(project, "nodes", node + ".py"), "w", encoding="utf-8") as file:
        file.write(code)


class Stories(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(os.environ["XDG_CONFIG_HOME"], ignore_errors=True)  # each begins as a first start

    def scratch(self):
        folder = tempfile.mkdtemp(prefix="sandglass-story-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def wait_for(self, holds, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.1)

    def test_01_a_new_graph_and_its_first_run(self):
        need_sandbox()
        place = os.path.join(self.scratch(), "krill")
        with Person("--new") as window:
            window.press("New project…", "button")
            window.need("Place", "text")
            window.type("krill")
            window.key("Tab")
            window.key("ctrl+a")
            window.type(place)
            window.press("Python", "check box")
            window.press("Create project", "button")
            window.need("read, python node", contains=True)
            window.need("Project krill", "button")
            window.press("Run", "button")
            time.sleep(1)  # the form has the template's own input
            window.key("ctrl+Return")
            window.need("read, python node, done", contains=True, wait=80)
            self.assertLessEqual(window.actions, 12)
            self.assertLessEqual(window.seconds(), 90)
            window.show("new-graph")
        self.assertTrue(os.path.exists(os.path.join(place, "krill.graph.json")))

    def test_02_a_failure_is_mended_and_resumed(self):
        need_sandbox()
        project = copied("penguins")
        written(project, "analyze", "def node(state, config):\n    return {'statistics': state['wing']}\n")
        with Person(project) as window:
            window.need("analyze", contains=True)
            window.press("Run", "button")
            window.need("analyze, python node, failed", contains=True, wait=80)
            window.show("failure")
            written(project, "analyze", "def node(state, config):\n    return {'statistics': {}}\n")
            window.press("Resume", "button")
            window.need("analyze, python node, done", contains=True, wait=60)
            window.show("failure-mended")
            self.assertLessEqual(window.actions, 2)

    def test_03_a_fork_is_compared_with_what_it_left(self):
        project = copied("counter")
        sandglass(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        with Person(project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("alt+comma")
            window.need("Viewing step 1", contains=True)
            window.key("ctrl+shift+r")
            window.need("Fork from step 1")
            window.need("value", "table cell")
            for key in ("Home", "Return", "ctrl+a", "1", "0", "Return"):
                window.key(key)
                time.sleep(0.2)
            window.show("fork")
            window.press("Fork and run", "button")
            window.need("of branch 2", contains=True)
            window.press("Compare…", "button")
            window.need("First difference", contains=True, wait=60)
            window.show("compare")

    def test_04_a_person_approves(self):
        project = copied("approval")
        sandglass(project, "run", "approval.graph.json", "--thread", "alice", "--input", '{"draft": "the data of alice"}')
        with Person(project) as window:
            window.need("Inbox (1)", contains=True)
            window.key("ctrl+i")
            window.need("Publish this?", contains=True)
            window.show("approval")
            window.key("ctrl+Return")
            window.need("paused", contains=True)  # before its breakpoint
            window.key("F5")
            window.need("publish, ", contains=True)
            self.wait_for(lambda: '"done"' in sandglass(project, "threads", "--json").stdout, "the thread does not end")

    def test_05_artifacts_are_taken_out(self):
        need_sandbox()
        project, target = copied("penguins"), self.scratch()
        with Person("--panel", "Artifacts", project) as window:
            window.need("visualize", contains=True)
            window.key("F5")
            window.need("penguins.parquet", contains=True, wait=80)
            window.key("ctrl+alt+4")
            window.need("penguins.png", contains=True)
            window.show("artifacts")
            window.press("Export…", "button")
            window.need("Export", "dialog", contains=True)
            time.sleep(0.5)
            window.key("ctrl+a")
            window.type(target)
            window.key("Return")
            self.wait_for(lambda: os.listdir(target), "nothing was exported")

    def test_06_a_session_meets_its_limit_of_memory(self):
        need_sandbox()
        project = copied("penguins")
        written(project, "analyze", "def node(state, config):\n    rows = [bytearray(1 << 20) for _ in range(6000)]\n    return {}\n")
        with Person(project) as window:
            window.need("analyze", contains=True)
            window.press("Run", "button")
            window.need("analyze, python node, failed", contains=True, wait=120)
            window.key("ctrl+alt+3")
            window.need("Session", contains=True)
            window.show("memory")

    def test_07_the_mode_is_chosen(self):
        project = copied("penguins")
        path = os.path.join(project, "penguins.graph.json")
        with open(path, encoding="utf-8") as file:
            before = file.read().splitlines()
        with Person(project) as window:
            window.need("visualize", contains=True)
            window.press("Mode Memory · Local data", "button")
            time.sleep(0.5)
            window.key("Right")  # from Memory to Disk
            window.need("Mode Disk · Local data", "button")
            window.show("modes")
            window.key("ctrl+s")

            def changed():
                with open(path, encoding="utf-8") as file:
                    return [line for line in file.read().splitlines() if line not in before]

            self.wait_for(changed, "the mode was not saved")
            self.assertEqual(len(changed()), 1)

    def test_08_a_database_from_elsewhere_is_read(self):
        project = copied("counter")
        database = os.path.join(self.scratch(), "theirs.sqlite")
        sandglass(project, "run", "counter.graph.json", "--thread", "alice", "--db", database, "--input", '{"value": 1}')
        with Person(database) as window:
            window.need("Read-only", contains=True)
            window.need("doubler, node, done", contains=True)
            window.show("database")
            window.press("Fork…", "button")
            window.need("Copy and open", "button")
            window.key("Return")
            window.need("alice, Done", contains=True)

    def test_09_two_windows_are_killed(self):
        folder = self.scratch()
        path = os.path.join(folder, "built.graph.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": 1, "name": "built", "state": {"value": {}}, "nodes": [], "edges": []}, file)

        def add(window):
            window.need("Graph canvas").queryComponent().grabFocus()
            window.key("Tab")
            window.need("Search nodes", "text")
            window.type("jq")
            window.key("Return")
            window.need("transform,", contains=True)

        with Person(path) as one:
            one.need("Add node", "button")
            add(one)
            with Person(path) as two:
                two.need("Graph canvas")
                time.sleep(2)
                for window in (one, two):
                    window.process.kill()
                    window.process.wait()
        with Person(path) as window:
            window.need("Recover", "button")
            window.show("recovery")
            window.press("Recover", "button")
            window.need("transform, jq node", contains=True)

    def test_10_sixty_nodes(self):
        folder = self.scratch()
        names = [f"n{i}" for i in range(60)]
        graph = {"format": 1, "name": "sixty", "state": {f"v{i}": {} for i in range(60)},
                 "nodes": [{"name": name, "kind": "jq", "jq": f"{{v{i}: 1}}"} for i, name in enumerate(names)],
                 "edges": [[names[i - 10] if i >= 10 else "__start__", names[i]] for i in range(60)] + [[name, "__end__"] for name in names[50:]]}
        path = os.path.join(folder, "sixty.graph.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(graph, file)
        with Person(path) as window:
            window.need("n59, jq node", contains=True)
            window.key("F5")
            window.need("n59, jq node, done", contains=True, wait=60)
            window.press("Fit", "button")
            window.show("sixty-nodes")


if __name__ == "__main__":
    main()

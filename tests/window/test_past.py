"""The past from outside: forks, replays, the sandbox at the time cursor, databases from elsewhere."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import window_driver
from window_case import BIN, WORKBENCH, copied, enabled_state, need_sandbox, main


def rows_of(project, sql):
    with sqlite3.connect(os.path.join(project, ".sandglass", "checkpoints.sqlite")) as database:
        return database.execute(sql).fetchall()


def checkpoint_ids(project):
    return {row[0] for row in rows_of(project, "SELECT checkpoint_id FROM checkpoints")}


def hash_of(project, ids):
    """Of everything that is stored of these checkpoints."""
    digest = hashlib.sha256()
    for table, order in (("checkpoints", "1, 2, 3"), ("writes", "1, 2, 3, 4, 6")):
        for row in rows_of(project, f"SELECT * FROM {table} ORDER BY {order}"):
            if row[2] in ids:
                digest.update(repr(row).encode())
    return digest.hexdigest()


class TimeTravel(unittest.TestCase):
    def command(self, project, *words):
        answer = subprocess.run([os.path.join(BIN, "sandglass"), "--json", *words], cwd=project, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)

    def test_a_fork_with_a_changed_value_without_a_pointer(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        before = self.command(project, "history", "--thread", "main")
        kept = checkpoint_ids(project)
        bytes_before = hash_of(project, kept)
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
        self.assertEqual(hash_of(project, kept), bytes_before)  # byte for byte
        self.assertGreater(len(checkpoint_ids(project)), len(kept))

    def test_a_replay_is_a_branch_of_its_own(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        kept = checkpoint_ids(project)
        bytes_before = hash_of(project, kept)
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
        self.assertEqual(hash_of(project, kept), bytes_before)

    def choose_node(self, window, node):
        window.key("ctrl+k")
        time.sleep(0.5)
        window.type(node)
        time.sleep(0.3)
        window.key("Return")
        time.sleep(0.3)

    def test_a_run_goes_on_to_a_node_and_pauses_before_it(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node, done", contains=True)
            for step in (1, 0):
                window.key("alt+comma")
                window.need(f"Viewing step {step}", contains=True)
            self.choose_node(window, "doubler")
            window.key("ctrl+F10")
            window.need("Replay from step 0")
            window.need("Then it pauses", contains=True)
            window.press("Replay", "button")
            window.need("2 branches", contains=True)
            self.until(lambda: self.command(project, "state", "--thread", "main")["next"] == ["doubler"])

    def test_one_node_is_run_again(self):
        project = copied("counter")
        self.command(project, "run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node, done", contains=True)
            self.choose_node(window, "incrementer")
            window.key("ctrl+alt+r")
            window.need("Run incrementer again from step 0")
            window.need("incrementer, jq node, queued", contains=True)  # what would run looks so
            window.press("Run again", "button")
            window.need("2 branches", contains=True)
            self.until(lambda: self.command(project, "state", "--thread", "main")["next"] == ["doubler"])

    def test_what_ran_beside_a_node_is_reused(self):
        project = copied("fan-out")
        self.command(project, "run", "fan-out.graph.json", "--thread", "main", "--input", '{"words": ["one", "three"]}')
        before = checkpoint_ids(project)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("sum, jq node, done", contains=True)
            self.choose_node(window, "check")
            window.key("ctrl+alt+r")
            window.need("Run check again", contains=True)
            window.need("count, reused", contains=True)
            window.press("Run again", "button")
            window.need("2 branches", contains=True)
            self.until(lambda: self.command(project, "state", "--thread", "main")["next"] == ["audit"])
        self.assertEqual(self.command(project, "state", "--thread", "main")["values"]["counts"], {"one": 3, "three": 5})
        self.assertEqual(self.ran_after(project, before), ["check"])  # and nothing else

    def ran_after(self, project, before):
        with sqlite3.connect(os.path.join(project, ".sandglass", "checkpoints.sqlite")) as database:
            rows = database.execute("SELECT node, checkpoint_id FROM sandglass_tasks")
            return [node for node, checkpoint in rows if checkpoint not in before]

    def until(self, holds):
        deadline = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)


class Values(unittest.TestCase):
    def setUp(self):
        self.project = copied("counter")
        self.command("run", "counter.graph.json", "--thread", "main", "--input", '{"value": 1}')

    def command(self, *words):
        answer = subprocess.run([os.path.join(BIN, "sandglass"), "--json", *words], cwd=self.project, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)

    def focus(self, window, name, role):
        self.assertTrue(window.need(name, role).queryComponent().grabFocus(), f"{name} takes no focus")
        time.sleep(0.3)

    def test_where_a_value_came_from_and_what_it_was(self):
        with window_driver.Window(WORKBENCH, self.project) as window:
            window.need("doubler, jq node, done", contains=True)
            self.focus(window, "State", "filler")
            for key in ("Home", "h"):
                window.key(key)
            window.need("Step 2, written by doubler: 4", contains=True)
            window.need("Step 1, written by incrementer: 2", contains=True)
            window.key("Escape")
            self.focus(window, "State", "filler")
            for key in ("Home", "o"):  # asked at the origin itself: the one before
                window.key(key)
            window.need("Viewing step 1", contains=True)

    def test_steps_are_compared_with_any_other(self):
        with window_driver.Window(WORKBENCH, self.project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("alt+comma")
            window.need("Viewing step 1", contains=True)
            window.key("alt+comma")
            window.need("Viewing step 0", contains=True)
            window.key("ctrl+d")
            window.key("alt+End")
            window.need("Compared with", contains=True)
            window.need("step 0", contains=True)

    def test_an_expression_is_watched_over_time(self):
        with window_driver.Window(WORKBENCH, self.project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("ctrl+shift+p")
            time.sleep(0.5)
            window.type("watch an expression")
            time.sleep(0.3)
            window.key("Return")
            window.need("Watch an expression", "dialog")
            time.sleep(0.3)
            window.key("ctrl+a")
            window.type(".value * 10")
            window.key("Return")
            self.described(window, ".value * 10 is 40")
            window.key("alt+comma")
            self.described(window, ".value * 10 is 20")
        with window_driver.Window(WORKBENCH, self.project) as window:  # kept between starts
            self.described(window, ".value * 10 is 40")

    def described(self, window, words):
        deadline = time.monotonic() + 60
        while not any(words in text for text in self.timelines(window)):
            self.assertLess(time.monotonic(), deadline, f"{words}: {list(self.timelines(window))}")
            time.sleep(0.2)

    def timelines(self, window):
        for place in window.read():
            if place.name == "Timeline" and (node := window.accessible(place)):
                yield node.description

    def test_a_bookmark_is_kept_beside_the_history(self):
        before = self.tables()
        with window_driver.Window(WORKBENCH, self.project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("alt+comma")
            window.need("Viewing step 1", contains=True)
            window.key("ctrl+b")
            window.need("Bookmark", "dialog")
            time.sleep(0.3)
            window.type("before the fix")
            window.key("Return")
            notes = os.path.join(self.project, ".sandglass", "notes.json")
            deadline = time.monotonic() + 60
            while not os.path.exists(notes) and time.monotonic() < deadline:
                time.sleep(0.1)
            with open(notes, encoding="utf-8") as file:
                self.assertEqual(list(json.load(file)["threads"]["main"]["bookmarks"].values()), ["before the fix"])
        self.assertEqual(self.tables(), before)

    def tables(self):
        with sqlite3.connect(os.path.join(self.project, ".sandglass", "checkpoints.sqlite")) as database:
            return {table: database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
                    for table, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")}


class Threads(unittest.TestCase):
    def command(self, project, *words):
        answer = subprocess.run([os.path.join(BIN, "sandglass"), "--json", *words], cwd=project, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)

    def test_a_deleted_thread_comes_back_or_goes_when_the_window_closes(self):
        project = copied("counter")
        for thread in ("keep", "drop"):
            self.command(project, "run", "counter.graph.json", "--thread", thread, "--input", '{"value": 1}')
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("drop, Done", contains=True)
            window.need("Thread list").queryComponent().grabFocus()
            time.sleep(0.3)
            window.key("Home")
            window.key("Delete")
            window.press("Undo deleting", "button")
            window.need("drop, Done", contains=True)
            window.need("Thread list").queryComponent().grabFocus()
            time.sleep(0.3)
            window.key("Home")
            window.key("Delete")
            window.need("drop is deleted")
            self.assertEqual(len(self.command(project, "threads")), 2)  # until the window is closed
        self.assertEqual([row["thread_id"] for row in self.command(project, "threads")], ["keep"])

    def test_questions_of_two_threads_are_answered_by_keys(self):
        project = copied("approval")
        for thread in ("alice", "bob"):
            subprocess.run([os.path.join(BIN, "sandglass"), "run", "approval.graph.json", "--thread", thread, "--input", '{"draft": "us"}'],
                           cwd=project, capture_output=True)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("Inbox (2)", contains=True)
            window.key("ctrl+i")
            window.need("Publish this?", contains=True)
            window.key("ctrl+Return")  # yes
            window.need("1 paused, 1 waiting", contains=True)  # before its breakpoint
            window.key("ctrl+i")
            time.sleep(0.8)
            window.key("ctrl+BackSpace")  # no
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and self.answers(project) != ["no", "yes"]:
                time.sleep(0.2)
        self.assertEqual(self.answers(project), ["no", "yes"])

    def test_many_questions_are_answered_at_once(self):
        project = copied("approval")
        threads = [f"t{number}" for number in range(6)]
        for thread in threads:
            subprocess.run([os.path.join(BIN, "sandglass"), "run", "approval.graph.json", "--thread", thread, "--input", '{"draft": "us"}'],
                           cwd=project, capture_output=True)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("Inbox (6)", contains=True)
            window.key("ctrl+i")
            window.need("Publish this?", contains=True)
            time.sleep(0.8)
            window.key("ctrl+shift+a")
            window.need("6 times: Publish this?", contains=True)
            window.key("ctrl+Return")  # yes to all
            window.need("Nothing is waiting for you.", contains=True, wait=60)
        for thread in threads:
            self.assertEqual(self.command(project, "state", "--thread", thread)["values"]["answer"], "yes")
            ran = [task["node"] for step in self.command(project, "explain", "--thread", thread) for task in step["tasks"]]
            self.assertEqual(ran.count("write"), 1)  # nothing ran again

    def test_what_is_found_leads_to_its_step(self):
        project = copied("counter")
        subprocess.run([os.path.join(BIN, "sandglass"), "run", "counter.graph.json", "--thread", "a", "--input", '{"value": 1}'],
                       cwd=project, check=True, capture_output=True)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node, done", contains=True)
            window.key("ctrl+alt+f")
            window.need("Search runs, checkpoints, tasks and log lines")
            time.sleep(0.3)
            window.type("is:checkpoint node:incrementer ")
            window.need("1 found", contains=True)
            window.key("Down")
            window.key("Return")
            window.need("Viewing step 1", contains=True)

    def answers(self, project):
        return sorted(self.command(project, "state", "--thread", thread)["values"].get("answer") or "" for thread in ("alice", "bob"))


WORLD_GRAPH = {"format": 1, "name": "world", "state": {"told": {"type": "reduce", "reducer": "append"}},
               "nodes": [{"name": name, "kind": "python", "file": "nodes/world.py", "function": name} for name in ("first", "second")],
               "edges": [["__start__", "first"], ["first", "second"]]}
PARTS_CODE = """
def plan(state):
    global outline
    outline = ["a", "b"]
    return {"told": ["plan"]}


def writer(state):
    global draft, pages
    draft = "text"
    pages = (page for page in draft)
    open("draft.md", "w").write(draft)
    return {"told": ["writer"]}
"""
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
        need_sandbox()

    def run_of(self, graph, code):
        project = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, project)
        os.mkdir(os.path.join(project, "nodes"))
        with open(os.path.join(project, "world.graph.json"), "w", encoding="utf-8") as file:
            json.dump(graph, file)
        with open(os.path.join(project, "nodes", "world.py"), "w", encoding="utf-8") as file:
            file.write(code)
        subprocess.run([os.path.join(BIN, "sandglass"), "run", "world.graph.json", "--thread", "main", "--input", "{}"],
                       cwd=project, check=True, capture_output=True)
        return project

    def test_each_of_several_sessions_and_what_is_missing_of_them(self):
        graph = dict(WORLD_GRAPH, sandbox={"scope": "node"}, edges=[["__start__", "plan"], ["plan", "writer"]],
                     nodes=[dict(node, name=name, function=name) for node, name in zip(WORLD_GRAPH["nodes"], ("plan", "writer"))])
        with window_driver.Window(WORKBENCH, self.run_of(graph, PARTS_CODE)) as window:
            window.need("writer, python node, done", contains=True)
            window.need("Rewind: restored. Session of node writer: 1 name is missing: pages")
            window.press("Show…", "button")  # the variables
            window.need("outline, list, 2", contains=True)  # of the first session
            window.need("Filter names", "text").queryComponent().grabFocus()
            time.sleep(0.3)
            window.key("shift+Tab")
            window.key("Down")
            window.need("draft, str, 4", contains=True)
            window.press("Files", "page tab")
            window.need("draft.md, 4", contains=True)

    def test_names_and_files_at_the_cursor_of_a_session_that_has_ended(self):
        with window_driver.Window(WORKBENCH, self.run_of(WORLD_GRAPH, WORLD_CODE)) as window:
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
            window.need("doubler, node, done", contains=True)  # as its checkpoints name it
            window.need("The graph is not stored here", contains=True)
            self.assertFalse(window.need("Run", "button").getState().contains(enabled_state()))
            run("bob")  # by another program
            window.need("bob", contains=True)
        self.assertEqual([name for name in os.listdir(elsewhere) if not name.startswith("theirs.sqlite")], [])

    def test_a_fork_of_theirs_is_a_project_of_its_own(self):
        project = copied("counter")
        elsewhere = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, elsewhere)
        database = os.path.join(elsewhere, "theirs.sqlite")
        subprocess.run([os.path.join(BIN, "sandglass"), "run", "counter.graph.json", "--thread", "alice", "--db", database,
                        "--input", '{"value": 1}'], cwd=project, check=True, capture_output=True)
        with open(database, "rb") as file:
            before = file.read()
        with window_driver.Window(WORKBENCH, database) as window:
            window.need("Read-only", contains=True)
            window.press("Fork…", "button")
            window.need("Copy and open", "button")
            window.key("Return")
            window.need("alice, Done", contains=True)
            window.press("Make it a graph", "button")
            window.need("doubler, python node", contains=True)
        with open(database, "rb") as file:
            self.assertEqual(file.read(), before)


if __name__ == "__main__":
    main()

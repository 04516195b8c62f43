"""The editor from outside: a graph is built without a pointer, edits survive, others change the files."""

import json
import os
import time

import window_driver
from window_case import WORKBENCH, EditingCase, copied, need_sandbox, main


class Editing(EditingCase):
    def type_code(self, window, line):
        window.press("analyze, python node", contains=True)
        window.need("nodes/analyze.py", "label")
        window.need("Code, Python").queryComponent().grabFocus()
        time.sleep(0.5)
        window.type(line)
        window.key("Return")
        window.need("edited", "label")

    def test_a_graph_is_built_saved_and_run_without_a_pointer(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
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
            window.need("transform_5, jq node, done", contains=True, wait=60)
        self.assertEqual(window.exit_code, 0)
        graph = self.graph()
        self.assertEqual([node["name"] for node in graph["nodes"]], names)
        self.assertEqual(graph["edges"], [["__start__", names[0]], *[list(pair) for pair in zip(names, names[1:])], [names[-1], "__end__"]])
        self.assertEqual(list(graph)[-1], "layout")

    def test_edits_survive_kill_9(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
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
            self.type_code(window, "# mine")
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

    def test_bad_python_is_told_at_its_line_until_it_is_mended(self):
        need_sandbox()
        project = copied("penguins")
        fault = "nodes/analyze.py:1:12: SyntaxError: invalid syntax"
        with window_driver.Window(WORKBENCH, project) as window:
            self.type_code(window, "def broken(:")
            self.assertIsNone(window.find(fault, contains=True))
            window.key("ctrl+s")
            window.need(fault, "table cell", contains=True, wait=60)
            window.key("ctrl+Home")
            window.type("#")
            window.need("edited", "label")
            window.key("ctrl+s")
            self.wait_for(lambda: window.find(fault, contains=True) is None, seconds=60)
        self.assertEqual(window.exit_code, 0)

    def test_unsaved_code_of_two_windows_survives_kill_9_apart(self):
        project = copied("penguins")
        path = os.path.join(project, "nodes", "analyze.py")

        def text():
            with open(path, encoding="utf-8") as file:
                return file.read()

        def drafts():
            kept = []
            for folder, _, files in os.walk(os.path.join(project, ".sandglass", "journal")):
                for name in files if folder.endswith(".code") else []:
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        kept.append(file.read())
            return kept

        before = text()
        with window_driver.Window(WORKBENCH, project) as one:
            self.type_code(one, "# one")
            self.wait_for(lambda: drafts() == ["# one\n" + before])
            with window_driver.Window(WORKBENCH, project) as two:
                self.type_code(two, "# two")
                self.wait_for(lambda: sorted(drafts()) == ["# one\n" + before, "# two\n" + before])
                for window in (one, two):
                    window.process.kill()
                    window.process.wait()
        self.assertEqual(text(), before)
        found = []
        for _ in range(2):
            with window_driver.Window(WORKBENCH, project) as window:
                window.press("analyze, python node", contains=True)
                window.press("Recover", "button")
                window.need("edited", "label")
                shown = text()
                window.key("ctrl+s")
                self.wait_for(lambda: text() != shown)
                found.append(text())
        self.assertEqual(sorted(found), ["# one\n" + before, "# two\n" + before])
        self.assertEqual(drafts(), [])

    def test_nodes_become_a_subgraph_that_is_opened(self):
        with window_driver.Window(WORKBENCH, self.path) as window:
            window.need("Add node", "button")
            self.focus_canvas(window)
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


if __name__ == "__main__":
    main()

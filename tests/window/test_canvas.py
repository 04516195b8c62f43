"""What stands on the canvas beside nodes, what leads to it, and other versions of it."""

import json
import os
import subprocess
import time

import window_driver
from test_commands import is_shown, until
from window_case import WORKBENCH, EditingCase, copied, main, require, showing_state


class Canvas(EditingCase):
    def opened(self, window):
        window.need("Graph canvas")
        self.focus_canvas(window)
        time.sleep(0.5)

    def test_a_note_is_written_without_a_pointer_and_changes_nothing_that_runs(self):
        project = copied("counter")
        path = os.path.join(project, "counter.graph.json")
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node", contains=True)
            self.opened(window)
            window.key("n")
            window.need("Text of the note")
            window.type("Twice as much")
            window.key("Escape")
            window.need("note: Twice as much")
            window.key("ctrl+s")
            self.wait_for(lambda: "Twice as much" in open(path, encoding="utf-8").read())
        with open(path, encoding="utf-8") as file:
            after = json.load(file)
        notes = after.pop("layout")["__notes__"]
        before.pop("layout", None)
        self.assertEqual([note["text"] for note in notes], ["Twice as much"])
        self.assertEqual(after, before)

    def test_the_outline_edits_the_same_graph(self):
        with window_driver.Window(WORKBENCH, copied("counter")) as window:
            window.need("doubler, jq node", contains=True)
            window.key("ctrl+k")
            window.need("Go to", "text")
            time.sleep(0.5)
            window.type("panel outline")
            window.key("Return")
            time.sleep(1)
            window.type("doub")  # as lists are searched
            window.key("F2")
            window.key("ctrl+a")
            window.type("twice")
            window.key("Return")
            window.need("twice, jq node", contains=True)

    def test_a_run_shows_inside_of_a_subgraph(self):
        with window_driver.Window(WORKBENCH, copied("subgraphs")) as window:
            window.need("anew, subgraph node", contains=True)
            window.press("Run", "button")
            node = window.need("anew, subgraph node, done", contains=True, wait=60)
            node.queryAction().doAction(0)
            window.need("Place in the graph")
            window.need("jq node, done", contains=True)

    def test_a_subgraph_is_shown_open_in_its_place(self):
        with window_driver.Window(WORKBENCH, copied("subgraphs")) as window:
            window.need("anew, subgraph node", contains=True)
            window.press("Run", "button")
            window.need("anew, subgraph node, done", contains=True, wait=60)
            self.focus_canvas(window)
            window.key("Home")
            window.key("Right")  # from the start to anew
            until(lambda: window.find("anew, subgraph node, done", contains=True), "anew is not there")
            window.key("i")
            window.need("anew, subgraph node, done, inside: count, done", contains=True)
            window.key("i")
            until(lambda: not window.find("inside: count", contains=True), "it stays open")
            window.key("Right")
            window.key("i")  # one that remembers has a history of another name
            window.need("onward, subgraph node, done, inside: count, done", contains=True)

    def test_old_steps_show_the_graph_that_they_ran_on(self):
        project = copied("counter")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node", contains=True)
            window.press("Run", "button")
            window.need("doubler, jq node, done", contains=True, wait=60)
            self.opened(window)
            self.add(window, "jq", "transform")
            window.key("ctrl+s")
            time.sleep(1)
            window.key("alt+comma")
            window.need("with the graph as it was then", contains=True)
            window.need("Graph canvas, as it was")
            window.press("Compare with now", "button")
            window.need("Two versions of the graph")
            window.need("1 added", contains=True)

    def test_the_graph_is_compared_with_what_git_has(self):
        require.need("git")
        project = copied("counter")
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"]):
            subprocess.run(["git", "-C", project, *words], check=True)
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("doubler, jq node", contains=True)
            self.opened(window)
            self.add(window, "jq", "transform")
            window.press("Compare with git's HEAD", "menu item")
            window.need("Two versions of the graph")
            window.need("git HEAD", "label")

    def test_nodes_are_pasted_into_another_window(self):
        with window_driver.Window(WORKBENCH, copied("counter")) as first:
            first.press("doubler, jq node", contains=True)
            self.focus_canvas(first)
            time.sleep(0.5)
            first.key("ctrl+c")
            with window_driver.Window(WORKBENCH, self.path) as second:
                second.need("Add node", "button")
                self.focus_canvas(second)
                time.sleep(0.5)
                second.key("ctrl+v")
                second.need("doubler, jq node", contains=True)

    def test_nodes_are_found_by_what_they_run(self):
        with window_driver.Window(WORKBENCH, copied("counter")) as window:
            window.need("doubler, jq node", contains=True)
            self.opened(window)
            window.key("ctrl+f")
            window.need("Find on the canvas", "text")
            window.type("doubl")
            window.need("1 of 1", "label")
            window.type("xyz")
            window.need("Nothing here", "label")
            window.key("Escape")

    def test_a_pinned_node_stays_where_it_is_as_the_graph_is_arranged(self):
        project = copied("counter")
        path = os.path.join(project, "counter.graph.json")
        with window_driver.Window(WORKBENCH, project) as window:
            window.press("doubler, jq node", contains=True)
            self.focus_canvas(window)
            for _ in range(5):
                window.key("ctrl+Down")
            window.key("p")
            window.key("ctrl+s")
            self.wait_for(lambda: "pinned" in open(path, encoding="utf-8").read())
            with open(path, encoding="utf-8") as file:
                before = json.load(file)["layout"]["doubler"]
            window.key("ctrl+shift+l")
            time.sleep(1)
            window.key("ctrl+s")
            time.sleep(1)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["layout"]["doubler"], before)

    def test_a_breakpoint_with_a_condition_is_typed_and_holds(self):
        project = copied("counter")
        with window_driver.Window(WORKBENCH, project) as window:
            window.press("doubler, jq node", contains=True)
            window.need("When to pause before").queryComponent().grabFocus()
            time.sleep(0.5)
            window.type(".value > 100")
            window.key("ctrl+s")
            path = os.path.join(project, "counter.graph.json")
            self.wait_for(lambda: "interrupt_if" in open(path, encoding="utf-8").read())
            window.press("Run", "button")
            window.need("doubler, jq node, done", contains=True, wait=60)

    def seen(self, window, name):
        """How often it is seen: panels behind another tab are shown as well, at a place outside of the window."""
        found = [window.accessible(place) for place in window.read() if place.name == name]
        places = [node.queryComponent().getExtents(0) for node in found if node.getState().contains(showing_state())]
        return sum(place.x >= 0 and place.y >= 0 for place in places)

    def test_a_question_moves_nothing_and_is_said_once(self):
        project = copied("approval")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("ask, human node", contains=True)
            before = window.extents("Graph canvas")
            self.assertFalse(is_shown(window, "Waiting for you", "panel"))
            window.press("Run", "button")
            window.press("Run with this input", "button")
            until(lambda: is_shown(window, "Answer yes", "button"), "the question is not shown", 60)
            now = window.extents("Graph canvas")
            self.assertEqual((now.x, now.y, now.width), (before.x, before.y, before.width))  # the timeline took its lane
            self.assertEqual(self.seen(window, "Answer yes"), 1)
            window.key("ctrl+i")
            until(lambda: is_shown(window, "ask waits for you, the question is in the inbox"), "nothing points to the inbox")
            self.assertEqual(self.seen(window, "Answer yes"), 1)
            window.press("Answer yes", "button")
            window.need("ask, human node, done", contains=True, wait=60)
            until(lambda: not is_shown(window, "waits for you, the question"), "it still points there")


if __name__ == "__main__":
    main()

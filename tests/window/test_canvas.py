"""What stands on the canvas beside nodes, what leads to it, and other versions of it."""

import os
import shutil
import subprocess
import time

import window_driver
from window_case import WORKBENCH, EditingCase, copied, main


class Canvas(EditingCase):
    def opened(self, window):
        window.need("Graph canvas")
        self.focus_canvas(window)
        time.sleep(0.5)

    def test_the_outline_edits_the_same_graph(self):
        with window_driver.Window(WORKBENCH, copied("counter")) as window:
            window.need("doubler, jq node", contains=True)
            window.press("Outline", "check menu item")
            row = window.need("doubler", "tree item") if window.find("doubler", "tree item") else window.need("doubler", "table cell")
            row.queryComponent().grabFocus()
            time.sleep(0.5)
            window.key("F2")
            window.key("ctrl+a")
            window.type("twice")
            window.key("Return")
            window.need("twice, jq node", contains=True)

    def test_the_graph_is_compared_with_what_git_has(self):
        if not shutil.which("git"):
            self.skipTest("there is no git")
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


if __name__ == "__main__":
    main()

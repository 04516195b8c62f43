#!/usr/bin/python3
"""editor_screenshots.py BIN [FOLDER [NAME…]]: pictures of the graph editor, in a display of its own: notes and frames, two
versions side by side, 25 %, 2,000 nodes, 200 % and a small screen. FOLDER: resources/screenshots; NAME: only these."""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import screenshots  # noqa: E402
import window_driver  # noqa: E402

COLUMNS = 50


def research():
    """A graph that shows what the canvas can: kinds of nodes, a branch with outcomes, a waiting edge, frames and notes."""
    folder = screenshots.scratch()
    nodes = [("load", "python", {"file": "nodes/load.py"}), ("plan", "jq", {"jq": "{plan: [.topic]}"}),
             ("search", "python", {"file": "nodes/search.py"}), ("read", "python", {"file": "nodes/read.py"}),
             ("rank", "jq", {"jq": "{best: (.found | sort_by(.score) | last)}"}),
             ("check", "jq", {"jq": "{ok: (.best.score > 0.8)}"}), ("ask", "human", {"question": "Publish this?"}),
             ("write", "python", {"file": "nodes/write.py"})]
    places = [(0, 0), (240, 0), (500, -60), (500, 60), (820, 0), (1060, 0), (1300, -80), (1540, 0)]
    graph = {"format": 1, "name": "research",
             "state": {name: {} for name in ("topic", "plan", "found", "best", "ok", "text")},
             "nodes": [{"name": name, "kind": kind, **settings} for name, kind, settings in nodes],
             "edges": [["__start__", "load"], ["load", "plan"], ["plan", "search"], ["plan", "read"],
                       [["search", "read"], "rank"], ["rank", "check"], ["ask", "write"], ["write", "__end__"]],
             "branches": [{"from": "check", "jq": "if .ok then \"good\" else \"weak\" end",
                           "targets": {"good": "ask", "weak": "plan"}}],
             "interrupt_before": ["write"], "interrupt_if": {"before": {"write": ".best.score < 0.9"}},
             "layout": {**{name: list(place) for (name, _, _), place in zip(nodes, places)},
                        "__notes__": [{"text": "Gathering", "at": [400, -140], "size": [200, 268], "frame": True},
                                      {"text": "Deciding", "at": [960, -140], "size": [440, 200], "frame": True},
                                      {"text": "Both run in one superstep; the bar waits for them.",
                                       "at": [640, 140], "size": [220, 80]},
                                      {"text": "Nothing is published without a person.", "at": [1300, 120], "size": [200, 60]}]}}
    os.mkdir(os.path.join(folder, "nodes"))
    for name in ("load", "search", "read", "write"):
        with open(os.path.join(folder, "nodes", name + ".py"), "w", encoding="utf-8") as file:
            file.write("def node(state, config):\n    return {}\n")
    path = os.path.join(folder, "research.graph.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(graph, file)
    return path


def many_nodes(count=2000):
    """Rows of fifty in a chain, half as many edges again from row to row."""
    name = "step {}".format
    graph = {"format": 1, "name": "many", "state": {"n": {}}, "nodes": [], "edges": [], "layout": {}}
    for i in range(count):
        graph["nodes"].append({"name": name(i), "kind": "jq", "jq": "{}"})
        graph["layout"][name(i)] = [i % COLUMNS * 220, i // COLUMNS * 110]
        graph["edges"].append(["__start__" if i % COLUMNS == 0 else name(i - 1), name(i)])
        if i % 2 == 0 and i + COLUMNS + 1 < count and i % COLUMNS < COLUMNS - 2:
            graph["edges"].append([name(i), name(i + COLUMNS + 1)])
    path = os.path.join(screenshots.scratch(), "many.graph.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(graph, file)
    return path


class EditorPictures(screenshots.Pictures):
    def shown(self, theme, path, node, size=(1600, 1000)):
        window = self.opened(theme, path)
        window.__enter__()
        window.resize(*size)
        window.need(node, contains=True)
        window.key("ctrl+alt+1")  # the layout in which graphs are built
        time.sleep(1)
        return window

    def notes(self, theme):
        window = self.shown(theme, research(), "check, jq node")
        window.key("ctrl+k")
        window.need("Go to", "text")
        time.sleep(0.5)
        window.type("panel outline")
        window.key("Return")
        time.sleep(1)
        window.need("write, python node", contains=True).queryAction().doAction(0)
        self.take(window, "editor-" + theme, 3)
        window.__exit__()

    def editor_light(self):
        self.notes("light")

    def editor_dark(self):
        self.notes("dark")

    def compare_light(self):
        window = self.shown("light", research(), "check, jq node")
        window.press("Run", "button")
        time.sleep(4)
        window.need("Graph canvas").queryComponent().grabFocus()
        time.sleep(0.5)
        for word in ("jq", "human"):
            window.key("Tab")
            window.need("Search nodes", "text")
            window.type(word)
            window.key("Return")
            time.sleep(0.5)
        window.press("Compare with the run looked at", "menu item")
        window.need("Two versions of the graph")
        time.sleep(1)
        path = os.path.join(self.folder, "compare-light.png")
        other = subprocess.run(["xdotool", "search", "--name", "two versions"], check=True, capture_output=True, text=True)
        subprocess.run(["import", "-window", other.stdout.split()[-1], path], check=True)
        print(path, flush=True)
        window.__exit__()

    def edge_dark(self):
        window = self.shown("dark", research(), "check, jq node")
        window.need("edge from check to plan", contains=True).queryAction().doAction(0)
        self.take(window, "edge-dark", 2)
        window.__exit__()

    def zoom_25_light(self):
        window = self.shown("light", many_nodes(200), "step 0, jq node")
        window.need("Graph canvas").queryComponent().grabFocus()
        time.sleep(0.5)
        window.key("0")
        for _ in range(6):
            window.key("minus")
        self.take(window, "zoom-25-light", 2)
        window.__exit__()

    def many_nodes_dark(self):
        window = self.shown("dark", many_nodes(), "step 0, jq node")
        self.take(window, "many-nodes-dark", 3)
        window.__exit__()

    def scale_200_light(self):
        os.environ["QT_SCALE_FACTOR"] = "2"
        try:
            window = self.shown("light", research(), "check, jq node", (3200, 2000))
            window.need("check, jq node", contains=True).queryAction().doAction(0)
            self.take(window, "scale-200-light", 3)
            window.__exit__()
        finally:
            del os.environ["QT_SCALE_FACTOR"]

    def small_720_dark(self):
        window = self.shown("dark", research(), "check, jq node", (1280, 720))
        window.need("check, jq node", contains=True).queryAction().doAction(0)
        self.take(window, "small-720-dark", 3)
        window.__exit__()

    def all(self):
        for name in ("editor_light", "editor_dark", "edge_dark", "compare_light", "zoom_25_light", "many_nodes_dark", "scale_200_light",
                     "small_720_dark"):
            if not self.wanted or name.replace("_", "-") in self.wanted:
                getattr(self, name)()


if __name__ == "__main__":
    window_driver.enter_display(3300, 2150)
    screenshots.Pictures = EditorPictures
    screenshots.main()

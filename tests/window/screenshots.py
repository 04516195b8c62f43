#!/usr/bin/python3
"""screenshots.py BIN [FOLDER [NAME…]]: makes the pictures of the README, in a display of its own. Each shows the window's
own area, 1600 × 1000 (small-light 1280 × 800), without a frame. FOLDER: resources/screenshots; NAME: only these."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import window_driver  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
# A desktop brings its own fonts; a bare display would show the fallback of fallbacks.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<alias binding="strong"><family>sans-serif</family><prefer><family>Inter</family><family>Cantarell</family>
<family>Noto Sans</family></prefer></alias>
<alias binding="strong"><family>Sans Serif</family><prefer><family>Inter</family><family>Cantarell</family>
<family>Noto Sans</family></prefer></alias>
<alias binding="strong"><family>monospace</family><prefer><family>JetBrains Mono</family><family>Noto Sans Mono</family>
</prefer></alias></fontconfig>"""


def scratch():
    """A folder that goes with the display's."""
    return tempfile.mkdtemp(dir=os.environ["SG_WINDOW_TEST"])


def copied(example):
    target = os.path.join(scratch(), example)
    shutil.copytree(os.path.join(ROOT, "resources", "examples", example), target,
                    ignore=shutil.ignore_patterns(".sandglass", "__pycache__"))
    return target


def failing_project():
    """The penguins with a node that asks for a column that is not there."""
    project = copied("penguins")
    path = os.path.join(project, "nodes", "analyze.py")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("def node("))
    lines.insert(at + 1, "    table['wing_length_mm'].mean()\n")
    lines.insert(at + 1, "    table = {'flipper_length_mm': []}\n")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return project


def broken_project():
    """The penguins with a graph file that breaks off in the middle."""
    project = copied("penguins")
    path = os.path.join(project, "penguins.graph.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:len(text) // 2])
    return project


class Pictures:
    def __init__(self, folder, wanted):
        self.program = os.path.join(os.path.abspath(sys.argv[1]), "sandglass-workbench")
        self.folder = folder
        self.wanted = wanted

    def opened(self, theme, *arguments):
        return window_driver.Window(self.program, "--theme", theme, *arguments)

    def take(self, window, name, settle=1.5):
        time.sleep(settle)  # what is animated comes to rest
        path = os.path.join(self.folder, name + ".png")
        window.picture(path)
        subprocess.run(["convert", path, "+dither", "-colors", "256", "PNG8:" + path], check=True)
        print(path, flush=True)

    def run(self, window, until):
        window.need("visualize", contains=True)
        time.sleep(1)
        window.press("Run", "button")
        window.need(until, contains=True, wait=120)

    def start_light(self):
        with self.opened("light", "--new") as window:
            window.need("Open sample", "button")
            self.take(window, "start-light")

    def penguins_light(self):
        with self.opened("light", copied("penguins")) as window:
            self.run(window, "visualize, python node, done")
            self.take(window, "penguins-light", 3)

    def penguins_dark(self):
        with self.opened("dark", copied("penguins")) as window:
            self.run(window, "visualize, python node, done")
            self.take(window, "penguins-dark", 3)

    def running_light(self):
        with self.opened("light", copied("penguins")) as window:
            self.run(window, "visualize, python node, running")
            self.take(window, "running-light", 0.6)
            window.need("visualize, python node, done", contains=True, wait=120)

    def failed_dark(self):
        with self.opened("dark", failing_project()) as window:
            self.run(window, "analyze, python node, failed")
            window.press("Show traceback", "button")
            self.take(window, "failed-dark", 3)

    def small_light(self):
        with self.opened("light", copied("penguins")) as window:
            window.resize(1280, 800)
            self.run(window, "visualize, python node, done")
            self.take(window, "small-light", 3)

    def fork(self, theme):
        with self.opened(theme, copied("penguins")) as window:
            self.run(window, "visualize, python node, done")
            time.sleep(2)
            window.key("alt+comma")
            time.sleep(1)
            window.press("Fork…", "button")
            self.take(window, "fork-" + theme, 2)

    def fork_light(self):
        self.fork("light")

    def fork_dark(self):
        self.fork("dark")

    def mode(self, theme):
        with self.opened(theme, copied("penguins")) as window:
            window.resize(1600, 1000)
            window.need("visualize", contains=True)
            window.press("Mode Memory · Local data", "button")
            self.take(window, f"mode-{theme}")

    def mode_light(self):
        self.mode("light")

    def mode_dark(self):
        self.mode("dark")

    def code(self, theme):
        with self.opened(theme, copied("penguins")) as window:
            window.resize(1600, 1000)
            window.press("analyze, python node", contains=True)
            self.take(window, f"code-{theme}")

    def code_light(self):
        self.code("light")

    def code_dark(self):
        self.code("dark")

    def error_line_light(self):
        with self.opened("light", failing_project()) as window:
            window.resize(1600, 1000)
            self.run(window, "analyze, python node, failed")
            window.press("Show traceback", "button")
            self.take(window, "error-line-light", 3)

    def branches(self, theme):
        """A thread with three branches, on the folded axis; then two of them side by side."""
        with self.opened(theme, copied("penguins")) as window:
            window.resize(1600, 1000)
            self.run(window, "visualize, python node, done")
            for count, back in ((2, 3), (3, 2)):
                window.need("Replay…", "button")
                time.sleep(2)
                for _ in range(back):
                    window.key("alt+comma")
                    time.sleep(0.4)
                window.key("ctrl+r")
                window.need("Replay from step", contains=True)
                window.press("Replay", "button")
                window.need(f"{count} branches", contains=True, wait=60)
                window.need("visualize, python node, done", contains=True, wait=120)
            time.sleep(2)
            window.key("alt+comma")
            window.press("Folded")
            self.take(window, f"branches-{theme}", 2)
            window.press("Compare…", "button")
            window.need("First difference: step", contains=True, wait=30)
            self.take(window, f"compare-{theme}", 2)

    def branches_light(self):
        self.branches("light")

    def branches_dark(self):
        self.branches("dark")

    def inbox(self, theme):
        project = copied("approval")
        for thread in ("alice", "bob", "carol"):
            subprocess.run([os.path.join(os.path.dirname(self.program), "sandglass"), "run", "approval.graph.json", "--thread", thread,
                            "--input", json.dumps({"draft": f"the data of {thread}"})], cwd=project, capture_output=True)
        with self.opened(theme, project) as window:
            window.resize(1600, 1000)
            window.need("Inbox (3)", contains=True)
            window.key("ctrl+i")
            self.take(window, f"inbox-{theme}", 2)

    def inbox_light(self):
        self.inbox("light")

    def inbox_dark(self):
        self.inbox("dark")

    def playing_light(self):
        with self.opened("light", copied("penguins")) as window:
            window.resize(1600, 1000)
            self.run(window, "visualize, python node, done")
            time.sleep(2)
            window.need("Timeline").queryComponent()
            window.press("Play the run back", contains=True)
            window.need("Viewing step 1", contains=True)
            self.take(window, "playing-light", 0.1)

    def command(self, project, *words):
        subprocess.run([os.path.join(os.path.dirname(self.program), "sandglass"), *words], cwd=project, capture_output=True)

    def watch(self, window, program):
        window.key("ctrl+shift+p")
        time.sleep(0.5)
        window.type("watch an expression")
        time.sleep(0.3)
        window.key("Return")
        window.need("Watch an expression", "dialog")
        time.sleep(0.3)
        window.key("ctrl+a")
        window.type(program)
        window.key("Return")
        time.sleep(0.5)

    def nested(self, theme):
        """What ran inside of a subgraph's nodes, below their branch, and a value over time."""
        project = copied("subgraphs")
        self.command(project, "run", "subgraphs.graph.json", "--thread", "main", "--input", "{}")
        with self.opened(theme, project) as window:
            window.resize(1600, 1000)
            window.need("Step ", contains=True)
            time.sleep(1)
            window.need("Timeline").queryComponent()
            self.watch(window, "keys | length")
            window.key("ctrl+shift+p")
            time.sleep(0.5)
            window.type("inside of nodes")
            time.sleep(0.3)
            window.key("Return")
            self.take(window, f"nested-{theme}", 2)

    def nested_light(self):
        self.nested("light")

    def nested_dark(self):
        self.nested("dark")

    def overview(self, theme):
        """All threads on one clock."""
        project = copied("penguins")
        for thread in ("nightly", "alice", "bob"):
            self.command(project, "run", "penguins.graph.json", "--thread", thread, "--input", "{}")
        self.command(project, "run", "penguins.graph.json", "--thread", "nightly", "--input", "{}")
        with self.opened(theme, project) as window:
            window.resize(1600, 1000)
            window.need("nightly", contains=True)
            window.press("Overview", "page tab")
            self.take(window, f"overview-{theme}", 2)

    def overview_light(self):
        self.overview("light")

    def overview_dark(self):
        self.overview("dark")

    def inside(self, theme):
        with self.opened(theme, copied("subgraphs")) as window:
            window.resize(1600, 1000)
            window.press("anew, subgraph node", contains=True)
            node = window.need(", jq node", contains=True)
            node.queryAction().doAction(0)
            self.take(window, f"inside-{theme}")

    def inside_light(self):
        self.inside("light")

    def inside_dark(self):
        self.inside("dark")

    def empty_light(self):
        with self.opened("light", scratch()) as window:
            window.resize(1600, 1000)
            self.take(window, "empty-light", 3)

    def broken_dark(self):
        with self.opened("dark", broken_project()) as window:
            window.resize(1600, 1000)
            self.take(window, "broken-dark", 3)

    def waiting_light(self):
        with self.opened("light", copied("approval")) as window:
            window.resize(1600, 1000)
            window.need("Run", "button")
            time.sleep(1)
            window.press("Run", "button")
            window.need("waiting", contains=True, wait=60)
            self.take(window, "waiting-light", 3)

    def palette(self, theme):
        with self.opened(theme, copied("penguins")) as window:
            window.resize(1600, 1000)
            window.need("visualize", contains=True)
            window.key("ctrl+alt+1")
            time.sleep(0.5)
            window.key("ctrl+shift+p")
            window.type("rere")
            self.take(window, f"palette-{theme}")

    def palette_light(self):
        self.palette("light")

    def palette_dark(self):
        self.palette("dark")

    def goto_light(self):
        with self.opened("light", copied("penguins")) as window:
            window.resize(1280, 720)
            self.run(window, "visualize, python node, done")
            window.key("ctrl+k")
            window.type("an")
            self.take(window, "goto-light")

    def layout(self, name, number):
        with self.opened("light", copied("penguins")) as window:
            window.resize(1600, 1000)
            self.run(window, "visualize, python node, done")
            window.key(f"ctrl+alt+{number}")
            self.take(window, name, 2)

    def build_light(self):
        self.layout("build-light", 1)

    def session_light(self):
        self.layout("session-light", 3)

    def review_light(self):
        self.layout("review-light", 4)

    def recording(self, theme):
        project = copied("counter")
        with self.opened(theme, project) as window:
            window.resize(1280, 800)
            window.need("incrementer, jq node", contains=True)
            window.key("ctrl+shift+p")
            window.type("record a macro")
            window.key("Return")
            window.need("Recording a macro", contains=True)
            window.key("F5")
            window.need("doubler, jq node, done", contains=True, wait=30)
            window.key("alt+Home")
            window.key("ctrl+shift+p")
            window.type("macro")
            self.take(window, f"recording-{theme}")

    def recording_light(self):
        self.recording("light")

    def recording_dark(self):
        self.recording("dark")

    def gone(self, theme):
        project = copied("counter")
        with self.opened(theme, project) as window:
            window.need("incrementer, jq node", contains=True)
        os.rename(project, project + "-away")
        with self.opened(theme) as window:
            window.resize(1280, 800)
            window.need("What was open last cannot be opened", contains=True)
            self.take(window, f"gone-{theme}")

    def gone_light(self):
        self.gone("light")

    def gone_dark(self):
        self.gone("dark")

    def refused(self, theme):
        with self.opened(theme, copied("counter")) as window:
            window.resize(1280, 800)
            window.need("incrementer, jq node", contains=True)
            window.press("Inspector", "page tab")
            window.need("Most steps", "text").queryComponent().grabFocus()
            window.type("many")
            window.key("ctrl+s")
            window.need("was not taken", contains=True)
            self.take(window, f"refused-{theme}")

    def refused_light(self):
        self.refused("light")

    def refused_dark(self):
        self.refused("dark")

    def all(self):
        for name in ("start_light", "penguins_light", "penguins_dark", "running_light", "failed_dark", "small_light",
                     "fork_light", "fork_dark", "mode_light", "mode_dark",
                     "code_light", "code_dark", "error_line_light", "inside_light", "inside_dark", "empty_light", "broken_dark", "waiting_light",
                     "palette_light", "palette_dark", "goto_light", "build_light", "session_light", "review_light",
                     "branches_light", "branches_dark", "inbox_light", "inbox_dark", "playing_light", "nested_light", "nested_dark",
                     "overview_light", "overview_dark", "recording_light", "recording_dark", "gone_light", "gone_dark",
                     "refused_light", "refused_dark"):
            if not self.wanted or name.replace("_", "-") in self.wanted:
                getattr(self, name)()


def main():
    fonts = os.path.join(os.environ["SG_WINDOW_TEST"], "fonts.conf")
    with open(fonts, "w", encoding="utf-8") as file:
        file.write(FONTS)
    os.environ["FONTCONFIG_FILE"] = fonts
    folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(ROOT, "resources", "screenshots")
    os.makedirs(folder, exist_ok=True)
    Pictures(folder, sys.argv[3:]).all()


if __name__ == "__main__":
    window_driver.enter_display(1700, 1100)
    main()

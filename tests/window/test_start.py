"""How the window starts: with what was open last, with a macro, and without a display, for a picture or an export."""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

import window_driver
from test_commands import is_shown, until
from window_case import BIN, WORKBENCH, copied, main

SANDGLASS = os.path.join(BIN, "sandglass")


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return struct.unpack(">II", head[16:24])


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Headless(unittest.TestCase):
    """No display, no person: files and exit codes."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.project = copied("counter")
        self.config = os.path.join(self.folder, "config")

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.at(name)

    def macro(self, *steps):
        return self.write("m.macro.json", json.dumps({"format": 1, "name": "m", "steps": steps}))

    def start(self, *arguments, program=(WORKBENCH,), platform=None):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        environment["XDG_CONFIG_HOME"] = self.config
        if platform:
            environment["QT_QPA_PLATFORM"] = platform
        return subprocess.run([*program, *arguments], env=environment, capture_output=True, text=True, timeout=120)

    def well(self, *arguments, program=(WORKBENCH,)):
        ended = self.start(*arguments, program=program)
        self.assertEqual((ended.returncode, ended.stdout), (0, ""), ended.stderr)
        return ended

    def fails(self, code, reason, *arguments):
        ended = self.start(*arguments)
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertIn(reason, ended.stderr)
        self.assertNotIn("**", ended.stderr)

    def statuses(self):
        told = subprocess.run([SANDGLASS, "threads", "--project", self.project, "--json"], capture_output=True, check=True).stdout
        return {row["thread_id"]: row["status"] for row in json.loads(told)}

    def test_pictures(self):
        pictures = {}
        for theme in ("light", "dark"):
            for layout in ("build", "review"):
                path = self.at(f"{theme}-{layout}.png")
                self.well("--screenshot", path, "--size", "1280x800", "--theme", theme, "--layout", layout, self.project)
                self.assertEqual(png_size(path), (1280, 800))
                pictures[path] = read(path)
        self.assertEqual(len(set(pictures.values())), 4, "two of them are the same")
        again = self.at("again.png")
        self.well("--screenshot", again, "--size", "1280x800", "--theme", "dark", "--layout", "review", self.project)
        self.assertEqual(read(again), pictures[path], "the same order gives another picture")
        panel = self.at("panel.png")
        self.well("--screenshot", panel, "--size", "1280x800", "--theme", "dark", "--layout", "review", "--panel", "storage", self.project)
        self.assertNotEqual(read(panel), pictures[path])
        self.assertFalse(os.path.exists(self.config), "the user's settings were touched")

    def test_a_picture_needs_no_display_whatever_platform_is_set(self):
        for platform in ("xcb", "wayland", "offscreen"):
            path = self.at(platform + ".png")
            ended = self.start("--screenshot", path, self.project, platform=platform)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(png_size(path), (1600, 1000))

    def test_exports_are_those_of_the_command_line(self):
        for form, ending in (("svg", "svg"), ("dot", "dot"), ("mermaid", "mmd")):
            mine, theirs = self.at("w." + ending), self.at("c." + ending)
            self.well("--export", mine, self.project)
            subprocess.run([SANDGLASS, "export", self.project, "--" + form, "-o", theirs], check=True)
            self.assertEqual(read(mine), read(theirs), form)
        self.well("--export", self.at("w.png"), self.project)
        self.assertGreater(min(png_size(self.at("w.png"))), 50)

    def test_the_main_command_hands_it_on(self):
        self.well("open", self.project, "--screenshot", self.at("s.png"), "--export", self.at("s.svg"), "--theme", "dark",
                  program=(SANDGLASS,))
        self.assertEqual(png_size(self.at("s.png")), (1600, 1000))
        self.assertIn(b"<svg", read(self.at("s.svg")))

    def test_what_cannot_be_is_said(self):
        picture = self.at("x.png")
        self.fails(2, "layout", "--screenshot", picture, "--layout", "sideways", self.project)
        self.fails(2, "panel", "--screenshot", picture, "--panel", "Sideways", self.project)
        self.fails(2, "--size", "--screenshot", picture, "--size", "9x9", self.project)
        self.fails(2, ".png", "--screenshot", self.at("x.gif"), self.project)
        self.fails(2, ".mmd", "--export", self.at("x.pdf"), self.project)
        self.fails(2, "no-such-option", "--no-such-option", "--export", self.at("x.svg"))
        self.fails(2, "no step 9", "--screenshot", picture, "--checkpoint", "9", self.project)
        self.fails(2, "no node", "--screenshot", picture, "--node", "nobody", self.project)
        self.fails(1, "/nonexistent", "--screenshot", picture, "/nonexistent/x.graph.json")
        self.fails(1, "/nonexistent", "--export", "/nonexistent/x.svg", self.project)
        self.assertFalse(os.path.exists(picture))
        broken = self.write("broken.graph.json", json.dumps(
            {"format": 1, "name": "b", "state": {"value": {}}, "nodes": [{"name": "a", "kind": "jq", "jq": "{}"}],
             "edges": [["__start__", "a"], ["a", "nowhere"]]}))
        self.fails(3, "nowhere", "--export", self.at("b.svg"), broken)
        self.well("--screenshot", picture, broken)  # shows what is wrong

    def test_a_macro_runs_the_graph(self):
        path = self.macro({"thread": "alice", "input": {"value": 4}, "command": "run.start", "wait": "run"},
                          {"checkpoint": 1, "node": "doubler"}, {"command": "layout.review"},
                          {"checkpoint": "head"}, {"thread": "bob", "command": "run.start", "wait": "run", "timeout_s": 60})
        self.well("--macro", path, "--screenshot", self.at("m.png"), self.project)
        self.assertEqual(self.statuses(), {"alice": "done", "bob": "done"})
        state = subprocess.run([SANDGLASS, "state", "--thread", "alice", "--project", self.project, "--json"],
                               capture_output=True, check=True).stdout
        self.assertEqual(json.loads(state)["values"]["value"], 10)
        self.well("--macro", self.macro({"command": "layout.build"}), self.project)  # ends without a display

    def test_a_macro_that_cannot_go_on_says_why(self):
        self.fails(1, "no command run.fly", "--macro", self.macro({"command": "run.fly"}), self.project)
        self.fails(1, "step 2 of 2", "--macro", self.macro({"command": "layout.build"}, {"command": "run.stop"}), self.project)
        self.fails(1, "question", "--macro", self.macro({"command": "file.open"}), self.project)
        self.fails(1, "no node", "--macro", self.macro({"node": "nobody"}), self.project)
        self.fails(2, "line 1", "--macro", self.write("bad.macro.json", "{"), self.project)
        self.fails(2, "/steps/0/comand", "--macro", self.macro({"comand": "run.start"}), self.project)
        self.fails(2, "/nonexistent", "--macro", "/nonexistent/m.macro.json", self.project)
        graph = os.path.join(self.project, "counter.graph.json")
        with open(graph, encoding="utf-8") as file:
            failing = json.load(file)
        failing["nodes"][0] = {"name": failing["nodes"][0]["name"], "kind": "jq", "jq": "error(\"on purpose\")"}
        with open(graph, "w", encoding="utf-8") as file:
            json.dump(failing, file)
        run = {"thread": "t", "command": "run.start", "wait": "run"}
        self.fails(4, "on purpose", "--macro", self.macro(run), self.project)
        self.well("--macro", self.macro(dict(run, expect="failed")), self.project)


class Start(unittest.TestCase):
    def test_what_was_open_last_comes_back(self):
        project = copied("counter")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("incrementer, jq node", contains=True)
            window.key("F5")
            window.need("doubler, jq node, done", contains=True, wait=60)
            window.key("alt+Home")
            until(lambda: is_shown(window, "Viewing"), "no past is viewed")
            window.key("ctrl+alt+1")
            until(lambda: is_shown(window, "Search nodes"), "no palette of nodes in the Build layout")
        self.assertEqual(window.exit_code, 0)
        with window_driver.Window(WORKBENCH) as window:
            window.need("incrementer, jq node", contains=True)
            window.need("Project counter", "button")
            until(lambda: is_shown(window, "Viewing"), "no past is viewed")
            self.assertFalse(is_shown(window, "Threads", "page tab"))
        with window_driver.Window(WORKBENCH, "--new") as window:
            window.need("Open sample", "button")
            self.assertIsNone(window.find("incrementer", contains=True))
        os.rename(project, project + "-away")
        self.addCleanup(shutil.rmtree, project + "-away")
        with window_driver.Window(WORKBENCH) as window:
            window.need("What was open last cannot be opened", contains=True)
            window.need("Open sample", "button")
        self.assertEqual(window.exit_code, 0)


class Macros(unittest.TestCase):
    def command(self, window, words):
        window.key("ctrl+shift+p")
        until(lambda: is_shown(window, "Commands", "text"), "no palette")
        window.type(words)
        window.key("Return")

    def test_what_is_recorded_is_played(self):
        project = copied("counter")
        path = os.path.join(project, "macros", "twice.macro.json")
        with window_driver.Window(WORKBENCH, project) as window:
            window.need("incrementer, jq node", contains=True)
            self.command(window, "record a macro")
            window.need("Recording a macro", contains=True)
            window.key("F5")
            window.need("doubler, jq node, done", contains=True, wait=60)
            window.key("alt+Home")
            until(lambda: is_shown(window, "Viewing"), "no past is viewed")
            self.command(window, "stop recording")
            window.need("Save the macro")
            window.type("twice.macro.json")
            window.key("Return")
            until(lambda: os.path.exists(path), "nothing was saved")
            with open(path, encoding="utf-8") as file:
                steps = json.load(file)["steps"]
            self.assertEqual([step["command"] for step in steps if "command" in step], ["run.start", "thread.first-checkpoint"], steps)
            self.assertEqual([step.get("wait") for step in steps if step.get("command") == "run.start"], ["run"], steps)

            def is_at_the_head():  # a key that comes before the sheet has gone is lost
                window.key("alt+End")
                return not is_shown(window, "Viewing")

            until(is_at_the_head, "the head is not shown")
            self.command(window, "play twice")
            until(lambda: is_shown(window, "Viewing"), "no past is viewed")
        self.assertEqual(window.exit_code, 0)
        told = subprocess.run([SANDGLASS, "history", "--runs", "--thread", "main", "--project", project, "--json"],
                              capture_output=True, check=True).stdout
        self.assertEqual(len(json.loads(told)), 2)


if __name__ == "__main__":
    main()

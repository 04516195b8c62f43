"""A user of sandboxes elsewhere: a folder of settings and projects, and the program that works on them."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import require  # noqa: E402

SANDGLASS = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else "sandglass"
EXAMPLE = ROOT / "resources" / "examples" / "counter" / "counter.graph.json"
KEPT = ("SANDGLASS_PYTHON", "DOCKER_HOST", "HOME", "XDG_DATA_HOME", "PATH")

TWO = {
    "format": 1,
    "name": "two",
    "state": {"value": {"type": "last_value"}, "seen": {"type": "last_value"}},
    "nodes": [
        {"name": "one", "kind": "python", "file": "nodes/one.py", "function": "node"},
        {"name": "two", "kind": "python", "file": "nodes/two.py", "function": "node"},
    ],
    "edges": [["__start__", "one"], ["one", "two"], ["two", "__end__"]],
    "sandbox": {"backend": "e2b", "connection": "near"},
}
ONE_PY = """
from helping import thrice

def node(state):
    global kept
    kept = thrice(state["value"])
    open("/session/note.txt", "w").write("from one")
    return {"value": state["value"] + 1}
"""
TWO_PY = """
import os

def node(state):
    os.makedirs("/session/artifacts", exist_ok=True)
    open("/session/artifacts/out.txt", "w").write("artifact: %r" % (kept,))
    return {"seen": [kept, open("/session/note.txt").read()], "value": state["value"] * 2}
"""


class Server:
    """`sandglass serve --e2b` over bubblewrap."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-e2b-server-")
        project = pathlib.Path(self.folder.name)
        project.chmod(0o755)
        (project / "counter.graph.json").write_text(EXAMPLE.read_text())
        environment = {key: os.environ[key] for key in KEPT if key in os.environ}
        self.command = [SANDGLASS, "serve", "--e2b", "--json", "--project", str(project), "--backend", "bubblewrap", *options]
        self.environment = environment
        self.keys = 0
        self.key()
        self.process = subprocess.Popen([*self.command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
        self.url = json.loads(self.process.stdout.readline())["serving"]

    def key(self):
        """A client's of its own, which sees no other's sandboxes."""
        self.keys += 1
        made = subprocess.run([*self.command, "--new-key", "client-%d" % self.keys], capture_output=True, check=True, env=self.environment)
        return json.loads(made.stdout)["key"]

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()
        self.folder.cleanup()


class User:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-e2b-user-")
        self.home = pathlib.Path(self.folder.name)
        self.home.chmod(0o755)
        self.environment = {key: os.environ[key] for key in KEPT if key in os.environ and key != "XDG_DATA_HOME"}
        for name in ("CONFIG", "DATA"):
            self.environment["XDG_%s_HOME" % name] = str(self.home / name.lower())
        self.started = []
        self.project = self.home / "project"
        (self.project / "nodes").mkdir(parents=True)
        (self.project / "lib").mkdir()
        self.write("two.graph.json", json.dumps(TWO))
        self.write("nodes/one.py", ONE_PY)
        self.write("nodes/two.py", TWO_PY)
        self.write("lib/helping.py", "def thrice(value):\n    return [value] * 3\n")

    def write(self, name, text):
        (self.project / name).write_text(text)

    def run(self, *words, expect=0, text_in=None, timeout=120, **more):
        told = subprocess.run(
            [SANDGLASS, *words], cwd=self.project, env={**self.environment, **more}, input=text_in, capture_output=True, text=True, timeout=timeout
        )
        if expect is not None and told.returncode != expect:
            raise AssertionError("%s: exit %d, not %d\n%s\n%s" % (" ".join(words), told.returncode, expect, told.stdout, told.stderr))
        return told

    def json(self, *words, **more):
        return json.loads(self.run("--json", *words, **more).stdout)

    def start(self, *words):
        begun = subprocess.Popen(
            [SANDGLASS, *words], cwd=self.project, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.started.append(begun)
        return begun

    def connect(self, server, *options, name="near", sandboxes=None, api=None):
        self.key = server.key()
        self.run("secret", "set", name, "--file", text_in=self.key)
        told = ["connection", "add", name, "--api", api or server.url, "--key", name, *options]
        if sandboxes:
            told += ["--sandboxes", sandboxes]
        self.run(*told)

    def living(self, name="near"):
        return self.json("connection", "check", name)["connections"][0]["sandboxes"]

    def records(self):
        folder = self.home / "data" / "sandglass" / "elsewhere"
        return sorted(each.name for each in folder.iterdir()) if folder.exists() else []

    def close(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        self.folder.cleanup()


def until(what, seconds=30):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen in %d seconds" % seconds)


__all__ = ["SANDGLASS", "Server", "User", "json", "pathlib", "require", "signal", "time", "unittest", "until"]

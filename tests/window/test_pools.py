"""The page of pools on a real queue: a task fails for good, its story is read, and it is tried again, as a person would."""

import json
import os
import subprocess
import tempfile
import time
import unittest

import window_driver
from test_commands import is_shown, until
from window_case import BIN, WORKBENCH, main, need_sandbox, require

GRAPH = {
    "format": 1,
    "name": "study",
    "state": {"topic": {"type": "last_value"}, "found": {"type": "last_value"}},
    "nodes": [{"name": "fetch", "kind": "python", "file": "nodes/fetch.py", "role": "research"}],
    "edges": [["__start__", "fetch"], ["fetch", "__end__"]],
    "roles": {"research": {"attempts": 2}},
}
# It fails at each try.
FETCH = """
def node(state, config):
    raise ConnectionError("429 from field-notes")
"""


class Pools(unittest.TestCase):
    def setUp(self):
        need_sandbox()
        require.need("redis")
        folder = tempfile.TemporaryDirectory(prefix="sandglass-pools-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.project = os.path.join(self.folder, "study")
        os.makedirs(os.path.join(self.project, "nodes"))
        for name, text in (("study.graph.json", json.dumps(GRAPH)), ("nodes/fetch.py", FETCH)):
            with open(os.path.join(self.project, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.queue = "unix://" + os.path.join(self.folder, "redis.sock")
        self.start("redis-server", "--port", "0", "--unixsocket", os.path.join(self.folder, "redis.sock"), "--dir", self.folder,
                   "--save", "")
        until(lambda: os.path.exists(os.path.join(self.folder, "redis.sock")), "no redis-server")

    def start(self, *command):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            process = subprocess.Popen(command, cwd=self.project, stdout=log, stderr=log)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.wait()))
        return process

    def sandglass(self, *words):
        return subprocess.run([os.path.join(BIN, "sandglass"), *words], cwd=self.project, capture_output=True, text=True)

    def dead(self):
        told = self.sandglass("pool", "dead", "research", "--queue", self.queue, "--json")
        return json.loads(told.stdout)["dead"]

    def test_a_dead_letter_is_read_and_requeued(self):
        self.start(os.path.join(BIN, "sandglass"), "worker", "--role", "research", "--queue", self.queue, "--backend", "bubblewrap",
                   "--folder", os.path.join(self.folder, "workers"))
        run = self.sandglass("run", ".", "--thread", "dora", "--queue", self.queue)
        self.assertIn("ConnectionError: 429 from field-notes", run.stderr)
        job = self.dead()[0]["job"]
        with window_driver.Window(WORKBENCH, "--theme", "light", self.project) as window:
            window.need("fetch", contains=True)
            window.key("ctrl+shift+p")
            until(lambda: is_shown(window, "Commands", "text"), "no palette")
            window.type("pools")
            window.key("Return")
            window.need("No queue is named", contains=True)
            window.need("Address of the queue", "text").queryComponent().grabFocus()
            window.type(self.queue)
            window.key("Return")
            window.need("role research, Idle, 0 wait, 0 run, 1 dead", wait=30)
            window.need("Dead letters: 1")
            window.need("Workers: 1 on 1 host")
            window.need(job, "table cell")
            window.need("dead · 2 tries", contains=True)
            window.need("429 from field-notes", contains=True)
            if os.environ.get("SG_PICTURES"):
                time.sleep(3)
                window.picture(os.path.join(os.environ["SG_PICTURES"], "pools-window.png"))
            window.press("Pause", "button")
            window.need("role research, Paused", contains=True)
            window.press("Requeue", "button")
            window.need("will be tried again", contains=True)
            window.need("role research, Paused, 1 wait, 0 run, 0 dead")
            self.assertEqual(self.dead(), [])
            window.press("Go on", "button")
            window.need("Dead letters: 1")  # the worker has tried it again
        self.assertEqual([each["attempts"] for each in self.dead()], [2])


if __name__ == "__main__":
    main()

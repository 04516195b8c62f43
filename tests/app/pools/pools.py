"""A Redis server, a project whose node has a role, and its workers: what the tests of this folder drive."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "support"))
import require  # noqa: E402

SANDGLASS = os.environ.get("SG_SANDGLASS") or str(
    pathlib.Path(__file__).resolve().parent.parent.parent.parent / "build/release/bin/sandglass")

GRAPH = {
    "format": 1,
    "name": "study",
    "state": {"topic": {"type": "last_value"}, "found": {"type": "reduce", "reducer": "append", "default": []}},
    "nodes": [{"name": "study", "kind": "python", "file": "nodes/study.py", "role": "research"}],
    "edges": [["__start__", "study"], ["study", "__end__"]],
}

CODE = """import os
import time


def node(state):
    time.sleep(float(state.get("topic") or 0))
    print("looked up")
    return {"found": [os.getpid()]}
"""


class Redis:
    def __init__(self, folder, *more):
        self.socket = str(folder / "redis.sock")
        self.address = "unix://" + self.socket
        self.words = ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", str(folder), "--save", "",
                      "--loglevel", "warning", *more]
        self.process = None
        self.start()

    def start(self):
        pathlib.Path(self.socket).unlink(missing_ok=True)
        self.process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL)
        wait_for(lambda: self.command("PING") == "+PONG", "redis-server answers")

    def command(self, *words):
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(self.socket)
            except OSError:
                return ""
            line.sendall(b"*%d\r\n" % len(words) + b"".join(
                b"$%d\r\n%s\r\n" % (len(word.encode()), word.encode()) for word in words))
            return line.recv(1 << 20).decode(errors="replace").strip()

    def kill(self):
        self.process.kill()
        self.process.wait()


def wait_for(is_so, what, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = is_so()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain: " + what)


class PoolCase(unittest.TestCase):
    """A folder, a Redis server and a project for each test; all workers end with it."""

    redis_options = ()

    def setUp(self):
        require.need("redis")
        require.need("bubblewrap")
        folder = tempfile.TemporaryDirectory(prefix="sandglass-pools-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.project = self.folder / "study"
        self.environment = dict(os.environ, HOME=str(self.folder), XDG_DATA_HOME=os.environ.get(
            "XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share"))
        (self.folder / "redis").mkdir()
        self.redis = Redis(self.folder / "redis", *self.redis_options)
        self.addCleanup(self.redis.kill)
        self.workers = []
        self.write(GRAPH, CODE)

    def write(self, graph, code):
        (self.project / "nodes").mkdir(parents=True, exist_ok=True)
        (self.project / "study.graph.json").write_text(json.dumps(graph), encoding="utf-8")
        (self.project / "nodes/study.py").write_text(code, encoding="utf-8")

    def start(self, *words, log="log"):
        with open(self.folder / log, "ab") as out:
            process = subprocess.Popen([SANDGLASS, *words], cwd=self.project, env=self.environment, stdout=out, stderr=out)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.wait()))
        return process

    def worker(self, *more, role="research"):
        log = "worker%d.log" % len(self.workers)
        process = self.start("worker", "--role", role, "--queue", self.redis.address, "--folder",
                             str(self.folder / "workers"), "--backend", "bubblewrap", *more, log=log)
        self.workers.append(process)
        wait_for(lambda: "does tasks of role" in self.log(log) or process.poll() is not None, "a worker starts")
        self.assertIsNone(process.poll(), self.log(log))
        return process

    def log(self, name):
        file = self.folder / name
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def sandglass(self, *words, ok=True):
        done = subprocess.run([SANDGLASS, "--json", *words], cwd=self.project, env=self.environment, capture_output=True,
                              text=True, timeout=120)
        if ok:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def pool(self, *words, ok=True):
        done = self.sandglass("pool", *words, "--queue", self.redis.address, ok=ok)
        return json.loads(done.stdout) if ok else done

    def run_graph(self, topic="0", thread="t", *more, ok=True):
        (self.folder / "input.json").write_text(json.dumps({"topic": topic}), encoding="utf-8")
        return self.sandglass("run", ".", "--thread", thread, "--input", "@" + str(self.folder / "input.json"), "--queue",
                              self.redis.address, *more, ok=ok)

    def state(self, thread="t"):
        return json.loads(self.sandglass("state", "--thread", thread).stdout)["values"]

    def running_job(self):
        """The worker that has the only running job; empty: none has."""
        keys = [line for line in self.redis.command("KEYS", "sg:{default}:*:job:*").split("\r\n") if line.startswith("sg:")]
        return keys and "running" in self.redis.command("HGET", keys[0], "st") and self.redis.command(
            "HGET", keys[0], "w").split("\r\n")[-1]


def stop(process, how=signal.SIGTERM):
    process.send_signal(how)
    return process.wait(timeout=60)

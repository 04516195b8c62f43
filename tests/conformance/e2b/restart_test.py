"""E2B's official SDK, unchanged, across restarts of `sandglass serve --e2b`. usage: restart_test.py SANDGLASS docker|bubblewrap"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

BACKEND = sys.argv.pop(2)
SANDGLASS = sys.argv.pop(1)
try:
    import e2b
    from e2b_code_interpreter import Sandbox
except ImportError as problem:
    require.leave("e2b", "%s has no E2B SDK (%s); packaging/setup/e2b.sh installs one" % (sys.executable, problem))

EXAMPLE = HERE.parents[2] / "resources" / "examples" / "counter" / "counter.graph.json"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sg-e2b-")
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        (self.project / "counter.graph.json").write_text(EXAMPLE.read_text())
        self.environment = {k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "DOCKER_HOST", "HOME", "XDG_DATA_HOME", "PATH")}
        self.command = [SANDGLASS, "serve", "--e2b", "--json", "--project", str(self.project), "--backend", BACKEND]
        made = subprocess.run([*self.command, "--new-key", "one"], capture_output=True, check=True, env=self.environment)
        self.key = json.loads(made.stdout)["key"]
        self.server = None
        self.made = []
        self.addCleanup(self.end)

    def start(self, *more, port="0"):
        self.server = subprocess.Popen([*self.command, "--port", port, *more], stdout=subprocess.PIPE, text=True, env=self.environment)
        self.url = json.loads(self.server.stdout.readline())["serving"]
        self.port = self.url.rpartition(":")[2]

    def stop(self, number):
        self.server.send_signal(number)
        self.server.wait(60)
        self.server.stdout.close()

    def again(self, number, *more, pause=0.0):
        self.stop(number)
        time.sleep(pause)
        self.start(*more, port=self.port)

    def end(self):
        if self.server.poll() is not None:
            self.start()
        for each in self.made:
            Sandbox.kill(each, **self.options())
        self.stop(signal.SIGTERM)

    def options(self):
        return {"api_key": self.key, "api_url": self.url, "sandbox_url": self.url}

    def why_gone(self, sandbox):
        """What the server says; the SDK has words of its own."""
        with self.assertRaises(e2b.NotFoundException):
            Sandbox.connect(sandbox.sandbox_id, **self.options())
        request = urllib.request.Request("%s/sandboxes/%s" % (self.url, sandbox.sandbox_id), headers={"X-API-KEY": self.key})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=20)
        with refused.exception as answer:
            self.assertEqual(answer.code, 404)
            return json.load(answer)["message"]

    def sandbox(self, **more):
        made = Sandbox.create(**self.options(), **more)
        self.made.append(made.sandbox_id)
        return made


class Docker(Case):
    def test_nothing_is_lost(self):
        self.start()
        sandbox = self.sandbox(timeout=600, envs={"COLOUR": "green"}, metadata={"who": "me"})
        sandbox.run_code("x = 41")
        sandbox.files.write("kept.txt", "content")
        before = sandbox.get_info()
        for restarts, number in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)):
            self.again(number)
            self.assertTrue(sandbox.is_running() or self.why_gone(sandbox) is None, sandbox.is_running() or self.why_gone(sandbox))
            self.assertEqual(sandbox.run_code("x += 1; x").text, str(42 + restarts))
            self.assertEqual(sandbox.run_code("import os; os.environ['COLOUR']").text, "green")
            self.assertEqual(sandbox.files.read("kept.txt"), "content")
            self.assertEqual(sandbox.commands.run("echo $COLOUR").stdout, "green\n")
            info = sandbox.get_info()
            self.assertEqual((info.metadata, info.started_at, info.end_at), ({"who": "me"}, before.started_at, before.end_at))
            self.assertEqual([each.sandbox_id for each in Sandbox.list(**self.options()).next_items()], [sandbox.sandbox_id])
        self.assertTrue(sandbox.kill())
        self.again(signal.SIGKILL)
        self.assertEqual(Sandbox.list(**self.options()).next_items(), [])

    def test_those_that_were_started_ahead_are_kept_once_taken(self):
        self.start("--ready", "1")
        time.sleep(8)
        began = time.monotonic()
        sandbox = self.sandbox(timeout=600)
        print("create from the pool: %.0f ms" % (1000 * (time.monotonic() - began)))
        sandbox.run_code("x = 1")
        self.again(signal.SIGKILL, "--ready", "1")
        self.assertEqual(sandbox.run_code("x").text, "1")

    def test_a_server_that_nobody_waits_for_is_gone(self):
        self.start()
        sandbox = self.sandbox(timeout=600)
        sandbox.run_code("x = 1")
        zombie = self.server
        zombie.kill()
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        self.start(port=self.port)
        self.assertEqual(sandbox.run_code("x").text, "1")
        zombie.wait(60)
        zombie.stdout.close()

    def test_another_server_takes_them_up_when_theirs_has_ended(self):
        self.start()
        sandbox = self.sandbox(timeout=600)
        sandbox.run_code("x = 1")
        first = self.server
        self.start()
        self.assertEqual(Sandbox.list(**self.options()).next_items(), [])
        first.kill()
        first.wait(60)
        first.stdout.close()
        end = time.monotonic() + 30
        while not Sandbox.list(**self.options()).next_items() and time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual(Sandbox.connect(sandbox.sandbox_id, **self.options()).run_code("x").text, "1")

    def test_times_go_on(self):
        self.start()
        short = self.sandbox(timeout=6)
        paused = self.sandbox(timeout=600)
        paused.run_code("x = 5")
        paused.pause()
        self.again(signal.SIGKILL, pause=7)
        self.assertFalse(short.is_running())
        self.assertIn("its time was over", self.why_gone(short))
        self.assertEqual(paused.get_info().state.value, "paused")
        self.assertFalse(paused.is_running())
        self.assertEqual(Sandbox.connect(paused.sandbox_id, **self.options()).run_code("x").text, "5")


class Bubblewrap(Case):
    def test_they_end_clearly(self):
        self.start()
        for number in (signal.SIGKILL, signal.SIGTERM):
            sandbox = self.sandbox(timeout=600)
            sandbox.run_code("x = 1")
            records = self.project / ".sandglass" / "e2b-sandboxes"
            self.assertEqual(records.stat().st_mode & 0o077, 0)  # they hold tokens
            for name, text in (("wrong.json", "{"), ("other.json", '{"id": "../../keys"}')):
                (records / name).write_text(text)
            self.again(number)
            for name in ("wrong.json", "other.json"):  # left as they are
                (records / name).unlink()
            self.assertFalse(sandbox.is_running())
            self.assertIn("it ended with the server that had it", self.why_gone(sandbox))
            self.assertEqual(Sandbox.list(**self.options()).next_items(), [])
            self.assertEqual(list((self.project / ".sandglass" / "e2b-sandboxes").glob("*.json")), [])


if require.missing(BACKEND):
    require.leave(BACKEND, require.missing(BACKEND))
for other in {"docker": ["Bubblewrap"], "bubblewrap": ["Docker"]}[BACKEND]:
    del globals()[other]

if __name__ == "__main__":
    unittest.main(verbosity=2)

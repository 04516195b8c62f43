"""The programs of resources/examples/e2b, as they are, against `sandglass serve --e2b`. usage: examples_test.py SANDGLASS"""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

SANDGLASS = sys.argv.pop(1)
EXAMPLE = HERE.parents[2] / "resources" / "examples" / "e2b"
for part in ("e2b", "langgraph", "bubblewrap", "runtime"):
    if require.missing(part):
        require.leave(part, require.missing(part))
# The SDK's own Python has no LangGraph, which lies in another environment of the same Python.
PACKAGES = subprocess.run(
    [os.environ["SG_LANGGRAPH_PYTHON"], "-c", "import langgraph; print(list(langgraph.__path__)[0].rpartition('/')[0])"], capture_output=True, text=True, check=True
).stdout.strip()


class Model(http.server.BaseHTTPRequestHandler):
    """Answers with the recorded replies, in order, and keeps what it was asked."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = self.server.replies[len(self.server.asked) - 1].encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="sg-e2b-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        shutil.copytree(EXAMPLE, cls.folder / "e2b")
        environment = {k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "HOME", "XDG_DATA_HOME", "PATH")}
        command = [SANDGLASS, "serve", "--e2b", "--json", "--project", str(cls.folder / "e2b"), "--backend", "bubblewrap"]
        made = subprocess.run([*command, "--new-key", "me"], capture_output=True, check=True, env=environment)
        cls.server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
        cls.addClassCleanup(cls.stop)
        url = json.loads(cls.server.stdout.readline())["serving"]
        cls.port = int(url.rpartition(":")[2])
        cls.environment = {**environment, "E2B_API_URL": url, "E2B_SANDBOX_URL": url, "E2B_API_KEY": json.loads(made.stdout)["key"], "PYTHONPATH": PACKAGES}

    @classmethod
    def stop(cls):
        cls.server.terminate()
        cls.server.wait(60)
        cls.server.stdout.close()

    def program(self, *words, **more):
        done = subprocess.run([sys.executable, "-B", *words], cwd=EXAMPLE, env={**self.environment, **more}, capture_output=True, text=True, timeout=150)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def left(self):
        """How many sandboxes the programs have left behind."""
        request = urllib.request.Request("http://127.0.0.1:%d/v2/sandboxes" % self.port, headers={"X-API-KEY": self.environment["E2B_API_KEY"]})
        with urllib.request.urlopen(request, timeout=20) as listed:
            return len(json.load(listed))

    def model(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        server.asked = []
        server.replies = (EXAMPLE / "replies.jsonl").read_text().splitlines()
        threading.Thread(target=server.serve_forever).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def ask(self, *words):
        model = self.model()
        url = "http://127.0.0.1:%d/v1" % model.server_address[1]
        said = self.program("agent.py", *words, "What is the sum of the squares from 1 to 100, and a hundredth of it?", OPENAI_BASE_URL=url, OPENAI_API_KEY="none")
        results = [message["content"] for message in model.asked[-1]["messages"] if message["role"] == "tool"]
        return said, results

    def test_the_agent_computes_in_a_sandbox(self):
        said, results = self.ask("--keep-names")
        self.assertEqual([result.strip() for result in results], ["338350", "result: 3383.5"])
        self.assertIn("ai: The sum of the squares from 1 to 100 is 338350", said)
        _, results = self.ask()  # a sandbox for each call: the second knows no names of the first
        self.assertEqual(results[0].strip(), "338350")
        self.assertIn("NameError", results[1])
        self.assertEqual(self.left(), 0)

    def test_the_analysis_keeps_names_between_nodes_and_tries_again(self):
        said = self.program("analysis.py")
        self.assertRegex(said, r"sales \d+, costs \d+, profit -?\d+\nbest month: \w+\n")
        self.assertRegex(said, r"next month: about \d+\n")
        self.assertRegex(said, r"pictures: 1, tries of the forecast: 2, sandbox: [0-9a-f]{20}\n")
        self.assertEqual(self.left(), 0)

    def test_the_tools_find_their_sandbox_again_and_the_viewer_shows_it(self):
        exports = self.folder / "exports"
        exports.mkdir()
        use = (
            "import json, sys, tools\n"
            "made = {each.name: each for each in tools.make_tools(lambda: 'alice', {'shop.csv': b'a,b\\n1,2\\n3,4\\n'}.__getitem__, sys.argv[1])}\n"
            "print(json.dumps([made[name].invoke(asked) for name, asked in json.loads(sys.argv[2])]))"
        )

        def call(*calls):
            return json.loads(self.program("-c", use, str(exports), json.dumps(calls)))

        first = call(["select_dataset", {"name": "shop.csv"}], ["select_dataset", {"name": "none.csv"}], ["run_code", {"code": "rows = open('data/shop.csv').readlines()\nlen(rows)"}])
        self.assertEqual(first, ["data/shop.csv", "none.csv could not be loaded: 'none.csv'", "3"])
        again = call(
            ["select_dataset", {"name": "shop.csv"}],
            ["run_code", {"code": "open('data/sums.csv', 'w').write('sum\\n10\\n')\nprint(rows[0].strip())"}],
            ["list_datasets", {}],
            ["export", {"path": "data/sums.csv"}],
            ["run_code", {"code": "1 / 0"}],
        )
        self.assertEqual(again[:2], ["data/shop.csv is there already", "a,b\n"])
        self.assertEqual(sorted(line.rpartition("/")[2] for line in again[2].splitlines()), ["shop.csv, 12 bytes", "sums.csv, 7 bytes"])
        self.assertEqual(pathlib.Path(again[3]).read_text(), "sum\n10\n")
        self.assertIn("ZeroDivisionError", again[4])
        shown = self.program("viewer.py", "alice")
        for expected in ("dataset: shop.csv", "value: 3", "exported: data/sums.csv", "error: ZeroDivisionError: division by zero", "'rows': 'list'", "/data/sums.csv (7)"):
            self.assertIn(expected, shown)
        self.assertNotIn("dataset:", self.program("viewer.py", "alice", "--limit", "1"))
        host = re.fullmatch(r"http://(8501-[0-9a-f]{20}\.localhost:\d+)\n", self.program("viewer.py", "alice", "--serve"))[1]
        request = urllib.request.Request("http://127.0.0.1:%d/" % self.port, headers={"Host": host})
        for _ in range(100):
            try:
                with urllib.request.urlopen(request, timeout=20) as page:
                    self.assertIn("ZeroDivisionError", page.read().decode())
                break
            except urllib.error.HTTPError as starting:
                with starting:
                    self.assertEqual(starting.code, 502)
        else:
            self.fail("the page never came")
        self.program("-c", "import tools; tools.sandbox_of('alice').kill()")
        done = subprocess.run([sys.executable, "-B", "viewer.py", "alice"], cwd=EXAMPLE, env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertIn("no sandbox of a conversation alice", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What packaging/pools gives people: a unit that systemd takes, a dashboard whose figures exist, a stream that KEDA finds."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

from pools import SANDGLASS, PoolCase, wait_for

FILES = pathlib.Path(__file__).resolve().parents[3] / "packaging" / "pools"


class Unit(unittest.TestCase):
    def test_systemd_takes_the_unit(self):
        text = (FILES / "sandglass-worker@.service").read_text(encoding="utf-8")
        done = self.verify(text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wrong = self.verify(text.replace("Restart=always", "Restrat=always"))
        self.assertIn("Restrat", wrong.stderr)  # it does look

    def verify(self, text):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        # Its program and its user need not be installed here.
        text = text.replace("/usr/bin/sandglass", SANDGLASS).replace("User=sandglass\n", "User=root\n")
        unit = folder / "sandglass-worker@research.service"
        unit.write_text(text, encoding="utf-8")
        return subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)], capture_output=True,
                              text=True)

    def test_its_command_is_one_of_ours(self):
        text = (FILES / "sandglass-worker@.service").read_text(encoding="utf-8")
        words = re.search(r"^ExecStart=\S+ (.*)$", text, re.MULTILINE).group(1).split()
        told = subprocess.run([SANDGLASS, words[0], "--help"], capture_output=True, text=True, check=True).stdout
        for word in words[1:]:
            if word.startswith("--"):
                self.assertIn(word, told)


class Figures(PoolCase):
    def test_the_dashboard_asks_for_figures_that_there_are(self):
        self.worker("--metrics", "0")
        self.run_graph()
        address = wait_for(lambda: [word for word in self.log("worker0.log").split() if word.endswith("/metrics")], "an address")[0]
        with urllib.request.urlopen(address) as answer:
            lines = answer.read().decode().splitlines()
        typed = {line.split()[2]: line.split()[3] for line in lines if line.startswith("# TYPE ")}
        told = {re.match(r"\w+", line).group() for line in lines if line and not line.startswith("#")}
        for name in told:  # each figure says what it is
            self.assertTrue(name in typed or typed.get(re.sub(r"_(bucket|sum|count)$", "", name)) == "histogram", name)
        dashboard = json.loads((FILES / "dashboard.json").read_text(encoding="utf-8"))
        asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        asked += [each["query"] for each in dashboard["templating"]["list"]]
        names = set(re.findall(r"sandglass_\w+", " ".join(asked)))
        self.assertGreater(len(names), 5)
        self.assertEqual(names - told, set())
        for expression in asked:  # what only grows is asked for by how fast, and nothing else is
            for name in re.findall(r"(?:rate|increase)\((sandglass_\w+)", expression):
                self.assertIn(typed.get(name, typed.get(re.sub(r"_bucket$", "", name))), ("counter", "histogram"))
        ids = [panel["id"] for panel in dashboard["panels"]]
        self.assertEqual(len(ids), len(set(ids)))

    def test_the_stream_that_keda_watches_is_the_roles(self):
        text = (FILES / "worker.yaml").read_text(encoding="utf-8")
        stream = re.search(r'stream: "(.*)"', text).group(1).replace("NAMESPACE", "default").replace("ROLE", "research")
        group = re.search(r"consumerGroup: (\S+)", text).group(1)
        worker = self.worker()
        self.run_graph()
        worker.terminate()
        worker.wait()
        run = self.start("run", ".", "--thread", "u", "--input", '{"topic": "0"}', "--queue", self.redis.address, log="run.log")
        lag = lambda: re.search(r"\$3\r\nlag\r\n:(\d+)", self.redis.command("XINFO", "GROUPS", stream))  # noqa: E731
        wait_for(lambda: lag() and lag().group(1) == "1", "a task that waits counts")
        self.assertIn("\r\n%s\r\n" % group, self.redis.command("XINFO", "GROUPS", stream))
        self.worker()
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        wait_for(lambda: lag().group(1) == "0", "and no longer once it is done")


if __name__ == "__main__":
    unittest.main()

"""llm nodes through the program, against scripted servers; needs no LangChain.

The example runs with its recorded replies, or with a real model where SG_MODEL_URL (and SG_MODEL) name one. The rest is what only a whole
program shows: faults, keys, budgets, stopping. SG_SANDGLASS is the program.
"""

import atexit
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from scenarios import HI, openai, openai_stream
from scripted_server import ScriptedServer

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
EXAMPLE = os.path.join(HERE, "../../../resources/examples/chat")
KEY = "sk-test-0123456789abcdef"


class Project:
    def __init__(self, graph=None, copy=None):
        self.holder = tempfile.mkdtemp(prefix="sandglass-llm-")
        atexit.register(shutil.rmtree, self.holder, ignore_errors=True)
        self.path = os.path.join(self.holder, "p")
        if copy:
            shutil.copytree(copy, self.path)
        else:
            os.mkdir(self.path)
            with open(os.path.join(self.path, "chat.graph.json"), "w", encoding="utf-8") as file:
                json.dump(graph, file)

    def command(self, *arguments):
        return [SANDGLASS, *arguments]

    def environment(self, **more):
        return {**os.environ, "HOME": self.holder, "XDG_CONFIG_HOME": self.holder, **more}

    def run(self, *arguments, **environment):
        return subprocess.run(self.command(*arguments), cwd=self.path, env=self.environment(**environment), timeout=60,
                              capture_output=True, text=True)

    def everything(self):
        """All bytes that the project's folder holds."""
        found = b""
        for folder, _, files in os.walk(self.path):
            for name in files:
                with open(os.path.join(folder, name), "rb") as file:
                    found += file.read()
        return found


def graph_of(url, settings=None, **llm):
    return {"format": 1, "name": "chat", "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
            "nodes": [{"name": "chat", "kind": "llm", **(settings or {})}], "edges": [["__start__", "chat"]],
            "llm": {"model": "m", "base_url": url + "/v1", **llm}}


INPUT = json.dumps({"messages": HI})


class Example(unittest.TestCase):
    def test_answers(self):
        project = Project(copy=EXAMPLE)
        with open(os.path.join(EXAMPLE, "replies.json"), encoding="utf-8") as file:
            replies = json.load(file)
        with ScriptedServer(replies) as server:
            real = os.environ.get("SG_MODEL_URL")
            chosen = {"base_url": real or server.url + "/v1"}
            if os.environ.get("SG_MODEL"):
                chosen["model"] = os.environ["SG_MODEL"]
            done = project.run("run", "chat.graph.json", "--thread", "t", "--input", '{"messages": "Good morning!"}',
                               "--config", json.dumps({"llm": chosen}), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
        values = json.loads(done.stdout)["values"]
        self.assertEqual([each["type"] for each in values["messages"]], ["human", "ai"])
        self.assertIsInstance(values["mood"]["friendly"], bool)
        if not real:
            self.assertEqual(values["messages"][1]["content"], "Good morning to you!")
            self.assertEqual(values["mood"], {"friendly": True, "why": "It greets."})
            self.assertEqual(len(server.requests), 2)
            self.assertEqual(server.requests[0]["body"]["messages"][0]["role"], "system")
            self.assertEqual(server.requests[1]["body"]["response_format"]["type"], "json_schema")


class Faults(unittest.TestCase):
    def failed(self, replies, *arguments, settings=None, **llm):
        with ScriptedServer(replies) as server:
            project = Project(graph_of(server.url, settings, **llm))
            done = project.run("run", "chat.graph.json", "--thread", "t", "--input", INPUT, "--json", *arguments)
            return done, server, project

    def test_a_busy_server_is_asked_again(self):
        done, server, _ = self.failed([{"status": 429, "headers": {"retry-after-ms": "1"}, "body": "{}"},
                                       {"end": "refuse"}, openai_stream({"content": "Hello"})])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(server.requests), 3)

    def test_a_wrong_key_is_told_at_once(self):
        done, server, _ = self.failed([{"status": 401, "body": '{"error": {"message": "no key"}}'}])
        self.assertNotEqual(done.returncode, 0)
        told = json.loads(done.stdout)
        self.assertEqual(told["error"]["type"], "AuthenticationError", done.stdout)
        self.assertIn("status 401: no key", told["error"]["message"])
        self.assertEqual(len(server.requests), 1)

    def test_a_stream_that_breaks_off_is_no_message_and_the_node_tries_again(self):
        cut = {**openai_stream({"content": "Hel"}, finish=None, usage=None, done=False), "end": "drop"}
        done, server, _ = self.failed([cut])
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["error"]["type"], "APIConnectionError")
        self.assertEqual(len(server.requests), 1)
        again, server, _ = self.failed([cut, openai_stream({"content": "Hello"})],
                                       settings={"retry": {"max_attempts": 2, "initial_interval": 0.01}})
        self.assertEqual(again.returncode, 0, again.stderr)
        messages = json.loads(again.stdout)["values"]["messages"]
        self.assertEqual([each["content"] for each in messages], ["hi", "Hello"])

    def test_a_reset_connection(self):
        done, _, _ = self.failed([{**openai_stream({"content": "Hel"}, finish=None, usage=None, done=False), "end": "reset"}])
        self.assertEqual(json.loads(done.stdout)["error"]["type"], "APIConnectionError")

    def test_html_in_place_of_an_answer(self):
        done, _, _ = self.failed([{"body": "<html>Sign in", "headers": {"content-type": "text/html"}}])
        self.assertIn("text/html", json.loads(done.stdout)["error"]["message"])

    def test_a_budget_ends_the_run(self):
        done, server, _ = self.failed([openai_stream({"content": "Hello"})], budget={"calls": 0})
        self.assertEqual(json.loads(done.stdout)["error"]["type"], "BudgetExceededError")
        self.assertEqual(len(server.requests), 0)

    def test_stopping_closes_the_connection_at_once(self):
        took = []
        while not took or (min(took) >= 2 and len(took) < 5):  # other tests may run beside this one
            took.append(self.stopped_after())
        self.assertLess(min(took), 2)

    def stopped_after(self):
        """Seconds from the stop of a run until its connection was closed."""
        hanging = {**openai_stream({"content": "Hel"}, finish=None, usage=None, done=False), "end": "hang"}
        with ScriptedServer([hanging]) as server:
            project = Project(graph_of(server.url))
            running = subprocess.Popen(project.command("run", "chat.graph.json", "--thread", "t", "--input", INPUT),
                                       cwd=project.path, env=project.environment(), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            self.assertTrue(server.wait_for(lambda: server.requests))
            begin = time.monotonic()
            running.send_signal(signal.SIGINT)
            self.assertTrue(server.wait_for(lambda: server.gone == 1, 60))
            took = time.monotonic() - begin
            running.wait(60)
            return took


class Keys(unittest.TestCase):
    def run_with(self, keys, url, server, **settings):
        project = Project(graph_of(url, {"key": "model-key", **settings}))
        done = project.run("run", "chat.graph.json", "--thread", "t", "--input", INPUT, "--json",
                           SANDGLASS_SECRET_MODEL_KEY=KEY, **({"MODEL_KEYS": keys} if keys is not None else {}))
        return project, done

    def test_goes_to_the_named_host_alone(self):
        with ScriptedServer([openai_stream({"content": "Hello"})]) as server:
            place = server.url.removeprefix("http://")
            project, done = self.run_with(f"other@x.test model-key@{place}", server.url, server)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(server.requests[0]["headers"]["authorization"], "Bearer " + KEY)
            self.assertNotIn(KEY.encode(), project.everything())
            told = project.run("--json", "audit", "--kind", "secret").stdout
            rows = [json.loads(line) for line in told.splitlines()]
            self.assertEqual([(row["subject"], row["outcome"], row["agent"], row["details"]["to"]) for row in rows],
                             [("model-key", "given", "chat", place)])
            for keys in (None, "", "model-key@other.test", f"other@{place}", "model-key@127.0.0.1"):
                project, done = self.run_with(keys, server.url, server)
                told = json.loads(done.stdout)["error"]
                self.assertEqual(told["type"], "PermissionError", (keys, done.stdout))
                self.assertIn(f"MODEL_KEYS=model-key@{place}", told["message"])
            self.assertEqual(len(server.requests), 1)

    def test_a_projects_own_file_decides_nothing(self):
        with ScriptedServer([openai_stream({"content": "Hello"})]) as server:
            project = Project(graph_of(server.url, {"key": "model-key"}))
            with open(os.path.join(project.path, "sandbox.env"), "w", encoding="utf-8") as file:
                file.write("MODEL_KEYS=model-key@" + server.url.removeprefix("http://") + "\n")
            done = project.run("run", "chat.graph.json", "--thread", "t", "--input", INPUT, "--json",
                               SANDGLASS_SECRET_MODEL_KEY=KEY)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(len(server.requests), 0)


if __name__ == "__main__":
    unittest.main()

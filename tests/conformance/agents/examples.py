"""The examples with agents, through the program: offline, by their recordings, or with a real model where SG_MODEL_URL (and SG_MODEL) name one.
A recording that does not fit is an error that shows the difference. Needs SG_SANDGLASS and a sandbox, no LangChain."""

import atexit
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../../resources/examples")
SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
REAL = os.environ.get("SG_MODEL_URL", "")


class Example:
    def __init__(self, name):
        self.name = name
        folder = tempfile.mkdtemp(prefix="sandglass-example-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.path = os.path.join(folder, name)
        shutil.copytree(os.path.join(EXAMPLES, name), self.path)
        self.environment = {**os.environ, "XDG_CONFIG_HOME": folder}
        self.environment.pop("SANDGLASS_MODEL_URL", None)
        if REAL:
            self.environment |= {"SANDGLASS_MODEL_URL": REAL, "SANDGLASS_MODEL": os.environ.get("SG_MODEL", "")}

    def call(self, verb, *words):
        done = subprocess.run([SANDGLASS, verb, *words, "--json"], cwd=self.path, env=self.environment, capture_output=True, text=True,
                              timeout=240)
        return done, json.loads(done.stdout or "null")

    def run(self, text, thread="demo"):
        return self.call("run", self.name + ".graph.json", "--thread", thread, "--input", json.dumps({"messages": text}))

    def answer(self, answer, thread="demo"):
        return self.call("resume", self.name + ".graph.json", "--thread", thread, "--answer", answer)

    def audited(self, kind):
        with sqlite3.connect(os.path.join(self.path, ".sandglass", "audit.sqlite")) as database:
            return database.execute("select agent, subject, outcome from sandglass_audit where kind = ?", (kind,)).fetchall()


class Analyst(unittest.TestCase):
    def test_branches_asks_retries_and_leaves_two_artifacts(self):
        example = Example("analyst")
        done, told = example.run("On which island are the heaviest penguins, and where is it?")
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        if REAL and done.returncode == 0:
            return
        self.assertEqual(len(told["interrupts"]), 1, told)
        asked = told["interrupts"][0]["value"]
        self.assertTrue(asked["question"].startswith("Publish this? "), asked)
        self.assertEqual(asked["answers"], ["yes", "no"])
        done, told = example.answer("yes")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(told["values"]["report"], "by_island.png")
        kinds = [each["type"] for each in told["values"]["messages"]]
        if not REAL:
            self.assertEqual(kinds, ["human", "ai", "tool", "ai", "tool", "tool", "ai", "tool", "ai", "tool", "ai", "tool"])
            self.assertIn("Biscoe", told["values"]["finding"]["headline"])
        _, artifacts = example.call("artifacts", "list")
        names = sorted(each["name"] for each in (artifacts if isinstance(artifacts, list) else artifacts["artifacts"]))
        self.assertEqual(len(names), 2, names)
        self.assertTrue(any(each.endswith("by_island.csv") for each in names) and "by_island.png" in names, names)

    @unittest.skipIf(REAL, "a real model answers other questions, too")
    def test_another_question_is_an_error_that_shows_the_difference(self):
        done, told = Example("analyst").run("Who are you?")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(told["error"]["type"], "RecordingMismatchError", told)
        self.assertIn("/messages/1/content: \"Who are you?\" instead of \"On which island", told["error"]["message"])


class Supervisor(unittest.TestCase):
    def test_hands_a_sum_over(self):
        done, told = Example("supervisor").run("How much is 6 times 7?", "sum")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("42", told["values"]["messages"][-1]["content"])
        if not REAL:
            self.assertEqual([(each["type"], each.get("name")) for each in told["values"]["messages"]][-3:],
                             [("ai", "mathematician"), ("tool", "multiply"), ("ai", "mathematician")])

    def test_workers_answer_beside_each_other(self):
        done, told = Example("supervisor").run("Explain owl, krill and tern.", "words")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(told["values"]["answers"]), 3, told)
        if not REAL:
            self.assertEqual(sorted(told["values"]["answers"]), ["A far traveller.", "A quiet bird.", "A small crustacean."])


class ResearchReview(unittest.TestCase):
    def test_retries_refuses_continues_and_publishes_what_is_approved(self):
        example = Example("research-review")
        done, told = example.run("What is known of krill and whales?")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        question = told["interrupts"][0]["value"]
        self.assertEqual(question["action_requests"][0]["name"], "publish")
        self.assertEqual(question["review_configs"][0]["allowed_decisions"], ["approve", "edit", "reject"])
        done, told = example.answer('{"decisions": [{"type": "approve"}]}')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(told["values"]["errors"], ["archive: the archive is closed today"])
        if REAL:
            return
        self.assertEqual(told["values"]["verdict"], "Published.")
        answers = [each["content"] for each in told["values"]["messages"] if each["type"] == "tool"]
        self.assertEqual(answers[0], "Krill are crustaceans.")
        self.assertEqual(answers[1], "Error: KeyError('whales')\n Please fix your mistakes.")
        self.assertIn("may not use the tool 'delete_notes'", answers[2])
        self.assertEqual(example.audited("tool"), [("researcher", "delete_notes", "denied")])


if __name__ == "__main__":
    unittest.main()

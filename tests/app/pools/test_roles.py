"""A node with a role is done by a worker in another process, once, whatever becomes of that."""

import json
import signal
import time
import unittest

from pools import GRAPH, PoolCase, stop, wait_for


class Roles(PoolCase):
    def test_a_worker_does_the_task(self):
        worker = self.worker()
        done = self.run_graph()
        self.assertEqual(len(self.state()["found"]), 1)
        self.assertIn("looked up", done.stdout + done.stderr)
        self.assertEqual(stop(worker), 0)
        self.assertIn("done: 1 task", self.log("worker0.log"))

    def test_a_worker_that_comes_later_does_the_task(self):
        run = self.start("run", ".", "--thread", "t", "--input", '{"topic": "0"}', "--queue", self.redis.address, log="run.log")
        time.sleep(1)
        self.assertIsNone(run.poll(), self.log("run.log"))
        self.worker()
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        self.assertEqual(len(self.state()["found"]), 1)

    def test_another_worker_takes_over_from_one_that_was_killed(self):
        first = self.worker("--lease", "1")
        run = self.start("run", ".", "--thread", "t", "--input", '{"topic": "2"}', "--queue", self.redis.address, log="run.log")
        holder = wait_for(self.running_job, "a worker has the task")
        self.assertIn("-%d-" % first.pid, holder)
        time.sleep(0.5)
        first.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        self.worker("--lease", "1")
        wait_for(lambda: (self.running_job() or holder) != holder, "another worker has the task")
        took = time.monotonic() - killed
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        self.assertEqual(len(self.state()["found"]), 1)
        self.assertLess(took, 5)

    def test_a_run_that_was_killed_takes_its_result_up(self):
        self.worker()
        run = self.start("run", ".", "--thread", "t", "--input", '{"topic": "1"}', "--queue", self.redis.address, log="run.log")
        wait_for(self.running_job, "the worker has the task")
        run.send_signal(signal.SIGKILL)
        run.wait()
        wait_for(lambda: not self.running_job(), "the worker is done")
        self.sandglass("resume", ".", "--thread", "t", "--queue", self.redis.address)
        self.assertEqual(len(self.state()["found"]), 1)
        stop(self.workers[0])
        self.assertIn("done: 1 task", self.log("worker0.log"))

    def test_without_a_queue_it_runs_here_and_says_so(self):
        done = self.sandglass("run", ".", "--thread", "t", "--input", '{"topic": "0"}')
        self.assertEqual(len(self.state()["found"]), 1)
        self.assertIn("no queue", done.stdout + done.stderr)

    def test_a_failure_becomes_a_dead_letter_and_fails_the_run(self):
        self.write(GRAPH, "def node(state):\n    raise ValueError('no such topic')\n")
        self.worker()
        done = self.run_graph(ok=False)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("no such topic", done.stdout + done.stderr)
        self.assertIn("ValueError", self.redis.command("XRANGE", "sg:{default}:research:dead", "-", "+"))

    def test_large_states_go_through_the_artifacts(self):
        graph = json.loads(json.dumps(GRAPH))
        self.write(graph, "def node(state):\n    return {'found': [state['topic'] * 3]}\n")
        self.worker()
        self.run_graph(topic="x" * 200_000)
        self.assertEqual(len(self.state()["found"][0]), 600_000)

    def test_artifacts_of_a_worker_become_the_runs(self):
        self.write(GRAPH, "import pathlib\n\n\ndef node(state):\n"
                          "    pathlib.Path('/session/artifacts').mkdir(exist_ok=True)\n"
                          "    pathlib.Path('/session/artifacts/report.txt').write_text('found it')\n"
                          "    return {'found': [1]}\n")
        self.worker()
        self.run_graph()
        listed = json.loads(self.sandglass("artifacts", "list", "--thread", "t").stdout)
        self.assertIn("report.txt", json.dumps(listed))
        self.assertIn('"node": "study"', json.dumps(listed))

    def test_modules_of_the_project_go_with_the_task(self):
        (self.project / "lib/deep").mkdir(parents=True)
        (self.project / "lib/deep/words.py").write_text("GREETING = 'hello'\n", encoding="utf-8")
        self.write(GRAPH, "from deep.words import GREETING\n\n\ndef node(state):\n    return {'found': [GREETING]}\n")
        self.worker()
        self.run_graph()
        self.assertEqual(self.state()["found"], ["hello"])
        (self.project / "lib/deep/words.py").write_text("GREETING = 'good morning'\n", encoding="utf-8")
        self.run_graph(thread="u")
        self.assertEqual(self.state("u")["found"], ["good morning"])

    def test_roles_do_not_see_each_other(self):
        graph = json.loads(json.dumps(GRAPH))
        graph["nodes"].append({"name": "review", "kind": "python", "file": "nodes/review.py", "role": "review"})
        graph["edges"] = [["__start__", "study"], ["study", "review"], ["review", "__end__"]]
        self.write(graph, "import pathlib\n\n\nseen = 'a name of research'\n\n\ndef node(state):\n    global kept\n"
                          "    kept = 'a name of research'\n"
                          "    pathlib.Path('/session/note.txt').write_text('a file of research')\n    return {'found': ['done']}\n")
        (self.project / "nodes/review.py").write_text(
            "import os\nimport pathlib\n\n\ndef node(state):\n    return {'found': ['kept' in globals(),\n"
            "        pathlib.Path('/session/note.txt').exists(), sorted(k for k in os.environ if 'QUEUE' in k)]}\n", encoding="utf-8")
        self.worker()
        self.worker(role="review")
        self.run_graph()
        self.assertEqual(self.state()["found"], ["done", False, False, []])

    def test_output_comes_while_the_task_runs(self):
        self.write(GRAPH, "import time\n\n\ndef node(state):\n    print('begun', flush=True)\n    time.sleep(3)\n"
                          "    print('ended')\n    return {'found': [1]}\n")
        self.worker()
        run = self.start("run", ".", "--thread", "t", "--input", '{"topic": "0"}', "--queue", self.redis.address, log="run.log")
        wait_for(lambda: "begun" in self.log("run.log"), "the first line is there")
        self.assertIsNone(run.poll())
        self.assertNotIn("ended", self.log("run.log"))
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        self.assertEqual(self.log("run.log").count("begun"), 1)
        self.assertIn("ended", self.log("run.log"))

    def test_questions_of_a_worker_are_asked_of_the_person(self):
        self.write(GRAPH, "from langgraph.types import interrupt\n\n\ndef node(state):\n"
                          "    return {'found': [interrupt('which?')]}\n")
        self.worker()
        done = self.run_graph(ok=False)
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.sandglass("resume", ".", "--thread", "t", "--answer", '"that"', "--queue", self.redis.address)
        self.assertEqual(self.state()["found"], ["that"])


if __name__ == "__main__":
    unittest.main()

"""sandglass pool sees and steers; a worker drains, tells figures, and gets what its machine grants."""

import json
import signal
import subprocess
import time
import unittest
import urllib.request

from pools import GRAPH, SANDGLASS, PoolCase, stop, wait_for

FAILING = """import pathlib


def node(state):
    raise ValueError('no such topic')
"""


class Verbs(PoolCase):
    def begin(self, topic="0", log="run.log"):
        return self.start("run", ".", "--thread", log, "--input", json.dumps({"topic": topic}), "--queue", self.redis.address, log=log)

    def words(self, *words):
        return subprocess.run([SANDGLASS, "pool", *words, "--queue", self.redis.address], cwd=self.project, env=self.environment,
                              capture_output=True, text=True, check=True, timeout=60).stdout

    def test_lists_what_waits_and_who_works(self):
        run = self.begin()
        waiting = wait_for(lambda: [pool for pool in self.pool("list")["pools"] if pool["ready"]], "a task waits")
        self.assertEqual((waiting[0]["role"], waiting[0]["ready"], waiting[0]["workers"]), ("research", 1, []))
        self.worker()
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        shown = self.pool("show", "research")
        self.assertEqual((shown["ready"], shown["running"], shown["counters"]["done"]), (0, 0, 1))
        self.assertEqual(len(shown["workers"]), 1)
        events = [row["event"] for row in self.pool("audit", "research")["audit"]]
        self.assertEqual(events, ["done", "start", "enqueue"])

    def test_a_dead_letter_is_tried_again_and_the_run_goes_on(self):
        self.write(GRAPH, FAILING)
        self.worker()
        self.assertEqual(self.run_graph(ok=False).returncode, 4)
        letters = self.pool("dead", "research")["dead"]
        self.assertEqual(len(letters), 1)
        self.assertIn("ValueError", letters[0]["why"])
        story = self.pool("show", "research", "--job", letters[0]["job"])
        self.assertEqual(story["st"], "dead")
        self.assertIn("ValueError", story["hist"])
        self.assertEqual(self.pool("requeue", "research", letters[0]["job"])["requeued"], 1)
        wait_for(lambda: self.pool("dead", "research")["dead"], "it fails again")
        self.assertEqual(self.pool("requeue", "research", "no-such-job", ok=False).returncode, 2)

    def test_a_discarded_letter_is_gone_and_the_run_does_its_task_anew(self):
        self.write(GRAPH, FAILING)
        self.worker()
        self.assertEqual(self.run_graph(ok=False).returncode, 4)
        listed = self.pool("dead", "research", "--why", "no such topic")
        self.assertEqual((len(listed["dead"]), listed["in_all"], listed["more"]), (1, 1, False))
        job = listed["dead"][0]["job"]
        self.assertEqual(self.pool("dead", "research", "--why", "another reason")["dead"], [])
        for wrong in ((), (job, "--all"), ("--why", "x", "--all"), ("no-such-job",)):
            self.assertEqual(self.pool("discard", "research", *wrong, ok=False).returncode, 2, wrong)
        self.assertEqual(self.pool("discard", "research", "--why", "another reason"), {"discarded": 0})
        self.assertEqual(self.pool("discard", "research", "--why", "no such topic"), {"discarded": 1})
        self.assertEqual(self.pool("dead", "research"), {"dead": [], "in_all": 0, "more": False})
        story = self.pool("show", "research", "--job", job)
        self.assertEqual((story["st"], story["story"][-1]["event"]), ("cancelled", "discard"))
        self.assertEqual(self.pool("audit", "research", "--last", "1")["audit"][0]["event"], "discard")
        resumed = self.sandglass("resume", ".", "--thread", "t", "--queue", self.redis.address, ok=False)
        self.assertEqual(resumed.returncode, 4, resumed.stdout + resumed.stderr)
        again = self.pool("dead", "research")["dead"]
        self.assertEqual(len(again), 1)
        self.assertNotEqual(again[0]["job"], job)

    def test_a_list_that_is_cut_says_so(self):
        for i in range(3):
            subprocess.run(["redis-cli", "-s", self.redis.socket, "XADD", "sg:{default}:research:dead", "*", "j", f"j{i}", "why", "x"],
                           check=True, stdout=subprocess.DEVNULL)
        cut = self.pool("dead", "research", "--last", "2")
        self.assertEqual((len(cut["dead"]), cut["in_all"], cut["more"]), (2, 3, True))
        text = self.words("dead", "research", "--last", "2")
        self.assertIn("the newest 2 of 3", text)
        for i in range(3):
            subprocess.run(["redis-cli", "-s", self.redis.socket, "XADD", "sg:{default}:research:audit", "*", "e", "pause", "by", "x"],
                           check=True, stdout=subprocess.DEVNULL)
        self.assertEqual([self.pool("audit", "research", "--last", last)["more"] for last in ("2", "3")], [True, False])
        text = self.words("audit", "research", "--last", "2")
        self.assertIn("--last N shows more", text)

    def test_a_paused_role_waits(self):
        self.worker()
        self.pool("pause", "research")
        run = self.begin()
        wait_for(lambda: self.pool("show", "research")["ready"] + self.pool("show", "research")["delayed"], "it waits")
        time.sleep(1)
        self.assertIsNone(run.poll())
        self.pool("pause", "research", "--off")
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))

    def test_a_drained_worker_finishes_its_task(self):
        worker = self.worker()
        run = self.begin("2")
        wait_for(self.running_job, "the worker has the task")
        self.assertEqual(stop(worker, signal.SIGTERM), 0)
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))
        self.assertIn("done: 1 task", self.log("worker0.log"))

    def test_a_stopped_run_ends_its_task(self):
        self.worker()
        run = self.begin("60")
        wait_for(self.running_job, "the worker has the task")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=30), 130, self.log("run.log"))
        wait_for(lambda: self.pool("show", "research")["workers"][0]["busy"] == 0, "the worker is free", 20)

    def test_figures_for_prometheus(self):
        self.worker("--metrics", "0")
        self.run_graph()
        log = self.log("worker0.log")
        address = wait_for(lambda: [word for word in self.log("worker0.log").split() if word.endswith("/metrics")], log)[0]
        with urllib.request.urlopen(address) as answer:
            text = answer.read().decode()
        for line in ('sandglass_done_total{role="research"} 1', 'sandglass_queue_depth{role="research"} 0',
                     'sandglass_job_seconds_count{role="research"} 1', 'sandglass_worker_up{role="research"} 1'):
            self.assertIn(line, text)

    def test_a_roles_user_reaches_its_keys_alone(self):
        made = self.pool("acl", "research", "--make")
        address = "unix://%s:%s@%s" % (made["user"], made["password"], self.redis.socket)
        worker = self.start("worker", "--role", "research", "--queue", address, "--folder", str(self.folder / "w"), "--backend",
                            "bubblewrap", log="acl.log")
        wait_for(lambda: "does tasks of role" in self.log("acl.log"), self.log("acl.log"))
        self.run_graph()
        self.assertEqual(stop(worker), 0)
        self.assertIn("done: 1 task", self.log("acl.log"))
        self.assertNotIn("NOPERM", self.log("acl.log"))
        other = self.start("worker", "--role", "review", "--queue", address, "--folder", str(self.folder / "v"), "--backend",
                           "bubblewrap", log="other.log")
        wait_for(lambda: "NOPERM" in self.log("other.log"), "another role's keys are refused")
        other.kill()

    def test_workers_come_and_go_as_they_are_needed(self):
        scale = self.start("pool", "scale", "research", "--min", "0", "--max", "2", "--rest", "1", "--queue",
                           self.redis.address, "--folder", str(self.folder / "scaled"), log="scale.log")
        runs = [self.begin("1", "run%d.log" % i) for i in range(4)]
        for i, run in enumerate(runs):
            self.assertEqual(run.wait(timeout=100), 0, self.log("run%d.log" % i))
        self.assertIn("2 workers", self.log("scale.log"))
        wait_for(lambda: "0 workers" in self.log("scale.log"), "they end")
        self.assertEqual(stop(scale), 0)

    def test_a_worker_grants_what_its_pool_file_says(self):
        graph = json.loads(json.dumps(GRAPH))
        graph["roles"] = {"research": {"limits": {"memory_mb": 64}, "mounts": ["/data"]}}
        self.write(graph, "import pathlib\n\n\ndef node(state):\n    return {'found': [pathlib.Path('/data/a.txt').read_text()]}\n")
        (self.folder / "papers").mkdir()
        (self.folder / "papers/a.txt").write_text("a paper", encoding="utf-8")
        first = self.worker()
        done = self.run_graph(ok=False)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("does not grant", done.stdout + done.stderr)
        stop(first)
        (self.folder / "pool.json").write_text(json.dumps(
            {"roles": {"research": {"mounts": {"/data": str(self.folder / "papers")}}}}), encoding="utf-8")
        self.worker("--pool-file", str(self.folder / "pool.json"))
        self.run_graph(thread="u")
        self.assertEqual(self.state("u")["found"], ["a paper"])

    def test_says_what_is_wrong(self):
        self.assertEqual(self.sandglass("pool", "list", ok=False).returncode, 2)
        told = self.sandglass("pool", "list", "--queue", "http://x", ok=False)
        self.assertIn("redis://", told.stdout + told.stderr)
        told = self.sandglass("pool", "list", "--queue", "unix:///nowhere.sock", ok=False)
        self.assertIn("unix:///nowhere.sock", told.stdout + told.stderr)
        self.assertEqual(self.sandglass("worker", "--role", "No Role", "--queue", self.redis.address, ok=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()

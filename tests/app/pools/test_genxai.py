"""Tasks as GenXAI puts them into its list are done once, whatever of its own engine's promises it broke."""

import json
import signal
import time
import unittest

from pools import PoolCase, stop, wait_for

HANDLERS = """import time


def research(payload):
    time.sleep(payload.get('seconds', 0))
    if payload.get('fails'):
        raise ValueError('no such topic')
    print('looked up', payload.get('topic'))
    return {'found': payload.get('topic')}
"""


class Genxai(PoolCase):
    def setUp(self):
        super().setUp()
        (self.project / "handlers.py").write_text(HANDLERS, encoding="utf-8")

    def put(self, task, role="research", **payload):
        """What WorkerQueueEngine.enqueue(payload, metadata, run_id, handler_name) puts into Redis."""
        metadata = {"tenant": "a"} if role is None else {"tenant": "a", "handler_name": role}
        self.redis.command("RPUSH", "genxai:queue", json.dumps({"task_id": task, "payload": payload, "metadata": metadata}))

    def bridge(self, *more):
        return self.sandglass("pool", "bridge", "--queue", self.redis.address, "--once", *more)

    def pool(self, role="research"):
        return json.loads(self.sandglass("pool", "show", role, "--queue", self.redis.address).stdout)

    def handler(self, *more, role="research"):
        return self.worker("--handler", str(self.project / "handlers.py") + ":research", *more, role=role)

    def test_a_task_is_done(self):
        self.put("r1", topic="penguins")
        self.bridge()
        self.handler()
        wait_for(lambda: self.pool()["counters"].get("done") == 1, "it is done")
        self.assertIn("penguins", self.redis.command("HGET", "sg:{default}:research:job:genxai/r1", "r"))
        self.assertIn(":0", self.redis.command("LLEN", "genxai:queue:sandglass"))

    def test_the_same_run_id_is_done_once(self):
        self.put("r1", topic="a")
        self.put("r1", topic="a")
        self.bridge()
        self.handler()
        wait_for(lambda: self.pool()["counters"].get("done"), "it is done")
        time.sleep(1)
        self.assertEqual(self.pool()["counters"]["done"], 1)

    def test_another_roles_worker_leaves_it_alone(self):
        self.put("r1", role="review", topic="a")
        self.bridge()
        self.handler()
        time.sleep(1)
        self.assertEqual(self.pool("review")["ready"], 1)
        self.handler(role="review")
        wait_for(lambda: self.pool("review")["counters"].get("done") == 1, "its own worker does it")

    def test_a_killed_worker_loses_nothing(self):
        self.put("r1", seconds=2)
        self.bridge()
        first = self.handler("--lease", "1")
        wait_for(self.running_job, "the worker has the task")
        first.send_signal(signal.SIGKILL)
        self.handler("--lease", "1")
        wait_for(lambda: self.pool()["counters"].get("done") == 1, "another does it")

    def test_what_cannot_be_done_is_a_dead_letter(self):
        self.put("r1", role=None)
        self.redis.command("RPUSH", "genxai:queue", "{no json")
        self.put("r2", fails=True)
        self.bridge("--retries", "1")
        self.handler()
        wait_for(lambda: self.pool()["dead"] == 1, "the failing one is given up")
        self.assertEqual(self.pool()["counters"]["retried"], 1)
        self.assertEqual(self.pool("unclaimed")["dead"], 2)

    def test_a_bridge_that_was_killed_takes_up_what_it_had(self):
        self.redis.command("RPUSH", "genxai:queue:sandglass",
                           json.dumps({"task_id": "r1", "payload": {}, "metadata": {"handler_name": "research"}}))
        self.assertEqual(json.loads(self.bridge().stdout)["moved"], 1)
        self.assertEqual(self.pool()["ready"], 1)


if __name__ == "__main__":
    unittest.main()

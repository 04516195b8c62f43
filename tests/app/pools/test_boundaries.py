"""Nothing of one role reaches another: names, files, folders, secrets, queues; though all stand on one machine."""

import json
import unittest

from pools import GRAPH, PoolCase, wait_for

# Leaves what it can, and tells what it finds: the same code for every role.
CODE = """import os
import pathlib


def seen(path):
    try:
        return pathlib.Path(path).read_text().strip()
    except OSError:
        return None


def node(state):
    role = state["topic"]
    found = {
        "names": sorted(name for name in globals() if name.startswith("left_by_")),
        "files": [seen("/session/note.txt"), seen("/tmp/note.txt")],
        "folder": seen("/data/a.txt"),
        "secret": seen("/run/secrets/search-key"),
        "environment": sorted(name for name in os.environ if "QUEUE" in name or "SECRET" in name),
        "sessions": [name for name in ("/work", "/var/lib/sandglass") if os.path.exists(name)],
    }
    globals()["left_by_" + role] = role
    for path in ("/session/note.txt", "/tmp/note.txt"):
        try:
            pathlib.Path(path).write_text(role)
        except OSError:
            pass
    return {"found": [found], "topic": "review"}
"""


class Boundaries(PoolCase):
    def setUp(self):
        super().setUp()
        self.environment["SANDGLASS_SECRET_SEARCH_KEY"] = "the key of research"
        (self.folder / "papers").mkdir()
        (self.folder / "papers/a.txt").write_text("a paper", encoding="utf-8")
        pool = {"roles": {"research": {"secrets": ["search-key"], "mounts": {"/data": str(self.folder / "papers")}}, "review": {}}}
        (self.folder / "pool.json").write_text(json.dumps(pool), encoding="utf-8")
        self.graph = json.loads(json.dumps(GRAPH))
        self.graph["nodes"] = [{"name": name, "kind": "python", "file": "nodes/study.py", "role": role}
                               for name, role in (("study", "research"), ("review", "review"), ("again", "research"))]
        self.graph["edges"] = [["__start__", "study"], ["study", "review"], ["review", "again"], ["again", "__end__"]]
        self.graph["roles"] = {"research": {"secrets": ["search-key"], "mounts": ["/data"]}}

    def test_nothing_of_one_role_is_seen_by_another(self):
        self.write(self.graph, CODE)
        for role in ("research", "review"):
            self.worker("--pool-file", str(self.folder / "pool.json"), role=role)
        self.run_graph(topic="research")
        first, other, again = self.state()["found"]
        nothing = {"names": [], "files": [None, None], "folder": None, "secret": None, "environment": [], "sessions": []}
        self.assertEqual(other, nothing)
        # The role itself keeps its session, its folder and its secret.
        self.assertEqual(first, dict(nothing, folder="a paper", secret="[secret search-key]"))  # which is hidden in what it returns
        self.assertEqual(again["names"], ["left_by_research"])
        self.assertEqual(again["files"][0], "research")
        # And Redis has no secret of it.
        keys = [word for word in self.redis.command("KEYS", "sg:*").split("\r\n") if word.startswith("sg:")]
        self.assertGreater(len(keys), 3)
        for key in keys:
            for command in (("HGETALL",), ("XRANGE", "-", "+")):
                self.assertNotIn("the key of research", self.redis.command(command[0], key, *command[1:]))

    def test_a_graph_that_wishes_for_what_another_role_has_is_refused(self):
        self.graph["roles"]["review"] = {"secrets": ["search-key"]}
        self.write(self.graph, CODE)
        for role in ("research", "review"):
            self.worker("--pool-file", str(self.folder / "pool.json"), role=role)
        done = self.run_graph(topic="research", ok=False)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("does not grant", done.stdout + done.stderr)
        self.assertNotIn("the key of research", done.stdout + done.stderr)

    def test_a_roles_user_can_neither_read_nor_take_nor_add_for_another(self):
        made = {role: self.pool("acl", role, "--make") for role in ("research", "review")}
        self.write(GRAPH, "def node(state):\n    return {'found': [1]}\n")
        run = self.start("run", ".", "--thread", "t", "--input", '{"topic": "0"}', "--queue", self.redis.address, log="run.log")
        wait_for(lambda: [pool for pool in self.pool("list")["pools"] if pool["ready"]], "a task of research waits")
        job = self.redis.command("XRANGE", "sg:{default}:research:q", "-", "+")
        self.assertIn("t/", job)
        review = "unix://%s:%s@%s" % (made["review"]["user"], made["review"]["password"], self.redis.socket)
        for verb in (("show", "research"), ("dead", "research"), ("audit", "research"), ("pause", "research"),
                     ("requeue", "research", "x"), ("acl", "research", "--make")):
            told = self.sandglass("pool", *verb, "--queue", review, ok=False)
            self.assertNotEqual(told.returncode, 0, verb)
            self.assertIn("NOPERM", told.stdout + told.stderr, verb)
        self.assertEqual(self.redis.command("XRANGE", "sg:{default}:research:q", "-", "+"), job)
        self.worker()
        self.assertEqual(run.wait(timeout=60), 0, self.log("run.log"))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""One PostgreSQL database, two programs: LangGraph's PostgresSaver and the engine take turns on its threads.

usage: postgres_threads.py [TEST…]   with SG_CONFORMANCE_RUNNER naming conformance-runner, SG_SANDGLASS sandglass; SG_FULL for all turns
Exit code 77: there is no LangGraph with PostgresSaver, or no PostgreSQL.
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import typing
import unittest

import programs  # first: it says where LangGraph is missing
from programs import Engine, LangGraph, difference, oracle_graphs, require, take_turns

import run_unittest
from postgres_server import PostgresServer

try:
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.store.postgres import PostgresStore
    from langgraph.types import Command, interrupt
    from psycopg.rows import dict_row
except ImportError as problem:
    require.leave("langgraph", f"{sys.executable} has no PostgresSaver ({problem}); packaging/setup/langgraph.sh installs it")
if require.missing("postgres"):
    require.leave("postgres", require.missing("postgres"))

FULL = bool(os.environ.get("SG_FULL"))
ROOT = pathlib.Path(__file__).resolve().parents[3]
USAGE, WAITING, BUSY = 2, 5, 7  # exit codes
SANDGLASS = os.environ.get("SG_SANDGLASS", "")


# PostgresSaver takes keys in filters that SqliteSaver refuses.
OTHERWISE = ("107_history_filters",)


class Rows:
    """The queries that the oracle asks SQLite, for PostgreSQL."""

    def __init__(self, connection):
        self.connection = connection

    def execute(self, sql, parameters=()):
        with self.connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
            return cursor.execute(sql.replace("?", "%s"), parameters).fetchall()

    def close(self):
        self.connection.close()


def in_order(value):
    """PostgreSQL's JSON does not keep the order of keys. A snapshot of a DeltaChannel is found by its version, so that later
    checkpoints whose channel still has that version hold it, too."""
    if isinstance(value, list):
        return [in_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    is_snapshot = lambda each: isinstance(each, dict) and "$delta_snapshot" in each  # noqa: E731
    return {key: in_order(value[key]) for key in sorted(value) if not is_snapshot(value[key])}


def connected(address):
    return psycopg.connect(address, autocommit=True, prepare_threshold=0, row_factory=dict_row)


class PostgresLangGraph(LangGraph):
    def open(self):
        if getattr(self, "conn", None):
            self.conn.close()
        self.conn = Rows(connected(self.path))
        self.saver = PostgresSaver(self.conn.connection)
        self.saver.setup()
        saver = None if self.case.get("no_checkpointer") else self.saver
        self.graph = programs.oracle.build(self.case["graph"], self.env, (), saver)

    def dump(self, thread):
        """What the saver itself reads, in the form of the oracle's dump of a SQLite file."""
        found = {}
        for each in self.saver.list({"configurable": {"thread_id": thread}}):
            found.setdefault(each.config["configurable"]["checkpoint_ns"], []).insert(0, each)
        first = {ns: each[0].checkpoint["id"] for ns, each in found.items()}
        canon = programs.oracle.ns_canon
        return [
            {"ns": canon(ns), "checkpoints": [self.checkpoint(thread, ns, each) for each in found[ns]]}
            for ns in sorted(found, key=lambda ns: (canon(ns), first[ns]))
        ]

    def checkpoint(self, thread, ns, each):
        c, cid = each.checkpoint, each.checkpoint["id"]
        parent = each.parent_config and each.parent_config["configurable"]["checkpoint_id"]
        writes = []
        for task, path, idx, channel, kind, blob in self.conn.execute(
            "select task_id, task_path, idx, channel, type, blob from checkpoint_writes where thread_id=? and checkpoint_ns=?"
            ' and checkpoint_id=? order by task_path collate "C", task_id collate "C", idx',
            (thread, ns, cid),
        ):
            value = self.saver.serde.loads_typed((kind, bytes(blob)))
            value = self.interrupts(value) if channel == "__interrupt__" else value
            whose = "null" if task.startswith("00000000-0000") else "task"
            writes.append({"task": whose, "path": path, "idx": idx, "channel": channel, "type": kind, "value": self.canon(value)})
        if any(write["path"] == "" for write in writes):
            jkey = programs.oracle.jkey
            writes.sort(key=lambda w: (w["path"], jkey(w["value"]) if w["path"] == "" else "", w["idx"]))
        versions = {n: {k: self.ver(v) for k, v in seen.items()} for n, seen in c["versions_seen"].items()}
        return {
            "checkpoint": self.rank(cid), "parent": self.rank(parent), "type": "msgpack", "v": c["v"], "metadata": self.meta(each.metadata),
            "channel_values": self.canon(c["channel_values"]), "channel_versions": {k: self.ver(v) for k, v in c["channel_versions"].items()},
            "versions_seen": versions, "updated_channels": c.get("updated_channels"), "writes": writes,
        }


class PostgresEngine(Engine):
    def __init__(self, case, address, folder, env=None):
        self.env = env or oracle_graphs.Env()
        case_file = folder / "case.json"
        case_file.write_text(json.dumps(case))
        self.process = subprocess.Popen(
            [programs.RUNNER, "--serve", case_file, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgresServer(["max_connections=60"])
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Turns(Shared):
    """Each recorded case of ../engine, its operations performed in turn: what one wrote the other reads, continues, resumes and forks."""

    def check(self, place, first):
        case = json.loads((place / "case.json").read_text())
        expected = json.loads((place / "expected.json").read_text())
        kept_in_memory = case.get("no_checkpointer") or '"cache": true' in json.dumps(case["graph"])
        if kept_in_memory or "trace" not in expected or place.name in OTHERWISE:
            return False
        address = self.server.address("turns")
        with connected(address) as connection:
            PostgresSaver(connection).setup()  # not by two programs at once, which LangGraph's does not bear
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            self.server.sql("turns", f"delete from {table}")
        env = oracle_graphs.Env()
        both = [PostgresEngine(case, address, self.folder, env=env), PostgresLangGraph(case, address, env=env)]
        try:
            entries = list(take_turns(both, case["ops"], first))
        finally:
            for program in both:
                program.close()
        for number, ((op, entry, who), wanted) in enumerate(zip(entries, expected["trace"])):
            found = difference(in_order(entry), in_order(wanted))
            self.assertIsNone(found, f"{place.name}, operation {number} ({op['op']}) by {who}")
        self.assertEqual(env.runs, expected["runs"], place.name)
        return True

    def check_all(self, name, step):
        checked = 0
        for number, place in enumerate(sorted((programs.ENGINE / name).iterdir())):
            if not FULL and number % step:
                continue
            for first in (0, 1) if FULL else (number // step % 2,):
                with self.subTest(case=place.name, first=first):
                    checked += self.check(place, first)
        self.assertGreater(checked, 15)

    def test_cases(self):
        self.check_all("cases", 1)

    def test_random_cases(self):
        self.check_all("fuzz", 3)


class Draft(typing.TypedDict, total=False):
    draft: str
    answer: str
    published: str


def approval(saver):
    """The example "approval", written in Python."""
    graph = StateGraph(Draft)
    graph.add_node("write", lambda state: {"draft": "About " + state["draft"]})
    graph.add_node("ask", lambda state: {"answer": interrupt("Publish this?")})
    graph.add_node("publish", lambda state: {"published": state["draft"]})
    graph.add_edge(START, "write")
    graph.add_edge("write", "ask")
    graph.add_edge("publish", END)
    graph.add_conditional_edges("ask", lambda state: state["answer"], {"yes": "publish", "no": END})
    return graph.compile(checkpointer=saver, interrupt_before=["publish"])


class CommandLine(Shared):
    """The program itself: verbs on an address, beside LangGraph on the same threads."""

    def setUp(self):
        super().setUp()
        self.project = self.folder / "approval"
        shutil.copytree(ROOT / "resources/examples/approval", self.project, ignore=shutil.ignore_patterns(".sandglass"))
        self.address = self.server.address("line")
        self.secret = self.address.replace("tester@", "tester:a-hidden-word@")
        self.said = ""

    def sandglass(self, *words, code=0):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"))
        done = subprocess.run([SANDGLASS, "--json", *words], capture_output=True, text=True, env=environment, timeout=120, cwd=self.folder)
        self.said = done.stdout + done.stderr
        self.assertNotIn("hidden-word", self.said)
        self.assertEqual(done.returncode, code, f"{words}: {self.said}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def langgraph(self):
        connection = connected(self.address)
        self.addCleanup(connection.close)
        saver = PostgresSaver(connection)
        saver.setup()
        return approval(saver)

    def config(self, thread):
        return {"configurable": {"thread_id": thread}}

    def test_they_go_on_with_each_others_threads(self):
        begin = ("run", self.project, "--thread", "a", "--db", self.secret, "--input", '{"draft": "cats"}')
        self.assertEqual(self.sandglass(*begin, code=WAITING)["status"], "interrupted")
        graph = self.langgraph()
        state = graph.get_state(self.config("a"))
        self.assertEqual((state.values, state.next), ({"draft": "About cats"}, ("ask",)))
        self.assertEqual(state.interrupts[0].value["question"], "Publish this?")
        graph.invoke(Command(resume="yes"), self.config("a"))
        self.assertEqual(self.sandglass("state", "--thread", "a", "--db", self.secret)["next"], ["publish"])
        self.sandglass("resume", self.project, "--thread", "a", "--db", self.secret)
        self.assertEqual(graph.get_state(self.config("a")).values["published"], "About cats")
        ours = self.sandglass("history", "--thread", "a", "--db", self.secret)
        theirs = list(graph.get_state_history(self.config("a")))
        self.assertEqual([each["checkpoint_id"] for each in ours], [each.config["configurable"]["checkpoint_id"] for each in theirs])
        # A branch from where the question was asked.
        asked = next(each["checkpoint_id"] for each in ours if each["next"] == ["ask"])
        again = self.sandglass("replay", self.project, "--thread", "a", "--checkpoint", asked, "--db", self.secret, code=WAITING)
        self.assertEqual(again["status"], "interrupted")
        self.assertEqual(graph.get_state(self.config("a")).next, ("ask",))

    def test_a_thread_of_langgraph_is_read_and_resumed(self):
        graph = self.langgraph()
        graph.invoke({"draft": "dogs"}, self.config("b"))
        asked = self.sandglass("resume", self.project, "--thread", "b", "--answer", "\"no\"", "--db", self.secret)
        self.assertEqual((asked["status"], asked["values"]["answer"]), ("done", "no"))
        self.assertEqual(graph.get_state(self.config("b")).next, ())
        self.assertIn("b", [each["thread_id"] for each in self.sandglass("threads", "--db", self.secret)])
        for words in (("usage",), ("usage", "--thread", "b"), ("explain", "--thread", "b"), ("snapshots", "list", "--thread", "b")):
            self.sandglass(*words, "--db", self.secret)
        found = self.sandglass("query", "is:checkpoint thread:b", "--db", self.secret)
        self.assertGreater(len(found["hits"]), 3)

    def test_one_run_a_thread(self):
        with connected(self.address) as other:
            other.execute("select pg_advisory_lock(hashtextextended('locked', 7305804402566946915 # 'checkpoints'::regclass::oid::bigint))")
            words = ("run", self.project, "--thread", "locked", "--db", self.secret)
            self.sandglass(*words, code=BUSY)
            self.assertIn("has a run under way, here or on another machine", self.said)
        self.sandglass(*words, code=WAITING)

    def stored(self, thread):
        """How many rows of a thread are in the project's own file, and on the server."""
        here = [0, 0]
        file = self.project / ".sandglass/checkpoints.sqlite"
        if file.exists():
            with contextlib.closing(sqlite3.connect(file)) as own:
                here = [own.execute(f"select count(*) from {table} where thread_id = ?", (thread,)).fetchone()[0] for table in ("checkpoints", "writes")]
        with connected(self.address) as shared:
            tables = ("checkpoints", "checkpoint_writes")
            there = [list(shared.execute(f"select count(*) from {table} where thread_id = %s", (thread,)).fetchone().values())[0] for table in tables]
        return here, there

    def until(self, server, sql):
        """Waits until the query finds something."""
        end = time.monotonic() + 60
        while not server.execute(sql).fetchone():
            self.assertLess(time.monotonic(), end, sql)

    def test_a_moved_thread_goes_on_in_langgraph_and_back(self):
        begin = ("run", self.project, "--thread", "m", "--input", '{"draft": "cats"}')
        self.sandglass(*begin, code=WAITING)
        graph = self.langgraph()
        move = ("storage", "move", "--project", self.project, "--db", self.secret)
        moved = self.sandglass(*move, "--remove")["database"]
        self.assertEqual((moved["carried"], moved["left"], moved["removed"]), (1, 0, 1))
        self.assertEqual([each["fate"] for each in moved["threads"]], ["carried"])
        state = graph.get_state(self.config("m"))
        self.assertEqual((state.values, state.next), ({"draft": "About cats"}, ("ask",)))
        self.assertEqual(state.interrupts[0].value["question"], "Publish this?")
        self.assertEqual(len(list(graph.get_state_history(self.config("m")))), moved["threads"][0]["checkpoints"])
        graph.invoke(Command(resume="yes"), self.config("m"))
        back = self.sandglass(*move, "--back", "--remove", "--thread", "m")["database"]
        self.assertEqual((back["carried"], back["left"], back["removed"]), (1, 0, 1))
        self.assertEqual(self.stored("m")[1], [0, 0])
        with contextlib.closing(sqlite3.connect(self.project / ".sandglass/checkpoints.sqlite", check_same_thread=False)) as own:
            state = approval(SqliteSaver(own)).get_state(self.config("m"))
            self.assertEqual((state.values["answer"], state.next), ("yes", ("publish",)))
        done = self.sandglass("resume", self.project, "--thread", "m")
        self.assertEqual((done["status"], done["values"]["published"]), ("done", "About cats"))

    def test_a_move_that_is_killed_leaves_whole_threads(self):
        threads = [f"k{number}" for number in range(4)]
        for thread in threads:
            self.sandglass("run", self.project, "--thread", thread, "--input", '{"draft": "cats"}', code=WAITING)
        with connected(self.address) as connection:
            PostgresSaver(connection).setup()
        whole = {thread: self.stored(thread)[0] for thread in threads}
        words = [SANDGLASS, "--json", "storage", "move", "--project", str(self.project), "--db", self.secret]
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"))

        def begin():
            return subprocess.Popen(words, env=environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def check():
            found = [self.stored(thread) for thread in threads]
            for (here, there), thread in zip(found, threads):
                self.assertEqual(here, whole[thread])
                self.assertIn(there, ([0, 0], whole[thread]), thread)
            return sum(there != [0, 0] for _, there in found)

        with connected(self.address) as server:
            with psycopg.connect(self.address) as other:  # which lets it write nothing
                other.execute("lock table checkpoints in exclusive mode")
                moving = begin()
                self.until(server, "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
                moving.kill()
                moving.wait()
                other.rollback()
            gone = "select 1 where not exists (select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())"
            self.until(server, gone)
            self.assertEqual(check(), 0)
            for moment in (0.02, 0.05, 0.1, 0.2, 0.4):
                moving = begin()
                try:
                    moving.wait(moment)
                except subprocess.TimeoutExpired:
                    moving.kill()
                    moving.wait()
                self.until(server, gone)
                check()
        moved = self.sandglass(*words[2:], "--remove")["database"]
        self.assertEqual((moved["carried"] + moved["there"], moved["left"], moved["removed"]), (4, 0, 4))
        for thread in threads:
            self.assertEqual(self.stored(thread), ([0, 0], whole[thread]))
            self.assertEqual(self.langgraph().get_state(self.config(thread)).next, ("ask",))
            self.sandglass("explain", "--thread", thread, "--db", self.secret)

    def test_a_thread_with_other_contents_is_not_replaced(self):
        begin = ("run", self.project, "--thread", "d", "--input", '{"draft": "cats"}')
        self.sandglass(*begin, code=WAITING)
        self.sandglass(*begin, "--db", self.secret, code=WAITING)
        before = self.stored("d")
        move = ("storage", "move", "--project", self.project, "--db", self.secret, "--thread", "d", "--remove")
        moved = self.sandglass(*move, code=1)["database"]
        self.assertEqual([(each["fate"], each["removed"]) for each in moved["threads"]], [("different", False)])
        self.assertIn("other contents", moved["threads"][0]["error"])
        self.assertEqual(self.stored("d"), before)
        self.sandglass(*move[:-3], "--thread", "none", code=USAGE)
        self.sandglass("storage", "move", "--project", self.project, code=USAGE)
        self.assertIn("--blobs", self.said)

    def test_upkeep_of_threads_there(self):
        for _ in range(3):
            self.sandglass("run", self.project, "--thread", "u", "--db", self.secret, "--input", '{"draft": "cats"}', code=WAITING)
        ids = [each["checkpoint_id"] for each in self.sandglass("history", "--thread", "u", "--db", self.secret)]
        self.assertTrue(self.sandglass("diff", ids[-1], ids[0], "--thread", "u", "--db", self.secret))
        place = ("--project", self.project, "--db", self.secret)
        self.assertGreater(self.sandglass("storage", *place)["database_bytes"], 0)
        file = self.folder / "u.zip"
        self.assertEqual(self.sandglass("bundle", "export", "--thread", "u", "-o", file, *place)["checkpoints"], len(ids))
        self.assertEqual(self.sandglass("bundle", "import", file, "--as", "v", *place)["checkpoints"], len(ids))
        graph = self.langgraph()
        self.assertEqual([each.config["configurable"]["checkpoint_id"] for each in graph.get_state_history(self.config("v"))], ids)
        self.sandglass("bundle", "import", file, *place, code=USAGE)
        self.assertIn("has a thread u already", self.said)
        told = self.sandglass("storage", "prune", "--keep", "2", "--thread", "u", "--dry-run", *place)
        self.assertEqual(self.stored("u")[1][0], len(ids))
        done = self.sandglass("storage", "prune", "--keep", "2", "--thread", "u", *place)
        self.assertEqual((done["checkpoints"], done["bytes_after"]), (told["checkpoints"], told["bytes_after"]))
        self.assertEqual([each.config["configurable"]["checkpoint_id"] for each in graph.get_state_history(self.config("u"))], ids[:2])
        self.assertEqual(graph.get_state(self.config("u")).next, ("ask",))

    def test_what_is_refused(self):
        away = (self.secret.replace("/line", "/none"), self.secret.replace("host=", "host=/nowhere"))
        broken = ("postgresql://u:a-hidden-word@h:x/d", "postgresql://u:a-hidden-word%zz@h/d")
        for code, addresses in ((1, away), (USAGE, broken)):
            for address in addresses:
                self.sandglass("threads", "--db", address, code=code)
                self.assertIn("postgresql://", self.said)
        self.sandglass("store", "list", "--db", self.server.address("empty"), code=USAGE)
        self.assertIn("sandglass store put", self.said)
        self.sandglass("store", "list", "--db", away[1], code=1)
        self.assertIn("postgresql://", self.said)

    def test_items_are_shared_with_postgres_store(self):
        place = ("--db", self.secret)
        self.sandglass("store", "put", "memories.alice", "tea", '{"text": "likes tea", "weight": 2, "tags": ["x"]}', *place)
        with PostgresStore.from_conn_string(self.address) as store:
            store.setup()
            mine = store.get(("memories", "alice"), "tea")
            self.assertEqual((mine.namespace, mine.value), (("memories", "alice"), {"text": "likes tea", "weight": 2, "tags": ["x"]}))
            store.put(("memories", "bob"), "cake", {"text": "likes cake", "weight": 10, "deep": {"a": [1, None]}}, ttl=5)
            store.put(("memories", "bob"), "nothing", {"weight": None})
            for wanted in ({"weight": 2}, {"weight": {"$gt": 1}}, {"weight": {"$ne": 2}}, {"weight": None}, {"tags": ["x"]}, {"none": 1},
                           {"text": {"$gte": "likes d"}}, {"weight": {"$lte": 10}, "text": "likes cake"}):
                theirs = [item.key for item in store.search(("memories",), filter=wanted)]
                ours = self.sandglass("store", "search", "memories", "--filter", json.dumps(wanted), *place)
                self.assertEqual([item["key"] for item in ours], theirs, wanted)
            self.assertEqual(self.sandglass("store", "get", "memories.bob", "cake", *place)["value"],
                             {"text": "likes cake", "weight": 10, "deep": {"a": [1, None]}})
            ours = self.sandglass("store", "list", *place)
            self.assertEqual([tuple(each) for each in ours], sorted(store.list_namespaces()))
            self.assertEqual(self.sandglass("store", "delete", "memories.bob", "cake", *place), {"deleted": True})
            self.assertIsNone(store.get(("memories", "bob"), "cake"))
            store.delete(("memories", "alice"), "tea")
            self.sandglass("store", "get", "memories.alice", "tea", *place, code=USAGE)

    def test_nodes_keep_their_items_there(self):
        example = ROOT / "resources/examples/memory"
        project = pathlib.Path(shutil.copytree(example, self.folder / "memory")) / "memory.graph.json"
        run = ("run", project, "--db", self.secret, "--input")
        self.sandglass(*run, '{"person": "alice", "fact": "likes tea"}', "--thread", "monday")
        friday = self.sandglass(*run, '{"person": "alice"}', "--thread", "friday")
        self.assertEqual(friday["values"]["known"], ["likes tea"])
        self.assertFalse((project.parent / ".sandglass" / "store.sqlite").exists())
        with PostgresStore.from_conn_string(self.address) as store:
            self.assertEqual([item.key for item in store.search(("memories", "alice"))], ["likes tea"])


if __name__ == "__main__":
    names, load = sys.argv[1:], unittest.defaultTestLoader
    module = sys.modules["__main__"]
    sys.exit(run_unittest.run(load.loadTestsFromNames(names, module) if names else load.loadTestsFromModule(module)))

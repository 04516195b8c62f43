"""Requests of nodes to the host: the long-term store, and what happens when nobody answers as one hopes."""

import unittest

from host import Host, pack, unpack

MEMORIES = "('memories', 'alice')"


class Store:
    """The host's side: items in a dictionary, and what it was asked."""

    def __init__(self):
        self.items = {}
        self.asked = []

    def answer(self, request):
        self.asked.append(request)
        key = (tuple(request.get("namespace") or ()), request.get("key"))
        if request["op"] == "put":
            if request["value"] is None:
                self.items.pop(key, None)
            else:
                self.items[key] = request["value"]
            return None
        if request["op"] == "get":
            return self._item(key) if key in self.items else None
        prefix = request["prefix"]
        if request["op"] == "search":
            return [self._item(k) for k in self.items if list(k[0][: len(prefix)]) == prefix]
        return sorted({tuple(k[0]) for k in self.items if list(k[0][: len(prefix)]) == prefix})

    def _item(self, key):
        times = {"created_at": "2026-01-02 03:04:05.678901", "updated_at": "2026-01-02 03:04:05"}
        return dict(times, namespace=list(key[0]), key=key[1], value=self.items[key])


class Asking(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.store = Store()

    def call(self, source, answer=None, asks=("store",), **keys):
        """Like Host.call, answering requests."""
        identifier = self.host.next_id()
        message = dict(keys, op="call", id=identifier, source=source, file="nodes/n.py", state=pack({}))
        self.host.send(dict(message, asks=list(asks)))
        while True:
            event = self.host.receive()
            if event["ev"] == "ask":
                self.assertEqual((event["id"], event["kind"]), (identifier, "store"))
                reply = (answer or self._answered)(unpack(event["data"]))
                if reply is not None:
                    self.host.send(dict(reply, op="answer", id=identifier, call=event["call"]))
            elif event["ev"] == "done":
                return unpack(event["update"]) if "update" in event else event

    def _answered(self, request):
        return {"data": pack(self.store.answer(request))}

    def test_ways_to_the_store(self):
        for source in (
            "from langgraph.config import get_store\ndef node(state): return get_store()",
            "def node(state, *, store): return store",
            "def node(state, config, store): return store",
            "from langgraph.runtime import get_runtime\ndef node(state): return get_runtime().store",
            "def node(state, runtime): return runtime.store",
        ):
            with self.subTest(source):
                source = source.replace("return ", "return type(").replace("store()", "store()) .__name__")
                source = source if source.endswith("__name__") else source + ").__name__"
                self.assertEqual(self.call(source), "SessionStore")
                self.assertEqual(self.call(source, asks=()), "NoneType")

    def test_items(self):
        source = """
from datetime import date
from langgraph.config import get_store
def node(state):
    store = get_store()
    store.put(%(m)s, "a", {"text": "tea", "day": date(2026, 1, 2), "pair": (1, 2)})
    store.put(%(m)s, "b", {"n": 1}, ttl=5)
    store.put(%(m)s, "c", {"n": 2}, ttl=None)
    store.delete(%(m)s, "b")
    item = store.get(%(m)s, "a")
    found = store.search(("memories",), filter={"n": {"$gt": 1}}, limit=7)
    return [item.dict(), type(found[0]).__name__, [i.key for i in found], store.get(%(m)s, "b"),
            store.list_namespaces(prefix=("memories",), max_depth=2)]
""" % {"m": MEMORIES}
        item, kind, keys, gone, namespaces = self.call(source)
        self.assertEqual(item["value"], {"text": "tea", "day": "2026-01-02", "pair": [1, 2]})
        self.assertEqual(item["namespace"], ["memories", "alice"])
        self.assertEqual(item["created_at"], "2026-01-02T03:04:05.678901")
        self.assertEqual((kind, keys, gone, namespaces), ("SearchItem", ["a", "c"], None, [["memories", "alice"]]))
        puts = [r for r in self.store.asked if r["op"] == "put"]
        self.assertEqual([r.get("ttl", "default") for r in puts], ["default", 5, None, "default"])
        search = [r for r in self.store.asked if r["op"] == "search"][0]
        self.assertEqual((search["filter"], search["limit"]), ({"n": {"$gt": 1}}, 7))

    def test_batch(self):
        source = """
from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchOp
def node(state, store):
    return [r if not hasattr(r, "dict") else r.value for r in store.batch([
        PutOp(("x",), "k", {"n": 1}), GetOp(("x",), "k"), PutOp(("x",), "k", {"n": 2}), SearchOp(("x",)),
        ListNamespacesOp()])]
"""
        self.assertEqual(self.call(source), [None, None, None, [], []])
        self.assertEqual(self.store.items, {(("x",), "k"): {"n": 2}})

    def test_awaited(self):
        source = """
async def node(state, store):
    await store.aput(("x",), "k", {"n": 3})
    return (await store.aget(("x",), "k")).value
"""
        self.assertEqual(self.call(source), {"n": 3})

    def test_what_cannot_be_stored(self):
        for code, kind in (
            ("store.put(('x',), 'k', {'s': {1}})", "TypeError"),
            ("store.put(('x',), 'k', {1: 2})", "TypeError"),
            ("store.put((), 'k', {})", "InvalidNamespaceError"),
            ("store.put(('a.b',), 'k', {})", "InvalidNamespaceError"),
            ("store.put('text', 'k', {})", "TypeError"),
            ("store.get('text', 'k')", "TypeError"),
        ):
            with self.subTest(code):
                done = self.call("def node(state, store):\n    " + code)
                self.assertEqual((done["status"], done["error"]["type"]), ("error", kind), done)
        self.assertEqual(self.store.asked, [])

    def test_the_hosts_refusal_is_raised(self):
        source = "def node(state, store):\n    store.get(('x',), 'k')"
        done = self.call(source, lambda _: {"error": {"type": "ValueError", "message": "no such label"}})
        self.assertEqual((done["error"]["type"], done["error"]["message"]), ("ValueError", "no such label"))
        done = self.call(source, lambda _: {"error": {"type": "SystemExit", "message": "x"}})
        self.assertEqual(done["error"]["type"], "RuntimeError")  # only exceptions that a node may expect

    def test_threads_ask_too(self):
        source = """
from threading import Thread
def node(state, store):
    found = []
    def work(i):
        store.put(("x",), str(i), {"n": i})
        found.append(store.get(("x",), str(i)).value["n"])
    threads = [Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
    return sorted(found)
"""
        self.assertEqual(self.call(source), list(range(8)))

    def test_a_thread_that_outlives_its_node(self):
        source = """
import threading, time
ended = []
def node(state, store):
    def work():
        try:
            store.get(("x",), "k")
        except RuntimeError as error:
            ended.append(str(error))
    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    globals()["thread"] = thread
    return 1
"""
        self.assertEqual(self.call(source, lambda _: None), 1)  # nobody answers
        self.assertEqual(self.host.value("thread.join(); ended"), "['the node that this belongs to has ended']")
        self.assertEqual(self.call("def node(state): return 2"), 2)

    def test_an_interrupt_reaches_code_that_waits(self):
        identifier = self.host.next_id()
        source = "def node(state, store):\n    store.get(('x',), 'k')"
        request = {"op": "call", "id": identifier, "source": source, "file": "nodes/n.py", "state": pack({})}
        self.host.send(dict(request, asks=["store"]))
        asked = self.host.wait("ask")
        self.host.send({"op": "interrupt", "id": identifier})
        done = self.host.wait("done", identifier)
        self.assertEqual((done["status"], done["restarted"]), ("interrupted", False))
        self.host.send({"op": "answer", "id": identifier, "call": asked["call"], "data": pack(None)})  # too late
        self.assertEqual(self.host.value("1 + 1"), "2")

    def test_a_deadline_ends_code_that_waits(self):
        done = self.call("def node(state, store):\n    store.get(('x',), 'k')", lambda _: None, deadline_ms=300)
        self.assertEqual(done["status"], "timeout")

    def test_a_forked_process_cannot_ask(self):
        source = """
import os
def node(state, store):
    pid = os.fork()
    if pid == 0:
        try:
            store.get(("x",), "k")
        except BaseException as error:
            os._exit(7)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""
        self.assertEqual(self.call(source), 7)


if __name__ == "__main__":
    unittest.main()

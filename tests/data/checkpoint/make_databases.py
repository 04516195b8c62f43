#!/usr/bin/env python3
"""Makes the databases in this folder with the real LangGraph; run again only when its format changes.

pip install langgraph==1.2.22 langgraph-checkpoint-sqlite==3.1.2 numpy, then: make_databases.py

langgraph.db  threads counter, messages, pending, answered, failed, nested: what runs of graphs leave behind
exotic.db     every Python type LangGraph can store, one key each; threads null, bytes, bytearray for the type tags
legacy.db     layouts before version 4, one of them JSON text, without the task_path column
"""
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import json
import logging
import operator
import pathlib
import re
import sqlite3
import uuid
import warnings
import zoneinfo
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, Overwrite, Send, interrupt
from pydantic import BaseModel

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
HERE = pathlib.Path(__file__).parent


class State(TypedDict):
    count: Annotated[int, operator.add]
    log: Annotated[list, operator.add]


class Anything(TypedDict):
    v: Any


class Color(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int
    y: float


class Model(BaseModel):
    id: int
    tags: list[str] = []


class Pair(NamedTuple):
    a: int
    b: str


def open_new(name):
    for suffix in ("", "-wal", "-shm"):
        pathlib.Path(str(HERE / name) + suffix).unlink(missing_ok=True)
    connection = sqlite3.connect(HERE / name, check_same_thread=False)
    return connection, SqliteSaver(connection)


def close(connection):
    connection.commit()
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.execute("vacuum")
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()


def thread(name, **more):
    return {"configurable": {"thread_id": name}, **more}


def chain(saver, *nodes, schema=State, **options):
    graph = StateGraph(schema)
    previous = START
    for name, function in nodes:
        graph.add_node(name, function)
        graph.add_edge(previous, name)
        previous = name
    return graph.compile(checkpointer=saver, **options)


def runs():
    connection, saver = open_new("langgraph.db")
    counter = chain(saver, ("inc", lambda s: {"count": 1, "log": [f"at {s['count']}"]}), ("dbl", lambda s: {"count": s["count"]}))
    counter.invoke({"count": 1}, thread("counter", metadata={"user": "Zoë \"Z\"", "turn": 0, "ratio": 0.1, "big": 1e22, "ok": True}))

    chat = chain(
        saver,
        ("bot", lambda s: {"messages": [AIMessage("", id="ai-1", tool_calls=[{"name": "weather", "args": {"city": "Oslo"}, "id": "call_1"}])]}),
        ("tool", lambda s: {"messages": [ToolMessage("21C", tool_call_id="call_1", name="weather", id="tool-1", artifact={"raw": [1, 2]})]}),
        schema=MessagesState,
    )
    chat.invoke({"messages": [SystemMessage("be nice", id="sys-1"), HumanMessage("weather? ünïcødé 🌦", id="h-1")]}, thread("messages"))
    chat.update_state(thread("messages"), {"messages": [RemoveMessage("sys-1")]}, as_node="tool")

    asking = StateGraph(State)
    asking.add_node("ask", lambda s: {"log": [interrupt({"q": "who?"})]})
    asking.add_node("ok", lambda s: {"log": ["ok"]})
    asking.add_edge(START, "ask")
    asking.add_edge(START, "ok")
    asking = asking.compile(checkpointer=saver)
    asking.invoke({"log": ["in"]}, thread("pending"))
    asking.invoke({"log": ["in"]}, thread("answered"))
    asking.invoke(Command(resume="me"), thread("answered"))

    def bad(state):
        raise ValueError('it broke: "quoted" \n newline')

    failing = StateGraph(State)
    failing.add_node("bad", bad)
    failing.add_node("fan", lambda s: {"log": ["fan"]})
    failing.add_node("w", lambda s: {"log": [s["v"]]})
    failing.add_edge(START, "bad")
    failing.add_edge(START, "fan")
    failing.add_conditional_edges("fan", lambda s: [Send("w", {"v": 1}), Send("w", {"v": (1, 2)})])
    try:
        failing.compile(checkpointer=saver).invoke({"log": ["in"]}, thread("failed"))
    except ValueError:
        pass

    inner = chain(None, ("deep", lambda s: {"log": [interrupt("deep?")]}))
    chain(saver, ("a", lambda s: {"log": ["a"]}), ("inner", inner)).invoke({"log": ["in"]}, thread("nested"))
    close(connection)


def exotic_values():
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    return dict(
        dt_naive=dt.datetime(2024, 5, 6, 7, 8, 9, 123456), dt_zone=dt.datetime(2024, 5, 6, tzinfo=zone),
        date=dt.date(2024, 2, 29), time=dt.time(1, 2, 3, 4, tzinfo=dt.timezone.utc),
        timedelta=dt.timedelta(days=-1, seconds=5, microseconds=6), timezone=zone, named_zone=dt.timezone(dt.timedelta(hours=-3), "X"),
        zoneinfo=zoneinfo.ZoneInfo("Europe/Oslo"), uuid=uuid.UUID("12345678-1234-5678-1234-567812345678"),
        decimal=decimal.Decimal("1.10"), set={3}, frozenset=frozenset({"a"}), deque=collections.deque([1, 2]),
        tuple=(1, (2, "x")), bytes=b"\x00\xff", true=True, big=2**63, small=-(2**63), float=1.5, inf=float("inf"),
        enum=Color.RED, dataclass=Point(1, 2.5), pydantic=Model(id=1, tags=["t"]), namedtuple=Pair(1, "b"),
        ip=ipaddress.IPv4Address("10.0.0.1"), path=pathlib.Path("/a/b"), regex=re.compile("a+", re.I),
        send=Send("n", {"k": (1,)}), command=Command(goto="n", update={"a": 1}), overwrite=Overwrite([1]),
        document=Document(page_content="pc", metadata={"a": 1}, id="d1"),
        int_keys={1: "one", (1, 2): "tuple", 2.5: "float", None: "none", True: "true"},
        nested={"l": [{"u": uuid.UUID(int=1), "s": {"x"}}, (dt.date(2020, 1, 1),)]},
        text="h\u00e9llo \U0001f600 \x00 nul", array=numpy.arange(6, dtype="int32").reshape(2, 3),
        fortran=numpy.asfortranarray(numpy.arange(6, dtype="float64").reshape(2, 3)), map_of_20={str(i): i for i in range(20)},
        long_text="x" * 300, list_of_20=list(range(-10, 10)), ints=[127, 128, 255, 256, 65535, 65536, 2**32, -32, -33, -128, -129, -2**31 - 1],
    )


def exotic():
    connection, saver = open_new("exotic.db")
    graph = chain(saver, ("n", lambda s: {"v": s["v"]}), schema=Anything)
    for name, value in dict(all=exotic_values(), null=None, bytes=b"\x00\xff", bytearray=bytearray(b"ab")).items():
        graph.invoke({"v": value}, thread(name))
    close(connection)


def legacy():
    connection, saver = open_new("legacy.db")
    saver.setup()
    connection.execute("alter table writes drop column task_path")
    checkpoint_id, ts = "1ef4f797-8335-6428-8001-8a1503f9b875", "2024-05-04T06:32:42.235444+00:00"

    def version(n):
        return f"{n:032}.{0.5:016}"

    def base(**more):
        return {"ts": ts, "id": checkpoint_id, **more}

    def put(name, checkpoint, metadata):
        saver.put({"configurable": {"thread_id": name, "checkpoint_ns": ""}}, checkpoint, metadata, {})

    seen = {"__input__": {}, "__start__": {"__start__": version(1)}}
    put("v3_sends", base(v=3, channel_values={"log": ["in"]}, channel_versions={"__start__": version(2), "log": version(3)}, versions_seen=seen,
                         pending_sends=[Send("w", {"v": "s1"}), Send("w", {"v": "s2"})]),
        {"source": "loop", "step": 1, "writes": None, "parents": {}})
    put("v2_start", base(v=2, channel_values={"log": ["in"], "start:a": "__start__"},
                         channel_versions={"__start__": version(2), "log": version(2), "start:a": version(2)}, versions_seen=seen, pending_sends=[]),
        {"source": "loop", "step": 0, "parents": {}})
    put("v1_ints", base(v=1, channel_values={"log": ["in", "a"], "a": "a"}, channel_versions={"__start__": 2, "log": 3, "start:a": 3, "a": 3},
                        versions_seen={"__input__": {}, "__start__": {"__start__": 1}, "a": {"start:a": 2}}, pending_sends=[]),
        {"source": "loop", "step": 1, "writes": {"a": {"log": ["a"]}}})

    def envelope(*id, **more):
        return {"lc": 2, "type": "constructor", "id": id, **more}

    text = json.dumps(base(v=1, channel_values={
        "log": ["in"], "branch:__start__:cond:b": "__start__",
        "uuid": envelope("uuid", "UUID", args=["12345678123456781234567812345678"]),
        "set": envelope("builtins", "set", args=[[1, 2]]),
        "when": envelope("datetime", "datetime", method="fromisoformat", args=["2024-05-06T07:08:09"]),
        "send": envelope("langgraph", "types", "Send", kwargs={"node": "w", "arg": 1}),
        "model": envelope("app", "Model", method=[None, "model_construct"], kwargs={"id": 1}),
        "message": {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "hi", "type": "human"}},
    }, channel_versions={"__start__": version(2), "log": version(2)}, versions_seen={"__start__": {"__start__": version(1)}}, pending_sends=[]))
    connection.execute("insert into checkpoints values ('json_row', '', ?, null, 'json', ?, ?)",
                       (checkpoint_id, text.encode(), json.dumps({"source": "loop", "step": 0}).encode()))
    rows = [("00000000-0000-0000-0000-000000000001", 0, "log", "json", b'["x"]'), ("00000000-0000-0000-0000-000000000001", 1, "obj", "pickle", b"\x80\x04K\x01."),
            ("00000000-0000-0000-0000-000000000001", 2, "odd", "cbor", b"\x01\x02")]
    connection.executemany("insert into writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value) values ('json_row', '', ?, ?, ?, ?, ?, ?)",
                           [(checkpoint_id, *row) for row in rows])
    close(connection)


runs()
exotic()
legacy()

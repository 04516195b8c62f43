"""The same workloads by LangGraph itself: langgraph_peer.py W1|…|W8|W4D|W8T DATABASE

With SqliteSaver, synchronous NORMAL (W8, W8T: as it is delivered, FULL), or PostgresSaver where DATABASE is an address, and
LangGraph's own durability (async). Prints one JSON line, as bench-engine does.
"""

import json
import operator
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

WIDTH = 100
STEPS_EACH = 5  # W5, W8T
AT_ONCE = 16  # W8T
AS_DELIVERED = ("W8", "W8T")  # with SqliteSaver's own setting, SQLite's FULL, as `sandglass run` has it, too


class Counter(TypedDict):
    count: int


class Chain(TypedDict):
    x: int


class Fan(TypedDict):
    out: Annotated[list, operator.add]


class Messages(TypedDict):
    messages: Annotated[list, operator.add]


class Sum(TypedDict):
    sum: Annotated[int, operator.add]


def messages_as_changes():
    from langgraph.channels.delta import DeltaChannel

    def extend(state, writes):
        return [*state, *(each for write in writes for each in write)]

    return TypedDict("MessagesAsChanges", {"messages": Annotated[list, DeltaChannel(extend)]})


def counter(limit):
    graph = StateGraph(Counter)
    graph.add_node("inc", lambda state: {"count": state["count"] + 1})
    graph.add_edge(START, "inc")
    graph.add_conditional_edges("inc", lambda state: "inc" if state["count"] < limit else END, ["inc", END])
    return graph


def chain():
    graph = StateGraph(Chain)
    graph.add_node("inc", lambda state: {"x": state["x"] + 1})
    graph.add_node("dbl", lambda state: {"x": state["x"] * 2})
    graph.add_edge(START, "inc")
    graph.add_edge("inc", "dbl")
    graph.add_edge("dbl", END)
    return graph


def fan_out():
    graph = StateGraph(Fan)
    graph.add_node("fan", lambda state: {})
    graph.add_node("work", lambda packet: {"out": [packet["i"]]})
    graph.add_edge(START, "fan")
    graph.add_conditional_edges("fan", lambda state: [Send("work", {"i": i}) for i in range(WIDTH)], ["work"])
    graph.add_edge("work", END)
    return graph


def growing(limit, schema):
    graph = StateGraph(schema)
    graph.add_node("msg", lambda state: {"messages": [f"{len(state['messages']):06d}" + "m" * 494]})
    graph.add_edge(START, "msg")
    graph.add_conditional_edges("msg", lambda state: "msg" if len(state["messages"]) < limit else END, ["msg", END])
    return graph


def layered(nodes):
    layers = nodes // WIDTH
    graph = StateGraph(Sum)
    for layer in range(layers):
        for place in range(WIDTH):
            graph.add_node(f"n{layer}_{place}", lambda state: {"sum": 1})
    for place in range(WIDTH):
        graph.add_edge(START, f"n0_{place}")
        graph.add_edge(f"n{layers - 1}_{place}", END)
    for layer in range(1, layers):
        for place in range(WIDTH):
            graph.add_edge([f"n{layer - 1}_{(place + k) % WIDTH}" for k in range(3)], f"n{layer}_{place}")
    return graph


def config(thread, limit=25):
    return {"configurable": {"thread_id": thread}, "recursion_limit": limit + 10}


def timed(action):
    begin = time.perf_counter()
    result = action()
    return time.perf_counter() - begin, result


def each(graph, count, value, thread):
    """As many runs, one after the other."""
    for i in range(count):
        result = graph.invoke(value(i), config(thread(i)))
    return result


def measure(name, saver, connection):
    """(seconds, supersteps); what came out is looked at."""
    def compiled(graph):
        return graph.compile(checkpointer=saver)

    if name in ("W1", "W8"):
        graph = compiled(counter(1000))
        seconds, state = timed(lambda: graph.invoke({"count": 0}, config("t", 1000)))
        assert state["count"] == 1000
        return seconds, 1000
    if name == "W2":
        graph = compiled(chain())
        seconds, state = timed(lambda: each(graph, 300, lambda i: {"x": i}, lambda i: "t"))
        assert state["x"] == 600
        return seconds, 600
    if name == "W3":
        graph = compiled(fan_out())
        seconds, state = timed(lambda: each(graph, 20, lambda i: {"out": []}, "t{}".format))
        assert state["out"] == list(range(WIDTH))
        return seconds, 40
    if name in ("W4", "W4D"):
        graph = compiled(growing(1000, Messages if name == "W4" else messages_as_changes()))
        seconds, state = timed(lambda: graph.invoke({"messages": []}, config("t", 1000)))
        assert len(state["messages"]) == 1000
        return seconds, 1000
    if name == "W5":
        graph = compiled(counter(STEPS_EACH))
        seconds, state = timed(lambda: each(graph, 1000, lambda i: {"count": 0}, "t{}".format))
        assert state["count"] == STEPS_EACH
        return seconds, 1000 * STEPS_EACH
    if name == "W8T":
        graph = compiled(counter(STEPS_EACH))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            run = lambda i: graph.invoke({"count": 0}, config(f"t{i}"))  # noqa: E731
            seconds, states = timed(lambda: list(pool.map(run, range(200))))
        assert all(state["count"] == STEPS_EACH for state in states)
        return seconds, 200 * STEPS_EACH
    if name == "W6":
        connection.execute("PRAGMA synchronous=OFF")
        graph = compiled(counter(9998))
        graph.invoke({"count": 0}, config("t", 9998))
        seconds, history = timed(lambda: list(graph.get_state_history({"configurable": {"thread_id": "t"}})))
        assert len(history) == 10000
        return seconds, 10000
    graph = compiled(layered(1000))
    seconds, state = timed(lambda: graph.invoke({"sum": 0}, config("t", 50)))
    assert state["sum"] == 1000
    return seconds, 10


def postgres(name, address):
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    from psycopg.rows import dict_row

    with psycopg.connect(address, autocommit=True, prepare_threshold=0, row_factory=dict_row) as connection:
        saver = PostgresSaver(connection)
        saver.setup()
        seconds, supersteps = measure(name, saver, None)
    print(json.dumps({"peer": "langgraph", "workload": name, "supersteps": supersteps, "wall_s": seconds}))


def main(name, database):
    if database.startswith("postgres"):
        postgres(name, database)
        return
    connection = sqlite3.connect(database, check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    if name not in AS_DELIVERED:
        connection.execute("PRAGMA synchronous=NORMAL")
    seconds, supersteps = measure(name, saver, connection)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_count").fetchone()[0] * connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    print(json.dumps({"peer": "langgraph", "workload": name, "supersteps": supersteps, "wall_s": seconds, "db_bytes": size}))


if __name__ == "__main__":
    main(*sys.argv[1:])

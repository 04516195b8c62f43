"""Opens a checkpoint file with the real LangGraph. usage: langgraph_reads.py probe | FILE

probe  exit code 0 where LangGraph and its SqliteSaver can be imported
FILE   reads every row, encodes it again, continues the thread "continued"; prints one JSON object
"""
import json
import logging
import operator
import sqlite3
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

if sys.argv[1] == "probe":
    sys.exit(0)

connection = sqlite3.connect(sys.argv[1], check_same_thread=False)
saver = SqliteSaver(connection)
saver.setup()
serde = saver.serde
different = []
rows = 0


def check(name, type_, blob):
    global rows
    rows += 1
    again = serde.dumps_typed(serde.loads_typed((type_, blob)))
    if (again[0], bytes(again[1])) != (type_, blob):
        different.append(f"{name}: {type_} {blob.hex()} became {again[0]} {bytes(again[1]).hex()}")


for thread, id, type_, blob, metadata in connection.execute("select thread_id, checkpoint_id, type, checkpoint, metadata from checkpoints").fetchall():
    check(f"{thread} {id}", type_, blob)
    again = json.dumps(json.loads(metadata), ensure_ascii=False).encode()
    if again != metadata:
        different.append(f"{thread} {id}: metadata {metadata} became {again}")
for thread, id, channel, type_, blob in connection.execute("select thread_id, checkpoint_id, channel, type, value from writes").fetchall():
    check(f"{thread} {id} {channel}", type_, blob)

listed = len(list(saver.list(None)))
values = {k: repr(v) for k, v in saver.get_tuple({"configurable": {"thread_id": "made"}}).checkpoint["channel_values"].items()}
filtered = [t.config["configurable"]["checkpoint_id"] for t in saver.list({"configurable": {"thread_id": "made"}}, filter={"user": "Zoë", "step": 0})]


class State(TypedDict):
    log: Annotated[list, operator.add]


graph = StateGraph(State)
graph.add_node("a", lambda s: {"log": ["a"]})
graph.add_node("b", lambda s: {"log": ["b"]})
graph.add_edge(START, "a")
graph.add_edge("a", "b")
graph = graph.compile(checkpointer=saver)
config = {"configurable": {"thread_id": "continued"}}
next_ = list(graph.get_state(config).next)
result = graph.invoke(None, config)
print(json.dumps({"rows": rows, "listed": listed, "different": different, "values": values, "filtered": filtered, "next": next_, "result": result}))
connection.close()

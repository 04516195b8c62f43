"""The example `conversation` in LangGraph itself, on a database that Sandglass wrote: argv[1]. Prints what the thread
"a" holds, then goes on with one more turn."""

import json
import sqlite3
import sys
from operator import add
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer


class State(TypedDict):
    messages: Annotated[list, DeltaChannel(_messages_delta_reducer)]
    turns: Annotated[int, add]
    wanted: Any


def reply(state):
    return {"turns": 1, "messages": [AIMessage(content="turn %d" % (state["turns"] + 1))]}


builder = StateGraph(State)
builder.add_node("reply", reply)
builder.add_edge(START, "reply")
builder.add_conditional_edges(
    "reply", lambda s: "again" if s["turns"] < s["wanted"] else "done", {"again": "reply", "done": END}
)
graph = builder.compile(checkpointer=SqliteSaver(sqlite3.connect(sys.argv[1], check_same_thread=False)))
config = {"configurable": {"thread_id": "a"}}


def told(messages):
    return [[m.type, m.content, m.id] for m in messages]


before = told(graph.get_state(config).values["messages"])
after = graph.invoke({"messages": [HumanMessage(content="from LangGraph")]}, config)
print(json.dumps({"before": before, "after": told(after["messages"])}))

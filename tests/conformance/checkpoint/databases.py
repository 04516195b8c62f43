"""Databases as users of LangGraph have them, each made by a graph written in Python, together with the same graph as a
case (../engine/FORMAT.md) for the engine and with what both programs then do on each thread."""
import json
import operator
from typing import Annotated, TypedDict

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, Send, interrupt
from programs import oracle_graphs

LIST = {"type": "reduce", "reducer": "append"}
READ = [{"op": "get_state", "subgraphs": True}, {"op": "get_history"}]
DUMP = [{"op": "get_state"}, {"op": "get_history"}, {"op": "dump"}]


def thread(name, **more):
    return {"configurable": {"thread_id": name}, **more}


class Counter(TypedDict):
    count: Annotated[int, operator.add]
    log: Annotated[list, operator.add]
    name: str


class Log(TypedDict):
    log: Annotated[list, operator.add]


def state_graph(schema):
    graph = StateGraph(schema)
    oracle_graphs.keep_edge_order(graph)
    return graph


def chain(schema, nodes, **options):
    graph = state_graph(schema)
    previous = START
    for name, node in nodes:
        graph.add_node(name, node)
        graph.add_edge(previous, name)
        previous = name
    return graph.compile(**options)


def chain_edges(*names):
    return [list(edge) for edge in zip(("__start__",) + names, names)]


def node(name, jq=None, **more):
    return {"name": name, "jq": jq or '{log:["%s"]}' % name, **more}


def asking(name, question, count=1):
    ask = 'if (.resume|length)<%d then {__interrupt__:(%s)} else %s end'
    return {"name": name, "meta": True, "jq": ask % (count, question, '{log:.resume}' if name == "iask" else '{log:[["%s"]+.resume]}' % name)}


def simple(saver):
    nodes = [("inc", lambda s: {"count": 1, "log": [f"{s['name']}:{s['count']}"]}), ("dbl", lambda s: {"count": s["count"]})]
    return chain(Counter, nodes, checkpointer=saver)


def fill_simple(saver):
    graph = simple(saver)
    for who, turns in (("alice", 3), ("bob", 2)):
        for turn in range(turns):
            graph.invoke({"name": who, "count": turn}, thread(who, metadata={"user": who, "turn": turn}))


def fill_large(saver):
    graph = simple(saver)
    for number in range(20):
        for turn in range(10):
            graph.invoke({"name": f"t{number}", "count": turn % 3}, thread(f"t{number:02}"))


SIMPLE = {
    "state": {"count": {"type": "reduce", "reducer": "add"}, "log": LIST, "name": {}},
    "nodes": [node("inc", '{count:1,log:[.name+":"+(.count|tostring)]}'), node("dbl", "{count:.count}")],
    "edges": chain_edges("inc", "dbl"),
}
SIMPLE_OPS = READ + [
    {"op": "get_history", "filter": {"user": "alice", "turn": 1}, "limit": 2},
    {"op": "invoke", "input": {"name": "eve", "count": 5}, "metadata": {"user": "eve"}},
    {"op": "update_state", "at": 2, "values": {"log": ["fork"]}},
    {"op": "invoke", "input": None},
    {"op": "invoke", "input": None, "at": 1},
    {"op": "update_state", "values": {"count": 7}, "as_node": "dbl"},
]


def as_case_writes_it(message):
    """A message as the case's jq writes it: a dict with a role."""
    fields = {"role": message.type, "content": message.content, "id": message.id}
    if message.type == "tool":
        return {**fields, "tool_call_id": message.tool_call_id, "name": message.name}
    calls = [{key: call[key] for key in ("name", "args", "id")} for call in message.tool_calls]
    return {**fields, "tool_calls": calls} if calls else fields


def messages(saver, written=as_case_writes_it):
    def bot(state):
        if isinstance(state["messages"][-1], ToolMessage):
            usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
            answer = AIMessage("It is 21C.", id="ai-2", usage_metadata=usage, response_metadata={"model": "fake"})
        else:
            call = {"name": "weather", "args": {"city": "Oslo", "n": 1.5}, "id": "call_1"}
            answer = AIMessage("", id="ai-1", tool_calls=[call], additional_kwargs={"k": [1, None]})
        return {"messages": [written(answer)]}

    def tool(state):
        answer = ToolMessage("21C", tool_call_id="call_1", name="weather", id="tool-1", artifact={"raw": [1, 2]})
        return {"messages": [written(answer)]}

    graph = state_graph(MessagesState)
    graph.add_node("bot", bot)
    graph.add_node("tool", tool)
    graph.add_edge(START, "bot")
    graph.add_conditional_edges("bot", lambda s: "tool" if getattr(s["messages"][-1], "tool_calls", None) else END)
    graph.add_edge("tool", "bot")
    return graph.compile(checkpointer=saver)


def fill_messages(saver):
    graph = messages(saver, written=lambda message: message)
    question = HumanMessage([{"type": "text", "text": "weather? ünïcødé 🌦"}], id="h-1")
    graph.invoke({"messages": [SystemMessage("be nice", id="sys-1"), question]}, thread("m"))
    graph.invoke({"messages": [RemoveMessage("sys-1")]}, thread("m"))


MESSAGES = {
    "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
    "nodes": [
        node("bot", 'if .messages[-1].type=="tool" then {messages:[{role:"ai",content:"It is 21C.",id:"ai-2"}]} else '
             '{messages:[{role:"ai",content:"",id:"ai-1",tool_calls:[{name:"weather",args:{city:"Oslo",n:1.5},id:"call_1"}]}]} end'),
        node("tool", '{messages:[{role:"tool",content:"21C",tool_call_id:"call_1",name:"weather",id:"tool-1"}]}'),
    ],
    "edges": [["__start__", "bot"], ["tool", "bot"]],
    "conditional": [{"from": "bot", "jq": 'if .messages[-1].tool_calls then "tool" else "__end__" end'}],
}
MESSAGES_OPS = READ + [
    {"op": "update_state", "values": {"messages": [{"role": "user", "content": "again", "id": "h-2"}]}, "as_node": "tool"},
    {"op": "invoke", "input": None},
    {"op": "invoke", "input": {"messages": [{"type": "remove", "content": "", "id": "h-1"}]}},
    {"op": "invoke", "input": None, "at": 2},
    {"op": "invoke", "input": {"messages": [{"type": "remove", "content": "", "id": "no-such"}]}},
]


def interrupts(saver):
    graph = state_graph(Log)
    graph.add_node("p", lambda s: {"log": [["p", interrupt({"q": "p?", "opts": [1, 2]}), interrupt("p again?")]]})
    graph.add_node("q", lambda s: {"log": [["q", interrupt("q?")]]})
    graph.add_node("ok", lambda s: {"log": ["ok"]})
    for name in ("p", "q", "ok"):
        graph.add_edge(START, name)
    return graph.compile(checkpointer=saver)


def fill_interrupts(saver):
    graph = interrupts(saver)
    graph.invoke({"log": ["in"]}, thread("pending"))
    graph.invoke({"log": ["in"]}, thread("partly"))
    first = next(i for i in graph.get_state(thread("partly")).interrupts if i.value != "q?")
    graph.invoke(Command(resume={first.id: "first"}), thread("partly"))
    graph.invoke({"log": ["in"]}, thread("before"), interrupt_before=["p"])


INTERRUPTS = {
    "state": {"log": LIST},
    "nodes": [asking("p", 'if (.resume|length)<1 then {q:"p?",opts:[1,2]} else "p again?" end', 2), asking("q", '"q?"'), node("ok")],
    "edges": [["__start__", name] for name in ("p", "q", "ok")],
}
INTERRUPTS_OPS = READ + [
    {"op": "resume", "resume_by": {"0": "A"}},
    {"op": "get_state"},
    {"op": "resume", "resume_by": {"0": "B", "1": "C"}},
    {"op": "resume", "resume_by": {"0": "D"}},
    {"op": "invoke", "input": None, "at": 1},
    {"op": "resume", "resume_by": {"1": {"x": [1]}}},
]


def subgraphs(saver):
    inner = chain(Log, [("i1", lambda s: {"log": ["i1"]}), ("iask", lambda s: {"log": [interrupt("deep?")]})])
    outer = chain(Log, [("o1", lambda s: {"log": ["o1"]}), ("inner", inner)])
    memo = chain(Log, [("m1", lambda s: {"log": ["m1"]})], checkpointer=True)
    nodes = [("a", lambda s: {"log": ["a"]}), ("memo", memo), ("outer", outer), ("z", lambda s: {"log": ["z"]})]
    return chain(Log, nodes, checkpointer=saver)


def fill_subgraphs(saver):
    graph = subgraphs(saver)
    graph.invoke({"log": ["in"]}, thread("pending"))
    graph.invoke({"log": ["in"]}, thread("done"))
    graph.invoke(Command(resume="yes"), thread("done"))


def log_graph(nodes, **more):
    return {"state": {"log": LIST}, "nodes": nodes, "edges": chain_edges(*(n["name"] for n in nodes)), **more}


SUBGRAPHS = log_graph([
    node("a"),
    {"name": "memo", "subgraph": log_graph([node("m1")], checkpointer=True)},
    {"name": "outer", "subgraph": log_graph([node("o1"), {"name": "inner", "subgraph": log_graph([node("i1"), asking("iask", '"deep?"')])}])},
    node("z"),
])
SUBGRAPHS_OPS = READ + [
    {"op": "resume", "resume": "answer"},
    {"op": "get_history", "subgraph": ["outer", "inner"]},
    {"op": "invoke", "input": {"log": ["more"]}},
    {"op": "update_state", "subgraph": ["outer"], "values": {"log": ["inside"]}, "as_node": "o1"},
    {"op": "get_state", "subgraphs": True},
    {"op": "resume", "resume": "second"},
    {"op": "invoke", "input": None, "at": 2},
]


def failures(saver):
    def bad(state):
        raise ValueError('it broke: "quoted" \n newline')

    graph = state_graph(Log)
    graph.add_node("bad", bad)
    graph.add_node("ok", lambda s: {"log": ["ok"]})
    graph.add_node("w", lambda s: {"log": [s["v"]]})
    graph.add_edge(START, "bad")
    graph.add_edge(START, "ok")
    graph.add_conditional_edges("ok", lambda s: [Send("w", {"v": 1}), Send("w", {"v": (1, 2)})])
    return graph.compile(checkpointer=saver)


def fill_failures(saver):
    graph = failures(saver)
    try:
        graph.invoke({"log": ["in"]}, thread("f"))
    except ValueError:
        pass
    graph.update_state(thread("f2"), {"log": ["u"]}, as_node="ok")


FAILURES = {
    "state": {"log": LIST},
    "nodes": [node("bad", '{__error__:{type:"ValueError",message:"it broke: \\"quoted\\" \\n newline"}}'), node("ok"), node("w", "{log:[.v]}")],
    "edges": [["__start__", "bad"], ["__start__", "ok"]],
    "conditional": [{"from": "ok", "jq": '[1,[1,2]|{__send__:{node:"w",arg:{v:.}}}]'}],
}
FAILURES_OPS = READ + [
    {"op": "invoke", "input": None},
    {"op": "update_state", "values": {"log": ["mended"]}, "as_node": "bad"},
    {"op": "invoke", "input": None},
    {"op": "invoke", "input": None, "at": 0},
]


def old(saver):
    graph = state_graph(Log)
    graph.add_node("a", lambda s: {"log": ["a"]})
    graph.add_node("b", lambda s: {"log": ["b"]})
    graph.add_node("w", lambda s: {"log": [s["v"]]})
    graph.add_edge(START, "a")
    graph.add_edge("a", "b")
    return graph.compile(checkpointer=saver)


def fill_old(saver):
    """Checkpoints in the layouts of LangGraph's versions 1, 2 and 3, and one that is JSON text."""
    checkpoint_id = "1ef4f797-8335-6428-8001-8a1503f9b875"

    def version(n):
        return f"{n:032}.{0.5:016}"

    def checkpoint(v, values, versions, more):
        seen = {"__input__": {}, "__start__": {"__start__": version(1)}}
        fields = {"v": v, "ts": "2024-05-04T06:32:42.235444+00:00", "id": checkpoint_id, "channel_values": values}
        fields["channel_versions"] = {name: version(n) for name, n in versions.items()}
        return {**fields, "versions_seen": seen, "pending_sends": [], **more}

    def put(name, made, **metadata):
        saver.put({"configurable": {"thread_id": name, "checkpoint_ns": ""}}, made, {"source": "loop", **metadata}, {})

    sends = [Send("w", {"v": "s1"}), Send("w", {"v": "s2"})]
    put("v3_sends", checkpoint(3, {"log": ["in"]}, {"__start__": 2, "log": 3}, {"pending_sends": sends}), step=1, writes=None, parents={})
    put("v2_start", checkpoint(2, {"log": ["in"], "start:a": "__start__"}, {"__start__": 2, "log": 2, "start:a": 2}, {}), step=0, parents={})
    made = checkpoint(1, {"log": ["in", "a"], "a": "a"}, {"__start__": 2, "log": 3, "start:a": 3, "a": 3}, {})
    made["versions_seen"]["a"] = {"start:a": version(2)}
    put("v1_node", made, step=1, writes={"a": {"log": ["a"]}})
    branch = "branch:__start__:cond:b"
    text = json.dumps(checkpoint(1, {"log": ["in"], branch: "__start__"}, {"__start__": 2, "log": 2, branch: 2}, {}))
    row = ("json_row", "", checkpoint_id, None, "json", text.encode(), json.dumps({"source": "loop", "step": 0}).encode())
    saver.conn.execute("insert into checkpoints values (?, ?, ?, ?, ?, ?, ?)", row)


OLD = {"state": {"log": LIST}, "nodes": [node("a"), node("b"), node("w", "{log:[.v]}")], "edges": chain_edges("a", "b")}
OLD_OPS = READ + [{"op": "invoke", "input": None}, {"op": "get_state"}, {"op": "update_state", "values": {"log": ["u"]}, "as_node": "a"},
                  {"op": "invoke", "input": None}, {"op": "invoke", "input": None, "at": 0}]

# name: (graph in Python, what fills the database, the same graph as a case, operations on each thread)
DATABASES = {
    "simple": (simple, fill_simple, SIMPLE, SIMPLE_OPS + DUMP),
    "messages": (messages, fill_messages, MESSAGES, MESSAGES_OPS + DUMP),
    "interrupts": (interrupts, fill_interrupts, INTERRUPTS, INTERRUPTS_OPS + DUMP),
    "subgraphs": (subgraphs, fill_subgraphs, SUBGRAPHS, SUBGRAPHS_OPS + DUMP),
    "failures": (failures, fill_failures, FAILURES, FAILURES_OPS + DUMP),
    "large": (simple, fill_large, SIMPLE, SIMPLE_OPS + DUMP),
    "old": (old, fill_old, OLD, OLD_OPS + DUMP[:2]),
}

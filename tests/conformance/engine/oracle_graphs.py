"""A case's neutral graph as a real LangGraph graph: its channels, jq nodes, branches, handlers and subgraphs."""
from __future__ import annotations
import json
from functools import lru_cache
from typing import Annotated, Any, TypedDict
import jq
from langchain_core.messages import BaseMessage
from langgraph.graph import StateGraph
from langgraph.graph.message import add_messages
from langgraph.channels import Topic, EphemeralValue, UntrackedValue, AnyValue
from langgraph.channels.delta import DeltaChannel
from langgraph.cache.memory import InMemoryCache
from langgraph.managed import IsLastStep, RemainingSteps
from langgraph.types import Send, Command, RetryPolicy, CachePolicy, interrupt
from langgraph.errors import NodeError
from langgraph.config import get_stream_writer, get_config

class CustomError(Exception): pass
class OtherError(Exception): pass
ERRORS = {c.__name__: c for c in (ValueError, RuntimeError, ConnectionError, KeyError, TypeError, OSError, Exception, CustomError, OtherError)}

# ---------------------------------------------------------------- jq
@lru_cache(maxsize=None)
def _jq(prog): return jq.compile(prog)
def run_jq(prog, value):
    out = _jq(prog).input_text(json.dumps(plain(value))).all()
    if len(out) != 1: raise ValueError(f"jq program must emit exactly one value, got {len(out)}")
    return out[0]

def plain(v):
    """Python value -> plain JSON value (what jq programs see)."""
    if isinstance(v, BaseMessage): return msg_json(v)
    if isinstance(v, dict): return {str(k): plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)): return [plain(x) for x in v]
    if isinstance(v, (set, frozenset)): return sorted((plain(x) for x in v), key=jkey)
    if isinstance(v, Send): return {"__send__": {"node": v.node, "arg": plain(v.arg)}}
    if isinstance(v, (str, int, float, bool)) or v is None: return v
    return repr(v)

def msg_json(m):
    d = {"type": m.type, "content": m.content, "id": m.id}
    if getattr(m, "tool_calls", None): d["tool_calls"] = [{k: t[k] for k in ("name", "args", "id")} for t in m.tool_calls]
    if getattr(m, "tool_call_id", None): d["tool_call_id"] = m.tool_call_id
    if m.name: d["name"] = m.name
    return d
def jkey(v): return json.dumps(v, sort_keys=True)

# ---------------------------------------------------------------- reducers
def _add(a, b): return a + b
def _append(a, b): return a + b
def _concat(a, b): return a + b
def _max(a, b): return a if a >= b else b
def _min(a, b): return a if a <= b else b
def _merge(a, b): return {**a, **b}
def _union(a, b): return sorted({jkey(x): x for x in [*a, *b]}.values(), key=jkey)
def _last(a, b): return b
def _mul(a, b): return a * b
REDUCERS = {"add": (_add, int), "append": (_append, list), "concat": (_concat, str), "max": (_max, int), "min": (_min, int),
            "merge": (_merge, dict), "union": (_union, list), "last": (_last, Any), "mul": (_mul, int), "add_messages": (add_messages, list)}
def _dappend(state, writes):
    out = list(state)
    for w in writes: out.extend(w)
    return out

def channel_annotation(spec):
    t = spec.get("type", "last_value")
    if t == "last_value": return Any
    if t == "reduce":
        fn, typ = REDUCERS[spec["reducer"]]
        if "default" in spec:
            d = spec["default"]
            typ = Any if d is None else type(d)
        return Annotated[typ, fn]
    if t == "topic": return Annotated[list, Topic(Any, spec.get("accumulate", False))]
    if t == "ephemeral": return Annotated[Any, EphemeralValue(Any, spec.get("guard", True))]
    if t == "untracked": return Annotated[Any, UntrackedValue(Any, spec.get("guard", True))]
    if t == "any_value": return Annotated[Any, AnyValue(Any)]
    if t == "delta": return Annotated[list, DeltaChannel(_dappend, snapshot_frequency=spec.get("snapshot_frequency", 100))]
    if t == "is_last_step": return IsLastStep
    if t == "remaining_steps": return RemainingSteps
    raise ValueError(t)

class OrderedSet(dict):
    def add(self, x): self.setdefault(x, None)
    def __or__(self, other):
        r = OrderedSet(self)
        for x in other: r.add(x)
        return r

# ---------------------------------------------------------------- result decoding
def to_send(o):
    s = o["__send__"]; return Send(s["node"], s.get("arg"))
def decode_goto(g):
    if isinstance(g, str): return g
    if isinstance(g, dict): return to_send(g)
    return [decode_goto(x) for x in g]
def decode_command(c):
    kw = {}
    if "update" in c: kw["update"] = c["update"]
    if "goto" in c: kw["goto"] = decode_goto(c["goto"])
    if "resume" in c: kw["resume"] = c["resume"]
    if c.get("graph") == "parent": kw["graph"] = Command.PARENT
    return Command(**kw)
def decode_result(r):
    if isinstance(r, dict):
        if "__error__" in r:
            e = r["__error__"]; raise ERRORS[e["type"]](e.get("message", ""))
        if "__custom__" in r:
            w = get_stream_writer()
            for c in r["__custom__"]: w(c)
            r = {k: v for k, v in r.items() if k != "__custom__"}
        if "__command__" in r: return decode_command(r["__command__"])
        if "__list__" in r: return [decode_result(x) for x in r["__list__"]]
    return r

# ---------------------------------------------------------------- graph building
class Env:
    def __init__(self): self.counters = {}; self.runs = {}

def keep_edge_order(g):
    """Declaration order instead of hash order."""
    g.edges = OrderedSet(); g.waiting_edges = OrderedSet()
    type(g)._all_edges = property(lambda self: set(self.edges) | {(s, e) for ss, e in self.waiting_edges for s in ss})

def build(desc, env, path=(), checkpointer=None):
    state = {k: channel_annotation(s) for k, s in desc["state"].items()}
    State = TypedDict("State", state)
    kw = {}
    if "input" in desc: kw["input_schema"] = TypedDict("Input", {k: state[k] for k in desc["input"]})
    if "output" in desc: kw["output_schema"] = TypedDict("Output", {k: state[k] for k in desc["output"]})
    g = StateGraph(State, **kw)
    keep_edge_order(g)
    for n in desc["nodes"]:
        nkw = {}
        if n.get("defer"): nkw["defer"] = True
        if "retry" in n:
            rs = n["retry"] if isinstance(n["retry"], list) else [n["retry"]]
            nkw["retry_policy"] = [retry(r) for r in rs]
        if "cache" in n: nkw["cache_policy"] = CachePolicy(ttl=n["cache"].get("ttl"))
        if "input" in n: nkw["input_schema"] = TypedDict("In_" + n["name"], {k: state[k] for k in n["input"]})
        if "ends" in n: nkw["destinations"] = tuple(n["ends"])
        if "error_handler" in n: nkw["error_handler"] = make_handler(n["error_handler"])
        g.add_node(n["name"], make_node(n, env, path + (n["name"],)), **nkw)
    for s, e in desc.get("edges", []):
        g.add_edge(s if isinstance(s, str) else list(s), e)
    for i, c in enumerate(desc.get("conditional", [])):
        f = make_branch(c); f.__name__ = f"cond{i}"
        g.add_conditional_edges(c["from"], f, c.get("map"))
    cp = checkpointer if path == () else {None: None, True: True, False: False}[desc.get("checkpointer")]
    return g.compile(checkpointer=cp, interrupt_before=desc.get("interrupt_before"), interrupt_after=desc.get("interrupt_after"),
                     cache=InMemoryCache() if desc.get("cache") else None)

def retry(r):
    kw = dict(initial_interval=r.get("initial_interval", 0.0), jitter=False, max_attempts=r.get("max_attempts", 3), backoff_factor=r.get("backoff_factor", 1.0))
    if "retry_on" in r: kw["retry_on"] = tuple(ERRORS[x] for x in r["retry_on"])
    return RetryPolicy(**kw)

def make_handler(h):
    prog = h["jq"]
    def handler(state, error: NodeError):
        return decode_result(run_jq(prog, {"state": plain(state), "error": {"node": error.node, "type": type(error.error).__name__, "message": str(error.error)}}))
    return handler

def make_branch(c):
    prog = c["jq"]
    def branch(state):
        r = run_jq(prog, state)
        conv = lambda x: to_send(x) if isinstance(x, dict) else x
        return [conv(x) for x in r] if isinstance(r, list) else conv(r)
    return branch

def make_node(n, env, path):
    key = "/".join(path)
    if "subgraph" in n:
        sub = build(n["subgraph"], env, path)
        if "in" not in n and "out" not in n: return sub
        pin, pout = n.get("in", "."), n.get("out", ".result")
        def call_sub(state):
            if "calls" in n: res = [sub.invoke(run_jq(pin, state)) for _ in range(n["calls"])]   # ns: node:id, node:id|1, ...
            else: res = sub.invoke(run_jq(pin, state))
            return decode_result(run_jq(pout, {"state": plain(state), "result": plain(res)}))
        return call_sub
    prog = n.get("jq", "null"); meta = n.get("meta"); fail = n.get("fail")
    def node(state):
        env.runs[key] = env.runs.get(key, 0) + 1
        if fail and ("when" not in fail or run_jq(fail["when"], state)):
            c = env.counters.get(key, 0)
            if c < fail["times"]:
                env.counters[key] = c + 1
                raise ERRORS[fail.get("type", "ValueError")](fail.get("message", "boom"))
        if not meta: return decode_result(run_jq(prog, state))
        answers = []
        while True:
            info = get_config()["configurable"].get("__pregel_runtime").execution_info
            r = run_jq(prog, {"state": plain(state), "resume": answers, "attempt": info.node_attempt, "runs": env.runs[key]})
            if isinstance(r, dict) and "__interrupt__" in r:
                answers.append(plain(interrupt(r["__interrupt__"])))
                continue
            return decode_result(r)
    return node

"""Random conformance cases as projects of Sandglass: what jq alone says stays a jq node, the rest becomes Python.

Each case is changed a little on the way, so that human, dataset and sliced nodes are among its nodes; graph() gives the
graph file, and the case says the same to the oracle.
"""
import json
import pathlib
import random
import re

NODE = '''"""Does what node {name} of the case does."""
import json

import oracle_graphs
import steps

NODE = json.loads({text!r})


def node(state):
    return oracle_graphs.make_node(NODE, steps.env, {path!r})(state)
'''
BRANCH = '''import json

import oracle_graphs

BRANCH = json.loads({text!r})


def route_{number}(state):
    return oracle_graphs.make_branch(BRANCH)(state)
'''
HANDLER = '''import oracle_graphs
from langgraph.errors import NodeError

PROGRAM = {program!r}


def handle(state, error: NodeError):
    told = {{"node": error.node, "type": type(error.error).__name__, "message": str(error.error)}}
    told = oracle_graphs.plain({{"state": state, "error": told}})
    return oracle_graphs.decode_result(oracle_graphs.run_jq(PROGRAM, told))
'''
ONLY_PYTHON = re.compile("__error__|__custom__|__list__")


class Project:
    """The case's graph as a project in `folder`; `case` is changed to say the same."""

    def __init__(self, folder, case, seed, python=0.2):
        """`python`: the share of nodes and branches that become Python although jq alone would do."""
        self.folder = pathlib.Path(folder)
        self.python = python
        self.random = random.Random(f"export-{seed}")
        self.dataset = self.folder / "datasets" / "numbers.csv"
        self.kinds = set()
        self.folder.mkdir(parents=True)
        self.dataset.parent.mkdir()
        self.dataset.write_text("n\n1\n")
        graph = {"format": 1, "name": f"case_{seed}", **self.graph(case["graph"], ())}
        self.file = self.folder / f"case_{seed}.graph.json"
        self.file.write_text(json.dumps(graph, indent=1))

    def graph(self, desc, path):
        branching = {branch["from"] for branch in desc.get("conditional", [])}
        out = {
            "state": {key: self.channel(spec) for key, spec in desc["state"].items()},
            "nodes": [self.node(node, path + (node["name"],), desc, branching) for node in desc["nodes"]],
            "edges": desc.get("edges", []),
            "branches": [self.branch(branch, number, path) for number, branch in enumerate(desc.get("conditional", []))],
        }
        for key in ("input", "output", "interrupt_before", "interrupt_after", "cache", "checkpointer"):
            if key in desc:
                out[key] = desc[key]
        return out

    def channel(self, spec):
        zero = {int: 0, float: 0.0, str: "", list: [], dict: {}, bool: False, type(None): None}
        # A case's default chooses a type; a graph file's is the value itself.
        return {**spec, "default": zero[type(spec["default"])]} if "default" in spec else dict(spec)

    def code(self, path, text):
        file = self.folder / "nodes" / ("_".join(path) + ".py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return f"nodes/{file.name}"

    def node(self, node, path, desc, branching):
        self.vary(node, desc, branching)
        out = {"name": node["name"]}
        for key in ("defer", "input", "cache"):
            if key in node:
                out[key] = node[key]
        if "retry" in node:
            policies = node["retry"] if isinstance(node["retry"], list) else [node["retry"]]
            out["retry"] = [{"initial_interval": 0, "backoff_factor": 1, "jitter": False, **policy} for policy in policies]
        if "error_handler" in node:
            program = node["error_handler"]["jq"]
            out["error_handler"] = {"jq": program}
            if ONLY_PYTHON.search(program) or self.random.random() < self.python:
                self.kinds.add("python")
                file = self.code(path + ("handler",), HANDLER.format(program=program))
                out["error_handler"] = {"file": file, "function": "handle"}
        out.update(node.pop("as_kind", None) or self.kind(node, path))
        if "reads" in out:
            out.pop("input")  # the slice alone says it
        self.kinds.add(out["kind"])
        self.slice(out, desc)
        return out

    def slice(self, out, desc):
        """Slices that leave nothing out: the code that checks them is run."""
        if self.random.random() < 0.15 and "reads" not in out and "input" not in out and "unknown" not in json.dumps(out):
            managed = [key for key, spec in desc["state"].items() if spec.get("type") in ("remaining_steps", "is_last_step")]
            out["reads"] = list(desc["state"])
            if out["kind"] == "subgraph":
                self.kinds.add("sliced subgraph")
            if out["kind"] != "subgraph" or "in" in out:
                out["writes"] = [key for key in desc["state"] if key not in managed]

    def kind(self, node, path):
        if "subgraph" in node:
            mapping = {key: node[key] for key in ("in", "out", "calls") if key in node}
            return {"kind": "subgraph", **mapping, "graph": self.graph(node["subgraph"], path)}
        program = node.get("jq", "null")
        if not (node.get("meta") or node.get("fail") or ONLY_PYTHON.search(program) or self.random.random() < self.python):
            return {"kind": "jq", "jq": program}
        text = json.dumps({key: node[key] for key in ("name", "jq", "meta", "fail") if key in node})
        return {"kind": "python", "file": self.code(path, NODE.format(name=node["name"], text=text, path=path))}

    def vary(self, node, desc, branching):
        """Makes kinds that the case format has no word for, with the same meaning for the oracle."""
        chance = self.random.random()
        plain = not any(key in node for key in ("subgraph", "fail", "error_handler")) and "x" in desc["state"]
        if plain and node.get("meta") and chance < 0.5:
            question = '{ask: "%s"}' % node["name"]
            node["jq"] = "if (.resume|length)<1 then {__interrupt__:(.state|%s)} else {x:.resume[0]} end" % question
            node["as_kind"] = {"kind": "human", "jq": question, "channel": "x"}
            if chance < 0.2:
                node["as_kind"] = {"kind": "human", "question": {"ask": node["name"]}, "channel": "x"}
        elif plain and not node.get("meta") and chance < 0.05:
            node["jq"] = "{x: %s}" % json.dumps(str(self.dataset.resolve()))
            node["as_kind"] = {"kind": "dataset", "dataset": "numbers", "channel": "x"}
        elif plain and chance > 0.9 and "input" not in node and node["name"] not in branching and not node.get("meta"):
            managed = [key for key, spec in desc["state"].items() if spec.get("type") in ("remaining_steps", "is_last_step")]
            node["input"] = sorted({"cnt", *self.random.sample(sorted(desc["state"]), 2)} - set(managed))
            if not ONLY_PYTHON.search(node.get("jq", "")) and "unknown" not in node.get("jq", ""):
                writes = [key for key in desc["state"] if key not in managed]
                node["as_kind"] = {"kind": "jq", "jq": node.get("jq", "null"), "reads": node["input"], "writes": writes}

    def branch(self, branch, number, path):
        out = {"from": branch["from"], "jq": branch["jq"]}
        if self.random.random() < self.python:
            self.kinds.add("python")
            text = json.dumps({key: branch[key] for key in ("from", "jq")})
            file = self.code(path + (f"route_{number}",), BRANCH.format(text=text, number=number))
            out = {"from": branch["from"], "file": file, "function": f"route_{number}"}
        if "map" in branch:
            out["targets"] = branch["map"]
        return out

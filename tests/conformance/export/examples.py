#!/usr/bin/env python3
"""Every example and every folder of projects/, run by Sandglass and, exported, by LangGraph: the same states after each step.

usage: examples.py SANDGLASS [NAME…]

Where an example names folders of a session (/session, /data), its exported program runs in a bubblewrap of the test's own
that has them. An example that this machine lacks a part for is named and passed over. Exit code 1: some differ; 77: none differ, and there is
no LangGraph to compare with or some were passed over.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import require

try:
    import langgraph.graph  # noqa: F401
except ImportError as problem:
    require.leave("langgraph", f"{sys.executable} has no LangGraph ({problem}); packaging/setup/langgraph.sh installs one")

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "resources" / "examples"
PROJECTS = pathlib.Path(__file__).resolve().parent / "projects"
# Steps of each example: ("input" or "answer", value) or "resume". Those of a project stand in its steps.json.
STEPS = {
    "approval": [("input", {"draft": "cats"}), ("answer", "yes"), "resume"],
    "conversation": [("input", {"wanted": 3, "messages": "hello"}), ("input", {"messages": "more"})],
    "counter": [("input", {"value": 1}), ("input", {"value": 5})],
    "e2b": [("input", {})],
    "fan-out": [("input", {"words": ["one", "three"]})],
    "memory": [("input", {"person": "alice", "fact": "likes tea"}), ("input", {"person": "alice", "fact": "has a cat"})],
    "penguins": [("input", {})],
    "recovery": [("input", {"number": 9}), ("input", {"number": -9})],
    "retry": [("input", {}), ("input", {"failures": 5})],
    "rewind": [("input", {"rate": 0.05})],
    "subgraphs": [("input", {}), ("input", {})],
}
# LangGraph draws from Python's one random generator too: here it has one of its own, so that an example's numbers stay.
APART = """
import random, runpy, sys
import langgraph.checkpoint.base.id, langgraph.checkpoint.sqlite
for module in (langgraph.checkpoint.base.id, langgraph.checkpoint.sqlite):
    module.random = random.Random()
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
STATE = """
import json
from langgraph.checkpoint.sqlite import SqliteSaver
import {package}
from {package}.__main__ import shown
with SqliteSaver.from_conn_string("checkpoints.sqlite") as saver:
    state = {package}.compile_graph(saver).get_state({{"configurable": {{"thread_id": "demo"}}}})
    print(json.dumps({{"values": state.values, "next": state.next}}, default=shown))
"""
UUID = re.compile(r'"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"')


def words(step):
    return [] if step == "resume" else ["--" + step[0], json.dumps(step[1])]


def run(command, folder, fine, **variables):
    environment = {**os.environ, "LANGSMITH_TRACING": "false", **variables}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if ended.returncode not in fine:
        text = (ended.stderr.strip() or ended.stdout.strip())[-1500:]
        raise SystemExit(f"{' '.join(map(str, command))} ended with {ended.returncode}:\n{text}")
    return ended.stdout


def in_session_folders(command, place, project):
    """The command where /session and /data are there: nothing of the system is changed."""
    session = place / "session"
    (session / "artifacts").mkdir(parents=True, exist_ok=True)
    binds = []
    for top in sorted(pathlib.Path("/").iterdir()):
        if top.is_symlink():
            binds += ["--symlink", os.readlink(top), str(top)]
        elif top.name not in ("session", "data", "proc", "dev"):
            binds += ["--bind", str(top), str(top)]
    binds += ["--proc", "/proc", "--dev-bind", "/dev", "/dev", "--bind", str(session), "/session"]
    if (project / "datasets").is_dir():
        binds += ["--ro-bind", str(project / "datasets"), "/data"]
    return ["bwrap", *binds, "--", *command]


def canonical(text):
    state = json.loads(UUID.sub('"<uuid>"', text))
    return json.dumps({"values": state["values"], "next": list(state["next"])}, sort_keys=True, indent=1)


def messages(values):
    """LangGraph's messages as Sandglass prints them: only what both say."""
    keep = ("type", "content", "id")
    for key, value in values.items():
        if isinstance(value, list):
            values[key] = [{k: v[k] for k in keep} if isinstance(v, dict) and "content" in v else v for v in value]
    return values


def check_pins(project):
    """The versions that a project asks for are those that it is tested with."""
    tested = (EXAMPLES.parents[1] / "tests" / "conformance" / "engine" / "requirements.txt").read_text().splitlines()
    for pin in tomllib.loads((project / "pyproject.toml").read_text())["project"]["dependencies"]:
        if pin not in tested:
            raise SystemExit(f"{pin} is not what the tests compare with")


def folder_of(name):
    return next(folder for folder in (PROJECTS / name, EXAMPLES / name) if folder.is_dir())


def nodes_name(name, *words):
    return any(word in file.read_text() for file in folder_of(name).glob("nodes/*.py") for word in words)


def missing_part(name):
    """What the example needs and this machine does not have: nodes in Python have a sandbox, those of pandas its packages."""
    needed = ["bubblewrap"] if nodes_name(name, "def ") else []
    return next((part for part in needed + ["runtime"] * nodes_name(name, "import pandas") if require.missing(part)), "")


def packages_of_nodes(name):
    """Where LangGraph's Python finds the packages that nodes import: those that sandboxes have, too."""
    if not nodes_name(name, "import pandas"):
        return {}
    found = pathlib.Path(require.runtime_python()).parents[1].glob("lib/python3*/site-packages")
    return {"PYTHONPATH": os.pathsep.join(map(str, found))}


def states(program, name, place):
    """Both states after each step."""
    project = place / name
    shutil.copytree(folder_of(name), project)
    graph = project / f"{name}.graph.json"
    made = run([program, "export", str(graph), "--python", "-o", str(place / "exported"), "--json"], place, (0,))
    package = json.loads(made)["package"]
    check_pins(place / "exported")
    names_folders, packages = nodes_name(name, "/session", "/data"), packages_of_nodes(name)
    for step in STEPS.get(name) or json.loads((project / "steps.json").read_text()):
        verb = "run" if step != "resume" and step[0] == "input" else "resume"
        run([program, verb, str(graph), "--thread", "demo", "--json", *words(step)], project, (0, 5))
        ours = json.loads(run([program, "state", "--thread", "demo", "--graph", str(graph), "--json"], project, (0,)))
        commands = [[sys.executable, "-c", APART, package, "--thread", "demo", *words(step)],
                    [sys.executable, "-c", STATE.format(package=package)]]
        if names_folders:
            commands = [in_session_folders(command, place, project) for command in commands]
        run(commands[0], place / "exported", (0,), **packages)
        theirs = json.loads(run(commands[1], place / "exported", (0,), **packages))
        for state in (ours, theirs):
            messages(state["values"])
        yield step, canonical(json.dumps(ours)), canonical(json.dumps(theirs))


def asks_models(name):
    """The names of its nodes that ask a model or reach a service, for which the export has nothing yet."""
    graph = json.loads((folder_of(name) / f"{name}.graph.json").read_text())
    return [node["name"] for node in graph["nodes"] if node.get("kind") in ("llm", "agent", "http", "tool", "map")]


def is_refused(program, name, place):
    """Whether the export says of each of those nodes that it cannot be exported, and writes nothing."""
    out = place / "exported"
    done = subprocess.run([program, "export", str(folder_of(name) / f"{name}.graph.json"), "--python", "-o", str(out), "--json"],
                          cwd=place, capture_output=True, text=True)
    return done.returncode == 2 and not out.exists() and all(f"node '{node}'" in done.stderr for node in asks_models(name))


def main(program, *names):
    wrong, passed_over = 0, ""
    every = [folder.name for place in (EXAMPLES, PROJECTS) for folder in sorted(place.iterdir()) if folder.is_dir()]
    for name in names or every:
        if part := missing_part(name):
            print(f"{name}: passed over: {require.missing(part)}", flush=True)
            passed_over = part
            continue
        place = pathlib.Path(tempfile.mkdtemp(prefix="sandglass-export-"))
        try:
            if asks_models(name):
                refused = is_refused(pathlib.Path(program).resolve(), name, place)
                wrong += not refused
                print(f"{name}: {'refused' if refused else 'not refused as a whole'}, its nodes ask models", flush=True)
                continue
            count = 0
            for step, ours, theirs in states(pathlib.Path(program).resolve(), name, place):
                count += 1
                if ours != theirs:
                    wrong += 1
                    print(f"{name}, after {step}: Sandglass has\n{ours}\nLangGraph has\n{theirs}")
            print(f"{name}: {count} steps compared", flush=True)
        finally:
            shutil.rmtree(place, ignore_errors=True)
    if passed_over and not wrong:
        require.leave(passed_over, require.missing(passed_over))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

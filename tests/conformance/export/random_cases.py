#!/usr/bin/env python3
"""Exported random graphs, run by LangGraph, against the same graphs built by the oracle: the traces must be the same.

Graphs that jq alone can say are run by Sandglass, too: the state after their first run must be the same.

usage: random_cases.py SANDGLASS [COUNT [FIRST_SEED]]

COUNT is SG_EXPORT_COUNT, or 100 with SG_FULL, or 10. Half are fuzz.py's, half wide_fuzz.py's. Projects that differ stay in a
folder that the output names. Exit code 1: some differ; 77: there is no LangGraph to compare with.
"""
import copy
import importlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "engine"), str(HERE.parents[1] / "support")]
if os.environ.get("PYTHONHASHSEED") != "0":
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable] + sys.argv)
import require

try:
    import fuzz
    import oracle
    import oracle_graphs
    import wide_fuzz
    from langgraph.graph import StateGraph
except ImportError as problem:
    require.leave("langgraph", f"{sys.executable} has no LangGraph ({problem}); packaging/setup/langgraph.sh installs one")
import graph_files
import steps

built = oracle.build
begin = StateGraph.__init__
plain_jq = oracle_graphs.run_jq


def begin_in_order(self, *arguments, **keywords):
    begin(self, *arguments, **keywords)
    oracle_graphs.keep_edge_order(self)


def run_jq(program, value):
    """Fails in the words of Sandglass, which exported graphs have too."""
    try:
        return plain_jq(program, value)
    except ValueError as error:
        if count := re.match("jq program must emit exactly one value, got (.*)", str(error)):
            problem = f"the jq program gave {count[1]} values, exactly one is expected; wrap it in [ ] to give a list"
            raise ValueError(problem) from None
        raise ValueError(f"jq: error: {error}") from None


def trace(case, build):
    oracle.build = build
    got = oracle.run_case(copy.deepcopy(case))
    got.pop("runs", None)
    return got


def exported_build(project, package):
    sys.path.insert(0, str(project))
    try:
        module = importlib.import_module(package + ".graph")
    finally:
        sys.path.remove(str(project))

    def build(desc, env, path, checkpointer):
        steps.env = env
        return module.compile_graph(checkpointer)

    return build


def differs(program, folder, generator, seed):
    """What is wrong with one case; None: nothing. A string that begins with '-': it cannot be compared."""
    case = generator.gen(seed)
    oracle.build = built
    if "compile_error" in oracle.run_case({**copy.deepcopy(case), "ops": []}):
        return "- LangGraph does not compile it"
    project = graph_files.Project(folder / "project", case, seed)
    os.environ["DATASETS"] = str(project.dataset.parent)
    expected = trace(case, built)
    made = subprocess.run([program, "export", str(project.file), "--python", "-o", str(folder / "exported"), "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        return ("- " if made.returncode == 3 else "") + made.stdout.strip()
    package = json.loads(made.stdout)["package"]
    try:
        got = trace(case, exported_build(folder / "exported", package))
    except Exception as error:
        return f"the exported project does not load: {type(error).__name__}: {error}"
    if oracle.dumps(got) == oracle.dumps(expected):
        counted.update({kind: counted.get(kind, 0) + 1 for kind in project.kinds})
        return None
    (folder / "case.json").write_text(json.dumps(case, indent=1))
    (folder / "expected.json").write_text(oracle.dumps(expected))
    (folder / "got.json").write_text(oracle.dumps(got))
    return "the traces differ: case.json, expected.json, got.json"


counted = {}


def differs_from_sandglass(program, folder, generator, seed):
    """The same for Sandglass itself; None as well where the graph needs Python."""
    case = generator.gen(seed)
    project = graph_files.Project(folder / "project", case, f"{seed}_run", python=0)
    if project.kinds & {"python", "dataset"}:
        return None
    first = case["ops"][0]
    run = [program, "run", str(project.file), "--thread", "1", "--json", "--input", json.dumps(first["input"])]
    run += ["--recursion-limit", str(first["recursion_limit"])]
    run += ["--durability", first["durability"]] if "durability" in first else []
    if first.keys() & {"interrupt_before", "interrupt_after"}:
        return None
    ran = subprocess.run(run, capture_output=True, text=True)
    if ran.returncode not in (0, 4, 5):
        return f"sandglass run ended with {ran.returncode}: {ran.stderr}"
    state = subprocess.run([program, "state", "--thread", "1", "--graph", str(project.file), "--json"], capture_output=True, text=True)
    ours = json.loads(state.stdout)
    made = subprocess.run([program, "export", str(project.file), "--python", "-o", str(folder / "exported")], capture_output=True)
    if made.returncode != 0:
        return made.stderr.decode()
    # The oracle's runner works on the exported graph, so that messages, sets and Sends print as everywhere.
    oracle.build = exported_build(folder / "exported", project.file.name.split(".")[0])
    case["ops"] = [{**first, "op": "invoke"}, {"op": "get_state"}]
    shown = oracle.run_case(case)["trace"][1]
    if "state" not in shown:  # finished tasks contradict each other: LangGraph has no state then, Sandglass the last one
        return None if shown["error"]["type"] == "InvalidUpdateError" else str(shown)
    theirs = shown["state"]
    counted["sandglass"] = counted.get("sandglass", 0) + 1
    expected = json.dumps([theirs["values"], theirs["next"]], sort_keys=True, indent=1)
    got = json.dumps([like_the_oracle(ours["values"]), ours["next"]], sort_keys=True, indent=1)
    return None if got == expected else f"Sandglass has\n{got}\nLangGraph has\n{expected}"


def like_the_oracle(value):
    if isinstance(value, dict) and {"type", "content", "id"} <= value.keys():
        value = {key: value[key] for key in ("type", "content", "id", "name") if value.get(key)}
        return {**value, "id": "<uuid>" if oracle.UUID.fullmatch(str(value.get("id"))) else value.get("id")}
    if isinstance(value, dict):
        return {key: like_the_oracle(item) for key, item in value.items()}
    return [like_the_oracle(item) for item in value] if isinstance(value, list) else value


def main(program, *numbers):
    usual = os.environ.get("SG_EXPORT_COUNT") or (100 if os.environ.get("SG_FULL") else 10)
    count = int(numbers[0] if numbers else usual)
    first = int(numbers[1] if len(numbers) > 1 else random.randrange(10**9))
    print(f"{count} graphs, seeds from {first}; to repeat: random_cases.py {program} {count} {first}", flush=True)
    StateGraph.__init__ = begin_in_order
    oracle_graphs.run_jq = run_jq
    place = pathlib.Path(tempfile.mkdtemp(prefix="sandglass-export-"))
    compared, seed, wrong, passed_over = 0, first, 0, 0
    while compared < count and passed_over < 10 * count + 10:
        folder = place / str(seed)
        generator = (fuzz, wide_fuzz)[seed % 2]
        problem = differs(program, folder, generator, seed)
        if not problem and generator is fuzz:
            problem = differs_from_sandglass(program, place / f"{seed}-run", generator, seed)
            folder = place / f"{seed}-run" if problem else folder
        seed += 1
        if problem and problem.startswith("-"):
            passed_over += 1
            if os.environ.get("SG_EXPORT_SHOW"):
                print(f"{folder.name}: {problem}")
        else:
            compared += 1
        if problem and not problem.startswith("-"):
            wrong += 1
            print(f"{folder}: {problem}", flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    own = counted.pop("sandglass", 0)
    kinds = ", ".join(f"{counted[kind]} with {kind}" for kind in sorted(counted))
    print(f"{compared} graphs compared ({kinds}), {own} of them with Sandglass's own run; {wrong} differ, {passed_over} are no valid graph files")
    if not wrong:
        shutil.rmtree(place)
    return 1 if wrong or compared < count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""The command line from the shell's point of view: `sandglass run` of a counter, what a start alone takes, a large graph's check."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bench_tools import BINARIES, ROOT, figure, program

RUNS = 20
LARGE = 100_000  # nodes
ASKING = {
    "format": 1, "name": "asking", "state": {"value": {"type": "last_value"}},
    "nodes": [{"name": "ask", "kind": "human", "prompt": "go on?"}],
    "edges": [["__start__", "ask"], ["ask", "__end__"]],
}
WAITS_FOR_AN_ANSWER = 5  # exit code of `sandglass run`


def counter(folder):
    project = os.path.join(folder, "counter")
    shutil.copytree(os.path.join(ROOT, "resources/examples/counter"), project, ignore=shutil.ignore_patterns(".sandglass"))
    times = []
    for i in range(RUNS + 1):  # the first makes the database
        begin = time.perf_counter()
        subprocess.run([program("sandglass"), "run", "counter.graph.json", "--thread", f"t{i}", "--input", '{"value": 1}'],
                       cwd=project, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    figure("start.run_counter", statistics.median(times[1:]) * 1000)


def validate(folder):
    """A chain of so many nodes, each with a program of its own."""
    nodes = [{"name": f"n{i}", "kind": "jq", "jq": f"{{value: (.value + {i})}}"} for i in range(LARGE)]
    names = ["__start__", *(node["name"] for node in nodes), "__end__"]
    graph = os.path.join(folder, "large.graph.json")
    with open(graph, "w", encoding="utf-8") as file:
        json.dump({"format": 1, "name": "large", "state": {"value": {"type": "last_value"}}, "nodes": nodes,
                   "edges": list(map(list, zip(names, names[1:])))}, file)
    begin = time.perf_counter()
    subprocess.run([program("sandglass"), "validate", graph], stdout=subprocess.DEVNULL, check=True)
    figure("start.validate_large", (time.perf_counter() - begin) * 1000)


def start(folder):
    """A small graph that needs neither jq nor a sandbox. The largest size is this launcher's at least."""
    project = os.path.join(folder, "asking")
    os.mkdir(project)
    with open(os.path.join(project, "asking.graph.json"), "w", encoding="utf-8") as file:
        json.dump(ASKING, file)
    processor, memory = [], []
    for i in range(RUNS):
        child = os.fork()
        if child == 0:
            os.chdir(project)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.execv(program("sandglass"), ["sandglass", "run", "asking.graph.json", "--thread", f"t{i}", "--input", '{"value": 1}'])
        _, status, used = os.wait4(child, 0)
        if os.waitstatus_to_exitcode(status) != WAITS_FOR_AN_ANSWER:
            sys.exit("sandglass run asking.graph.json failed")
        processor.append((used.ru_utime + used.ru_stime) * 1e3)
        memory.append(used.ru_maxrss / 1024)
    figure("start.processor", statistics.median(processor))
    figure("start.memory", statistics.median(memory), "MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=os.path.dirname(BINARIES)) as place:
        start(place)
        counter(place)
        validate(place)

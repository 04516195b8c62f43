"""What it costs that a worker does a Python node: a loop of one node, by a worker and here."""

import json
import os
import statistics
import subprocess
import tempfile
import time

from bench_tools import figure, program

STEPS = 100
ROUNDS = 3
GRAPH = {
    "format": 1, "name": "loop", "recursion_limit": 10_000,
    "state": {"count": {"type": "last_value"}},
    "nodes": [{"name": "step", "kind": "python", "file": "step.py", "role": "bench"}],
    "edges": [["__start__", "step"]],
    "branches": [{"from": "step", "jq": f'if .count < {STEPS} then "step" else "__end__" end'}],
}
CODE = "def node(state):\n    return {'count': state['count'] + 1}\n"


def run(project, thread, *more):
    """Milliseconds for a step, without what a start takes: a run of one step is taken off."""
    took = []
    for count in (STEPS - 1, 0):
        begin = time.perf_counter()
        subprocess.run([program("sandglass"), "run", project, "--thread", f"{thread}-{count}", "--backend", "bubblewrap",
                        "--input", json.dumps({"count": count}), *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=True)
        took.append(time.perf_counter() - begin)
    return (took[1] - took[0]) / (STEPS - 1) * 1000


def wait_for(path):
    for _ in range(1000):
        if os.path.exists(path):
            return
        time.sleep(0.01)
    raise SystemExit("redis-server does not start")


def main():
    with tempfile.TemporaryDirectory(prefix="sandglass-pools-") as folder:
        with open(os.path.join(folder, "loop.graph.json"), "w", encoding="utf-8") as file:
            json.dump(GRAPH, file)
        with open(os.path.join(folder, "step.py"), "w", encoding="utf-8") as file:
            file.write(CODE)
        socket = os.path.join(folder, "redis.sock")
        redis = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder, "--appendonly", "yes"],
                                 stdout=subprocess.DEVNULL)
        wait_for(socket)
        queue = ("--queue", "unix://" + socket)
        worker = subprocess.Popen([program("sandglass"), "worker", "--role", "bench", "--folder", os.path.join(folder, "workers"),
                                   "--backend", "bubblewrap", *queue], stdout=subprocess.DEVNULL, cwd=folder)
        try:
            run(folder, "warm", *queue)
            there = [run(folder, f"there{i}", *queue) for i in range(ROUNDS)]
            here = [run(folder, f"here{i}") for i in range(ROUNDS)]
            figure("pools.task.there", statistics.median(there))
            figure("pools.task.over_here", statistics.median(there) - statistics.median(here))
        finally:
            worker.terminate()
            worker.wait()
            redis.kill()
            redis.wait()


if __name__ == "__main__":
    main()

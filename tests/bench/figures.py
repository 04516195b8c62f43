"""What run_benches.sh measures itself, and its table."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def row(figure, measured, target):
    print(f"{figure:<58} {measured:>12}   {target}", flush=True)


def milliseconds(seconds):
    return f"{seconds * 1000:.2f} ms"


def fsync(folder):
    times = []
    with open(os.path.join(folder, "fsync"), "wb") as file:
        for _ in range(100):
            start = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - start)
    return milliseconds(statistics.median(times))


def superstep():
    return milliseconds(json.load(sys.stdin)["per_step_us"] / 1e6)


def counter(program, folder):
    project = os.path.join(folder, "counter")
    shutil.copytree(os.path.join(ROOT, "resources/examples/counter"), project, ignore=shutil.ignore_patterns(".sandglass"))
    times = []
    for i in range(21):
        start = time.perf_counter()
        subprocess.run(
            [program, "run", "counter.graph.json", "--thread", f"t{i}", "--input", '{"value": 1}'],
            cwd=project, stdout=subprocess.DEVNULL, check=True,
        )
        times.append(time.perf_counter() - start)
    return milliseconds(statistics.median(times[1:]))


def sessions():
    """The rows of bench-sessions and of langgraph_sandbox_path.py in the columns of the others."""
    for line in sys.stdin:
        found = re.match(r"(\S+)\s+(.*?)\s+([0-9.]+ (?:ms|MB/s|MB))\s+((?:[<>]= [0-9.]+ \S+)|-)\s*(\S*)$", line.rstrip())
        if found:
            row(f"{found[1]}: {found[2]}", found[3], f"{found[4]} {found[5]}".strip())
        elif line.strip():
            print(line.rstrip())


if __name__ == "__main__":
    result = globals()[sys.argv[1]](*sys.argv[2:])
    if result is not None:
        print(result)

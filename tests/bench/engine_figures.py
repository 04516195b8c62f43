"""The engine's figures: bench-engine and bench-raw-sqlite in turn, medians, the ratio to SQLite alone.

    python3 -B tests/bench/engine_figures.py [--build build/release] [--rounds 5] [--only W1,W4] [--cpu]

Each round runs every line once, so that a busy minute hits all of them; raw SQLite replays, right after a line that
stores, the very rows that the engine wrote. --cpu counts processor time instead of wall time: for a machine that is
busy with something else; it does not see what the disk costs. W7's supersteps have 100 tasks each, W3's one or 100.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STORED = {  # workload: limits of the ratio to raw SQLite with synchronous NORMAL, FULL
    "W1": (1.35, 1.25), "W2": (1.5, 1.3), "W3": (1.5, 1.35), "W4": (1.25, 1.25),
    "W4D": (1.4, 1.3), "W5": (1.4, 1.3), "W7": (1.5, 1.4),
}
ASKING = {
    "format": 1, "name": "asking", "state": {"value": {"type": "last_value"}},
    "nodes": [{"name": "ask", "kind": "human", "prompt": "go on?"}],
    "edges": [["__start__", "ask"], ["ask", "__end__"]],
}
WAITS_FOR_AN_ANSWER = 5  # exit code of `sandglass run`
UNSTORED = {"W1": 1.5, "W2": 2.5, "W3": 60, "W4": 3, "W5": 2, "W7": 200}


class Table:
    def __init__(self, options):
        self.options = options
        self.samples = {}  # line → [values]
        self.order = []

    def note(self, line, value):
        if line not in self.samples:
            self.order.append(line)
        self.samples.setdefault(line, []).append(value)

    def median(self, line):
        return statistics.median(self.samples[line])

    def show(self, line, unit, limit, raw=None, factor=1.0):
        if line not in self.samples:
            return
        measured = self.median(line) * factor
        compared = measured
        ratio = ""
        if raw is not None:
            compared = measured / (self.median(raw) * factor)
            ratio = f"{self.median(raw) * factor:10.2f} {compared:6.2f} x"
        target = "-" if limit is None else f"<= {limit:g}{' x' if raw else ''}"
        verdict = "" if limit is None else ("met" if compared <= limit else "MISSED")
        print(f"{line:<34} {measured:12.2f} {unit:<4} {ratio:<19}  {target:<10} {verdict}", flush=True)


def remove_database(database):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(database + suffix):
            os.remove(database + suffix)


class Round:
    def __init__(self, options, table, folder):
        self.table = table
        self.folder = folder
        self.key = "cpu_s" if options.cpu else "wall_s"
        self.bin = os.path.join(ROOT, options.build, "bin")

    def run(self, program, *arguments):
        done = subprocess.run([os.path.join(self.bin, program), *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def step_us(self, figures):
        return figures[self.key] / figures["supersteps"] * 1e6

    def engine(self, line, *arguments):
        figures = self.run("bench-engine", *arguments)
        self.table.note(line, self.step_us(figures))
        return figures

    def unstored(self, workload):
        figures = self.engine(f"{workload} no checkpointer", "--workload", workload)
        if workload == "W7":
            self.table.note("W7 compile", figures["compile_ms"])
        if workload == "W4":
            self.engine("W4 no checkpointer, 100", "--workload", "W4", "--n", "100")
        if workload == "W1":
            self.engine("W1 memory", "--workload", "W1", "--saver", "memory")
            self.engine("W1 jq nodes", "--workload", "W1", "--n", "300", "--nodes", "jq")

    def stored(self, workload, sync, durability, batch):
        line = f"{workload} {sync} {durability}"
        database = os.path.join(self.folder, "bench.sqlite")
        figures = self.engine(line, "--workload", workload, "--saver", "sqlite", "--sync", sync, "--durability",
                              durability, "--db", database)
        raw = self.run("bench-raw-sqlite", "--workload", workload, "--src", database, "--sync", sync, "--batch", str(batch))
        self.table.note(f"raw {line}", self.step_us(raw))
        if workload == "W4" and sync == "NORMAL":
            self.table.note("W4 memory used", figures["peak_rss_mb"])
        remove_database(database)

    def flat_deltas(self):
        """SQLite itself is not flat: a short run ends before its log is copied back for the first time."""
        for count in (300, 1000):
            database = os.path.join(self.folder, "flat.sqlite")
            figures = self.run("bench-engine", "--workload", "W4D", "--n", str(count), "--saver", "sqlite", "--sync", "NORMAL",
                               "--durability", "sync", "--db", database)
            raw = self.run("bench-raw-sqlite", "--workload", "W4D", "--n", str(count), "--src", database, "--sync", "NORMAL")
            self.table.note(f"W4D over raw at {count}", self.step_us(figures) / self.step_us(raw))
            remove_database(database)

    def history(self):
        figures = self.engine("W6 each of 10,000", "--workload", "W6", "--saver", "sqlite")
        self.table.note("W6 first 20", figures["first20_ms"])
        self.table.note("W6 newest state, warm", figures["get_state_warm_us"])
        self.table.note("W6 memory used", figures["peak_rss_mb"])

    def start(self):
        """A small graph that needs neither jq nor a sandbox. The largest size is this launcher's at least."""
        project = os.path.join(self.folder, "asking")
        if not os.path.exists(project):
            os.mkdir(project)
            with open(os.path.join(project, "asking.graph.json"), "w", encoding="utf-8") as file:
                json.dump(ASKING, file)
        child = os.fork()
        if child == 0:
            os.chdir(project)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            program = os.path.join(self.bin, "sandglass")
            os.execv(program, [program, "run", "asking.graph.json", "--thread", f"t{os.getpid()}", "--input", '{"value": 1}'])
        _, status, used = os.wait4(child, 0)
        if os.waitstatus_to_exitcode(status) != WAITS_FOR_AN_ANSWER:
            sys.exit("sandglass run asking.graph.json failed")
        self.table.note("start-up, processor", (used.ru_utime + used.ru_stime) * 1e3)
        self.table.note("start-up, memory", used.ru_maxrss / 1024)


def show(table):
    print(f"{'':<34} {'engine':>12}      {'raw':>10} {'ratio':>8}  target")
    for workload, limit in UNSTORED.items():
        table.show(f"{workload} no checkpointer", "us", limit)
    if "W4 no checkpointer, 100" in table.samples:
        table.show("W4 no checkpointer", "us", 1.1, "W4 no checkpointer, 100")
    table.show("W7 compile", "ms", 3)
    table.show("W1 memory", "us", 10)
    table.show("W1 jq nodes", "us", None)
    for workload, (normal, full) in STORED.items():
        table.show(f"{workload} NORMAL sync", "us", normal, f"raw {workload} NORMAL sync")
        table.show(f"{workload} FULL sync", "us", full, f"raw {workload} FULL sync")
        table.show(f"{workload} FULL async", "us", 1.5 if workload == "W1" else None, f"raw {workload} FULL async")
    table.show("W4D over raw at 1000", "x", 1.1, "W4D over raw at 300")
    table.show("W6 each of 10,000", "us", 20)
    table.show("W6 first 20", "ms", 0.45)
    table.show("W6 newest state, warm", "us", 10)
    table.show("W6 memory used", "MB", 30)
    table.show("W4 memory used", "MB", 30)
    table.show("start-up, processor", "ms", 20)
    table.show("start-up, memory", "MB", 14)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="workloads, and 'start'")
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    wanted = lambda name: not only or name in only  # noqa: E731
    table = Table(options)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, options.build)) as folder:  # on a disk, not in memory
        for _ in range(options.rounds):
            one = Round(options, table, folder)
            for workload in filter(wanted, UNSTORED):
                one.unstored(workload)
            for workload in filter(wanted, STORED):
                one.stored(workload, "NORMAL", "sync", 1)
                one.stored(workload, "FULL", "sync", 1)
                one.stored(workload, "FULL", "async", 16)
            if wanted("W4D"):
                one.flat_deltas()
            if wanted("W6"):
                one.history()
            if wanted("start"):
                one.start()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {options.rounds} rounds, medians of "
          f"{'processor' if options.cpu else 'wall'} time; per superstep")
    show(table)


if __name__ == "__main__":
    main()

"""One round of a workload of the engine: engine_figures.py W1|W2|W3|W4|W4D|W5|W6|W7|W8|W8T.

  W1       a loop of one node, 1,000 supersteps
  W2       two nodes in a row, 300 runs on one thread
  W3       a node that sends 100 packets to another, 20 threads
  W4, W4D  a message of 500 bytes is appended, 1,000 supersteps; W4D stores the changes alone
  W5       five supersteps on each of 1,000 threads
  W6       reading the history of a thread of 10,000 checkpoints
  W7       ten layers of 100 nodes, each of which waits for three of the layer before
  W8       a loop of one Python node in a sandbox, 1,000 supersteps; SQLite, a snapshot at each; both programs as delivered
           (synchronous FULL)
  W8T      five such steps on each of 200 threads, 16 at once

Figures are for a superstep (W6: a checkpoint), without a checkpointer and on SQLite with synchronous NORMAL and FULL. What is
stored is judged by its ratio to SQLite alone, which right after it inserts the very rows that the engine has just written, one
transaction for each checkpoint, or one for sixteen where the run's durability is async; and beside LangGraph with its
SqliteSaver, on the same workload in the same round. SG_LANGGRAPH_PYTHON: a Python that has it.
"""

import json
import os
import resource
import sys
import tempfile

from bench_tools import BINARIES, figure, output, program, unmeasured

STORED = ("W1", "W2", "W3", "W4", "W4D", "W5", "W7")
PYTHON = ("W8", "W8T")  # steps of Python nodes
STORED_WAYS = (("normal", "NORMAL", "sync", 1), ("full", "FULL", "sync", 1), ("async", "FULL", "async", 16))
HERE = os.path.dirname(os.path.abspath(__file__))


def step_us(figures):
    return figures["wall_s"] / figures["supersteps"] * 1e6


def remove_database(database):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(database + suffix):
            os.remove(database + suffix)


class Workload:
    def __init__(self, name, folder):
        self.name = name
        self.ids = f"engine.{name}"
        self.database = os.path.join(folder, "bench.sqlite")

    def engine(self, *options):
        return json.loads(output(program("bench-engine"), "--workload", self.name, *options))

    def figure(self, what, value, unit="us"):
        figure(f"{self.ids}.{what}", value, unit)

    def unstored(self):
        told = self.engine()
        self.figure("unstored", step_us(told))
        if self.name == "W7":
            self.figure("compile", told["compile_ms"], "ms")
        if self.name == "W4":
            self.figure("unstored_growth", step_us(told) / step_us(self.engine("--n", "100")), "x")
        if self.name == "W1":
            self.figure("memory_saver", step_us(self.engine("--saver", "memory")))
            self.figure("jq", step_us(self.engine("--n", "300", "--nodes", "jq")))

    def stored_once(self, sync, durability, batch, *more):
        """The engine's figures, and SQLite's alone."""
        told = self.engine("--saver", "sqlite", "--sync", sync, "--durability", durability, "--db", self.database, *more)
        raw = json.loads(output(program("bench-raw-sqlite"), "--workload", self.name, "--src", self.database, "--sync", sync,
                                "--batch", str(batch), *more))
        remove_database(self.database)
        return told, raw

    def stored(self):
        for what, sync, durability, batch in STORED_WAYS:
            told, raw = self.stored_once(sync, durability, batch)
            self.figure(what, step_us(told))
            self.figure(f"{what}_over_raw", step_us(told) / step_us(raw), "x")
            if what == "normal":
                self.figure("disk", told["db_bytes"] / 1e6, "MB")
                self.beside_langgraph(step_us(told), told["db_bytes"])
                if self.name == "W4":
                    self.figure("memory", told["peak_rss_mb"], "MB")

    def growth(self):
        """SQLite itself is not flat: a short run ends before its log is copied back for the first time."""
        over_raw = []
        for count in ("300", "1000"):
            told, raw = self.stored_once("NORMAL", "sync", 1, "--n", count)
            over_raw.append(step_us(told) / step_us(raw))
        self.figure("normal_growth", over_raw[1] / over_raw[0], "x")

    def history(self):
        told = self.engine("--saver", "sqlite")
        self.figure("each", step_us(told))
        self.figure("first_20", told["first20_ms"], "ms")
        self.figure("newest", told["get_state_warm_us"])
        self.figure("memory", told["peak_rss_mb"], "MB")
        self.beside_langgraph(step_us(told), told["db_bytes"])

    def python_steps(self):
        """Steps in a sandbox, with a snapshot each: beside the first, those that let an older snapshot leave, and the last."""
        if self.name == "W8T":
            told = json.loads(output(program("bench-python-steps"), "200", "5", "16"))
            self.figure("step", step_us(told) / 1000, "ms")
            self.over_langgraph(step_us(told))
            return
        told = json.loads(output(program("bench-python-steps"), "1", "1000", "1"))
        self.figure("step", told["median_ms"], "ms")
        self.figure("step_first", told["first_ms"], "ms")
        self.figure("growth", told["late_ms"] / told["early_ms"], "x")
        self.over_langgraph(told["median_ms"] * 1000)

    def langgraph(self, *ratios):
        """LangGraph's time for a superstep and the size of its database; None where there is none, which is said of all figures."""
        python = os.environ.get("SG_LANGGRAPH_PYTHON")
        if not python:
            for what in ("langgraph", *ratios):
                unmeasured(f"{self.ids}.{what}", "no Python with LangGraph is here (packaging/setup/langgraph.sh makes one)")
            return None
        told = json.loads(output(python, "-B", os.path.join(HERE, "engine", "langgraph_peer.py"), self.name, self.database))
        remove_database(self.database)
        self.figure("langgraph", step_us(told))
        return step_us(told), told["db_bytes"]

    def beside_langgraph(self, ours, our_bytes):
        told = self.langgraph("beside_langgraph", "disk_beside_langgraph")
        if told:
            self.figure("beside_langgraph", told[0] / ours, "x")
            self.figure("disk_beside_langgraph", our_bytes / told[1], "x")

    def over_langgraph(self, ours):
        told = self.langgraph("over_langgraph")
        if told:
            self.figure("over_langgraph", ours / told[0], "x")


def main(name):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(BINARIES)) as folder:  # on a disk, not in memory
        workload = Workload(name, folder)
        if name == "W6":
            workload.history()
            return
        if name in PYTHON:
            workload.python_steps()
            return
        if name != "W4D":
            workload.unstored()
        workload.stored()
        if name == "W4D":
            workload.growth()


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in STORED + PYTHON + ("W6",):
        sys.exit(__doc__)
    main(sys.argv[1])

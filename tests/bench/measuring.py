"""The benches of this repository, and how one is run. Each prints, one line a figure:

    figure ID VALUE UNIT
    unmeasured ID REASON      the machine lacks what it needs; ID: one figure, or what several begin with, up to a dot
    failed ID REASON          the machine has it, and our own program did not do what was to be measured

All other lines are words for people and stay out of the table.
"""

import glob
import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 3600  # seconds for one bench


@dataclass(frozen=True)
class Bench:
    ids: str  # what the names of its figures begin with
    command: tuple  # the first word: a program of the build, or a script of this folder
    needs: tuple = ()
    folder: str = HERE

    def line(self, binaries):
        program = self.command[0]
        if program.endswith(".py"):
            return [sys.executable, "-B", os.path.join(self.folder, program), *self.command[1:]]
        return [os.path.join(binaries, program), *self.command[1:]]


def script(ids, *command, needs=()):
    return Bench(ids, command, needs)


def all_benches():
    listed = [script("machine", "machine_figures.py")]
    listed += [script(f"engine.{name}", "engine_figures.py", name) for name in ("W1", "W2", "W3", "W4", "W4D", "W5", "W6", "W7")]
    listed += [script(f"engine.{name}", "engine_figures.py", name, needs=("bubblewrap",)) for name in ("W8", "W8T")]
    for backend, needs in (("bubblewrap", ("bubblewrap",)), ("docker", ("docker",))):
        listed += [Bench(f"sessions.{backend}.{part}", ("bench-sessions", backend, part), needs)
                   for part in ("cells", "starts", "pool", "output", "ingest", "neighbours")]
    listed += [Bench(f"sessions.e2b.{part}", ("bench-sessions", "e2b", part), ("bubblewrap",)) for part in ("cells", "starts")]
    listed += [Bench("sessions.store", ("bench-sessions", "store")),
               script("sessions.langgraph_sandbox", "langgraph_sandbox_path.py", needs=("docker",)),
               Bench("sessions.runner", ("bench.py", "--figures"), (), os.path.join(ROOT, "tests/sandbox_runner"))]
    listed.append(Bench("rewind.engine", ("bench-rewind", "engine")))
    for backend, needs in (("bubblewrap", ("bubblewrap",)), ("docker", ("docker",))):
        listed += [Bench(f"rewind.{backend}.{part}", ("bench-rewind", backend, part), needs)
                   for part in ("copies", "files", "stored", "disk", "instead")]
    listed += [Bench(f"isolation.{part}", ("bench-isolation", part)) for part in ("redaction", "egress")]
    listed.append(script("isolation.artifacts", "artifact_server_figures.py", needs=("wrk",)))
    listed += [script("engine.postgres", "postgres_figures.py", needs=("postgres",))]
    listed += [Bench("pools.queue", ("bench-pools",), ("redis",)), script("pools.task", "pool_figures.py", needs=("redis", "bubblewrap"))]
    window = ("window",)
    listed.append(Bench("window.canvas", ("bench-canvas",), window))
    listed += [Bench(f"window.history.{count}", ("bench-history", str(count)), window) for count in (100_000, 1_000_000)]
    listed += [Bench("window.chat.token", ("bench-chat", "tokens"), window), Bench("window.chat.long", ("bench-chat", "long"), window)]
    listed.append(Bench("window.history.values", ("bench-history", "1"), window))
    listed += [Bench(f"window.panels.{part}", ("bench-panels", part), window)
               for part in ("log", "meters", "artifacts", "csv", "parquet", "terminal", "sessions")]
    listed += [Bench("window.live", ("bench-window", "live"), window), Bench("window.large", ("bench-window", "large"), window),
               Bench("window.short", ("bench-window", "idle"), window), Bench("window.long", ("bench-window", "1000000"), window),
               script("window.start", "window_figures.py", needs=("window", "xvfb"))]
    listed += [Bench("search", ("bench-search",)), script("start", "start_figures.py"), script("disk", "disk_figures.py"),
               script("build", "build_figures.py")]
    return listed


def begins_with(name, ids):
    return name == ids or name.startswith(ids + ".")


def chosen(benches, groups):
    """Those that measure something of the groups: a group is any beginning of figures' names, up to a dot. None: all."""
    return [each for each in benches if not groups or any(begins_with(each.ids, group) or begins_with(group, each.ids) for group in groups)]


def missing(part, binaries):
    """Why this machine cannot measure what needs that; empty: it can."""
    def found(program, package):
        return "" if shutil.which(program) else f"{program} is not installed (apt install {package})"

    if part == "docker":
        told = subprocess.run(["docker", "version"], capture_output=True, check=False).returncode if shutil.which("docker") else 1
        return "no Docker Engine answers" if told else ""
    if part == "window":
        return "" if os.path.exists(os.path.join(binaries, "sandglass-workbench")) else "the window is not built (SG_BUILD_UI=OFF)"
    if part == "postgres":
        return "" if glob.glob("/usr/lib/postgresql/*/bin/initdb") else "PostgreSQL is not installed (apt install postgresql)"
    return {"redis": found("redis-server", "redis-server"), "bubblewrap": found("bwrap", "bubblewrap"), "wrk": found("wrk", "wrk"), "xvfb": found("Xvfb", "xvfb")}[part]


@dataclass
class Results:
    values: dict = field(default_factory=dict)  # id → one value a round
    units: dict = field(default_factory=dict)
    unmeasured: dict = field(default_factory=dict)  # id, or what several begin with → why
    failed: dict = field(default_factory=dict)

    def take(self, text):
        """Lines of one bench."""
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            name, _, said = rest.partition(" ")
            if word == "figure":
                number, _, unit = said.partition(" ")
                try:
                    self.values.setdefault(name, []).append(float(number))
                    self.units[name] = unit.strip()
                except ValueError:
                    self.failed[name] = f"'{line}' is no figure"
            elif word in ("unmeasured", "failed"):
                getattr(self, word)[name] = said.strip() or "no reason was said"

    def median(self, name):
        return statistics.median(self.values[name])

    def reason(self, name):
        """(why there is no value, whether that is a failure of our own)."""
        for reasons, is_failure in ((self.failed, True), (self.unmeasured, False)):
            fitting = [ids for ids in reasons if begins_with(name, ids)]
            if fitting:
                return reasons[max(fitting, key=len)], is_failure
        return "its bench did not print it", True


def measure(bench, binaries, results):
    for part in bench.needs:
        reason = missing(part, binaries)
        if reason:
            results.unmeasured[bench.ids] = reason
            return
    environment = dict(os.environ, SG_BENCH_BIN=binaries, QT_QPA_PLATFORM="offscreen")
    try:
        done = subprocess.run(bench.line(binaries), capture_output=True, text=True, errors="replace", env=environment, check=False,
                              timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as problem:
        results.failed[bench.ids] = f"{bench.command[0]}: {problem}"
        return
    results.take(done.stdout)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        results.failed.setdefault(bench.ids, f"{' '.join(bench.command)} ended with {done.returncode}: {last}")

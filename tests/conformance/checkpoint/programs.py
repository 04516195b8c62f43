"""LangGraph and the engine as two programs that have one database open: each performs operations of a case
(../engine/FORMAT.md) and gives the operation's entry in the trace."""
import json
import os
import pathlib
import subprocess
import sys

if os.environ.get("PYTHONHASHSEED") != "0":
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable] + sys.argv)
ENGINE = pathlib.Path(__file__).parent.parent / "engine"
sys.path[:0] = [str(ENGINE), str(ENGINE.parents[1] / "support")]
import require

try:
    import oracle
    import oracle_graphs
except ImportError as problem:
    require.leave("langgraph", f"{sys.executable} has no LangGraph ({problem}); packaging/setup/langgraph.sh installs one")

RUNNER = os.environ.get("SG_CONFORMANCE_RUNNER", "")
# Their texts differ from one Python to the next: the type alone counts.
PYTHON_ERRORS = ("TypeError", "KeyError", "UnboundLocalError", "AttributeError")


class LangGraph(oracle.Runner):
    """Runs the case's own graph or, where one is given, a graph that `make_graph(saver)` writes in Python."""

    name = "LangGraph"

    def __init__(self, case, database, env=None, make_graph=None):
        self.make_graph = make_graph
        super().__init__(case, str(database))
        self.env = env or self.env
        self.open()

    def open(self):
        if getattr(self, "conn", None):
            self.conn.close()
        super().open()
        if self.make_graph:
            self.graph = self.make_graph(self.saver)

    def entry(self, op):
        try:
            result = self.do(op)
        except Exception as error:
            result = {"error": self.err(error)}
        return {"op": op["op"], **result}


class Engine:
    """The engine in a process of its own, which keeps the database open."""

    name = "the engine"

    def __init__(self, case, database, env=None):
        self.env = env or oracle_graphs.Env()
        case_file = pathlib.Path(database).with_suffix(".case.json")
        case_file.write_text(json.dumps(case))
        self.process = subprocess.Popen(
            [RUNNER, "--serve", case_file, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, op):
        line = json.dumps({"op": op, "runs": self.env.runs, "failures": self.env.counters})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the engine ended with exit code {self.process.wait()}")
        answer = json.loads(line)
        if "entry" not in answer:
            raise AssertionError(f"the engine says: {line}")
        self.env.runs.update(answer["runs"])
        self.env.counters.update(answer["failures"])
        return answer["entry"]

    def entry(self, op):
        self.ask(op)
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(20)


def comparable(value):
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {key: comparable(item) for key, item in value.items()}
    error = out.get("error")
    if isinstance(error, dict) and error.get("type") in PYTHON_ERRORS:
        error.pop("message", None)
    return out


def difference(entry, expected):
    """The first line of the two entries' JSON that differs, or None."""
    lines, others = (oracle.dumps(comparable(each)).splitlines() for each in (entry, expected))
    for number, (line, other) in enumerate(zip(lines + [""], others + [""])):
        if line != other:
            return f"line {number} is {line!r}, not {other!r}"
    return None if len(lines) == len(others) else "one is longer"


def take_turns(programs, ops, first=0):
    """The entries of the operations, performed by the programs in turn, and who performed which."""
    for i, op in enumerate(ops):
        program = programs[(first + i) % len(programs)]
        yield op, program.entry(op), program.name

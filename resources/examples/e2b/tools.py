"""Tools for an agent that works on tables in a sandbox: one sandbox a conversation, found again by its name however often the
program starts."""

import datetime
import json
import pathlib

from e2b import SandboxQuery
from e2b_code_interpreter import Sandbox
from langchain_core.tools import tool

LOG = "session.log"
DATA = "data"
MINUTES = 30


def sandbox_of(conversation, create=True):
    """The conversation's sandbox, which lives half an hour from now on. None where there is none and none is to be made."""
    wanted = {"conversation": conversation}
    found = Sandbox.list(query=SandboxQuery(metadata=wanted)).next_items()
    if found:
        return Sandbox.connect(found[0].sandbox_id, timeout=60 * MINUTES)
    if not create:
        return None
    made = Sandbox.create(timeout=60 * MINUTES, metadata=wanted)
    made.files.make_dir(DATA)
    return made


def note(sandbox, entry):
    """Adds a line to the log in the sandbox, which viewer.py shows."""
    entry["time"] = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    line = json.dumps(entry) + "\n"
    before = sandbox.files.read(LOG) if sandbox.files.exists(LOG) else ""
    sandbox.files.write(LOG, before + line)


def make_tools(conversation, fetch, exports):
    """`conversation()` names the present one, `fetch(name)` gives the bytes of a dataset, `exports` is a folder of this machine."""

    @tool
    def run_code(code: str) -> str:
        """Runs Python code. Names and files stay; datasets are in the folder data."""
        sandbox = sandbox_of(conversation())
        done = sandbox.run_code(code)
        printed = "".join(done.logs.stdout + done.logs.stderr)
        failed = done.error and "%s: %s" % (done.error.name, done.error.value)
        note(sandbox, {"code": code, "printed": printed, "value": done.text, "error": failed})
        return "\n".join(part for part in (printed, done.text, failed) if part) or "done"

    @tool
    def select_dataset(name: str) -> str:
        """Brings a dataset into the sandbox and says where it is."""
        sandbox = sandbox_of(conversation())
        path = "%s/%s" % (DATA, name)
        if sandbox.files.exists(path):
            return "%s is there already" % path
        try:
            content = fetch(name)
        except (KeyError, OSError) as problem:
            return "%s could not be loaded: %s" % (name, problem)
        sandbox.files.write(path, content)
        note(sandbox, {"dataset": name, "bytes": len(content)})
        return path

    @tool
    def list_datasets() -> str:
        """Lists the datasets in the sandbox."""
        listed = sandbox_of(conversation()).files.list(DATA)
        return "\n".join("%s, %d bytes" % (each.path, each.size) for each in listed) or "none"

    @tool
    def export(path: str) -> str:
        """Copies a file of the sandbox to the person's machine."""
        sandbox = sandbox_of(conversation())
        content = sandbox.files.read(path, format="bytes")
        target = pathlib.Path(exports) / (datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f-") + pathlib.PurePosixPath(path).name)
        target.write_bytes(content)
        note(sandbox, {"exported": path, "to": target.name})
        return str(target)

    return [run_code, select_dataset, list_datasets, export]

"""A request that waits for the interpreter, or runs in it."""

import time

_LOOKS = ("variables", "complete", "inspect", "store")
_CODE = ("cell", "call")


class Job:
    """A request that needs the interpreter."""

    __slots__ = (
        "id", "op", "deadline_ms", "raw", "asked", "started", "started_ticks", "stopping", "budget", "asking", "name", "copy",
        "leaves", "is_code", "is_look", "refused", "stream",
    )

    def __init__(self, message, raw, stream=None):
        self.id = message["id"]
        self.op = message["op"]
        self.deadline_ms = message.get("deadline_ms") or 0
        self.raw = raw
        self.asked = time.monotonic()
        self.started = 0.0
        self.started_ticks = 0
        self.stopping = None  # "timeout" or "interrupted", once the interrupt was sent
        self.budget = None
        self.name = message.get("snapshot")
        self.copy = message.get("copy")  # {id, snapshot, always?}: the snapshot request that follows it
        self.leaves = False  # the interpreter is about to make that copy
        self.asking = None  # the number of the request to the host for whose answer its code waits
        self.is_code = self.op in _CODE  # output and displays meanwhile are its own
        self.is_look = self.op in _LOOKS  # a look at names: it is not answered by `done`, and no interpreter is ended for it
        self.stream = stream  # the descriptor from which a load reads, until the interpreter has it; None: a relay makes one
        self.refused = False  # a look for which the host no longer waits, while the interpreter still works on it

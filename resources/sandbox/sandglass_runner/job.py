"""What waits for the interpreter, or runs in it."""


class Job:
    """A request that needs the interpreter."""

    __slots__ = ("id", "op", "deadline_ms", "raw", "started", "started_ticks", "stopping", "budget", "asking", "name", "copy", "leaves")

    def __init__(self, message, raw):
        self.id = message["id"]
        self.op = message["op"]
        self.deadline_ms = message.get("deadline_ms") or 0
        self.raw = raw
        self.started = 0.0
        self.started_ticks = 0
        self.stopping = None  # "timeout" or "interrupted", once the interrupt was sent
        self.budget = None
        self.name = message.get("snapshot")
        self.copy = message.get("copy")  # {id, snapshot, always?}: the request that follows it
        self.leaves = False  # the interpreter is about to leave that copy
        self.asking = None  # the number of the request to the host that its code waits for

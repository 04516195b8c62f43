"""The run as a node sees it through LangGraph's functions."""


class Call:
    """One call of a node: its config, the answers it was given, and the way from its stream writer to the host."""

    def __init__(self, config, answers, emit, ask=None, run=None):
        self.config = config
        self.run = run or {}  # the run's context and checkpoint_id; the attempt
        self.answers = answers
        self.asked = 0
        self.emit = emit
        self._ask = ask  # None: the host cannot be asked
        self._store = None
        self.failed = None  # in an error handler: (the node that failed, its exception)
        self.live = True

    def answer(self, value, schema, interrupted):
        """The person's answer to the next interrupt(), or an exception made by `interrupted`."""
        index = self.asked
        if index < len(self.answers):
            self.asked += 1
            return self.answers[index]
        raise interrupted(value, schema)

    def ask(self, kind, request):
        """The host's answer to a request; a refusal is raised here."""
        if not self.live:
            raise RuntimeError("the node that this belongs to has ended")
        return self._ask(self, kind, request)

    @property
    def store(self):
        """The long-term store; None where the graph has none, as in LangGraph."""
        if self._store is None and self._ask is not None:
            from . import store

            self._store = store.for_call(self)
        return self._store

    def write(self, data):
        if self.live:  # a thread that outlives its node writes to nobody
            self.emit(data)


class Job:
    """The running cell or call, for the tools by which its code may ask the host."""

    def __init__(self, asks, ask, is_running):
        self._asks = asks
        self._ask = ask
        self._is_running = is_running

    @property
    def live(self):
        return self._is_running()

    def ask(self, kind, request):
        if kind not in self._asks or not self.live:
            raise RuntimeError(
                "nothing here answers for %s: the session's mode has none (\"datasets\" in the graph's sandbox), "
                "or the cell that asks has ended" % kind
            )
        return self._ask(self, kind, request)


current = None
job = None


def require(name):
    if current is None or not current.live:
        raise RuntimeError("Called %s outside of a runnable context" % name)
    return current

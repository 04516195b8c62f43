"""What a node may ask of the run it is part of, behind LangGraph's functions of the same names."""


class Call:
    """One call of a node: its config, the answers it was given, and how its stream writer reaches the host."""

    def __init__(self, config, answers, emit):
        self.config = config
        self.answers = answers
        self.asked = 0
        self.emit = emit
        self.live = True

    def answer(self, value, schema, interrupted):
        """The person's answer to the next interrupt(), or an exception made by `interrupted`."""
        index = self.asked
        if index < len(self.answers):
            self.asked += 1
            return self.answers[index]
        raise interrupted(value, schema)

    def write(self, data):
        if self.live:  # a thread that outlives its node has nobody to write to
            self.emit(data)


current = None


def require(name):
    if current is None or not current.live:
        raise RuntimeError("Called %s outside of a runnable context" % name)
    return current

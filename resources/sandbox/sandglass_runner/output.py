"""Bounds a cell's output: counts each stream against the limit, and how much was dropped."""


class Budget:
    __slots__ = ("_left", "_custom_left", "dropped")

    def __init__(self, limit):
        self._left = limit
        self._custom_left = limit
        self.dropped = {}

    def admit(self, stream, size):
        """(how many of `size` bytes may pass, whether this is the first loss). The rest counts as dropped."""
        if stream == "custom":
            passed = size if size <= self._custom_left else 0  # a custom event passes whole or not at all
            self._custom_left -= passed
        else:
            passed = min(size, self._left)
            self._left -= passed
        if passed == size:
            return passed, False
        first = stream not in self.dropped
        self.dropped[stream] = self.dropped.get(stream, 0) + size - passed
        return passed, first

    def exhausted(self):
        return self._left <= 0

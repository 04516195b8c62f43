"""A short text for a value. Long values are cut before they are described, as nothing interrupts that C code."""

import reprlib
from itertools import islice

from .failures import cut

_MANY = 1000  # containers with more items are not sorted, and their types' own methods not used
_MOST_BITS = 1 << 12
_TEXTS = (bytes, bytearray, str)
_CONTAINERS = (dict, set, frozenset, list, tuple)


class _Short(reprlib.Repr):
    def __init__(self, most):
        super().__init__()
        self.maxstring = self.maxother = most

    def repr1(self, x, level):
        cls = type(x)
        if cls is not str and issubclass(cls, _TEXTS) and len(x) > self.maxother:
            return repr(x[: self.maxother]) + "..."
        if issubclass(cls, int) and x.bit_length() > _MOST_BITS:
            return "<%s of %d bits>" % (cls.__name__, x.bit_length())
        if issubclass(cls, _CONTAINERS) and len(x) > _MANY:
            return self._many(x, cls, level)
        return super().repr1(x, level)

    def _many(self, x, cls, level):
        if level <= 0:
            return "%s(...)" % cls.__name__
        if issubclass(cls, dict):
            items = [
                "%s: %s" % (self.repr1(key, level - 1), self.repr1(value, level - 1))
                for key, value in islice(dict.items(x), self.maxdict)
            ]
        else:
            items = [self.repr1(item, level - 1) for item in islice(x, self.maxlist)]
        opening, closing = {list: "[]", tuple: "()", dict: "{}", set: "{}"}.get(cls, ("%s(" % cls.__name__, ")"))
        return "%s%s, ...%s" % (opening, ", ".join(items), closing)


def of(value, most):
    return cut(_Short(most).repr(value), most)

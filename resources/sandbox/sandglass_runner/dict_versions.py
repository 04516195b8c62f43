"""Tells whether a dictionary is as it was when it was last looked at, without reading it.

Reading a dictionary writes to each of its objects, to count a reference, and after a fork each page that is written to is copied:
a look at the built-in names alone copies fifty. CPython up to 3.13 counts in each dictionary how often it was changed (PEP 509),
where only C can read it. Where the count is not found at its place, every dictionary counts as changed."""

from types import ModuleType

_PLACE = 24  # of the count in a dictionary, on machines of 64 bits
_ROUNDS = 40  # after which Python has made faster instructions for a loop


class Same:
    """Remembers one dictionary."""

    def __init__(self):
        self._seen = self._count = None  # the dictionary, and the place of its count
        self._was = None

    def holds(self, dictionary):
        """Whether it is the dictionary that note() was told of last, with the same keys and the very same values."""
        return dictionary is self._seen and self._count is not None and self._count.value == self._was

    def note(self, dictionary):
        if not _is_counted():
            return
        if dictionary is not self._seen:
            self._seen, self._count = dictionary, _place(dictionary)
        self._was = self._count.value


def _place(dictionary):
    from ctypes import c_uint64

    return c_uint64.from_address(id(dictionary) + _PLACE)


_found = []


def _is_counted():
    if not _found:
        try:
            _found.append(_does_count())
        except Exception:  # Python was built without ctypes
            _found.append(False)
    return _found[0]


def _does_count():
    """Whether each way to change a dictionary changes the number at the place, and nothing else does."""
    import ctypes

    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    module = ModuleType("module")
    names = module.__dict__
    count, seen = _place(names), set()
    for each in range(_ROUNDS):
        for change in (_set_item, _set_attribute, _add, _remove, _take_last, _update):
            change(module, names, each)
            if count.value in seen or count.value != count.value:
                return False
            seen.add(count.value)
        before = count.value
        if names["item"] != each or names.get("nothing") is not None or list(names)[0] is None or count.value != before:
            return False
    names.clear()
    return count.value not in seen


def _set_item(_module, names, value):
    names["item"] = (value,)
    names["item"] = value


def _set_attribute(module, _names, value):
    module.attribute = (value,)


def _add(_module, names, value):
    names["name%d" % value] = None


def _remove(_module, names, value):
    del names["name%d" % value]


def _take_last(_module, names, value):
    names[(value,)] = None
    names.popitem()


def _update(_module, names, value):
    names.update(attribute=[value])

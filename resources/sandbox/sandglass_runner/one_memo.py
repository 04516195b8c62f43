"""One memo for all names that are pickled one after another: an object of two names comes back as one object.

Each name is a pickle of its own, whose memo entries follow those of the names before. Entries of a name that fails are taken
back. The reader fills the entries of a name that did not come back, and refuses names that refer to them.

Pickles refer to memo entries by number. Each name begins at a round number, so that an earlier name which grows a little does
not change it: contents that are stored by hash stay the same."""

import pickle
import re
import sys
from functools import reduce
from io import BytesIO

_PROBE = 2  # entries that it takes to measure the memo's length
_GRAIN = 16
_LIST, _TUPLE2, _STOP = b"]\x94", b"\x86\x94", b"."
_PUT, _POP, _NEXT_BUFFER = b"r", b"0", b"\x97"
_GETS = ("BINGET", "LONG_BINGET")
_TEXTS = ("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8")
_GET = re.compile(rb"(?=h(.)|j(.{4}))", re.DOTALL)


class Writer:
    """`make(file, protocol, buffer_callback=…)` makes a pickler; its output goes to the file `out`. `limited(work, value)` calls
    work(value), and may end it by an exception."""

    def __init__(self, make, out, keep_apart, limited):
        self._make = make
        self._out = out
        self._keep_apart = keep_apart
        self._limited = limited
        self._file = out
        self._buffers = []
        self._length = 0  # of the memo before the current name
        self._start = 0  # the current name's first entry
        self._pickler = self._made()

    def begin(self):
        """Called before a name: returns the memo's length and the name's first entry. C picklers do not tell the length, but a
        reference in a pickle shows its place."""
        probe = []
        text = self._aside((probe, probe))
        text = text[text.index(_LIST) + len(_LIST) : text.rindex(_TUPLE2)]
        self._length = int.from_bytes(text[1:], "little")
        grain = max(_GRAIN, (1 << (self._length - self._start).bit_length()) >> 3)
        self._start = -(-(self._length + _PROBE) // grain) * grain
        unused = self._start - self._length - _PROBE
        if unused:
            self._aside([[] for _ in range(unused - 1)])
        return [self._length, self._start]

    def _aside(self, value):
        """Pickles a value only to enter it in the memo."""
        self._file = said = BytesIO()
        try:
            self._pickler.dump(value)
        finally:
            self._file = self._out
        return said.getvalue()

    def dump(self, value):
        """Pickles a value and returns its large buffers. After an exception the memo is as it was before begin()."""
        self._buffers = []
        try:
            self._limited(self._pickler.dump, value)
        except BaseException:
            self._take_back()
            raise
        return self._buffers

    def write(self, data):
        return self._file.write(data)

    def _made(self):
        return self._make(self, 5, buffer_callback=lambda buffer: self._keep_apart(buffer, self._buffers))

    def _take_back(self):
        failed, self._pickler = self._pickler, self._made()
        entries = failed.memo.copy().items()
        self._pickler.memo = {key: entry for key, entry in entries if entry[0] < self._length}
        if hasattr(failed, "globals_ref"):  # cloudpickle's function namespaces, which must stay one each
            self._pickler.globals_ref.update(failed.globals_ref)


class Reader:
    def __init__(self):
        self._text = BytesIO()
        self._buffers = iter(())
        self._unpickler = pickle.Unpickler(self, buffers=self)
        self._failed = None  # (first entry, name) of a name that failed, while its number of entries is unknown
        self._lost = []  # (first entry, end, name) of lost names
        self._rescued = {}  # {entry: value} restored from lost names

    def read(self, size):
        return self._text.read(size)

    def readline(self):
        return self._text.readline()

    def readinto(self, view):
        return self._text.readinto(view)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._buffers)

    def load(self, record, data, buffers):
        self.lose(record)  # until it has been read
        try:
            self._refuse_lost(data)
            value = self._loaded(data, buffers)
        except BaseException:
            memo = self._unpickler.memo.copy()
            self._unpickler = pickle.Unpickler(self, buffers=self)  # the failed one has read ahead
            self._put(memo.items())
            self._rescue(data, memo)
            raise
        self._failed = None
        return value

    def give_up(self, record, data):
        """A name that is there shall not be read."""
        if record.get("memo") is not None:
            self.lose(record)
            self._rescue(data, self._unpickler.memo.copy())

    def lose(self, record):
        """A name did not come back, or only in part."""
        if record.get("memo") is None:
            return
        begin, end = record["memo"]
        if self._failed is not None:
            begin, name = self._failed
            self._lost.append((begin, end, name))
        self._put((place, self._rescued.get(place)) for place in range(begin, end))
        self._failed = (end, record["name"])

    def _put(self, entries):
        places, values = [], []
        for place, value in entries:
            places.append(_NEXT_BUFFER + _PUT + place.to_bytes(4, "little") + _POP)
            values.append(value)
        self._loaded(b"".join(places) + b"N.", values)

    def _loaded(self, data, buffers):
        self._text = BytesIO(data)
        self._buffers = iter(buffers)
        return self._unpickler.load()

    def _refuse_lost(self, data):
        """Refuses a name that refers to entries of lost names, which hold nothing."""
        if not self._lost or not any(self._lost_at(_place(found)) for found in _GET.finditer(data)):
            return  # no byte sequence looks like a reference to them
        for operation, argument, _at in _operations(data):
            lost = self._lost_at(argument) if operation in _GETS else None
            if lost:
                raise LookupError("it holds something of %s, which did not come back" % lost)

    def _lost_at(self, place):
        if place in self._rescued:
            return None
        return next((name for begin, end, name in self._lost if begin <= place < end), None)

    def _rescue(self, data, memo):
        """Restores texts, and objects found by module and name, from a failed pickle: other names share them."""
        place, _name = self._failed
        memo.update(self._rescued)
        texts, value = [None, None], None  # the last two texts that were pushed
        for operation, argument, _at in _operations(data):
            if operation == "MEMOIZE":
                if value is not None:
                    self._rescued[place] = memo[place] = value
                place += 1
                continue
            if operation == "STACK_GLOBAL":
                value = _found(*texts)
                continue
            value = argument if operation in _TEXTS else None
            if operation in _GETS or value is not None:
                texts = [texts[1], memo.get(argument) if operation in _GETS else value]


def _operations(data):
    from pickletools import genops

    return ((operation.name, argument, at) for operation, argument, at in genops(bytes(data)))


def _found(module, name):
    try:
        __import__(module)
        return reduce(getattr, name.split("."), sys.modules[module])
    except Exception:
        return None


def _place(found):
    return int.from_bytes(found.group(1) or found.group(2), "little")

"""One memo for all names that are pickled one after another: what two of them hold comes back as one object.

Each name is a pickle of its own, whose entries in the memo follow those of the names before. A name that fails leaves none:
its entries are taken back. Who reads fills the places of what did not come back, and refuses what refers to them.

Pickles refer to the memo by numbers. A name begins at a round one, so that an earlier name which grows a little does not change it:
what is stored by its hash stays the same."""

import pickle
import re
import sys
from functools import reduce
from io import BytesIO

_PROBE = 2  # entries that asking for the memo's length takes
_GRAIN = 16
_LIST, _TUPLE2, _STOP = b"]\x94", b"\x86\x94", b"."
_PUT, _POP, _NEXT_BUFFER = b"r", b"0", b"\x97"
_GETS = ("BINGET", "LONG_BINGET")
_TEXTS = ("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8")
_GET = re.compile(rb"(?=h(.)|j(.{4}))", re.DOTALL)


class Writer:
    """`make(file, protocol, buffer_callback=…)` makes a pickler; `out` is the file that takes its pieces."""

    def __init__(self, make, out, keep_apart):
        self._make = make
        self._out = out
        self._keep_apart = keep_apart
        self._file = out
        self._buffers = []
        self._length = 0  # before the name at hand
        self._start = 0  # its first entry
        self._pickler = self._made()

    def begin(self):
        """Before a name: how many entries the memo has, and the first of the name. C picklers do not tell, but what refers to one
        names its place."""
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
        """Pickled into the memo alone."""
        self._file = said = BytesIO()
        try:
            self._pickler.dump(value)
        finally:
            self._file = self._out
        return said.getvalue()

    def dump(self, value):
        """Its large buffers. Whatever it raises, the memo is as it was before begin()."""
        self._buffers = []
        try:
            self._pickler.dump(value)
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
        if hasattr(failed, "globals_ref"):  # cloudpickle's namespaces of functions, of which there is one each
            self._pickler.globals_ref.update(failed.globals_ref)


class Reader:
    def __init__(self):
        self._text = BytesIO()
        self._buffers = iter(())
        self._unpickler = pickle.Unpickler(self, buffers=self)
        self._failed = None  # (first entry, name) of one of which it is not known yet how many it had
        self._lost = []  # (first entry, end, name)
        self._rescued = {}  # {entry: value} of those

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
        self.lose(record)  # until it has come
        try:
            self._refuse_lost(data)
            value = self._loaded(data, buffers)
        except BaseException:
            memo = self._unpickler.memo.copy()
            self._unpickler = pickle.Unpickler(self, buffers=self)  # the other has read ahead
            self._put(memo.items())
            self._rescue(data, memo)
            raise
        self._failed = None
        return value

    def lose(self, record):
        """It did not come, or not whole."""
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
        """What did not come back has entries that hold nothing."""
        if not self._lost or not any(self._lost_at(_place(found)) for found in _GET.finditer(data)):
            return  # no byte of it looks like that
        for operation, argument, _at in _operations(data):
            lost = self._lost_at(argument) if operation in _GETS else None
            if lost:
                raise LookupError("it holds something of %s, which did not come back" % lost)

    def _lost_at(self, place):
        if place in self._rescued:
            return None
        return next((name for begin, end, name in self._lost if begin <= place < end), None)

    def _rescue(self, data, memo):
        """Texts, and what is found by a module and a name: others have the same, and must not be lost for it."""
        place, _name = self._failed
        memo.update(self._rescued)
        texts, value = [None, None], None  # the last two that were pushed
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

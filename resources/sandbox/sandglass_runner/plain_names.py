"""The session's names where all are plain data: the interpreter itself writes them out as its copy is made.

Reading plain data calls no code of the user's: numbers, text and containers of exactly Python's own types, and few of them. No
copy has to be woken for the names then. Where one name is of another kind, or there are many, the copy is asked later."""

import marshal
from pickle import Pickler
from types import FunctionType, ModuleType

from . import kept_state, module_state, settings, stored_names

_MOST_THINGS = 2000
_MOST_BYTES = 16384
_MOST_NAMES = 64
_ATOMS = frozenset((type(None), bool, int, float, complex))
_TEXTS = frozenset((str, bytes, bytearray))
_LISTS = frozenset((list, tuple, set, frozenset))


class PlainNames:
    def __init__(self):
        self._told = None  # the state from which the last stream was written
        self._stream = None

    def stream(self, namespace, files):
        """The stream that stored_names.write() would write; None where not all names are plain, or there is too much."""
        names = _plain(namespace, files)
        if names is None:
            return None
        state = [kept_state.told(), settings.told(), module_state.told(files), module_state.told_of_libraries(files)]
        if any(failed for _found, failed in state) or not _are_plain([found for found, _failed in state]):
            return None
        try:
            told = marshal.dumps((names, state, [(name, hash(file.source)) for name, file in files.items()]))
        except ValueError:  # a container that holds itself
            return None
        if told != self._told:
            out = _Bytes()
            try:
                stored_names.write_to(out, namespace, files, Pickler)
            except _TooMuch:
                out.lost = True
            self._told, self._stream = told, None if out.lost else bytes(out.data)
        return self._stream


def _plain(namespace, files):
    """[(scope, name, value)]; None: not all are plain. A value that comes back with its file, or by an import, is replaced by
    its kind."""
    names, known = [], set()
    for scope, file in files.items():
        module = file.module.__dict__
        for name in file.own:
            if name in module and name not in stored_names.HIDDEN:
                value = module[name]
                if _is_of_the_file(value, file.module.__name__):
                    known.add(id(value))
                names.append((scope, name, _told(value, known)))
    names.extend(("", name, _told(value, known)) for name, value in namespace.items() if name not in stored_names.HIDDEN)
    is_plain = len(names) <= _MOST_NAMES and _are_plain([part for each in names for part in each])
    return names if is_plain else None


def _is_of_the_file(value, module):
    return type(value) is FunctionType and value.__module__ == module and not value.__dict__


def _told(value, known):
    if type(value) is ModuleType:
        return "module", value.__dict__.get("__name__")
    return ("function", value.__name__, id(value)) if id(value) in known else value


def _are_plain(waiting):
    things, size = _MOST_THINGS, _MOST_BYTES
    while waiting:
        value = waiting.pop()
        kind = type(value)
        things -= 1
        if kind in _TEXTS:
            size -= len(value)
        elif kind in _LISTS or kind is dict:
            if len(value) > things:
                return False
            waiting.extend(value)
            if kind is dict:
                waiting.extend(value.values())
        elif kind not in _ATOMS or (kind is int and value.bit_length() > _MOST_BYTES):
            return False
        if things < 0 or size < 0:
            return False
    return True


class _TooMuch(Exception):
    pass


class _Bytes(stored_names.Out):
    def __init__(self):
        super().__init__(-1)
        self.data = bytearray()
        self.lost = False

    def raw(self, view):
        if len(self.data) + len(view) > 2 * _MOST_BYTES:
            raise _TooMuch
        self.data += view

    def record(self, message):
        self.lost = self.lost or message["kind"] == "missing"
        super().record(message)

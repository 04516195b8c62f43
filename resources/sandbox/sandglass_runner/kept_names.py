"""Names that a task set which ran beside others, on their way from its process to the thread's interpreter."""

import gc
import os
import zlib
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from . import stored_names

_ALL = frozenset(("globals", "vars", "exec", "eval", "compile", "get_ipython"))  # code that calls these can reach any name
_DEFINED = (FunctionType, BuiltinFunctionType, ModuleType, type)
_FIXED = (str, bytes, int, float, complex, bool, type(None), range, CodeType)
_MOST_PARTS = 200000


class CannotKeep(TypeError):
    pass


class Before:
    """The session's names before a call. A name whose object the call changes in place is known by its pickle, which is made of
    each name that the code could mention."""

    def __init__(self, namespace, files, source, filename):
        self._namespace, self._files = namespace, files
        self._names = dict(namespace)
        self._pickled = self._digests(_mentioned(namespace, source, filename))

    def changed(self, hidden):
        """The names that were set or whose objects have changed since, and those that share something with these objects, so that
        all go on sharing it. CannotKeep where one is no text."""
        shared = self._namespace
        names = {n for n, v in shared.items() if n not in hidden and (n not in self._names or self._names[n] is not v)}
        for name in names:
            if type(name) is not str:
                raise CannotKeep("the name %s cannot be kept: it is no text" % ascii(name)[:100])
        same = [name for name in self._pickled if name not in names and name in shared]
        now = self._digests(same)
        inside = {name for name in same if now.get(name) != self._pickled[name]}
        if inside:
            parts = set().union(*(_parts(shared[name]) for name in inside))
            for name, value in shared.items():
                if type(name) is str and name not in names and name not in inside and name not in hidden:
                    if not isinstance(value, _DEFINED) and parts & _parts(value):
                        names.add(name)
        return sorted(names | inside)

    def _digests(self, names):
        """{name: digest of its pickle} of those that can be pickled."""
        found = {}
        for name in names:
            out = _Digest()
            try:
                stored_names.names_writer(out, self._files, self._namespace).write(name, "", self._namespace[name])
            except Exception:
                continue
            if not out.is_lost:
                found[name] = out.value
        return found


class _Digest(stored_names.Out):
    """A stream of which only a digest is left."""

    def __init__(self):
        super().__init__(-1)
        self.value = 0
        self.is_lost = False

    def raw(self, view):
        self.value = zlib.crc32(view, self.value)

    def record(self, message):
        self.is_lost = self.is_lost or message["kind"] == "missing"


def _mentioned(namespace, source, filename):
    """The names of values that the file, or a function or class of the session, could use."""
    said = set()
    _add_names(compile(source, filename, "exec", 0, True), said)
    for value in list(namespace.values()):
        for function in list(vars(value).values()) if isinstance(value, type) else [value]:
            if isinstance(function, FunctionType):
                _add_names(function.__code__, said)
    return [
        name
        for name, value in namespace.items()
        if type(name) is str and name not in stored_names.HIDDEN and not isinstance(value, _DEFINED) and (said & _ALL or name in said)
    ]


def _add_names(code, said):
    said.update(code.co_names)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            _add_names(each, said)


def _parts(value):
    """Ids of all that an object consists of, but for what cannot change."""
    found, waiting = {}, [value]
    while waiting and len(found) < _MOST_PARTS:
        each = waiting.pop()
        if isinstance(each, _DEFINED) or type(each) in _FIXED or id(each) in found:
            continue
        if type(each) in (tuple, frozenset) and not each:
            continue  # Python has a single empty one
        if type(each) is dict and "__builtins__" in each:
            continue  # a module's names
        found[id(each)] = each
        waiting.extend(gc.get_referents(each))
    return set(found)


def write(path, names, namespace, files):
    """Pickles those names to a new file. CannotKeep names the one that cannot be pickled."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        out = stored_names.Out(fd)
        writer = stored_names.names_writer(out, files, namespace)
        for name in names:
            writer.write(name, "", namespace[name])
        out.record({"kind": "end"})
        os.lseek(fd, 0, os.SEEK_SET)
        for record in stored_names.written(fd):
            if record["kind"] == "missing":
                raise CannotKeep("the name '%s' cannot be kept: %s" % (record["name"], record["reason"]))
    finally:
        os.close(fd)


def read(path, namespace, nodes):
    """Sets the names and returns them. CannotKeep where one does not come back."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        names, missing = stored_names.read_written(fd, namespace, nodes)
    finally:
        os.close(fd)
    if missing:
        raise CannotKeep("a name cannot be kept: %s" % missing[0]["name"])
    return names

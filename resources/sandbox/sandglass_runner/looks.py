"""Describes the session's names for a look, in children of the interpreter.

To describe a value may call methods of the user's classes, and nobody asked for these to run: a child can change nothing outside of
itself, and where a description ends it or takes too long, that name alone has none, and another child goes on after it."""

import os
import struct
from _signal import SIGKILL

from . import copies, deadly, only_reads, previews, variables  # noqa: F401  # previews: not to be read anew in each child
from .codec import pack, unpack

_NAME_S = 0.5
_ALL_S = 1.5  # a look as a whole has 2 s
_MOST_ENDED = 20
_HEADER = struct.Struct(">I")


def described(namespace, names):
    """An entry as of variables.described() for each of the names, which are in the namespace."""
    entries = []
    spent = 0.0
    for _ in range(_MOST_ENDED):
        rest = names[len(entries) :]
        if not rest:
            return entries
        try:
            child = _Child(namespace, rest)
        except OSError:  # no child can be made
            return entries + [variables.described(name, namespace[name]) for name in rest]
        found, reason = child.entries(_ALL_S - spent)
        spent += child.waited
        entries += found
        if reason is None:
            return entries
        name = names[len(entries)]
        entries.append(dict(variables.named(name, namespace[name]), preview="(%s)" % reason))
        if spent >= _ALL_S:
            break
    return entries + [variables.named(name, namespace[name]) for name in names[len(entries) :]]


class _Child:
    def __init__(self, namespace, names):
        self._names = names
        self.waited = 0.0  # seconds, for names that gave nothing
        self._reader, writer = os.pipe()
        try:
            self._pid = copies.forked_for_a_moment()
        except BaseException:
            os.close(self._reader)
            os.close(writer)
            raise
        if self._pid == 0:
            _describe(namespace, names, writer)
        os.close(writer)

    def entries(self, seconds):
        """(entries, why the name after them has none); the reason is None where all were described."""
        is_stuck = True
        try:
            found, is_stuck = self._read(min(_NAME_S, seconds))
        finally:  # an interrupt ends the child, too
            os.close(self._reader)
            if is_stuck:
                os.kill(self._pid, SIGKILL)
            status = deadly.waited_for(self._pid)
        if len(found) == len(self._names):
            return found, None
        if is_stuck:
            return found, "its description takes too long"
        return found, "its description ended the process: %s" % deadly.ending(status)

    def _read(self, seconds):
        found, buffer = [], b""
        clock = deadly.Clock(self._reader)
        while clock.waited <= seconds:
            if clock.ticked():
                data = os.read(self._reader, 65536)
                if not data:
                    return found, False
                buffer += data
                while len(buffer) >= _HEADER.size:
                    end = _HEADER.size + _HEADER.unpack_from(buffer)[0]
                    if len(buffer) < end:
                        break
                    found.append(unpack(buffer[_HEADER.size : end]))
                    buffer = buffer[end:]
                    clock.waited = 0.0
                if len(found) == len(self._names):
                    return found, False
            self.waited = clock.waited
        return found, True


def _describe(namespace, names, fd):
    """In the child."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for output in (1, 2):
            os.dup2(nowhere, output)
        only_reads.begin()
        for name in names:
            entry = pack(variables.described(name, namespace[name]))
            entry = _HEADER.pack(len(entry)) + entry
            while entry:
                entry = entry[os.write(fd, entry) :]
    finally:
        os._exit(0)

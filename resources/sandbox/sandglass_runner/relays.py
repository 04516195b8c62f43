"""Streams of stored names between the host and an interpreter or a copy, passed on in pieces and in bounded memory."""

import os

from . import checks, wire
from .loop import IN, OUT

_PIECE = 1048576


class Relays:
    """`send(message)` reaches the host."""

    def __init__(self, loop, send):
        self._loop = loop
        self._send = send
        self._out = {}  # descriptor → request, of what is written out
        self._in = {}  # request → what is read back
        self._paused = False

    def begin_out(self, identifier):
        """The descriptor that somebody writes to; its pieces are answers to the request, then a last one."""
        mine, theirs = _pair()
        self._out[mine] = identifier
        self._loop.watch(mine, lambda _events: self._pass_out(mine), 0 if self._paused else IN)
        return theirs

    def begin_in(self, identifier):
        """The descriptor that somebody reads what the host sends for the request from."""
        mine, theirs = _pair()
        self._in[identifier] = _In(mine)
        return theirs

    def pause(self, paused):
        self._paused = paused
        for fd in self._out:
            self._loop.change(fd, 0 if paused else IN)

    def take(self, message):
        """A piece from the host, answered once it has been passed on."""
        stream = self._in.get(message["to"])
        if stream is None:
            raise checks.BadRequest("nothing is read back by the request %d" % message["to"])
        stream.last = bool(message.get("last"))
        stream.due.append(message["id"])
        try:
            stream.outbox.send(message["data"])
        except OSError:
            stream.broken = True
        self._flushed(message["to"], stream)

    def end_in(self, identifier):
        stream = self._in.pop(identifier, None)
        if stream is not None:
            self._close_in(stream)

    def end_all(self):
        """The host went away."""
        for fd in list(self._out):
            self._end_out(fd)
        for identifier in list(self._in):
            self.end_in(identifier)

    def _pass_out(self, fd):
        data = wire.read_some(fd, _PIECE)
        if data is None:
            return
        identifier = self._out[fd]
        if data:
            self._send({"ev": "piece", "id": identifier, "data": data})
        else:
            self._end_out(fd)
            self._send({"ev": "end", "id": identifier})

    def _end_out(self, fd):
        del self._out[fd]
        self._loop.unwatch(fd)
        os.close(fd)

    def _writable(self, identifier, stream):
        try:
            stream.outbox.flush()
        except OSError:
            stream.broken = True
        self._flushed(identifier, stream)

    def _flushed(self, identifier, stream):
        if stream.outbox.pending and not stream.broken:
            if not self._loop.is_watched(stream.fd):
                self._loop.watch(stream.fd, lambda _events: self._writable(identifier, stream), OUT)
            return
        self._loop.unwatch(stream.fd)
        for due in stream.due:
            self._send({"ev": "taken", "id": due})
        stream.due = []
        if stream.last:
            self.end_in(identifier)

    def _close_in(self, stream):
        self._loop.unwatch(stream.fd)
        os.close(stream.fd)
        for due in stream.due:
            self._send({"ev": "taken", "id": due})


class _In:
    def __init__(self, fd):
        self.fd = fd
        self.outbox = wire.Outbox(fd)
        self.due = []  # requests whose piece is on its way
        self.last = False
        self.broken = False


def _pair():
    import _socket

    mine, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    mine, theirs = mine.detach(), theirs.detach()
    os.set_blocking(mine, False)
    return mine, theirs

"""Relays streams of stored names between the host and an interpreter or copy, in pieces and in bounded memory."""

import os
import time

from . import checks, wire
from .loop import IN, OUT

_PIECE = 1048576
_CALM = 0.05  # seconds after a job before gentle streams go on
_AT_LATEST = 2.0  # seconds for which jobs may hold up a gentle stream
_INSISTS = 0.25  # seconds for which it then goes on


class Relays:
    """`send(message)` sends to the host."""

    def __init__(self, loop, send):
        self._loop = loop
        self._send = send
        self._out = {}  # descriptor → request, for names written out
        self._in = {}  # request → stream, for names read back
        self._paused = False
        self._gentle = set()  # the keys of _out that give way to jobs
        self._yields_since = None
        self._insists_until = 0.0

    def begin_out(self, identifier, gentle=False, first=b""):
        """Returns a descriptor to write to; its pieces become answers to the request, after `first` and before a last one.

        A gentle stream stops while a job runs: its writer blocks, and uses no processor."""
        mine, theirs = _pair()
        self._out[mine] = identifier
        if first:
            self._send({"ev": "piece", "id": identifier, "data": first})
        if gentle:
            self._gentle.add(mine)
        self._loop.watch(mine, lambda _events: self._pass_out(mine), self._events_of(mine))
        return theirs

    def work(self, begins):
        """Called when a job begins or has ended."""
        if not self._gentle:
            return
        now = time.monotonic()
        if begins and self._yields_since is None and now >= self._insists_until:
            self._yields_since = now
            self._regulate()
        if self._yields_since is not None:
            latest = self._yields_since + _AT_LATEST
            self._loop.at("gentle", latest if begins else min(now + _CALM, latest), self._go_on)

    def _go_on(self):
        self._yields_since = None
        self._insists_until = time.monotonic() + _INSISTS
        self._regulate()

    def _events_of(self, fd):
        return 0 if self._paused or (self._yields_since is not None and fd in self._gentle) else IN

    def _regulate(self):
        for fd in self._out:
            self._loop.change(fd, self._events_of(fd))

    def begin_in(self, identifier):
        """Returns a descriptor from which to read what the host sends for the request."""
        mine, theirs = _pair()
        self._in[identifier] = _In(mine)
        return theirs

    def pause(self, paused):
        self._paused = paused
        self._regulate()

    def take(self, message):
        """Passes on a piece from the host, which is answered once that is done."""
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

    def give_up(self, identifier):
        """Ends a stream that the host no longer wants, and thereby its writer."""
        for fd in [fd for fd, request in self._out.items() if request == identifier]:
            self._end_out(fd)
            self._send({"ev": "end", "id": identifier})

    def end_all(self):
        """Called when the host has gone."""
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
        self._gentle.discard(fd)
        if not self._gentle:
            self._yields_since = None
            self._loop.cancel("gentle")
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
        self.due = []  # requests whose piece is not passed on yet
        self.last = False
        self.broken = False


def _pair():
    import _socket

    mine, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    mine, theirs = mine.detach(), theirs.detach()
    os.set_blocking(mine, False)
    return mine, theirs

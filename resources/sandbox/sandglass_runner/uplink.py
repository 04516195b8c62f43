"""The way to the host: its connection, messages for an absent host, and flow control."""

import os
import time
from _collections import deque  # without all that collections imports

from . import checks, wire
from .codec import CodecError
from .loop import GONE, IN, OUT

_HIGH_WATER = 4 * 1024 * 1024  # unsent bytes, above which the code's output is left in its pipes
_BACKLOG = 1024 * 1024  # output kept for a host that is away
_MOST_KEPT = 4096
_LONGEST_STEP = 60.0  # seconds


class Uplink:
    """`owner` has request(connection, message, raw), crowded(bool), host_lost() and dropped_unsent(message, size)."""

    def __init__(self, loop, connection, listener, orphan_s, owner):
        self._loop = loop
        self._listener = listener
        self._orphan_s = orphan_s  # the supervisor ends itself after so long without a host
        self._alone = 0.0  # seconds that it has run without a host
        self._owner = owner
        self._kept = deque()
        self._kept_bytes = 0
        self.connection = connection
        if listener is not None:
            loop.watch(listener.fd, self._accept)
            self._await_host()
        if connection is not None:
            self._watch(connection)

    def adopt(self, connection):
        """A connection said hello: it is the host from now on."""
        if self.connection is not connection:
            if self.connection is not None:
                self.reply(self.connection, {"ev": "superseded", "id": 0})
                if self.connection is not None:
                    self._lose(self.connection)
            self.connection = connection
        connection.greeted = True
        self._loop.cancel("orphan")

    def send(self, message):
        """Sends a message to the host, or keeps it until there is one."""
        if self.connection is None or not self.connection.greeted:
            self._keep(message)
        else:
            self.reply(self.connection, message)

    def is_open(self):
        return self.connection is not None and self.connection.greeted and self.connection.open

    def pass_on(self, body):
        """Sends a packed message to the present host."""
        connection = self.connection
        try:
            connection.outbox.send(len(body).to_bytes(4, "big") + body)
        except OSError:
            self._lose(connection)
        else:
            if connection.outbox.pending:
                self._regulate()

    def reply(self, connection, message):
        if not connection.open:
            return
        try:
            connection.outbox.send_parts(wire.frame_parts(message, limit=self._owner.options["frame_limit"]))
        except wire.FrameTooLarge as error:
            self.reply(connection, checks.too_large(message, str(error)))
        except OSError:
            self._lose(connection)
        else:
            if connection.outbox.pending:
                self._regulate()

    def send_kept(self):
        self._kept_bytes = 0
        while self._kept and self.connection is not None:
            self.reply(self.connection, self._kept.popleft())

    def finish(self):
        """Sends the last bytes before the process ends."""
        if self.connection is not None:
            try:
                os.set_blocking(self.connection.write_fd, True)
                self.connection.outbox.flush()
            except OSError:
                pass

    def _keep(self, message):
        size = len(message.get("data") or b"") if message["ev"] in ("out", "custom") else 0
        if size and self._kept_bytes + size > _BACKLOG:
            self._owner.dropped_unsent(message, size)
            return
        self._kept_bytes += size
        self._kept.append(message)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popleft()

    def _await_host(self):
        self._alone = 0.0
        self._wait_on()

    def settle_orphan(self, seconds):
        """Sets another time to wait for a host; 0: for ever."""
        if self._listener is None:
            return
        self._orphan_s = seconds or None

    def _wait_on(self):
        """Waits in steps, each counted for at most its planned length, as the sandbox may be paused meanwhile."""
        if self._orphan_s is None:
            return
        step = min(max(self._orphan_s / 20, 0.01), _LONGEST_STEP)
        began = time.monotonic()
        self._loop.at("orphan", began + step, lambda: self._waited(began, step))

    def _waited(self, began, step):
        self._alone += min(time.monotonic() - began, 2 * step)
        if self._orphan_s is None or self._alone < self._orphan_s or wire.is_readable(self._listener.fd):
            self._wait_on()
            return
        os.write(2, b"no host came within the time: the runner ends\n")
        self._loop.stop()

    def _accept(self, _events):
        connection = self._listener.accept()
        if connection is not None:
            self._alone = 0.0  # it is about to say hello
            self._watch(connection)

    def _watch(self, connection):
        self._loop.watch(connection.read_fd, lambda events: self._readable(connection, events))

    def _readable(self, connection, events):
        if events & OUT and connection is self.connection and connection.read_fd == connection.write_fd:
            self._writable(events)
        if not events & (IN | GONE) or not connection.open:
            return
        try:
            try:
                bodies = connection.reader.read(connection.read_fd)
            except EOFError:
                self._lose(connection)
                return
            if bodies is None:
                return
            self._loop.stay_awake()
            for body in bodies:
                message = wire.unpack(body)
                if not isinstance(message, dict) or not isinstance(message.get("op"), str):
                    raise CodecError("a frame without op")
                self._owner.request(connection, message, body)
                if not connection.open:
                    return
        except (CodecError, wire.FrameTooLarge) as error:
            self.reply(connection, checks.problem(0, "ProtocolError", str(error)))
            self._lose(connection)

    def _writable(self, _events):
        connection = self.connection
        try:
            connection.outbox.flush()
        except OSError:
            self._lose(connection)
            return
        self._regulate()

    def _lose(self, connection):
        if not connection.open:
            return
        self._loop.unwatch(connection.read_fd)
        if connection.write_fd != connection.read_fd:
            self._loop.unwatch(connection.write_fd)
        connection.close()
        if connection is self.connection:
            self.connection = None
            self._owner.crowded(False)
            self._owner.host_lost()
            self._await_host()
        if self._listener is None:
            self._loop.stop()

    def _regulate(self):
        """Watches for room to write while bytes wait, and reports when too many do."""
        connection = self.connection
        if connection is None:
            return
        pending = connection.outbox.pending
        if connection.read_fd == connection.write_fd:
            self._loop.change(connection.read_fd, IN | OUT if pending else IN)
        elif pending and not self._loop.is_watched(connection.write_fd):
            self._loop.watch(connection.write_fd, self._writable, OUT)
        elif not pending:
            self._loop.unwatch(connection.write_fd)
        if pending > _HIGH_WATER:
            self._owner.crowded(True)
        elif pending < _HIGH_WATER // 4:
            self._owner.crowded(False)

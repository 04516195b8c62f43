"""The supervisor's side of copies of the interpreter: which sleep, their control sockets, waking and ending them."""

import os
from _signal import SIGKILL

from . import processes, wire
from .codec import CodecError, pack, unpack

_MESSAGE = 65536


class Sleeper:
    """One copy. `pid` is 0 until it is known: from the copy itself when it sleeps, or earlier from its maker."""

    __slots__ = ("name", "control", "pid", "failed", "awaited", "leaves", "outside")

    def __init__(self, name, control, failed):
        self.name = name
        self.control = control
        self.pid = 0
        self.failed = failed
        self.awaited = set()  # pids of copies that have not yet reported that they sleep
        self.outside = None  # how it was beside the session's folder
        self.leaves = False  # its names are written out for the last time


class Sleepers:
    """`owner` has asleep(name), sleeper_lost(name, reason)."""

    def __init__(self, loop, owner):
        self._loop = loop
        self._owner = owner
        self._all = {}
        self.others = set  # returns further processes to be spared: tasks that run beside the interpreter

    def spared(self):
        """Processes that do not end with the interpreter, among them those that write out the names of copies that leave."""
        writers = [processes.descendants(s.pid) for s in self._all.values() if s.leaves and s.pid]
        return (self.pids() | self.others()).union(*writers)

    def leave(self, name):
        self._all[name].leaves = True

    def names(self):
        return list(self._all)

    def pids(self):
        return {sleeper.pid for sleeper in self._all.values() if sleeper.pid}

    def find(self, name):
        return self._all.get(name)

    def expect(self, name, failed=None):
        """Prepares for a new copy; returns the other end of its control socket, for the interpreter to pass on.

        `failed(name, text)` is called instead of the owner's method when the copy cannot be woken."""
        import _socket

        mine, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        mine, theirs = mine.detach(), theirs.detach()
        os.set_blocking(mine, False)
        sleeper = Sleeper(name, mine, failed or self._owner.sleeper_failed)
        self._all[name] = sleeper
        self._loop.watch(mine, lambda _events: self._hear(sleeper))
        return theirs

    def made(self, name, pid):
        """The maker has reported the copy's pid. False where the pid cannot be right."""
        sleeper = self._all.get(name)
        if sleeper is None or not _is_ours(pid) or pid in self.pids():
            return False
        sleeper.pid = pid
        sleeper.awaited.add(pid)
        return True

    def send(self, name, message, fds):
        """OSError where the copy is gone."""
        wire.send_with_fds(self._all[name].control, pack(message), fds)

    def drop(self, name):
        """Ends a copy, without any further report."""
        sleeper = self._all.pop(name, None)
        if sleeper is None:
            return
        self._close(sleeper)
        if sleeper.pid:
            try:
                os.kill(sleeper.pid, SIGKILL)
            except OSError:
                pass

    def drop_all(self):
        for name in self.names():
            self.drop(name)

    def reaped(self, pid):
        for sleeper in list(self._all.values()):
            if sleeper.pid == pid:
                self._lose(sleeper, "the copy was ended, by the code or for memory")

    def _hear(self, sleeper):
        try:
            data = wire.read_some(sleeper.control, _MESSAGE)
        except OSError:
            data = b""
        if data is None or self._all.get(sleeper.name) is not sleeper:
            return
        try:
            message = unpack(data) if data else None
        except CodecError:
            message = None
        if not isinstance(message, dict):
            self._lose(sleeper, "the copy ended")
            return
        if "asleep" in message:
            pid = message["asleep"] if type(message["asleep"]) is int else 0
            if pid in sleeper.awaited:
                sleeper.awaited.discard(pid)  # it may have been woken since, and have left another copy
                return
            if not _is_ours(pid):
                self._lose(sleeper, "the copy said something wrong")
                return
            sleeper.pid = pid
            self._owner.asleep(sleeper.name)
        elif "failed" in message:
            sleeper.failed(sleeper.name, str(message["failed"])[:200])

    def _lose(self, sleeper, reason):
        self._all.pop(sleeper.name, None)
        self._close(sleeper)
        self._owner.sleeper_lost(sleeper.name, reason)

    def _close(self, sleeper):
        self._loop.unwatch(sleeper.control)
        os.close(sleeper.control)


def _is_ours(pid):
    """The code may have forged the pid: only processes beneath this one are ended or spared."""
    return type(pid) is int and pid > 1 and processes.is_descendant(pid, os.getpid())

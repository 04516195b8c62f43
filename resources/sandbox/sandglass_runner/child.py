"""The supervisor's side of one interpreter: start, wake-up, descriptors, and how it ended."""

import _socket
import os

from . import processes, wire
from .codec import CodecError

NONCE = 16
_PIPE_SIZE = 262144
_F_SETPIPE_SZ = 1031


class Child:
    """One interpreter process. `channel`, `out` and `err` are non-blocking descriptors of the supervisor; `handoff` passes
    descriptors to the interpreter."""

    def __init__(self):
        mine, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        handoff, handed = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        self.channel, self.handoff = mine.detach(), handoff.detach()
        self.out, out_end = _pipe()
        self.err, err_end = _pipe()
        self._theirs = [theirs.detach(), out_end, err_end, handed.detach()]
        self.nonce = os.urandom(NONCE)
        self.reader = wire.FrameReader()
        self.outbox = wire.Outbox(self.channel)
        self.status = None
        self.pid = 0
        self.oom_kills = processes.oom_kills()

    def start(self, options, leave_supervisor):
        """Forks. The new process calls `leave_supervisor()` before anything else."""
        try:
            self.pid = os.fork()
        except OSError:
            self.close()
            raise
        if self.pid == 0:
            try:
                from . import interpreter

                leave_supervisor()
                interpreter.main(*self._theirs, self.nonce, options)
            finally:
                os._exit(70)
        self._give_away()

    def wake(self, sleepers, name, identifier):
        """Makes a sleeping copy the interpreter. OSError where the copy is gone; this object is then closed."""
        sleeper = sleepers.find(name)
        try:
            if sleeper is None:
                raise ProcessLookupError(3, "it was ended")
            message = {"op": "wake", "id": identifier, "nonce": self.nonce}
            sleepers.send(name, message, self._theirs)
        except OSError:
            self.close()
            raise
        self.oom_kills = processes.oom_kills()  # the copy may be much older than this object
        self.pid, sleeper.pid = sleeper.pid, 0  # until the copy that it leaves behind reports that it sleeps
        self._give_away()

    def given(self):
        """The descriptors for its process, which a sleeping copy makes."""
        return self._theirs

    def is_given(self):
        self._give_away()

    def _give_away(self):
        for fd in self._theirs:
            os.close(fd)
        self._theirs = []
        os.set_blocking(self.channel, False)

    def bodies(self, data):
        """The packed messages in bytes from the channel. ValueError if the interpreter did not write them."""
        found = self.reader.feed(data)
        for body in found:
            if body[:NONCE] != self.nonce:
                raise ValueError("a frame that the interpreter did not write")
        return [body[NONCE:] for body in found]

    @staticmethod
    def message(body):
        message = wire.unpack(body)
        if not isinstance(message, dict):
            raise CodecError("a frame that is no map")
        return message

    def exit(self):
        """How it ended, in the form of PROTOCOL.md."""
        code = signal = None
        if self.status is not None:
            if os.WIFSIGNALED(self.status):
                signal = os.WTERMSIG(self.status)
            else:
                code = os.WEXITSTATUS(self.status)
        oom = False
        if signal == 9:
            now = processes.oom_kills()
            if now is None or self.oom_kills is None:
                oom = "likely"
            else:
                oom = now > self.oom_kills
        return {"code": code, "signal": signal, "oom": oom}

    def close(self):
        for fd in [self.channel, self.out, self.err, self.handoff] + self._theirs:
            os.close(fd)
        self._theirs = []


def _pipe():
    import fcntl

    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    os.set_blocking(read_end, False)
    try:
        fcntl.fcntl(read_end, _F_SETPIPE_SZ, _PIPE_SIZE)
    except OSError:  # beyond the user's share of pipe memory: the default size will do
        pass
    return read_end, write_end

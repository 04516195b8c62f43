"""The interpreter's end of the socket pair to the supervisor.

Every frame carries the interpreter's nonce, so that bytes from anything else on the descriptor are noticed. An interrupt never
cuts a frame in two: it waits while one is written, see `sending` and `postponed`."""

import _thread
import os
import select
import time

from . import wire


_AWAKE = 0.0003  # seconds of polling for the next job before sleeping, as waking up costs more
_LOOK = 0.05  # seconds between checks whether the code that waits has ended


class Channel:
    def __init__(self, fd, nonce):
        self.fd = fd
        self._nonce = nonce
        self._pid = os.getpid()
        self._lock = _thread.allocate_lock()
        self._buffer = b""
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)
        self.sending = False
        self.postponed = False

    def is_own(self):
        """False in a process that the user's code forked."""
        return os.getpid() == self._pid

    def move(self, nonce):
        """Called in a woken copy, once another socket has this one's descriptor number."""
        self._nonce = nonce
        self._pid = os.getpid()
        self._lock = _thread.allocate_lock()
        self._buffer = b""

    def receive(self, idle):
        """The supervisor's next job; None when the supervisor is gone. `idle` is called where no job comes at once."""
        if not self._buffer:
            self._await(idle)
        while True:
            message = self._next()
            if message is None or message.get("op") not in ("interrupt", "answer"):
                return message
            # It belongs to a job that has ended: nothing to interrupt, nobody to answer

    def _await(self, idle):
        """Waits until something can be read. Exceptions of the code's own signal handlers are dropped, as none of it runs."""
        end = time.monotonic() + _AWAKE
        patience = 0
        while True:
            try:
                if self._is_readable(patience):
                    return
                if time.monotonic() >= end:
                    idle()
                    patience = None
                else:
                    os.sched_yield()
            except BaseException:
                pass

    def _is_readable(self, patience_ms):
        try:
            return self._poll.poll(patience_ms)
        except OSError:  # the code has set the limit of open files so low that no descriptor may be polled
            return select.select([self.fd], [], [], None if patience_ms is None else patience_ms / 1000)[0]

    def is_interrupted(self, job):
        """Whether an interrupt for the job came before its code began, when the signal alone does not tell.

        The notice is sent before the signal, so it is only looked for after a signal."""
        while self._buffer or select.select([self.fd], [], [], 0)[0]:
            message = self._next()
            if message is None:
                return False
            if message.get("op") == "interrupt" and message.get("id") == job:
                return True
        return False

    def answer(self, call, live):
        """The host's answer to the code's request with that number; None once `live` reports that the code has ended."""
        main = _thread.get_ident() == _main_thread
        while live():
            if os.getpid() != self._pid:
                raise RuntimeError("a process that a node forked cannot ask the host")
            if not self._has_whole() and not select.select([self.fd], [], [], _LOOK)[0]:
                continue
            if main:
                self.sending = True  # an interrupt never leaves half a frame behind
            try:
                message = self._next()
            finally:
                if main:
                    self.sending = False
            if main and self.postponed:
                self.postponed = False
                raise KeyboardInterrupt
            if message is None:
                raise EOFError("the session's supervisor has ended")
            if message.get("op") == "answer" and message.get("call") == call:
                return message
        return None

    def _has_whole(self):
        return len(self._buffer) >= 4 and len(self._buffer) >= 4 + int.from_bytes(self._buffer[:4], "big")

    def _next(self):
        while True:
            have = len(self._buffer)
            if have >= 4:
                size = int.from_bytes(self._buffer[:4], "big")
                if have >= 4 + size:
                    break
                self._buffer += self._read(4 + size - have)
            else:
                data = wire.read_some(self.fd)
                if not data:
                    return None
                self._buffer += data
        body = self._buffer[4 : 4 + size]
        self._buffer = self._buffer[4 + size :]
        return wire.unpack(body)

    def _read(self, missing):
        parts = []
        while missing > 0:
            data = os.read(self.fd, min(missing, 1048576))
            if not data:
                raise EOFError
            parts.append(data)
            missing -= len(data)
        return b"".join(parts)

    def send(self, message):
        """Writes one whole frame. FrameTooLarge, with nothing written, when it is over the limit."""
        # The supervisor checks how much the host takes at a cell's end.
        is_end = isinstance(message, dict) and message.get("ev") == "done"
        limit = wire.LARGEST_FRAME if is_end else wire.MAX_FRAME
        data = wire.frame(message, self._nonce, limit)
        if os.getpid() != self._pid:
            return  # a process that the user's code forked may not send
        main = _thread.get_ident() == _main_thread
        with self._lock:
            if main:
                self.sending = True
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self.fd, view) :]
            finally:
                if main:
                    self.sending = False
        if main and self.postponed:
            self.postponed = False
            raise KeyboardInterrupt

    def prepared(self, message):
        """A packed frame without the 4 bytes of its last number: little is left to do when it is sent."""
        frame = wire.frame(dict(message, **{message.pop("last"): 0xFFFFFFFF}), self._nonce)
        if not frame.endswith(b"\xce\xff\xff\xff\xff"):
            raise ValueError("the number is not the last of the frame")
        return frame[:-4]

    def forget(self):
        """Called in a process that the user's code forked, so that it does not keep the descriptor open."""
        try:
            os.close(self.fd)
        except OSError:
            pass


_main_thread = _thread.get_ident()

"""Requests of the running code to the host: one at a time, whichever thread asks, each waiting for its answer."""

import builtins
import _thread

from . import values


_HAS_ENDED = "the node that this belongs to has ended"
_MOST_WAIT = 2.0  # seconds for another thread's request; after that a display may be shown out of order


class Asking:
    def __init__(self, channel, running):
        self._channel = channel
        self._running = running
        self._lock = _thread.allocate_lock()
        self._calls = 0

    def __call__(self, call, kind, request):
        data = values.dumps(request, "request")
        with self._lock:
            if not call.live:
                raise RuntimeError(_HAS_ENDED)
            self._calls += 1
            number = self._calls
            message = {"ev": "ask", "id": self._running(), "call": number, "kind": kind, "data": data}
            self._channel.send(message)
            answer = self._channel.answer(number, lambda: call.live)
        if answer is None:
            raise RuntimeError(_HAS_ENDED)
        if "error" in answer:
            raise _error(answer["error"])
        return values.loads(answer["data"])

    def show(self, bundle):
        """Returns once the supervisor has passed the display on, so that later output comes after it."""
        if not self._channel.is_own():
            return  # a process that the code forked
        running = self._running()
        if not running:  # a thread after its cell, or a module imported as names come back
            self._channel.send({"ev": "display", "id": 0, "call": 0, "data": bundle})
            return
        held = self._lock.acquire(True, _MOST_WAIT)
        try:
            self._calls += 1
            number = self._calls
            self._channel.send({"ev": "display", "id": running, "call": number, "data": bundle})
            if held:
                self._channel.answer(number, lambda: self._running() == running)
        finally:
            if held:
                self._lock.release()

    def settle(self):
        """Waits until no thread of the ended call reads from the channel."""
        with self._lock:
            pass


def _error(told):
    kind = getattr(builtins, str(told.get("type")), None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = RuntimeError
    return kind(str(told.get("message")))

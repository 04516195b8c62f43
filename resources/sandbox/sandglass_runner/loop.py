"""One thread's event loop: descriptors, named timers, ended children, signals."""

import os
import select
import time
from _signal import SIGCHLD, SIG_IGN, SIGHUP, SIGINT, SIGTERM, set_wakeup_fd, signal

from . import wire

IN, OUT, GONE = select.EPOLLIN, select.EPOLLOUT, select.EPOLLHUP | select.EPOLLERR
_MOST_FAULTS = 100
_AWAKE = 0.0003  # seconds; waking a process on another processor costs about 20 us on each side, twice a cell


class Loop:
    """`on_fault(text)` is told of exceptions from handlers; `on_child()` of ended children."""

    def __init__(self, on_fault, on_child):
        self._poll = select.epoll()
        self._handlers = {}
        self._timers = {}
        self._on_fault = on_fault
        self._faults = 0
        self._over = False
        self._awake_until = 0.0
        self._found = ()
        read_end, write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal(SIGCHLD, lambda number, frame: None)
        signal(SIGTERM, lambda number, frame: self.stop())
        signal(SIGINT, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        self.watch(read_end, lambda events: (wire.read_some(read_end), on_child()))

    def run(self):
        while not self._over:
            try:
                self._found = self._wait()
                for fd, events in self._found:
                    handler = self._handlers.get(fd)
                    if handler is not None:
                        handler(events)
                self._found = ()
                if self._timers:
                    self._fire_timers()
            except Exception:  # an error of our own, or a lack of memory, must not end the session
                self._fault()

    def stay_awake(self):
        """Another message is likely to come at once: polls a moment longer, yielding to other processes, before sleeping."""
        self._awake_until = time.monotonic() + _AWAKE

    def is_alone(self):
        """Whether the event being handled was the only one."""
        return len(self._found) == 1

    def _wait(self):
        if self._awake_until:
            while time.monotonic() < self._awake_until:
                found = self._poll.poll(0)
                if found:
                    return found
                os.sched_yield()
            self._awake_until = 0.0
        return self._poll.poll(self._next_timeout())

    def stop(self):
        self._over = True

    def abandon(self):
        """Called in a forked process, which must not use this loop's descriptors."""
        set_wakeup_fd(-1)
        self._poll.close()

    def watch(self, fd, handler, events=IN):
        self._handlers[fd] = handler
        self._poll.register(fd, events)

    def change(self, fd, events):
        if fd in self._handlers:
            self._poll.modify(fd, events)

    def unwatch(self, fd):
        if self._handlers.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def is_watched(self, fd):
        return fd in self._handlers

    def at(self, name, when, action):
        """Calls `action` once, at a time of time.monotonic(). A second timer of the same name replaces the first."""
        self._timers[name] = (when, action)

    def cancel(self, name):
        self._timers.pop(name, None)

    def is_due(self, name):
        return name in self._timers

    def _next_timeout(self):
        if not self._timers:
            return -1
        return max(0.0, min(when for when, _ in self._timers.values()) - time.monotonic())

    def _fire_timers(self):
        now = time.monotonic()
        for name, timer in list(self._timers.items()):
            if timer[0] <= now and self._timers.get(name) is timer:
                del self._timers[name]
                timer[1]()

    def _fault(self):
        import traceback

        self._faults += 1
        text = traceback.format_exc()
        os.write(2, text.encode("utf-8", "replace"))
        if self._faults > _MOST_FAULTS:
            self._over = True
        else:
            self._on_fault(text.strip().splitlines()[-1])

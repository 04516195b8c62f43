"""Keeps one interpreter running: starts it, listens to it, ends it, replaces it."""

import os
import time
from _signal import SIGKILL

from . import checks, processes, wire
from .child import Child
from .loop import GONE, IN, OUT

_GATHER = 0.002  # seconds that small pieces of output wait for more, or for the end of the cell
_BUSY = 32768  # so many bytes do not wait
_DRAIN = 1048576
_START_PATIENCE = 10.0
_SPARE_S = 0.05
FRESH = "\0fresh"  # the copy of an interpreter that has only imported the modules; no host uses this name


class Keeper:
    """`owner` has message(dict), done_well(packed), output(stream, data), read_size(), replaced(reason, exit) and no_start(text)."""

    def __init__(self, loop, owner, leave, sleepers, reaped):
        self._loop = loop
        self._reaped = reaped  # told (pid, status) of ended processes that are neither interpreter nor copy
        self._sleepers = sleepers  # copies of interpreters, which are spared when one is ended
        self._owner = owner
        self._leave = leave  # called first in each new interpreter process
        self._options = {}
        self._trying_since = None
        self._paused = False
        self._spare = None  # the Child for the next copy that wakes, made ahead
        self.child = None

    def start(self, options):
        self._options = options
        self._spawn()

    def send(self, data):
        child = self.child
        try:
            child.outbox.send(data)
        except OSError:
            return  # it is ending; the loop is about to notice
        if child.outbox.pending:
            self._loop.change(child.channel, self._events_for(child.channel))

    def pause(self, paused):
        """Stops or resumes reading what the interpreter prints and sends."""
        if paused == self._paused:
            return
        self._paused = paused
        child = self.child
        if child is not None:
            for fd in (child.channel, child.out, child.err):
                self._loop.change(fd, self._events_for(fd))

    def drain(self):
        """Passes on what was printed before now; bounded, as something may go on printing."""
        child = self.child
        for fd, stream in ((child.out, "stdout"), (child.err, "stderr")):
            room = _DRAIN
            while room > 0 and wire.available(fd):
                data = wire.read_some(fd, self._owner.read_size())
                if not data:
                    break
                room -= len(data)
                self._owner.output(stream, data)

    def replace(self, reason):
        """Ends the interpreter and all it started, and starts a new one. `reason` None: it ended by itself."""
        child = self.child
        if child is None:
            return
        by_itself = child.status is not None
        self._end(child)
        ended = child.exit() if by_itself else dict(checks.NO_EXIT, signal=int(SIGKILL))
        self._spawn()
        self._owner.replaced(reason or checks.ending(ended), ended)

    def _end(self, child):
        processes.kill_all(os.getpid(), self.reap, spared=self._sleepers.spared())
        self.drain()
        self._forget(child)

    def _forget(self, child):
        for name in ("closed", "ended", ("gather", child.out), ("gather", child.err)):
            self._loop.cancel(name)
        for fd in (child.channel, child.out, child.err):
            self._loop.unwatch(fd)
        child.close()
        self.child = None
        self._paused = False

    def copy(self, name):
        """Gives the interpreter the control socket of its next copy. OSError where it is ending."""
        self.hand_over(self._sleepers.expect(name))

    def hand_over(self, fd):
        """Passes a descriptor for the next job to the interpreter, and closes it here. OSError where that is ending."""
        try:
            wire.send_with_fds(self.child.handoff, b"fd", [fd])
        finally:
            os.close(fd)

    def wake(self, name, identifier):
        """Makes a copy the interpreter. OSError where it is gone; then there is a new interpreter."""
        old = self.child
        # The interpreter waits for its next job: of the user's code only what it left behind can be running.
        ended = processes.end_idle(old.pid, self._sleepers.spared())
        if not ended:
            self._end(old)
        child = None
        try:
            made, self._spare = self._spare or Child(), None
            made.wake(self._sleepers, name, identifier)
            child = made
        finally:
            if ended:  # meanwhile the copy wakes
                self.drain()
                self._forget(old)
            if child is not None:
                processes.set_oom_score(child.pid, processes.LAST_FOR_OOM_KILL)
            if child is None:
                self._spawn()
        self._listen(child)
        self._loop.at("spare", time.monotonic() + _SPARE_S, self._make_spare)

    def _make_spare(self):
        """Made while nobody waits: one wake-up is often followed by others."""
        if self._spare is None:
            try:
                self._spare = Child()
            except OSError:
                pass  # the next wake-up reports it

    def give_up_waking(self):
        """The copy could not go on: a new interpreter replaces it."""
        self._forget(self.child)
        self._spawn()

    def reap(self):
        """Collects ended processes: the interpreter, and orphans of what it started."""
        child = self.child
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if child is not None and pid == child.pid:
                child.status = status
                self._loop.at("ended", 0, lambda: self._ended(child))
            else:
                self._sleepers.reaped(pid)
                self._reaped(pid, status)

    def _spawn(self):
        """Starts an interpreter; where the sandbox has no room for one now, tries again for a while."""
        if self._wake_fresh():
            return
        try:
            child = Child()
            if self._options.get("preload"):
                self._expect_fresh(child)
            child.start(self._options, self._leave)
        except OSError as error:
            now = time.monotonic()
            self._trying_since = self._trying_since or now
            if now - self._trying_since > _START_PATIENCE:
                self._trying_since = None
                self._owner.no_start("no new interpreter can be started: %s" % (error.strerror or error))
            self._loop.at("spawn", now + 0.1, self._spawn)
            return
        self._trying_since = None
        self._listen(child)

    def _wake_fresh(self):
        """Wakes the copy made after the modules were imported, so that no later interpreter imports them again."""
        sleeper = self._sleepers.find(FRESH)
        if sleeper is None or not sleeper.pid:
            return False
        try:
            child = Child()
            child.wake(self._sleepers, FRESH, 0)
        except OSError:
            self._sleepers.drop(FRESH)
            return False
        self._trying_since = None
        self._listen(child)
        return True

    def _expect_fresh(self, child):
        self._sleepers.drop(FRESH)
        control = self._sleepers.expect(FRESH, lambda _name, _text: self._give_up_fresh())
        try:
            wire.send_with_fds(child.handoff, b"fd", [control])
        finally:
            os.close(control)

    def _give_up_fresh(self):
        self._sleepers.drop(FRESH)
        self.give_up_waking()

    def _listen(self, child):
        self.child = child
        self._loop.watch(child.channel, self._channel_ready)
        self._loop.watch(child.out, lambda events: self._output_ready(child, child.out, "stdout"))
        self._loop.watch(child.err, lambda events: self._output_ready(child, child.err, "stderr"))

    def _events_for(self, fd):
        child = self.child
        if fd == child.channel:
            return (0 if self._paused else IN) | (OUT if child.outbox.pending else 0)
        return 0 if self._paused or self._loop.is_due(("gather", fd)) else IN

    def _channel_ready(self, events):
        child = self.child
        if events & OUT:
            try:
                child.outbox.flush()
            except OSError:
                pass
            self._loop.change(child.channel, self._events_for(child.channel))
        if not events & (IN | GONE):
            return
        data = wire.read_some(child.channel)
        if data is None:
            return
        if not data:
            # The interpreter's death closes the channel too; only if it lives on has the code closed it.
            self._loop.unwatch(child.channel)
            reason = "the code closed the interpreter's channel"
            self._loop.at("closed", time.monotonic() + 0.2, lambda: self.replace(reason))
            self.reap()
            return
        self._loop.stay_awake()
        try:
            self._pass_on(child, data)
        except ValueError as error:
            self.replace("the code wrote to the interpreter's channel (%s)" % error)

    def _pass_on(self, child, data):
        bodies = child.bodies(data)
        # Output printed before a lone message would have made a second event.
        nothing_printed = self._loop.is_alone() and len(bodies) == 1 and not self._gathering(child)
        for body in bodies:
            if nothing_printed and self._owner.done_well(body):
                return
            self._owner.message(checks.from_interpreter(child.message(body)))
            if child is not self.child:
                return

    def _gathering(self, child):
        return self._paused or self._loop.is_due(("gather", child.out)) or self._loop.is_due(("gather", child.err))

    def _output_ready(self, child, fd, stream):
        if 0 < wire.available(fd) < _BUSY:
            self._loop.at(("gather", fd), time.monotonic() + _GATHER, lambda: self._gathered(child, fd, stream))
            self._loop.change(fd, 0)
        else:
            self._read_output(fd, stream)

    def _gathered(self, child, fd, stream):
        if child is self.child:
            self._read_output(fd, stream)
            if child is self.child:
                self._loop.change(fd, self._events_for(fd))

    def _read_output(self, fd, stream):
        data = wire.read_some(fd, self._owner.read_size())
        if data:
            self._owner.output(stream, data)
        elif data is not None:
            self._loop.unwatch(fd)

    def _ended(self, child):
        """The interpreter ended by itself. Messages that it had sent before still count."""
        if child is not self.child:
            return
        data = wire.read_some(child.channel) if self._loop.is_watched(child.channel) else None
        if data:
            try:
                self._pass_on(child, data)
            except ValueError:
                pass
        if child is self.child:
            self.replace(None)

"""Finds the names that kill the process which pickles them or reads them back, once a first attempt has ended that way.

To be written out, all names are pickled in a child, whose output goes nowhere. It tells each name before it touches it; when it
dies, or is stuck at one, that name is noted, and another child goes on after it. What is written out afterwards leaves these
names out. To be read back, each name is first read by a child of its own."""

import os
import select
import time
from _signal import SIGKILL

from . import copies, only_reads, stored_names
from .codec import pack, unpack
from .patience import NAME_S, Patience

_GRACE_S = 2  # for the name's own time to be over first
_TICK_MS = 250
_PATIENT_S = 60  # spent on names in vain, after which each has less time
_SHORT_S = 1
_AT_MOST_S = 120  # then the remaining names are not tried
_MOST = 200
_EACH_TIME = (stored_names.WHOLE, stored_names.LIBRARY)  # the rest follows from them
_TOO_LONG = "it took longer than %d s, and could not be interrupted"
_DONE = b"k"
_SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 14: "SIGALRM", 31: "SIGSYS"}


class Deadly:
    """The names found; `left_out` is for stored_names.write()."""

    def __init__(self):
        self._passed = set()
        self._reasons = {}
        self._rest = None  # why the names that were neither passed nor noted are left out
        self._spent = 0.0

    def left_out(self, scope, name):
        step = (scope, name)
        return self._reasons.get(step) or (self._rest if step not in self._passed else None)

    def find(self, namespace, files):
        """Nothing is found where no child can be made."""
        doubted = None
        while len(self._reasons) < _MOST and self._spent < _AT_MOST_S:
            trial = _Trial(namespace, files, self)
            try:
                step, reason, is_sure = trial.run(_SHORT_S if self._spent > _PATIENT_S else NAME_S)
            except OSError:
                return
            self._spent += trial.in_vain
            if step is None:
                return
            if is_sure or doubted == step:
                self._reasons[step] = reason
            doubted = step  # what ended it may have come from elsewhere
        self._rest = "it was not tried, as %d names before it killed the process that pickled them" % len(self._reasons)

    def takes(self, step):
        """Whether a trial has to do that."""
        return step not in self._passed and step not in self._reasons

    def passed(self, step):
        self._passed.add(step)


def killed_by(work):
    """Calls work() in a child, which can change nothing outside of itself. Why that did not come to an end, if only to an
    exception; None: it did, or no child could be made."""
    try:
        reader, writer = os.pipe()
    except OSError:
        return None
    try:
        pid = copies.forked_for_a_moment()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if pid == 0:
        _try(work, writer)
    os.close(writer)
    clock = Clock(reader)
    while not clock.ticked() and clock.waited <= NAME_S:
        pass
    is_done = clock.ticked() and os.read(reader, 1) == _DONE
    is_stuck = not clock.ticked()
    os.close(reader)
    if is_stuck:
        os.kill(pid, SIGKILL)
    status = waited_for(pid)
    if is_done:
        return None
    return _TOO_LONG % NAME_S if is_stuck else "it killed the process that read it back: %s" % ending(status)


def _try(work, fd):
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for output in (1, 2):
            os.dup2(nowhere, output)
        only_reads.begin()
        try:
            work()
        except BaseException:  # whoever calls it meets that, too
            pass
        os.write(fd, _DONE)
    finally:
        os._exit(0)


class Clock:
    """Waits for a descriptor. A sandbox that is paused does not count."""

    def __init__(self, fd):
        self.waited = 0.0  # seconds
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)
        self._before = time.monotonic()

    def ticked(self):
        """True where something can be read; else a tick has passed."""
        is_ready = bool(self._poll.poll(_TICK_MS))
        now = time.monotonic()
        self.waited += min(now - self._before, 2 * _TICK_MS / 1000)
        self._before = now
        return is_ready


class _Trial:
    """One child that pickles names."""

    def __init__(self, namespace, files, found):
        self._namespace, self._files, self._found = namespace, files, found
        self._step = None  # the one in hand
        self._is_done = False
        self._buffer = b""
        self._waited = 0.0  # seconds at that step
        self.in_vain = 0.0  # seconds that the last step took, if it was in vain

    def run(self, seconds):
        """(the name at which it ended, why, whether that is sure); (None, None, True): all names were passed."""
        reader, writer = os.pipe()
        try:
            pid = copies.forked_for_a_moment()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
        if pid == 0:
            os.close(reader)
            self._pickle(writer, seconds)
        os.close(writer)
        is_stuck = self._follow(reader, seconds + _GRACE_S)
        os.close(reader)
        if is_stuck:
            os.kill(pid, SIGKILL)
        status = waited_for(pid)
        if self._is_done or self._step is None:
            return None, None, True
        self.in_vain = self._waited
        if is_stuck:
            return self._step, _TOO_LONG % seconds, True
        return self._step, "it killed the process that pickled it: %s" % ending(status), False

    def _pickle(self, fd, seconds):
        """In the child."""
        code = 70
        try:
            patience = Patience(seconds, 2 * seconds + _GRACE_S)
            only_reads.begin()
            stored_names.try_out(self._namespace, self._files, patience, _Teller(fd, self._found).tell)
            _tell(fd, None)
            code = 0
        finally:
            os._exit(code)

    def _follow(self, reader, seconds):
        """Reads what the child tells. True: it is stuck at a name."""
        clock = Clock(reader)
        while True:
            if clock.ticked():
                data = os.read(reader, 65536)
                if not data:
                    return False
                if self._take(data):
                    clock.waited = 0.0
            self._waited = clock.waited
            if self._waited > seconds and self._step is not None:
                return True

    def _take(self, data):
        """True where it begins with another name."""
        has_begun = False
        self._buffer += data
        while len(self._buffer) >= 4:
            end = 4 + int.from_bytes(self._buffer[:4], "big")
            if len(self._buffer) < end:
                break
            step, self._buffer = unpack(self._buffer[4:end]), self._buffer[end:]
            if self._step is not None:
                self._found.passed(self._step)
            has_begun = True
            self._is_done = step is None
            self._step = tuple(step) if step else None
        return has_begun


class _Teller:
    """In the child: tells each name before it is touched. The parent may have passed it before."""

    def __init__(self, fd, found):
        self._fd, self._found = fd, found

    def tell(self, scope, name):
        step = (scope, name)
        if name not in _EACH_TIME and not self._found.takes(step):
            return ""
        known = self._found.left_out(scope, name)
        if known is None:
            _tell(self._fd, step)
        return known


def _tell(fd, step):
    data = pack(step)
    os.write(fd, len(data).to_bytes(4, "big") + data)


def waited_for(pid):
    try:
        return os.waitpid(pid, 0)[1]
    except OSError:  # code that ignores SIGCHLD has made the kernel collect it
        return None


def ending(status):
    if status is None:
        return "it ended"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        text = "signal %d" % number
        text += " (%s)" % _SIGNALS[number] if number in _SIGNALS else ""
        return text + ", perhaps for memory" if number == SIGKILL else text
    return "exit code %d" % os.WEXITSTATUS(status)

"""Copies of the interpreter: forks that sleep, each with the session's names as they were at one moment.

A copy is not a child of the interpreter but its sibling (a go-between forks it and ends, or the kernel makes it one), so that
code which waits for its own children never meets one. It sleeps in a read of its control socket, whose other end the supervisor
holds: EOF there ends it. A copy that is woken leaves a copy of itself behind and goes on as the interpreter."""

import gc
import os
import select
import sys
import time
from _signal import SIGCHLD, SIGKILL
from errno import EAGAIN, EMFILE, ENFILE, ENOMEM

from . import descriptors, obstacles, open_limit, wire
from .codec import pack, unpack
from .processes import LAST_FOR_OOM_KILL, set_oom_score

_PR_SET_PDEATHSIG = 1
_PR_GET_TID_ADDRESS = 40
_CLONE_PARENT = 0x8000
_CLONE_CHILD_CLEARTID = 0x200000
_CLONE_CHILD_SETTID = 0x1000000
_CLONE = {"x86_64": (56, False), "aarch64": (220, True)}  # (call's number, whether the address of the thread's id comes last)
_UNFROZEN_EACH = 16  # snapshots, after which cycles among frozen objects can be collected again
_MOST_FDS = 8
_AHEAD_S = 0.05
_MOST_NUMBER = 0xFFFFFFFF
_WOKEN = pack({"ev": "woken", "lost": [], "id": _MOST_NUMBER, "copy": _MOST_NUMBER}).split(pack(_MOST_NUMBER))
_SETTLED_MS = 20
_FIRST_FOR_OOM_KILL = 900  # the kernel should end a copy rather than the code that runs
_TASKS_FOR_OOM_KILL = 600  # and one of several tasks rather than the interpreter that has the names
_PR_SET_CHILD_SUBREAPER = 36
_MOST_PATIENCE_MS = 64
_LIMITS = {EAGAIN: "processes", EMFILE: "open files", ENFILE: "open files", ENOMEM: "memory"}


class Copies:
    """`host` is the interpreter: flush(), own_fds(), wakes(), branches(message), move(fds, nonce), loads_ahead(), and listing and
    storing names; `channel` is its own."""

    def __init__(self, handoff, host, channel):
        self._handoff = handoff
        self._host = host
        self._channel = channel
        self._ahead = None  # (time, open files and what a copy would lack) of the last look ahead
        self._between = 0
        self._has_woken = False  # recently: work after the wake-up is left to do
        self._taken = 0
        self.follow_calls = False  # they are requested with calls, so nothing can be looked up ahead

    def settle(self):
        """Called before the user's code runs, so that it does not meet the last copy's go-between as a child."""
        if self._between > 0:
            try:
                os.waitpid(self._between, 0)
            except OSError:  # code that ignores SIGCHLD has made the kernel collect it
                pass
        self._between = 0

    def look_ahead(self):
        """Called while nobody waits, where a copy is likely to be requested next."""
        if self._has_woken:
            self._has_woken = False
            set_oom_score(LAST_FOR_OOM_KILL)  # in case the supervisor could not
            gc.unfreeze()
        if self._taken:
            self._host.loads_ahead()
        if self._taken and not self.follow_calls:
            self._ahead = (time.monotonic(), self._looked())

    def forget_ahead(self):
        self._ahead = None

    def _looked(self, but=()):
        open_files = descriptors.Recorded(self._host.own_fds() | {self._handoff, *but})
        return open_files, open_files.left + obstacles.left()

    def received(self):
        """The descriptor that the supervisor sent with the request. OSError where no more can be open."""
        return _received(self._handoff)

    def give_up(self):
        """Discards a descriptor that is not wanted, as the next request would get it."""
        try:
            os.close(self.received())
        except OSError:
            pass  # it is gone already

    def leave_fresh(self):
        """Leaves a copy that sleeps until another interpreter is needed. True in that copy, once it is the interpreter."""
        answer = self.leave()
        if answer["ev"] == "woken":
            return True
        self.settle()
        return False

    def leave(self, identifier=None, told=None):
        """Forks a copy. Returns the answer: here at once, in the copy when it is woken. None: it was already sent. `told`:
        further content of the answer where a copy is made.

        The answer is prepared before the fork and sent first after it: from then on each page that this process writes to is
        copied."""
        try:
            control = self.received()
        except OSError:
            return _refused([open_limit.obstacle()])
        try:
            against, open_files, left = self._hindered(control)  # too many files are open even to look at them
        except OSError as error:  # too many are open even for a look at what is
            against, left = [_failure(error)], []
        if against:
            os.close(control)
            return _refused(against, left)
        highest = max(control, open_files.highest)
        answer = dict(told or {}, ev="snapshot", asleep=True, obstacles=[], left=left)
        frame = self._channel.prepared(dict(answer, id=identifier, last="copy")) if identifier else None
        self._taken += 1
        if self._taken % _UNFROZEN_EACH == 0:
            gc.unfreeze()
        gc.freeze()  # a collection writes to each object's header and would copy every page of the heap
        made = _Orphan(control, is_awaited=open_files.holds())
        try:
            goes_on = made.fork(self._channel.fd, frame)
        except OSError as error:  # no more processes, or no memory: this process goes on as it is
            gc.unfreeze()
            os.close(control)
            return _refused([_failure(error)], left)
        if goes_on:
            self._between = made.between
            os.close(control)
            return None if frame else answer
        limit = open_limit.lift(highest)
        answer = self._sleep(control, open_files)
        open_limit.put_back(limit)
        return answer

    def _hindered(self, control):
        """(what forbids a copy, the open files, what a copy would lack)."""
        found = obstacles.found()
        if found:
            return found, *self._looked((control,))
        self._host.flush()
        ahead, self._ahead = self._ahead, None
        fresh = ahead is not None and time.monotonic() - ahead[0] < _AHEAD_S
        open_files, left = ahead[1] if fresh else self._looked((control,))
        can_hold = open_limit.can_hold(max(control, open_files.highest))
        return [] if can_hold else [open_limit.obstacle()], open_files, left

    def _sleep(self, control, open_files):
        """Runs in the copy. Returns in the process that becomes the interpreter."""
        set_oom_score(_FIRST_FOR_OOM_KILL)
        open_files.let_go()
        _send(control, {"asleep": os.getpid()})
        waiting = []  # requests that came while another one was served
        while True:
            message, fds = waiting.pop(0) if waiting else _receive(control)
            if message is None:
                os._exit(0)
            if message["op"] == "branch":
                answer = self._branch(message, fds, control, open_files)
                if answer is not None:
                    for _message, others in waiting:
                        _close(others)
                    return answer
                continue
            if message["op"] == "wake":
                made = _Orphan(control)
                try:
                    is_left = made.fork()
                except OSError as error:
                    _send(control, {"failed": error.strerror or str(error)})
                    _close(fds)
                    continue
                if not is_left:
                    _close(fds)
                    set_oom_score(_FIRST_FOR_OOM_KILL)
                    _send(control, {"asleep": os.getpid()})
                    continue
                answer = self._wake(message, fds, open_files, made)
                os.close(control)
                for _message, others in waiting:
                    _close(others)
                return answer
            answer = self._serve(message, fds, control, waiting, open_files)
            if answer is not None:
                return answer

    def _branch(self, message, fds, control, open_files):
        """A child becomes the interpreter of one task; this copy sleeps on. Returns the child's answer; here None."""
        made = _Orphan(control, is_awaited=True)
        try:
            is_here = made.fork()
        except OSError:  # the closed channel tells the supervisor
            is_here = True
        if is_here:
            _close(fds)
            if made.between:
                _has_ended(made.between, 0)
            return None
        os.close(control)
        self._host.wakes()
        _end_with_parent()
        library = _library()
        if library is not None:  # so that what it starts stays beneath it
            library.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        set_oom_score(_TASKS_FOR_OOM_KILL)
        self._host.branches(message)
        lost = open_files.reopen()
        self._handoff = self._host.move(fds, message["nonce"], self._handoff)
        self._between = 0
        return {"ev": "woken", "id": message["id"], "lost": lost, "copy": os.getpid()}

    def _wake(self, message, fds, open_files, made):
        """Returns the answer. None: it was sent early, so that the host goes on while the rest is restored."""
        self._host.wakes()
        _end_with_parent()
        lost = open_files.reopen()
        identifier, nonce = message["id"], message["nonce"]
        is_answered = not lost and 0 < identifier < _MOST_NUMBER
        if is_answered:
            os.write(fds[0], _woken(nonce, identifier, made.copy))
        self._handoff = self._host.move(fds, nonce, self._handoff)
        self._between = made.between
        self._has_woken = True
        return None if is_answered else {"ev": "woken", "id": identifier, "lost": lost, "copy": made.copy}

    def _serve(self, message, fds, control, waiting, open_files):
        """Other requests are served by a child of the copy, so that what the user's own methods change is gone with it.

        A wake-up does not wait for that: the child is ended, and the wake-up goes before other waiting requests. Tasks branch off
        meanwhile: returns the answer of one, in its process."""
        try:
            pid = _fork()
        except OSError:  # the empty stream tells the host; the copy sleeps on
            _close(fds)
            return None
        if pid == 0:
            os.close(control)
            self._serve_and_end(message, fds)
        _close(fds)
        patience = 1
        while not _has_ended(pid):
            if not wire.is_readable(control, patience):
                patience = min(2 * patience, _MOST_PATIENCE_MS)
                continue
            request = _receive(control)
            if request[0] is not None and request[0]["op"] == "branch":
                answer = self._branch(*request, control, open_files)
                if answer is not None:
                    return answer
                continue
            if request[0] is not None and request[0]["op"] != "wake":
                waiting.append(request)
                continue
            waiting.insert(0, request)
            os.kill(pid, SIGKILL)
            _has_ended(pid, 0)
            break
        return None

    def _serve_and_end(self, message, fds):
        try:
            _end_with_parent()
            self._host.serve_copy(message, fds)
        finally:
            os._exit(0)


def _refused(against, left=()):
    return {"ev": "snapshot", "asleep": False, "obstacles": against, "left": list(left)}


def _failure(error):
    limit = _LIMITS.get(error.errno)
    text = error.strerror or str(error)
    return {"kind": "limit", "name": "of %s: %s" % (limit, text)} if limit else {"kind": "failure", "name": text}


def forked_for_a_moment():
    """Forks a child that ends before anything else is done here, or with this process; returns 0 in it. With other Python
    threads around, Python's own fork is used, whose handlers take care of their locks. OSError where no process can be made."""
    is_alone = len(sys._current_frames()) == 1
    pid = _fork() if is_alone else _forked_by_python()
    if pid == 0:
        _end_with_parent()
        set_oom_score(_FIRST_FOR_OOM_KILL)
    return pid


def wait_for(pid):
    """Waits until that child has ended; an interrupt ends it."""
    try:
        os.waitpid(pid, 0)
    except OSError:  # code that waits for any child, or ignores SIGCHLD, was faster
        pass
    except BaseException:
        os.kill(pid, SIGKILL)
        _has_ended(pid, 0)
        raise


def _woken(nonce, identifier, copy):
    """The packed "woken" frame, from two pieces and two numbers: packing would touch, and so copy, many more pages."""
    first, second, _end = _WOKEN
    numbers = [b"\xce" + number.to_bytes(4, "big") for number in (identifier, copy)]
    body = b"".join((nonce, first, numbers[0], second, numbers[1]))
    return len(body).to_bytes(4, "big") + body


def _has_ended(pid, how=os.WNOHANG):
    try:
        return os.waitpid(pid, how)[0] != 0
    except OSError:  # code that ignores SIGCHLD has made the kernel collect it
        return True


class _Orphan:
    """A copy of this process, in a session of its own, whose parent is or becomes the supervisor."""

    def __init__(self, control, is_awaited=False):
        """The copy first rests for a moment, until `control` ends it: its maker has work to do just then, and each page that it
        writes to would be copied. An awaited copy does not rest: nothing goes on until it reports that it sleeps."""
        self._is_awaited = is_awaited
        self.between = 0  # pid of the go-between, if there is one
        self.copy = 0  # the copy's pid, where this process knows it
        self._rest = select.poll()
        self._rest.register(control, select.POLLIN)

    def fork(self, fd=-1, frame=None):
        """Returns False in the copy. Before anything else `frame` is sent to `fd`, with the copy's pid (or 0) at its end."""
        pid = self._clone_sibling(fd, frame)
        if pid is not None:
            self.copy = pid
            return pid != 0
        self.between = _fork()
        if self.between:
            if frame:
                os.write(fd, frame + bytes(4))
            return True
        try:
            pid = _fork()
        except OSError:
            os._exit(1)  # the EOF of the control socket reports it
        if pid:
            os._exit(0)
        os.setsid()
        return False

    def _clone_sibling(self, fd, frame):
        """Makes a child of this process's parent, at the cost of one fork instead of two. None where that is impossible.

        The C library's fork handlers do not run. They serve its other threads, so there must be none."""
        call = _clone_call()
        library = _library()
        if call is None or library is None or len(os.listdir("/proc/self/task")) > 1:
            return None
        if not _sibling:
            _sibling.extend(_sibling_arguments(library, *call))
        if not _sibling[0]:
            return None
        pid = library.syscall(*_sibling)
        if pid == 0:
            os.setsid()
            if not self._is_awaited:
                self._rest.poll(_SETTLED_MS)
        elif pid > 0 and frame:
            os.write(fd, frame + (0 if self._is_awaited else pid).to_bytes(4, "big"))
        return None if pid < 0 else pid


_sibling = []  # arguments of the system call, made once: each object that is made costs a copy pages


def _sibling_arguments(library, number, swapped):
    import ctypes

    place = ctypes.c_void_p()  # address of the thread's id in the C library, which fork(2) keeps up to date
    if library.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(place), 0, 0, 0) != 0 or not place.value:
        return (None,)
    nothing = ctypes.c_void_p(0)
    flags = ctypes.c_ulong(_CLONE_PARENT | _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID | int(SIGCHLD))
    return ctypes.c_long(number), flags, nothing, nothing, *((nothing, place) if swapped else (place, nothing))


def _fork():
    """fork(2) with the handlers of the C library and its users (BLAS ends its threads) but without those of Python:

    those reseed random generators and call the user's own, and a copy must go on as the interpreter would have. They serve
    processes with several Python threads, which are never copied."""
    library = _library()
    if library is None:
        return _forked_by_python()
    import ctypes

    pid = library.fork()
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return pid


def _forked_by_python():
    import random
    import warnings

    state = random.getstate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        random.setstate(state)
    return pid


def _clone_call():
    if not _machine:
        _machine.append(os.uname().machine)
    return _CLONE.get(_machine[0])


_machine = []
_libraries = []


def _library():
    """The C library, called with the interpreter's lock held; None where Python was built without ctypes."""
    if not _libraries:
        try:
            import ctypes

            _libraries.append(ctypes.PyDLL(None, use_errno=True))
        except (ImportError, OSError):
            _libraries.append(None)
    return _libraries[0]


def _end_with_parent():
    library = _library()
    if library is not None:
        library.prctl(_PR_SET_PDEATHSIG, int(SIGKILL), 0, 0, 0)


def _received(handoff):
    """The descriptor that the supervisor sends before it asks for a copy."""
    _data, fds = wire.receive_with_fds(handoff, 16, 1)
    if not fds:
        raise OSError(EMFILE, os.strerror(EMFILE))
    return fds[0]


def _receive(control):
    data, fds = wire.receive_with_fds(control, 65536, _MOST_FDS)
    if not data:
        return None, fds
    return unpack(data), fds


def _send(control, message):
    try:
        os.write(control, pack(message))
    except OSError:
        os._exit(0)  # the supervisor is gone, or has dropped this copy


def _close(fds):
    for fd in fds:
        try:
            os.close(fd)
        except OSError:
            pass

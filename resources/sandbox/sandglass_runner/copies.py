"""Copies of the interpreter: forks of it that sleep, each with the session's names as they were at one moment.

A copy is not a child of the interpreter but its sibling (a go-between forks it and ends, or the kernel makes it one),
so that code which waits for its own children never meets one. It sleeps in a read of its control socket, which the supervisor holds at the other end:
EOF there ends it. To wake a copy means that it leaves a copy of itself behind and goes on as the interpreter."""

import gc
import os
import time
from _signal import SIGCHLD, SIGKILL

from . import descriptors, obstacles, wire
from .codec import pack, unpack

_PR_SET_PDEATHSIG = 1
_PR_GET_TID_ADDRESS = 40
_CLONE_PARENT = 0x8000
_CLONE_CHILD_CLEARTID = 0x200000
_CLONE_CHILD_SETTID = 0x1000000
_CLONE = {"x86_64": (56, False), "aarch64": (220, True)}  # the call's number, and whether the thread's id comes last
_UNFROZEN_EACH = 16  # snapshots: then cycles among what was frozen can be collected again
_MOST_FDS = 8
_AHEAD_S = 0.05
_SETTLED_MS = 20
_MOST_PATIENCE_MS = 64


class Copies:
    """`host` is the interpreter: flush(), own_fds(), move(fds, nonce), and listing and storing names; `channel` is its."""

    def __init__(self, handoff, host, channel):
        self._handoff = handoff
        self._host = host
        self._channel = channel
        self._ahead = None  # what is open, and when that was looked at
        self._between = 0
        self._taken = 0

    def settle(self):
        """Before the user's code runs: the go-between of the last copy is no child that it may meet."""
        if self._between > 0:
            try:
                os.waitpid(self._between, 0)
            except OSError:  # code that set SIGCHLD to be ignored had the kernel collect it
                pass
        self._between = 0

    def look_ahead(self):
        """While nobody waits, and where a copy is likely to be asked for next."""
        if self._taken:
            self._ahead = (time.monotonic(), self._looked())

    def forget_ahead(self):
        self._ahead = None

    def _looked(self, but=()):
        open_files = descriptors.Recorded(self._host.own_fds() | {self._handoff, *but})
        return open_files, open_files.left + obstacles.left()

    def received(self):
        """The descriptor that the supervisor gave with the request."""
        return _received(self._handoff)

    def leave_fresh(self):
        """Leaves a copy that sleeps until another interpreter is needed. True in the copy, once it is that."""
        answer = self.leave()
        if answer["ev"] == "woken":
            return True
        self.settle()
        return False

    def leave(self, identifier=None):
        """Forks a copy. Returns what is to be answered: here at once, in the copy when it is woken. None: it was answered.

        The first thing after the fork is the answer, made before: from then on each page that this process writes to is
        copied first."""
        control = _received(self._handoff)
        found = obstacles.found()
        if found:
            os.close(control)
            return {"ev": "snapshot", "asleep": False, "obstacles": found, "left": self._looked()[1]}
        self._host.flush()
        ahead, self._ahead = self._ahead, None
        fresh = ahead is not None and time.monotonic() - ahead[0] < _AHEAD_S
        open_files, left = ahead[1] if fresh else self._looked((control,))
        answer = {"ev": "snapshot", "asleep": True, "obstacles": [], "left": left}
        frame = self._channel.prepared(dict(answer, id=identifier, last="copy")) if identifier else None
        self._taken += 1
        if self._taken % _UNFROZEN_EACH == 0:
            gc.unfreeze()
        gc.freeze()  # a collection writes into each object's head, and so would copy every page of the heap
        between, copy, is_told = _fork_orphan()
        if between or copy:
            if frame:
                self._channel.sent(frame, copy)
            self._between = between
            os.close(control)
            return None if frame else answer
        return self._sleep(control, open_files, is_told)

    def _sleep(self, control, open_files, is_told):
        """In the copy. Returns in the process that is to be the interpreter. `is_told`: who made it says which process it is."""
        os.setsid()
        if is_told:
            _wait_a_moment(control)
        _be_first_for_oom_kill()
        _send(control, {"asleep": os.getpid()})
        waiting = []  # requests that came while another was served
        while True:
            message, fds = waiting.pop(0) if waiting else _receive(control)
            if message is None:
                os._exit(0)
            if message["op"] == "wake":
                try:
                    between, copy, is_told = _fork_orphan()
                except OSError as error:
                    _send(control, {"failed": error.strerror or str(error)})
                    _close(fds)
                    continue
                if not between and not copy:
                    _close(fds)
                    os.setsid()
                    if is_told:
                        _wait_a_moment(control)
                    _send(control, {"asleep": os.getpid()})
                    continue
                os.close(control)
                for _message, others in waiting:
                    _close(others)
                return dict(self._wake(message, fds, open_files, between), copy=copy)
            self._serve(message, fds, control, waiting)

    def _wake(self, message, fds, open_files, between):
        _end_with_parent()
        self._handoff = self._host.move(fds, message["nonce"], self._handoff)
        self._between = between
        _be_last_for_oom_kill()
        gc.unfreeze()
        return {"ev": "woken", "id": message["id"], "lost": open_files.reopen()}

    def _serve(self, message, fds, control, waiting):
        """Other work is done by a child of the copy: what the user's own methods change there is gone with it.

        To be woken does not wait for that: the child is ended, and the request comes first among those that wait."""
        pid = _fork()
        if pid == 0:
            try:
                _end_with_parent()
                os.close(control)
                self._host.serve_copy(message, fds)
            finally:
                os._exit(0)
        _close(fds)
        patience = 1
        while not _has_ended(pid):
            if not wire.is_readable(control, patience):
                patience = min(2 * patience, _MOST_PATIENCE_MS)
                continue
            request = _receive(control)
            if request[0] is not None and request[0]["op"] != "wake":
                waiting.append(request)
                continue
            waiting.insert(0, request)
            os.kill(pid, SIGKILL)
            _has_ended(pid, 0)
            return


def _has_ended(pid, how=os.WNOHANG):
    try:
        return os.waitpid(pid, how)[0] != 0
    except OSError:  # code that set SIGCHLD to be ignored had the kernel collect it
        return True


def _wait_a_moment(control):
    """Who had it made has something to do just now, and whatever a copy does costs a page for each that it touches."""
    wire.is_readable(control, _SETTLED_MS)


def _fork_orphan():
    """A process whose parent is, or will be, the supervisor: (0, 0, …) there. In the caller the pid of the go-between and 0,
    or 0 and the pid of the copy. Third, in both: whether the caller knows the copy's pid."""
    pid = _clone_sibling()
    if pid is not None:
        return 0, pid, True
    pid = _fork()
    if pid:
        return pid, 0, False
    try:
        pid = _fork()
    except OSError:
        os._exit(1)  # the control socket's EOF says so
    if pid:
        os._exit(0)
    return 0, 0, False


def _clone_sibling():
    """A child of this process's parent, at the cost of one fork instead of two. None where that cannot be done.

    The C library's handlers for forks do not run: they look after its other threads, so there must be none."""
    call = _clone_call()
    library = _library()
    if call is None or library is None or len(os.listdir("/proc/self/task")) > 1:
        return None
    import ctypes

    place = ctypes.c_void_p()  # of this thread's id in the C library's own memory, which fork(2) keeps right
    if library.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(place), 0, 0, 0) != 0 or not place.value:
        return None
    number, swapped = call
    last = [ctypes.c_void_p(0), place] if swapped else [place, ctypes.c_void_p(0)]
    flags = ctypes.c_ulong(_CLONE_PARENT | _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID | int(SIGCHLD))
    pid = library.syscall(ctypes.c_long(number), flags, ctypes.c_void_p(0), ctypes.c_void_p(0), *last)
    return None if pid < 0 else pid


def _fork():
    """fork(2) with what the C library and its users do around it (BLAS ends its threads), and without Python's handlers:

    those seed random generators anew and run the user's own, and a copy must go on as the interpreter would have. They
    are there for processes with several Python threads, which are never copied."""
    library = _library()
    if library is None:
        import random
        import warnings

        state = random.getstate()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            random.setstate(state)
        return pid
    import ctypes

    pid = library.fork()
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
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


def _be_first_for_oom_kill():
    """A copy can be lost; the code that runs should not be ended for it."""
    _set_oom_score(900)


def _be_last_for_oom_kill():
    _set_oom_score(300)


def _set_oom_score(score):
    try:
        fd = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, str(score).encode())
    except OSError:  # lower than it was before: for root alone
        pass
    finally:
        os.close(fd)


def _received(handoff):
    """The descriptor that the supervisor sends before it asks for a copy."""
    _data, fds = wire.receive_with_fds(handoff, 16, 1)
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
        os._exit(0)  # the supervisor is gone, or wants this copy no more


def _close(fds):
    for fd in fds:
        try:
            os.close(fd)
        except OSError:
            pass

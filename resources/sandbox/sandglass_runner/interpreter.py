"""The process that holds the user's names and executes code, one job after another."""

import builtins
import faulthandler
import io
import os
import sys
from _signal import SIG_DFL, SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGTERM, alarm, default_int_handler, getsignal
from _signal import set_wakeup_fd, signal
from types import ModuleType

from . import context, descriptors, display, failures, figures, kept_state, langgraph_bridge, late, mappings, open_limit
from . import values, variables
from .asking import Asking
from .cells import Cells, Loop
from .channel import Channel
from .copies import Copies
from .nodes import Nodes
from .wire import FrameTooLarge

_MOST_LISTED = 10000
_LISTING_S = 3
_CODE = ("cell", "call")
_STREAMED = ("store", "load")
_SPARE_FDS = 500  # above the low numbers, as some code closes "all" descriptors one by one from 3


class _Output(io.TextIOWrapper):
    """Standard output that passes on each piece at once: whole lines by line buffering, the rest by a flush."""

    def write(self, text):
        count = super().write(text)
        if not text.endswith("\n"):
            self.flush()
        return count


class Interpreter:
    def __init__(self, channel, spares, handoff, options):
        self._channel = channel
        self._owner = os.getpid()
        self._copies = Copies(handoff, self, channel)
        # Copies of the output pipes restore fd 1 and 2 when code has closed or redirected them.
        self._outputs = [
            (1, "stdout", spares[0], _identity(spares[0])),
            (2, "stderr", spares[1], _identity(spares[1])),
        ]
        self._handler = self._interrupted
        self._main = ModuleType("__main__")
        self._running = 0
        self._has_loaded_ahead = False
        self._plain_names = None
        self._has_other_names = False  # names whose pickles need a library that is not loaded yet
        self._code = 0  # the running cell or call, to which displays, sends and requests belong; 0: none
        self._stopped = 0  # the last job that an interrupt has reached
        self._signalled = False
        self._is_settled = False
        self._loop = Loop()
        self._cells = Cells(self._main.__dict__, self._loop)
        self._modules = None  # the project's modules, if it has any
        self._asking = Asking(channel, lambda: self._code)
        self._nodes = Nodes(self._main.__dict__, self._loop, self._emit, self._asking)
        self._prepare(options)

    def _prepare(self, options):
        os.environ.update({"HOME": options["home"], "MPLBACKEND": "Agg", "MPLCONFIGDIR": "/tmp/matplotlib"})
        os.environ["JE_ARROW_MALLOC_CONF"] = "background_thread:false"  # else a pyarrow thread makes each copy cost two forks
        os.environ.update(options.get("env") or {})
        self._main.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = self._main
        sys.argv = [""]
        sys.stdin = open(0, "r", encoding="utf-8", errors="replace", closefd=False)
        sys.stdout = sys.stderr = None
        self._restore_output()
        sys.__stdout__, sys.__stderr__, sys.__stdin__ = sys.stdout, sys.stderr, sys.stdin
        sys.dont_write_bytecode = True  # no __pycache__ in the session's folder
        runner = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        sys.path[:] = list(options.get("path") or []) + [p for p in sys.path if p and p != runner] + [""]
        if os.path.isdir(os.path.join(runner, "shims")):
            sys.path.append(os.path.join(runner, "shims"))  # last: an installed LangGraph wins
        if options.get("modules"):
            from . import project_modules

            project_modules.install(options["modules"])
            self._modules = project_modules
        if options.get("layers"):
            from . import layers

            layers.add(options["layers"])
        langgraph_bridge.install()
        display.emit = self._show
        builtins.display = display.display
        figures.install(self._show)
        late.install(("IPython.core.display_functions",), _take_over, lambda spec: "/shims/" not in (spec.origin or ""))
        late.install(("resource",), lambda _name, module: open_limit.keeps_room(module, self._channel.is_own))
        os.register_at_fork(after_in_child=self._forked)
        mappings.carried = os.path.join(options["home"], "")
        self._c_flush = _line_buffered_c_output()
        faulthandler.enable()  # after a crash standard error shows the lines where it happened
        self._recursion_limit = sys.getrecursionlimit()
        signal(SIGINT, self._handler)
        kept_state.begin()
        if options.get("preload"):
            _preload(options["preload"])
            kept_state.begin()  # again: libraries set variables and filters of their own
            if self._copies.leave_fresh():
                _reseed()

    def _restore_output(self):
        for fd, name, spare, identity in self._outputs:
            if _identity(fd) != identity:
                os.dup2(spare, fd, inheritable=True)
            if not _usable(getattr(sys, name, None)):
                buffer = io.BufferedWriter(io.FileIO(fd, "w", closefd=False), 65536)
                setattr(sys, name, _Output(buffer, "utf-8", "backslashreplace", line_buffering=True))

    def _forked(self):
        """Called in a process that the user's code forked: it is not the interpreter, and must not act as it."""
        self._channel.forget()
        signal(SIGINT, default_int_handler)

    def _interrupted(self, _number, _frame):
        if not self._running:
            self._signalled = True
            return  # its code has ended, or has not begun
        if self._stopped == self._running:
            return  # repeated by a supervisor that cannot know
        self._stopped = self._running
        if self._channel.sending:
            self._channel.postponed = True
            return
        raise KeyboardInterrupt

    def _emit(self, data):
        """Sends a value of the stream writer."""
        message = {"ev": "custom", "id": self._code, "data": values.dumps(data, "custom event")}
        self._flush()
        self._channel.send(message)

    def _show(self, bundle):
        """Sends what the code displays, in order with what it prints."""
        self._flush()
        self._asking.show(bundle)

    def serve(self):
        self._channel.send({"ev": "up", "pid": os.getpid()})
        while True:
            self._is_settled = False
            message = self._channel.receive(self._settle)
            if message is None:
                return
            reply = self._answer(message)
            if reply is None:
                continue
            if os.getpid() != self._owner:
                os._exit(0)  # a fork that the user's code let run beyond its cell
            try:
                self._channel.send(reply)
            except FrameTooLarge as error:
                reply = self._failed(message, failures.simple("StateTooLarge", "what the code returned has " + str(error)))
                self._channel.send(reply)
            if "copy" in message:
                self._leave_copy(message["copy"], reply["status"])

    def _leave_copy(self, copy, status):
        """Leaves the copy that was requested with the call. Returns in the copy too, once that is woken."""
        if status != "ok" and not copy.get("always"):
            self._copies.give_up()
            return
        reply = self._answer({"op": "snapshot", "id": copy["id"]})
        if reply is not None:
            self._channel.send(reply)

    def _settle(self):
        """Undoes what the code changed, while nobody waits for it. What fails here is repeated, and reported, with the next
        job."""
        try:
            self._put_right()
            self._is_settled = True
            self._copies.look_ahead()
        except BaseException:  # also exceptions of the code's own signal handlers
            pass

    def _put_right(self):
        if getsignal(SIGINT) is not self._handler:
            signal(SIGINT, self._handler)
            self._signalled = True  # the code's own handler may have taken an interrupt
        if sys.getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        self._copies.settle()
        self._restore_output()

    def _answer(self, message):
        reply = {"ev": "done", "id": message["id"], "status": "ok"}
        try:
            try:
                if not self._is_settled:
                    self._put_right()
                self._channel.postponed = False
                self._stopped = 0
                self._running = message["id"]
                self._code = self._running if message["op"] in _CODE else 0
                if self._signalled:
                    self._signalled = False
                    if self._channel.is_interrupted(message["id"]):
                        raise KeyboardInterrupt
                made = self._work(message)
                if made is None:
                    return None
                reply.update(made)
            finally:
                self._running = self._code = 0
        except BaseException as error:  # whatever the user's code raises, the session goes on
            self._running = self._code = 0
            if message["op"] in _STREAMED:
                self._give_up_stream(message)
            reply = self._failed(
                message, self._explained(error, message["op"] == "call"), isinstance(error, KeyboardInterrupt)
            )
        self._try_flush()
        if message["op"] in _CODE:
            mappings.touch()
        if "answered" in message:
            reply["answered"] = message["answered"]
        if self._modules is not None and message["op"] in _CODE:
            modules = self._modules.told()
            if modules:
                reply["modules"] = modules
        return reply

    def _give_up_stream(self, message):
        try:
            from . import streamed

            streamed.give_up(message, self._copies)
        except BaseException:  # no descriptor is left for the import: the module has taken nothing over
            self._copies.give_up()

    def _work(self, message):
        op = message["op"]
        if op != "snapshot":
            self._copies.forget_ahead()
            self._copies.follow_calls = "copy" in message
        if op in _CODE:
            identifier = message["id"]
            context.job = context.Job(message.get("asks") or (), self._asking, lambda: self._running == identifier)
            if self._modules is not None and self._modules.take_up(message.get("run"), self._nodes.sources()):
                self._nodes.forget()
        if op == "cell":
            return self._cells.run(message)
        if op == "call":
            return self._nodes.run(message)
        names = self._main.__dict__
        if op == "variables":
            from . import looks

            return dict(variables.listed(names, message["limit"], looks.described), ev="variables")
        if op == "complete":
            from . import completion

            return dict(completion.completed(names, message["code"], message["cursor"]), ev="completions")
        if op == "inspect":
            from . import completion

            return dict(completion.described(names, message["code"], message["cursor"]), ev="inspection")
        if op == "adopt":
            self._nodes.adopt(message)
            return {"ev": "adopted"}
        if op == "snapshot":
            return self._copies.leave(message["id"], self._told_plainly())
        if op in _STREAMED:
            from . import streamed

            return streamed.answer(message, names, self._nodes, self._copies, self._channel)
        raise ValueError("unknown op %r" % (op,))

    # --- for copies ---

    def flush(self):
        self._try_flush()

    def own_fds(self):
        """Descriptors that a woken copy gets anew from here."""
        spares = {spare for _fd, _name, spare, _identity_of in self._outputs}
        return spares | {self._channel.fd} | self._loop.fds()

    def wakes(self):
        """Called in a copy: interrupts are for its next job, no longer for the one in which it was made."""
        self._running = self._code = 0

    def branches(self, message):
        """Called in a copy that becomes the process of one task, before its files are opened."""
        from . import branch

        branch.begin(message)

    def move(self, fds, nonce, handoff):
        """Called in a woken copy: other descriptors replace those of the sleeping interpreter."""
        self._owner = os.getpid()
        channel, out, err, new_handoff = fds
        os.dup2(channel, self._channel.fd, inheritable=False)
        self._channel.move(nonce)
        for place, new in enumerate((out, err)):
            fd, name, spare, identity = self._outputs[place]
            os.dup2(new, spare, inheritable=False)
            if _identity(fd) == identity:
                os.dup2(new, fd, inheritable=True)
            self._outputs[place] = (fd, name, spare, _identity(new))
        os.dup2(new_handoff, handoff, inheritable=False)
        for fd in fds:
            os.close(fd)
        self._loop.renew(descriptors.renew_loop)
        return handoff

    def loads_ahead(self):
        """Imports what writing a copy's names needs: each copy would import it anew, which takes longer than all else."""
        if not self._has_loaded_ahead:
            self._has_loaded_ahead = True
            from . import branch, only_reads, plain_names, redirect, streamed  # noqa: F401

            self._plain_names = plain_names.PlainNames()
            open_limit.load_ahead()
        elif self._has_other_names:
            self._has_other_names = False
            from . import stored_names

            stored_names.load_ahead()

    def _told_plainly(self):
        """The packed names, where they are few and plain, so that the copy need not be asked. None until the writer has been
        loaded, while nobody waited."""
        if self._plain_names is None:
            return None
        try:
            stream = self._plain_names.stream(self._main.__dict__, self._nodes.files())
        except Exception:  # an object of the user's own interferes: the copy is asked then
            return None
        self._has_other_names = stream is None
        return None if stream is None else {"names": stream}

    def serve_copy(self, message, fds):
        """Serves another request to a copy, in a child of it. The user's code was not asked to run, so what does run changes
        nothing."""
        from . import only_reads, stored_names, streamed

        signal(SIGINT, default_int_handler)
        self._channel.forget()
        if message["op"] == "store":
            room = message.get("room")
            if room is not None:
                _give_way()
            streamed.write_limited(fds[0], self._main.__dict__, self._nodes.files(), room, message.get("careful"))
        elif message["op"] == "list":
            # An object's own methods get limited time: the copy waits, and may be woken.
            signal(SIGALRM, SIG_DFL)
            alarm(_LISTING_S)
            only_reads.begin()
            stored_names.write_listed(fds[0], variables.listed(self._main.__dict__, _MOST_LISTED))

    def _failed(self, message, error, interrupted=False):
        return {
            "ev": "done",
            "id": message["id"],
            "status": "interrupted" if interrupted else "error",
            "error": error,
        }

    def _explained(self, error, is_call):
        try:
            result = failures.described(error)
            if is_call:
                self._add_data(result, error)
            if isinstance(error, SystemExit):
                code = "" if error.code is None else repr(error.code)
                result["message"] = "sys.exit(%s) was called; the session goes on" % code
                result["text"] = "SystemExit: " + result["message"]
            return result
        except BaseException:  # no memory even for that
            return failures.simple(type(error).__name__, "")

    def _add_data(self, result, error):
        from . import raised

        try:
            data = raised.told(error)
        except BaseException:  # its attributes may do anything when they are read
            return
        if data is not None:
            result["data"] = data

    def _flush(self):
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, _Output) and not stream.closed:
                stream.flush()
        if self._c_flush is not None:
            self._c_flush(None)

    def _try_flush(self):
        try:
            self._asking.settle()
            self._flush()
        except BaseException:  # closed by the code, or a late interrupt
            pass


def _take_over(_name, module):
    """Replaces display() of an installed IPython, which without its shell only prints."""
    module.display = display.display


def _identity(fd):
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _usable(stream):
    try:
        return not stream.closed
    except Exception:  # None, an object of the user's own, or a detached stream
        return False


def _line_buffered_c_output():
    """Makes C code's output arrive line by line; returns C's fflush, or None where ctypes is missing."""
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        for name in ("stdout", "stderr"):
            libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, 1, 0)
        return libc.fflush
    except (ImportError, OSError, ValueError, AttributeError):
        return None


def _preload(names):
    """Imports what the first cell will need. Code that imports a failing module gets the error itself."""
    for name in names:
        try:
            __import__(name)
        except BaseException:  # importing a module may do anything
            pass


def _reseed():
    """Reseeds generators that were seeded before the copy: no two interpreters may draw the same numbers."""
    for name in ("random", "numpy.random"):
        seed = getattr(sys.modules.get(name), "seed", None)
        if seed is not None:
            seed()


def main(channel_fd, out_fd, err_fd, handoff_fd, nonce, options):
    """Runs in the freshly forked process. Never returns."""
    code = 70
    try:
        set_wakeup_fd(-1)
        for number in (SIGCHLD, SIGTERM, SIGHUP):
            signal(number, SIG_DFL)
        os.setsid()
        channel, handoff, spares = _settle_descriptors(channel_fd, handoff_fd, out_fd, err_fd)
        _prefer_for_oom_kill()
        Interpreter(Channel(channel, nonce), spares, handoff, options).serve()
        code = 0
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _settle_descriptors(channel_fd, handoff_fd, out_fd, err_fd):
    """fd 0 is /dev/null, 1 and 2 the output pipes; our own descriptors and spare pipes get high numbers; all others are
    closed."""
    import fcntl

    kept = []
    for fd in (channel_fd, handoff_fd, out_fd, err_fd):
        try:
            kept.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _SPARE_FDS))
        except OSError:  # RLIMIT_NOFILE is lower
            kept.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3))
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0, inheritable=True)
    os.dup2(kept[2], 1, inheritable=True)
    os.dup2(kept[3], 2, inheritable=True)
    for fd in [int(name) for name in os.listdir("/proc/self/fd")]:
        if fd > 2 and fd not in kept:
            try:
                os.close(fd)
            except OSError:  # the descriptor of the listing itself
                pass
    return kept[0], kept[1], (kept[2], kept[3])


def _give_way():
    """To the code that runs meanwhile."""
    from . import settings

    try:
        settings.own_niceness(os.nice(0))
        os.nice(19)
    except OSError:
        pass


def _prefer_for_oom_kill():
    """Makes the kernel end the code that used the memory, not the supervisor that can report it."""
    try:
        with open("/proc/self/oom_score_adj", "r+") as file:
            now = int(file.read())
            file.seek(0)
            file.write(str(min(1000, now + 300)))
    except (OSError, ValueError):
        pass

"""Owns the stream to the host, the signals and the deadlines, whatever the interpreter does. One thread, one loop."""

import os
import select
import sys
import time
from _signal import SIGCHLD, SIG_IGN, SIGHUP, SIGINT, SIGKILL, SIGTERM, set_wakeup_fd, signal
from collections import deque

from . import checks, processes, wire
from .child import Child
from .codec import CodecError, unpack
from .files import Files, Refused
from .output import Budget

VERSION = 1
_HIGH_WATER = 4 * 1024 * 1024  # unsent bytes at which the code's output is left in its pipes
_BACKLOG = 1024 * 1024  # output kept for a host that is away
_MOST_JOBS = 1024
_MOST_FAULTS = 100
_GATHER = 0.002  # small pieces of output are sent at most this often
_BUSY_READ = 32768  # a read of this size is followed by another at once

_IN, _OUT, _GONE = select.EPOLLIN, select.EPOLLOUT, select.EPOLLHUP | select.EPOLLERR
_DEFAULTS = {"output_limit": 8388608, "chunk_limit": 65536, "grace_ms": 2000}


class Job:
    """A request that needs the interpreter."""

    __slots__ = ("id", "op", "deadline_ms", "raw", "started", "started_ticks", "stopping", "budget")

    def __init__(self, message, raw):
        self.id = message["id"]
        self.op = message["op"]
        self.deadline_ms = message.get("deadline_ms") or 0
        self.raw = raw
        self.started = 0.0
        self.started_ticks = 0
        self.stopping = None  # "timeout" or "interrupted", once the interrupt was sent
        self.budget = None


class Supervisor:
    def __init__(self, connection, listener, orphan_s=None):
        self._poll = select.epoll()
        self._handlers = {}
        self._timers = {}
        self._connection = None
        self._listener = listener
        self._orphan_s = orphan_s  # ends by itself after so long without a host
        self._child = None
        self._job = None
        self._jobs = deque()
        self._options = dict(_DEFAULTS)
        self._files = None
        self._between = Budget(_DEFAULTS["output_limit"])
        self._away = deque()
        self._away_bytes = 0
        self._finished = deque(maxlen=16)
        self._greeted_before = False
        self._ready_due = False
        self._paused = False
        self._started = time.monotonic()
        self._over = False
        self._faults = 0
        self._spawn_since = None
        self._watch_signals()
        if listener is not None:
            self._watch(listener.fd, self._accept)
            self._await_host()
        if connection is not None:
            self._adopt(connection)

    # --- the loop ---

    def run(self):
        while not self._over:
            try:
                for fd, events in self._poll.poll(self._next_timeout()):
                    handler = self._handlers.get(fd)
                    if handler is not None:
                        handler(events)
                if self._timers:
                    self._fire_timers()
            except Exception:  # a fault of our own, or no memory for the moment, must not cost the session
                self._fault()
        self._end()

    def _fault(self):
        import traceback

        self._faults += 1
        text = traceback.format_exc()
        os.write(2, text.encode("utf-8", "replace"))
        if self._connection is not None:
            self._send_to(self._connection, checks.problem(0, "InternalError", text.strip().splitlines()[-1]))
        if self._faults > _MOST_FAULTS:
            self._over = True

    def _watch(self, fd, handler, events=_IN):
        self._handlers[fd] = handler
        self._poll.register(fd, events)

    def _unwatch(self, fd):
        if self._handlers.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def _at(self, name, when, action):
        self._timers[name] = (when, action)

    def _next_timeout(self):
        if not self._timers:
            return -1
        return max(0.0, min(when for when, _ in self._timers.values()) - time.monotonic())

    def _fire_timers(self):
        now = time.monotonic()
        for name, (when, action) in list(self._timers.items()):
            if when <= now and self._timers.get(name, (None,))[0] == when:
                del self._timers[name]
                action()

    def _watch_signals(self):
        read_end, write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._wakeup = write_end
        set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal(SIGCHLD, lambda number, frame: None)
        signal(SIGTERM, self._terminated)
        signal(SIGINT, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        self._watch(read_end, lambda events: (wire.read_some(read_end), self._reap()))

    def _terminated(self, _number, _frame):
        self._over = True

    # --- the host ---

    def _await_host(self):
        if self._orphan_s is not None:
            self._at("orphan", time.monotonic() + self._orphan_s, self._orphaned)

    def _orphaned(self):
        os.write(2, b"no host came within the time: the runner ends\n")
        self._over = True

    def _accept(self, _events):
        connection = self._listener.accept()
        if connection is not None:
            self._watch(connection.read_fd, lambda events: self._host_readable(connection, events))

    def _adopt(self, connection):
        self._connection = connection
        self._watch(connection.read_fd, lambda events: self._host_readable(connection, events))

    def _host_readable(self, connection, events):
        if events & _OUT and connection is self._connection and connection.read_fd == connection.write_fd:
            self._host_writable(events)
        if not events & (_IN | _GONE) or not connection.open:
            return
        data = wire.read_some(connection.read_fd)
        if data is None:
            return
        if not data:
            self._lose(connection)
            return
        try:
            for body in connection.reader.feed(data):
                message = unpack(body)
                if not isinstance(message, dict) or not isinstance(message.get("op"), str):
                    raise CodecError("a frame without op")
                self._request(connection, message, body)
                if not connection.open:
                    return
        except (CodecError, wire.FrameTooLarge) as error:
            self._send_to(connection, checks.problem(0, "ProtocolError", str(error)))
            self._lose(connection)

    def _host_writable(self, _events):
        connection = self._connection
        try:
            connection.outbox.flush()
        except OSError:
            self._lose(connection)
            return
        self._regulate()

    def _lose(self, connection):
        if not connection.open:
            return
        self._unwatch(connection.read_fd)
        if connection.write_fd != connection.read_fd:
            self._unwatch(connection.write_fd)
        connection.close()
        if connection is self._connection:
            self._connection = None
            self._paused_changed(False)
            if self._files is not None:
                self._files.abandon_all()
            self._await_host()
        if self._listener is None:
            self._over = True

    def _send(self, message):
        """To the host, or kept until there is one again."""
        if self._connection is None or not self._connection.greeted:
            self._keep(message)
        else:
            self._send_to(self._connection, message)

    def _send_to(self, connection, message):
        if not connection.open:
            return
        try:
            connection.outbox.send(wire.frame(message))
        except wire.FrameTooLarge as error:
            self._send_to(connection, checks.too_large(message, str(error)))
        except OSError:
            self._lose(connection)
        else:
            if connection.outbox.pending:
                self._regulate()

    def _keep(self, message):
        size = len(message.get("data") or b"") if message["ev"] in ("out", "custom") else 0
        if size and self._away_bytes + size > _BACKLOG:
            budget = self._job.budget if self._job is not None and self._job.budget else self._between
            stream = message.get("stream", "custom")
            budget.dropped[stream] = budget.dropped.get(stream, 0) + size
            return
        self._away_bytes += size
        self._away.append(message)
        if len(self._away) > 4 * _MOST_JOBS:
            self._away.popleft()

    def _regulate(self):
        """Watches for room to write while bytes wait, and stops taking output while too many do."""
        connection = self._connection
        if connection is None:
            return
        pending = connection.outbox.pending
        if connection.read_fd == connection.write_fd:
            self._poll.modify(connection.read_fd, _IN | _OUT if pending else _IN)
        elif pending and connection.write_fd not in self._handlers:
            self._watch(connection.write_fd, self._host_writable, _OUT)
        elif not pending:
            self._unwatch(connection.write_fd)
        if pending > _HIGH_WATER:
            self._paused_changed(self._job is None or self._job.stopping is None)
        elif pending < _HIGH_WATER // 4:
            self._paused_changed(False)

    def _paused_changed(self, paused):
        if paused == self._paused:
            return
        self._paused = paused
        child = self._child
        if child is not None:
            for fd in (child.out, child.err, child.channel):
                if fd in self._handlers:
                    self._poll.modify(fd, self._events_for(fd))

    def _events_for(self, fd):
        child = self._child
        if fd == child.channel:
            return (0 if self._paused else _IN) | (_OUT if child.outbox.pending else 0)
        return 0 if self._paused or ("gather", fd) in self._timers else _IN

    # --- requests ---

    def _request(self, connection, message, raw):
        op = message["op"]
        if not connection.greeted and op not in ("hello", "ping", "shutdown"):
            self._send_to(connection, checks.problem(message.get("id"), "ProtocolError", "the first request must be hello"))
            return
        try:
            checks.request(message)
            handler = getattr(self, "_op_" + op, None)
            if handler is None:
                raise checks.BadRequest("unknown op '%s'" % op[:64])
            handler(connection, message, raw)
        except (checks.BadRequest, Refused) as error:
            self._send_to(connection, checks.problem(message.get("id"), type(error).__name__, str(error)))
        except OSError as error:
            self._send_to(connection, checks.problem(message.get("id"), type(error).__name__, error.strerror or str(error)))

    def _op_hello(self, connection, message, _raw):
        if message.get("v") != VERSION:
            raise checks.BadRequest("protocol version %r; this runner speaks %d" % (message.get("v"), VERSION))
        options = checks.options(message.get("options") or {})
        first = not self._greeted_before
        for name, value in options.items():
            if first or name in _DEFAULTS:
                self._options[name] = value
        if self._connection is not connection:
            if self._connection is not None:
                self._lose(self._connection)
            self._connection = connection
        connection.greeted = True
        self._timers.pop("orphan", None)
        if first:
            self._settle()
            self._greeted_before = True
            self._ready_due = True
            self._spawn()
        elif not self._ready_due:
            self._send_ready(resumed=True)

    def _settle(self):
        home = self._options.get("home") or ("/session" if os.path.isdir("/session") else "/tmp")
        self._options["home"] = home
        roots = {"session": "/session", "artifacts": "/session/artifacts", "data": "/data"}
        roots.update(self._options.get("roots") or {})
        self._options["roots"] = roots
        try:
            os.mkdir(roots["artifacts"])
        except OSError:
            pass  # there already, or no session folder at all
        self._files = Files(roots)
        try:
            os.chdir(home)
        except OSError:
            os.chdir("/")

    def _send_ready(self, resumed):
        version = "%d.%d.%d" % sys.version_info[:3]
        self._send_to(
            self._connection,
            {
                "ev": "ready",
                "v": VERSION,
                "python": version,
                "pid": os.getpid(),
                "interpreter": self._child.pid if self._child else 0,
                "running": self._job.id if self._job else 0,
                "resumed": resumed,
                "finished": [{"id": i, "status": s} for i, s in self._finished],
            },
        )
        self._away_bytes = 0
        while self._away and self._connection is not None:
            self._send_to(self._connection, self._away.popleft())

    def _op_cell(self, _connection, message, raw):
        self._enqueue(message, raw)

    _op_call = _op_cell

    def _op_variables(self, _connection, message, _raw):
        full = {"op": "variables", "id": message["id"], "limit": message.get("limit", 1000), "deadline_ms": 2000}
        self._enqueue(full, wire.pack(full))

    def _op_restart(self, _connection, message, raw):
        self._enqueue(message, raw)

    def _enqueue(self, message, raw):
        if len(self._jobs) >= _MOST_JOBS:
            raise checks.BadRequest("%d requests are waiting already" % _MOST_JOBS)
        identifier = message["id"]
        if self._job is not None and (self._job.id == identifier or any(j.id == identifier for j in self._jobs)):
            raise checks.BadRequest("the id %d is in use" % identifier)
        self._jobs.append(Job(message, raw))
        if self._job is None:
            self._start_next()

    def _op_interrupt(self, _connection, message, _raw):
        job = self._job
        if job is not None and job.id == message["id"]:
            if message.get("kill"):
                job.stopping = job.stopping or "interrupted"
                self._kill_running()
            else:
                self._interrupt("interrupted", message.get("grace_ms"))
            return
        for waiting in self._jobs:
            if waiting.id == message["id"]:
                self._jobs.remove(waiting)
                self._finish({"ev": "done", "id": waiting.id, "status": "interrupted", "restarted": False}, waiting)
                return
        # Ended already: its done is on the way, and there is nothing left to interrupt.

    def _op_stats(self, connection, message, _raw):
        stats = processes.usage(os.getpid())
        roots = self._options["roots"]
        stats.update(ev="stats", session=_space(roots["session"]), tmp=_space("/tmp"))
        stats.update(uptime_s=time.monotonic() - self._started, running=self._job.id if self._job else 0)
        if "id" in message:
            stats["id"] = message["id"]
        self._send_to(connection, stats)

    def _op_list_files(self, connection, m, _raw):
        found = self._files.list_files(m.get("root", "artifacts"), m.get("limit", 10000))
        self._send_to(connection, dict(found, ev="files", id=m["id"]))

    def _op_read_file(self, connection, m, _raw):
        found = self._files.read_file(m.get("root", "artifacts"), m["path"], m["offset"], m["length"], m.get("inode"))
        self._send_to(connection, dict(found, ev="file", id=m["id"]))

    def _op_put_file(self, connection, m, _raw):
        arguments = (m.get("root", "artifacts"), m["path"], m["offset"], m["data"], m["last"], m.get("mode"))
        self._send_to(connection, dict(self._files.put_file(*arguments), ev="stored", id=m["id"]))

    def _op_remove_file(self, connection, m, _raw):
        self._files.remove_file(m.get("root", "artifacts"), m["path"], m.get("inode"))
        self._send_to(connection, {"ev": "removed", "id": m["id"]})

    def _op_ping(self, connection, message, _raw):
        self._send_to(connection, {"ev": "pong", "n": message.get("n")})

    def _op_shutdown(self, connection, _message, _raw):
        self._send_to(connection, {"ev": "bye"})
        self._over = True

    # --- jobs ---

    def _start_next(self):
        while self._job is None and self._jobs and self._child is not None:
            job = self._jobs.popleft()
            if job.op == "restart":
                self._replace("asked for by the host", answer=job.id)
                continue
            job.started = time.monotonic()
            job.started_ticks = processes.now_in_ticks()
            job.budget = Budget(self._options["output_limit"])
            self._job = job
            if job.deadline_ms > 0:
                self._at("deadline", job.started + job.deadline_ms / 1000, lambda: self._interrupt("timeout", None))
            self._send_to_child(len(job.raw).to_bytes(4, "big") + job.raw)
            job.raw = b""

    def _send_to_child(self, data):
        child = self._child
        try:
            child.outbox.send(data)
        except OSError:
            return  # it is ending; the loop is about to hear of it
        if child.outbox.pending:
            self._poll.modify(child.channel, self._events_for(child.channel))

    def _interrupt(self, why, grace_ms):
        """SIGINT now, SIGKILL after the grace. What os.system() started must hear of it too."""
        job = self._job
        if job is None or job.stopping is not None:
            return
        job.stopping = why
        grace = self._options["grace_ms"] if grace_ms is None else grace_ms
        self._at("grace", time.monotonic() + grace / 1000, self._kill_running)
        processes.interrupt_since(os.getpid(), job.started_ticks, self._child.pid)
        self._paused_changed(False)

    def _kill_running(self):
        if self._job is not None and self._child is not None:
            self._replace("it did not react to the interrupt")

    def _finish(self, message, job):
        if job is self._job:
            self._timers.pop("deadline", None)
            self._timers.pop("grace", None)
        if job.op == "variables" and message["ev"] == "done":
            error = message.get("error") or {"type": message["status"], "message": "the listing was stopped"}
            self._send(checks.problem(job.id, error["type"], error["message"]))
        elif job.op == "restart":
            self._send(checks.problem(job.id, "Interrupted", "the restart was taken back"))
        else:
            if message["ev"] == "done":
                self._report_dropped(job)
                started = job.started or time.monotonic()
                message["duration_ms"] = (time.monotonic() - started) * 1000
                self._finished.append((job.id, message["status"]))
            self._send(message)
        if job is self._job:
            self._job = None
            self._between = Budget(self._options["output_limit"])
            self._start_next()

    def _report_dropped(self, job):
        if job.budget is not None and job.budget.dropped:
            for stream, dropped in job.budget.dropped.items():
                self._send({"ev": "truncated", "id": job.id, "stream": stream, "dropped": dropped})

    # --- the interpreter ---

    def _spawn(self):
        """Starts an interpreter; where the sandbox has no room for one now, tries again for a while."""
        options = {name: self._options.get(name) for name in ("home", "env", "path")}
        try:
            self._child = child = Child(options, self._leave)
        except OSError as error:
            now = time.monotonic()
            self._spawn_since = self._spawn_since or now
            if now - self._spawn_since > 10:
                self._spawn_since = None
                self._refuse_waiting(error)
            self._at("spawn", now + 0.1, self._spawn)
            return
        self._spawn_since = None
        self._watch(child.channel, self._channel_ready)
        self._watch(child.out, lambda events: self._output_ready(child.out, "stdout"))
        self._watch(child.err, lambda events: self._output_ready(child.err, "stderr"))

    def _refuse_waiting(self, error):
        text = "no new interpreter can be started: %s" % (error.strerror or error)
        if self._ready_due and self._connection is not None:
            self._send_to(self._connection, checks.problem(0, "StartError", text))
        while self._jobs:
            job = self._jobs.popleft()
            died = {"ev": "done", "id": job.id, "status": "died", "restarted": False}
            self._finish(dict(died, error=checks.error("StartError", text), exit=checks.NO_EXIT), job)

    def _leave(self):
        """In a newly forked process: nothing of the supervisor's may stay open or act there."""
        set_wakeup_fd(-1)
        prctl(_PR_SET_DUMPABLE, 1)
        prctl(_PR_SET_PDEATHSIG, int(SIGKILL))
        self._poll.close()

    def _channel_ready(self, events):
        child = self._child
        if events & _OUT:
            try:
                child.outbox.flush()
            except OSError:
                pass
            self._poll.modify(child.channel, self._events_for(child.channel))
        if not events & (_IN | _GONE):
            return
        data = wire.read_some(child.channel)
        if data is None:
            return
        if not data:
            # Its death closes the channel too; only if it lives on has the code closed it.
            self._unwatch(child.channel)
            self._at("closed", time.monotonic() + 0.2, lambda: self._replace("the code closed the interpreter's channel"))
            self._reap()
            return
        try:
            messages = child.messages(data)
            for message in messages:
                self._from_child(checks.from_interpreter(message))
                if child is not self._child:
                    return
        except (ValueError, TypeError, KeyError) as error:
            self._replace("the code wrote to the interpreter's channel (%s)" % error)

    def _from_child(self, message):
        event = message["ev"]
        job = self._job
        if event == "up":
            if self._ready_due:
                self._ready_due = False
                if self._connection is not None:
                    self._send_ready(resumed=False)
            self._start_next()
            return
        if job is None or message["id"] != job.id:
            raise ValueError("a message for no running cell")
        self._drain_output()
        if event in ("custom", "display"):
            size = sum(len(v) for v in message["data"].values()) if event == "display" else len(message["data"])
            passed, first = job.budget.admit("custom", size)
            if passed or not size:
                self._send(message)
            elif first:
                self._send({"ev": "truncated", "id": job.id, "stream": "custom", "dropped": job.budget.dropped["custom"]})
            return
        if event == "done" and (job.stopping == "timeout" or (job.stopping and message["status"] != "ok")):
            message["status"] = job.stopping
            message.pop("update", None)
        if message.get("status") in ("interrupted", "timeout"):
            message["restarted"] = False
            processes.kill_since(os.getpid(), job.started_ticks, self._child.pid, self._reap)
        self._finish(message, job)

    def _output_ready(self, fd, stream):
        data = wire.read_some(fd, self._read_size())
        if data is None:
            return
        if not data:
            self._unwatch(fd)
            return
        self._forward(stream, data)
        if self._child is None or fd not in self._handlers:
            return
        if len(data) < _BUSY_READ:
            self._at(("gather", fd), time.monotonic() + _GATHER, lambda: self._gathered(fd))
            self._poll.modify(fd, 0)

    def _gathered(self, fd):
        if self._child is not None and fd in self._handlers:
            self._poll.modify(fd, self._events_for(fd))

    def _read_size(self):
        budget = self._job.budget if self._job is not None else self._between
        return 1048576 if budget.exhausted() else self._options["chunk_limit"]

    def _forward(self, stream, data):
        job = self._job
        budget = job.budget if job is not None else self._between
        identifier = job.id if job is not None else 0
        passed, first = budget.admit(stream, len(data))
        if passed:
            self._send({"ev": "out", "id": identifier, "stream": stream, "data": data if passed == len(data) else data[:passed]})
        if first:
            self._send({"ev": "truncated", "id": identifier, "stream": stream, "dropped": budget.dropped[stream]})

    def _drain_output(self):
        """All that was printed before now; bounded, as something may go on printing."""
        child = self._child
        for fd, stream in ((child.out, "stdout"), (child.err, "stderr")):
            room = 1048576
            while room > 0 and wire.has_bytes(fd):
                data = wire.read_some(fd, self._read_size())
                if not data:
                    break
                room -= len(data)
                self._forward(stream, data)

    def _reap(self):
        child = self._child
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if child is not None and pid == child.pid:
                child.status = status
                self._at("ended", 0, lambda: self._ended(child))

    def _ended(self, child):
        """The interpreter ended by itself. What it had sent before still counts."""
        if child is not self._child:
            return
        data = wire.read_some(child.channel) if child.channel in self._handlers else None
        if data:
            try:
                for message in child.messages(data):
                    self._from_child(checks.from_interpreter(message))
            except (ValueError, TypeError, KeyError):
                pass
        if child is self._child:
            self._replace(None)

    def _replace(self, reason, answer=0):
        """Ends the interpreter and all it started, puts a new one in its place, and tells the host."""
        child = self._child
        by_itself = child.status is not None
        processes.kill_all(os.getpid(), self._reap)
        self._drain_output()
        for name in list(self._timers):
            if name in ("closed", "ended") or name[0] == "gather":
                del self._timers[name]
        for fd in (child.channel, child.out, child.err):
            self._unwatch(fd)
        ended = child.exit() if by_itself else dict(checks.NO_EXIT, signal=int(SIGKILL))
        child.close()
        self._child = None
        self._paused = False
        job = self._job
        reason = reason or checks.ending(ended)
        self._spawn()
        if answer or job is None:
            self._send({"ev": "restarted", "id": answer, "reason": reason, "exit": ended})
            return
        message = {"ev": "done", "id": job.id, "status": job.stopping or "died", "restarted": True, "exit": ended}
        if message["status"] == "died":
            message["error"] = checks.error("InterpreterDied", reason)
        self._finish(message, job)

    def _end(self):
        if self._connection is not None:
            try:
                os.set_blocking(self._connection.write_fd, True)
                self._connection.outbox.flush()
            except OSError:
                pass
        processes.kill_all(os.getpid(), self._reap, patience=5.0)


_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36


def prctl(option, value):
    """False where Python was built without ctypes: then the pid namespace alone keeps the processes together."""
    try:
        import ctypes

        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def protect():
    """Makes orphans the supervisor's children, and its memory and descriptors unreachable for code of the same user."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    prctl(_PR_SET_DUMPABLE, 0)


def _space(path):
    try:
        found = os.statvfs(path)
    except OSError:
        return None
    return {"total": found.f_blocks * found.f_frsize, "used": (found.f_blocks - found.f_bfree) * found.f_frsize}

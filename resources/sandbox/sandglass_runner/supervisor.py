"""Answers the host, and has its cells and calls executed one at a time, whatever the interpreter does."""

import os
import sys
import time
from _collections import deque  # without all that collections imports

from . import checks, codec, flat, guard, places, processes
from .file_requests import FileRequests
from .files import Files, Refused
from .job import Job
from .keeper import Keeper
from .loop import Loop
from .output import Budget
from .relays import Relays
from .sleepers import Sleepers
from .snapshots import Snapshots
from .uplink import Uplink

VERSION = 1
_MOST_JOBS = 1024
_DROPPING_READ = 1048576
_OF_OP = {"variables": "variables", "completions": "complete", "inspection": "inspect"}
_LOOKS = tuple(_OF_OP.values())
_LOOK_MS = 2000
_DEFAULTS = {"output_limit": 8388608, "chunk_limit": 65536, "grace_ms": 2000}


class Supervisor:
    def __init__(self, connection, listener, orphan_s=None):
        self._started = time.monotonic()
        self._options = dict(_DEFAULTS)
        self._files = None
        self._file_requests = None
        self._job = None
        self._jobs = deque()
        self._restart_id = 0
        self._renewed = False  # the interpreter ended by itself while nothing ran; no call knows it yet
        self._between = Budget(_DEFAULTS["output_limit"])
        self._finished = deque(maxlen=16)
        self._ready_due = False
        self._greeted_before = False
        self._loop = Loop(self._fault, lambda: self._keeper.reap())
        self._snapshots = Snapshots(self)
        self._sleepers = Sleepers(self._loop, self._snapshots)
        self._keeper = Keeper(self._loop, self, self._leave, self._sleepers)
        self._relays = Relays(self._loop, lambda message: self._uplink.send(message))
        self._incarnation = os.urandom(16).hex()
        self._uplink = Uplink(self._loop, connection, listener, orphan_s, self)

    def run(self):
        self._loop.run()
        self._uplink.finish()
        processes.kill_all(os.getpid(), self._keeper.reap, patience=5.0)

    def _fault(self, text):
        self._uplink.send(checks.problem(0, "InternalError", text))

    def _leave(self):
        self._loop.abandon()
        guard.become_reachable()

    # --- from the uplink ---

    def request(self, connection, message, raw):
        op = message["op"]
        if not connection.greeted and op not in ("hello", "ping", "shutdown"):
            self._refuse(connection, message, "ProtocolError", "the first request must be hello")
            return
        try:
            checks.request(message)
            handler = getattr(self, "_op_" + op, None)
            if handler is None and hasattr(self._file_requests, "op_" + op):
                for answer in getattr(self._file_requests, "op_" + op)(message):
                    self._uplink.reply(connection, dict(answer, id=message["id"]))
                return
            if handler is None:
                raise checks.BadRequest("unknown op '%s'" % op[:64])
            handler(connection, message, raw)
        except (checks.BadRequest, Refused) as error:
            self._refuse(connection, message, type(error).__name__, str(error))
        except OSError as error:
            self._refuse(connection, message, type(error).__name__, error.strerror or str(error))

    def _refuse(self, connection, message, kind, text):
        self._uplink.reply(connection, checks.problem(message.get("id"), kind, text))

    def crowded(self, crowded):
        self._relays.pause(crowded)
        # While a cell is being stopped nothing may hold it up that waits for room to print.
        self._keeper.pause(crowded and (self._job is None or self._job.stopping is None))

    def host_lost(self):
        if self._job is not None and self._job.asking is not None:
            self._pass_answer({"error": {"type": "ConnectionError", "message": "the workbench went away"}})
        self._relays.end_all()
        if self._files is not None:
            self._files.abandon_all()

    def dropped_unsent(self, message, size):
        dropped = self._budget().dropped
        stream = message.get("stream", "custom")
        dropped[stream] = dropped.get(stream, 0) + size

    # --- requests ---

    def _op_hello(self, connection, message, _raw):
        if message.get("v") != VERSION:
            raise checks.BadRequest("protocol version %r; this runner speaks %d" % (message.get("v"), VERSION))
        options = checks.options(message.get("options") or {})
        first = not self._greeted_before
        self._options.update({n: v for n, v in options.items() if first or n in _DEFAULTS})
        self._uplink.adopt(connection)
        if first:
            self._greeted_before = self._ready_due = True
            self._settle()
            self._keeper.start({name: self._options.get(name) for name in ("home", "env", "path", "layers", "preload")})
        elif not self._ready_due:
            self._send_ready(resumed=True)

    def _settle(self):
        home, roots = places.settled(self._options.get("home"), self._options.get("roots"))
        self._options.update(home=home, roots=roots)
        self._files = Files(roots)
        self._file_requests = FileRequests(self._files)

    def _send_ready(self, resumed):
        child = self._keeper.child
        self._uplink.send(
            {
                "ev": "ready",
                "v": VERSION,
                "python": "%d.%d.%d" % sys.version_info[:3],
                "pid": os.getpid(),
                "incarnation": self._incarnation,
                "interpreter": child.pid if child else 0,
                "running": self._job.id if self._job else 0,
                "resumed": resumed,
                "finished": [{"id": i, "status": s} for i, s in self._finished],
            }
        )
        self._uplink.send_kept()

    def _op_cell(self, _connection, message, raw):
        self._enqueue(message, raw)

    _op_call = _op_restart = _op_snapshot = _op_wake = _op_load = _op_cell

    def _op_variables(self, _connection, message, _raw):
        limit = message.get("limit", 1000)
        full = {"op": "variables", "id": message["id"], "limit": limit, "deadline_ms": _LOOK_MS}
        self._enqueue(full, codec.pack(full))

    def _op_complete(self, _connection, message, _raw):
        full = {key: message[key] for key in ("op", "id", "code", "cursor")}
        full["deadline_ms"] = _LOOK_MS
        self._enqueue(full, codec.pack(full))

    _op_inspect = _op_complete

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
                self.finish({"ev": "done", "id": waiting.id, "status": "interrupted", "restarted": False}, waiting)
                return
        # Ended already: its done is on the way, and there is nothing left to interrupt.

    def _op_answer(self, _connection, message, _raw):
        job = self._job
        if job is not None and job.id == message["id"] and job.asking == message["call"]:
            self._pass_answer({key: message[key] for key in ("data", "error") if key in message})
        # Else the code that asked has ended.

    def _pass_answer(self, answer):
        job = self._job
        answer.update(op="answer", id=job.id, call=job.asking)
        job.asking = None
        self._answer_code(answer)

    def _answer_code(self, answer):
        body = codec.pack(answer)
        self._keeper.send(len(body).to_bytes(4, "big") + body)

    def _op_stats(self, connection, message, _raw):
        stats = processes.usage(os.getpid(), self._sleepers.pids())
        stats.update(ev="stats", session=places.space(self._options["roots"]["session"]), tmp=places.space("/tmp"))
        stats.update(uptime_s=time.monotonic() - self._started, running=self._job.id if self._job else 0)
        if "id" in message:
            stats["id"] = message["id"]
        self._uplink.reply(connection, stats)

    def _op_store(self, connection, message, raw):
        """Of a copy at once, whatever the code does; of the interpreter (no name) in its turn."""
        name = message["snapshot"]
        if not name:
            self._enqueue(message, raw)
            return
        if self._sleepers.find(name) is None:
            raise checks.BadRequest("there is no live snapshot %s here" % name[:100])
        theirs = self._relays.begin_out(message["id"])
        try:
            self._sleepers.send(name, {"op": "store"}, [theirs])
        finally:
            os.close(theirs)

    def _op_load_piece(self, _connection, message, _raw):
        self._relays.take(message)

    def _op_drop(self, connection, message, _raw):
        for name in message["snapshots"]:
            self._sleepers.drop(name)
            self._snapshots.dropped(name)
        self._uplink.reply(connection, {"ev": "dropped", "id": message["id"]})

    def _op_snapshots(self, connection, message, _raw):
        self._uplink.reply(connection, dict(self._snapshots.listed(self._sleepers), ev="snapshots", id=message["id"]))

    def _op_ping(self, connection, message, _raw):
        self._uplink.reply(connection, {"ev": "pong", "n": message.get("n")})

    def _op_shutdown(self, connection, _message, _raw):
        self._uplink.reply(connection, {"ev": "bye"})
        self._loop.stop()

    # --- jobs ---

    def _enqueue(self, message, raw):
        identifier = message["id"]
        if len(self._jobs) >= _MOST_JOBS:
            raise checks.BadRequest("%d requests are waiting already" % _MOST_JOBS)
        if (self._job is not None and self._job.id == identifier) or (
            self._jobs and any(j.id == identifier for j in self._jobs)
        ):
            raise checks.BadRequest("the id %d is in use" % identifier)
        self._jobs.append(Job(message, raw))
        self._start_next()

    def _start_next(self):
        while self._job is None and self._jobs and self._keeper.child is not None:
            job = self._jobs.popleft()
            if job.op == "restart":
                self._restart_id = job.id
                self._keeper.replace("asked for by the host")
                continue
            job.started = time.monotonic()
            job.started_ticks = processes.now_in_ticks()
            job.budget = Budget(self._options["output_limit"])
            self._job = job
            if job.op == "wake":
                self._snapshots.wake(job, self._keeper, self._sleepers)
                continue
            if job.op == "snapshot" and not self._snapshots.begin(job, self._keeper, self._sleepers):
                continue
            if job.op in ("store", "load"):
                begin = self._relays.begin_out if job.op == "store" else self._relays.begin_in
                self._keeper.hand_over(begin(job.id))
            if job.deadline_ms > 0:
                self._loop.at(
                    "deadline", job.started + job.deadline_ms / 1000, lambda: self._interrupt("timeout", None)
                )
            self._keeper.send(len(job.raw).to_bytes(4, "big") + job.raw)
            job.raw = b""

    def _interrupt(self, why, grace_ms):
        """SIGINT now, SIGKILL after the grace. What os.system() started must hear of it too."""
        job = self._job
        if job is None or job.stopping is not None:
            return
        job.stopping = why
        grace = self._options["grace_ms"] if grace_ms is None else grace_ms
        self._loop.at("grace", time.monotonic() + grace / 1000, self._kill_running)
        # Also as a message: a signal that comes before the code has begun finds nothing to interrupt.
        notice = codec.pack({"op": "interrupt", "id": job.id})
        self._keeper.send(len(notice).to_bytes(4, "big") + notice)
        processes.interrupt_since(os.getpid(), job.started_ticks, self._keeper.child.pid)
        self._keeper.pause(False)

    def _kill_running(self):
        if self._job is not None:
            self._keeper.replace("it did not react to the interrupt")

    def finish(self, message, job):
        """The job's last message. Another may start."""
        if job.op == "restart":
            self._uplink.send(checks.problem(job.id, "Interrupted", "the restart was taken back"))
        elif job.op in _LOOKS and message["ev"] == "done":
            error = message.get("error") or {"type": message["status"], "message": "it was stopped"}
            self._uplink.send(checks.problem(job.id, error["type"], error["message"]))
        elif job.op != "store" or message["ev"] != "stored_names":  # the end of its stream says so
            self._send_last(message, job)
        if job.op == "load":
            self._relays.end_in(job.id)
        if job is self._job:
            self._end()

    def _end(self):
        self._loop.cancel("deadline")
        self._loop.cancel("grace")
        self._job = None
        self._between = Budget(self._options["output_limit"])
        self._start_next()

    def _send_last(self, message, job):
        if job.budget is not None and job.budget.dropped:
            for stream, dropped in job.budget.dropped.items():
                self._uplink.send({"ev": "truncated", "id": job.id, "stream": stream, "dropped": dropped})
        if message["ev"] == "done":
            message["duration_ms"] = (time.monotonic() - job.started) * 1000 if job.started else 0.0
            message["artifacts"] = self._files.has_any("artifacts")
            self._finished.append((job.id, message["status"]))
            if job.op == "call" and self.take_renewed():
                message["restarted"] = True
        self._uplink.send(message)

    def take_renewed(self):
        """Whether the names were lost between two jobs, once."""
        renewed, self._renewed = self._renewed, False
        return renewed

    # --- from the keeper ---

    def done_well(self, body):
        """The usual end of a cell is passed on as it came, without being taken apart. False: it is another message."""
        job = self._job
        if job is None or job.op != "cell" or job.stopping is not None or job.asking is not None or job.budget.dropped:
            return False
        if not self._uplink.is_open() or not flat.is_done(body, job.id):
            return False
        duration_ms = (time.monotonic() - job.started) * 1000
        self._finished.append((job.id, "ok"))
        self._uplink.pass_on(flat.completed(body, duration_ms, self._files.has_any("artifacts")))
        self._end()
        return True

    def message(self, message):
        """From the interpreter, checked for its form. ValueError when it is not one that may come now."""
        event = message["ev"]
        job = self._job
        if event == "up":
            if self._ready_due:
                self._ready_due = False
                self._send_ready(resumed=False)
            self._start_next()
            return
        if job is None or message["id"] != job.id:
            raise ValueError("a message for no running cell")
        if _OF_OP.get(event, job.op) != job.op:
            raise ValueError("an answer to what was not asked")
        self._keeper.drain()
        if event == "ask":
            if job.asking is not None:
                raise ValueError("a request before the last was answered")
            job.asking = message["call"]
            if self._uplink.connection is None:
                self._pass_answer({"error": {"type": "ConnectionError", "message": "the workbench is away"}})
            else:
                self._uplink.send(message)
            return
        if event in ("custom", "display"):
            shown = message.pop("call", None)
            self._pass_on(message, job)
            if shown is not None:
                self._answer_code({"op": "answer", "id": job.id, "call": shown})
            return
        if event in ("loaded", "stored_names"):
            self.finish(message, job)
            return
        if event in ("snapshot", "woken"):
            self._snapshots.answered(message, job)
            return
        if event == "done" and (job.stopping == "timeout" or (job.stopping and message["status"] != "ok")):
            message["status"] = job.stopping
            message.pop("update", None)
        if message.get("status") in ("interrupted", "timeout"):
            message["restarted"] = False
            processes.kill_since(os.getpid(), job.started_ticks, self._spared(), self._keeper.reap)
        self.finish(message, job)

    def _spared(self):
        return self._sleepers.pids() | {self._keeper.child.pid}

    def _pass_on(self, message, job):
        data = message["data"]
        size = len(data) if message["ev"] == "custom" else sum(len(part) for part in data.values())
        passed, first = job.budget.admit("custom", size)
        if passed or not size:
            self._uplink.send(message)
        elif first:
            self._send_truncated("custom", job.budget)

    def output(self, stream, data):
        budget = self._budget()
        passed, first = budget.admit(stream, len(data))
        if passed:
            identifier = self._job.id if self._job is not None else 0
            rest = data if passed == len(data) else data[:passed]
            self._uplink.send({"ev": "out", "id": identifier, "stream": stream, "data": rest})
        if first:
            self._send_truncated(stream, budget)

    def _send_truncated(self, stream, budget):
        identifier = self._job.id if self._job is not None else 0
        self._uplink.send({"ev": "truncated", "id": identifier, "stream": stream, "dropped": budget.dropped[stream]})

    def read_size(self):
        return _DROPPING_READ if self._budget().exhausted() else self._options["chunk_limit"]

    def _budget(self):
        return self._job.budget if self._job is not None else self._between

    def replaced(self, reason, ended):
        job = self._job
        identifier, self._restart_id = self._restart_id, 0
        if identifier or job is None:
            self._renewed = not identifier
            self._uplink.send({"ev": "restarted", "id": identifier, "reason": reason, "exit": ended})
            return
        if job.op in ("snapshot", "wake"):
            self._snapshots.interpreter_died(job, reason)
            return
        message = {"ev": "done", "id": job.id, "status": job.stopping or "died", "restarted": True, "exit": ended}
        if message["status"] == "died":
            message["error"] = checks.error("InterpreterDied", reason)
        self.finish(message, job)

    def no_start(self, text):
        if self._ready_due:
            self._uplink.send(checks.problem(0, "StartError", text))
        while self._jobs:
            job = self._jobs.popleft()
            died = {"ev": "done", "id": job.id, "status": "died", "restarted": False}
            self.finish(dict(died, error=checks.error("StartError", text), exit=checks.NO_EXIT), job)

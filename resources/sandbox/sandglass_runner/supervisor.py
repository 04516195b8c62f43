"""Answers the host, and has its cells and calls executed one at a time, whatever the interpreter does."""

import os
import sys
import time

from . import agents, checks, codec, guard, limits, outside, places, processes, wire
from .branches import Branches
from .file_requests import FileRequests
from .files import Files, Refused
from .fork_files import Conflict, ForkFiles
from .jobs import Jobs
from .keeper import Keeper
from .loop import Loop
from .relays import Relays
from .reports import Reports
from .sleepers import Sleepers
from .snapshots import Snapshots
from .terminals import Terminals
from .uplink import Uplink

VERSION = 1
_LOOK_MS = 2000
_OF_THE_CODE = ("home", "env", "path", "layers", "modules", "preload")
_DEFAULTS = {"output_limit": 8388608, "chunk_limit": 65536, "grace_ms": 2000, "frame_limit": wire.MAX_FRAME}


class Supervisor:
    """Connects the parts, which reach each other through it: loop, uplink, keeper, sleepers, snapshots, relays, files,
    options."""

    def __init__(self, connection, listener, orphan_s=None):
        self._started = time.monotonic()
        self._file_requests = None
        self._ready_due = False
        self._greeted_before = False
        self._incarnation = os.urandom(16).hex()
        self._egress = None
        self._resting = ()  # processes that are stopped until the next request
        self.options = dict(_DEFAULTS)
        self.files = None
        self.forks = None
        self._jobs = Jobs(self)
        self._reports = Reports(self, self._jobs, self._interpreter_up, self._no_start)
        self.loop = Loop(self._fault, lambda: self.keeper.reap())
        self.snapshots = Snapshots(self._jobs)
        self.sleepers = Sleepers(self.loop, self.snapshots)
        self.terminals = Terminals(self.loop, lambda message: self.uplink.send(message), self._leave)
        self.branches = Branches(self)
        self.agents = agents.Agents()
        self.sleepers.others = lambda: self.branches.processes() | self.agents.processes()
        self.keeper = Keeper(self.loop, self._reports, self._leave, self.sleepers, self._reaped)
        self.relays = Relays(self.loop, lambda message: self.uplink.send(message))
        self.uplink = Uplink(self.loop, connection, listener, orphan_s, self)

    def run(self):
        self.loop.run()
        self.uplink.finish()
        processes.kill_all(os.getpid(), self.keeper.reap, patience=5.0)

    def _fault(self, text):
        self.uplink.send(checks.problem(0, "InternalError", text))

    def _leave(self):
        self.loop.abandon()
        guard.become_reachable()
        limits.enter_code()

    def _reaped(self, pid, status):
        self.branches.reaped(pid, status)
        self.agents.reaped(pid)
        self.terminals.reaped(pid, status)

    def _interpreter_up(self):
        if self._ready_due:
            self._ready_due = False
            self._send_ready(resumed=False)

    def _no_start(self, text):
        if self._ready_due:
            self.uplink.send(checks.problem(0, "StartError", text))
        self._jobs.no_start(text)

    # --- from the uplink ---

    def request(self, connection, message, raw):
        op = message["op"]
        if not connection.greeted and op not in ("hello", "ping", "shutdown", "orphan"):
            self._refuse(connection, message, "ProtocolError", "the first request must be hello")
            return
        if self._resting and op != "ping":
            resting, self._resting = self._resting, ()
            processes.go_on(resting)
        try:
            checks.request(message)
            handler = getattr(self, "_op_" + op, None)
            if handler is None and hasattr(self._file_requests, "op_" + op):
                for answer in getattr(self._file_requests, "op_" + op)(message):
                    self.uplink.reply(connection, dict(answer, id=message["id"]))
                return
            if handler is None:
                raise checks.BadRequest("unknown op '%s'" % op[:64])
            handler(connection, message, raw)
        except (checks.BadRequest, Refused, Conflict) as error:
            self._refuse(connection, message, type(error).__name__, str(error))
        except OSError as error:
            self._refuse(connection, message, type(error).__name__, error.strerror or str(error))

    def _refuse(self, connection, message, kind, text):
        self.uplink.reply(connection, checks.problem(message.get("id"), kind, text))

    def crowded(self, crowded):
        self.relays.pause(crowded)
        self.terminals.pause(crowded)
        self.branches.pause(crowded)
        # A cell that is being stopped must not be held up by output that waits for room.
        job = self._jobs.job
        self.keeper.pause(crowded and (job is None or job.stopping is None))

    def host_lost(self):
        self._reports.host_lost()
        self.relays.end_all()
        self.terminals.end_all()
        self.branches.host_lost()
        if self.files is not None:
            self.files.abandon_all()

    def dropped_unsent(self, message, size):
        self._reports.dropped_unsent(message, size)

    # --- requests ---

    def _op_hello(self, connection, message, _raw):
        if message.get("v") != VERSION:
            raise checks.BadRequest("protocol version %r; this runner speaks %d" % (message.get("v"), VERSION))
        options = places.placed(checks.options(message.get("options") or {}))
        first = not self._greeted_before
        if "egress" in options:
            # Sent with each hello: a new host has none of the sockets that an earlier one was given.
            from . import egress

            self._egress = egress.settle(options["egress"])
        self.options.update({n: v for n, v in options.items() if first or n in _DEFAULTS})
        self.uplink.adopt(connection)
        if first:
            self._greeted_before = self._ready_due = True
            self._settle()
            self.keeper.start({name: self.options.get(name) for name in _OF_THE_CODE})
        elif not self._ready_due:
            self._send_ready(resumed=True)

    def _settle(self):
        home, roots = places.settled(self.options.get("home"), self.options.get("roots"))
        self.options.update(home=home, roots=roots)
        self.files = Files(roots)
        self.forks = ForkFiles(roots)
        self._file_requests = FileRequests(self.files)

    def _send_ready(self, resumed):
        child, job = self.keeper.child, self._jobs.job
        told = {} if self._egress is None else {"egress": self._egress}
        self.uplink.send(
            {
                **told,
                "ev": "ready",
                "v": VERSION,
                "python": "%d.%d.%d" % sys.version_info[:3],
                "pid": os.getpid(),
                "incarnation": self._incarnation,
                "interpreter": child.pid if child else 0,
                "running": job.id if job else 0,
                "resumed": resumed,
                "copies_after": True,
                "forks": True,
                "finished": [{"id": i, "status": s} for i, s in self._jobs.finished],
            }
        )
        self.uplink.send_kept()

    def _op_cell(self, _connection, message, raw):
        self._jobs.enqueue(message, raw)

    _op_restart = _op_snapshot = _op_wake = _op_cell

    def _op_call(self, _connection, message, raw):
        if "fork" in message:
            self.branches.begin(message)
        else:
            self._jobs.enqueue(message, raw)

    def _op_adopt(self, _connection, message, _raw):
        full = {"op": "adopt", "id": message["id"], "path": self.forks.claim_names(message["of"])}
        full.update({key: message[key] for key in ("file", "source", "module", "deadline_ms") if key in message})
        self._jobs.enqueue(full, codec.pack(full))

    def _op_join(self, connection, message, _raw):
        self.uplink.reply(connection, dict(self.branches.join(message["of"]), id=message["id"]))

    def _op_give_up(self, connection, message, _raw):
        self.branches.give_up(message["of"])
        self.uplink.reply(connection, {"ev": "given_up", "id": message["id"]})

    def _op_variables(self, _connection, message, _raw):
        limit = message.get("limit", 1000)
        full = {"op": "variables", "id": message["id"], "limit": limit, "deadline_ms": _LOOK_MS}
        self._jobs.enqueue(full, codec.pack(full))

    def _op_complete(self, _connection, message, _raw):
        full = {key: message[key] for key in ("op", "id", "code", "cursor")}
        full["deadline_ms"] = _LOOK_MS
        self._jobs.enqueue(full, codec.pack(full))

    _op_inspect = _op_complete

    def _op_interrupt(self, _connection, message, _raw):
        if self.branches.has(message["id"]):
            self.branches.stop(message)
            return
        self.relays.give_up(message["id"])
        self._jobs.stop(message)

    def _op_answer(self, _connection, message, _raw):
        if self.branches.has(message["id"]):
            self.branches.answered(message)
        else:
            self._reports.answered(message)

    def _op_stats(self, connection, message, _raw):
        job = self._jobs.job
        stats = processes.usage(os.getpid(), self.sleepers.pids())
        stats.update(ev="stats", session=places.space(self.options["roots"]["session"]), tmp=places.space("/tmp"))
        stats.update(uptime_s=time.monotonic() - self._started, running=job.id if job else 0)
        if "id" in message:
            stats["id"] = message["id"]
        self.uplink.reply(connection, stats)

    def _op_processes(self, connection, message, _raw):
        listed = processes.listed(os.getpid(), self.sleepers.pids(), message.get("limit", 200))
        self.uplink.reply(connection, dict(listed, ev="processes", id=message["id"]))

    def _op_store(self, _connection, message, raw):
        """Stores a copy's names at once, whatever the code does; the interpreter's (no name) in turn."""
        name = message["snapshot"]
        if not name:
            self._jobs.enqueue(message, raw)
            return
        if self.sleepers.find(name) is None:
            raise checks.BadRequest("there is no live snapshot %s here" % name[:100])
        asked = {"op": "list" if message.get("listed") else "store"}
        for key in ("room", "careful"):
            if key in message:
                asked[key] = message[key]
        if message.get("leaves"):
            self.sleepers.leave(name)
        first = outside.record(self.sleepers.find(name).outside) if asked["op"] == "store" else b""
        theirs = self.relays.begin_out(message["id"], gentle="room" in message, first=first)
        self.relays.work(self._jobs.job is not None)
        try:
            self.sleepers.send(name, asked, [theirs])
        finally:
            os.close(theirs)

    def _op_outside(self, connection, message, _raw):
        differs = outside.differences_to_stored(message["before"])
        self.uplink.reply(connection, {"ev": "outside", "id": message["id"], "differs": differs})

    def _op_await_descriptor(self, connection, message, _raw):
        connection.await_descriptor()
        self.uplink.reply(connection, {"ev": "awaiting", "id": message["id"]})

    def _op_load(self, connection, message, raw):
        if not message.get("descriptor"):
            self._jobs.enqueue(message, raw)
            return
        stream = connection.take_descriptor()
        if stream is None:
            raise checks.BadRequest("no descriptor came with it")
        try:
            self._jobs.enqueue(message, raw, stream)
        except checks.BadRequest:
            os.close(stream)
            raise
        self.uplink.reply(connection, {"ev": "received", "id": message["id"]})

    def _op_agent(self, connection, message, _raw):
        self._begin_beside(connection, message, agents.AGENT)

    def _op_interpreter(self, connection, message, _raw):
        self._begin_beside(connection, message, agents.RUNNER)

    def _begin_beside(self, connection, message, program):
        stream = connection.take_descriptor()
        if stream is None:
            raise checks.BadRequest("no descriptor came with it")
        settings = {name: self.options.get(name) for name in _OF_THE_CODE}
        try:
            self.agents.start(stream, program, settings, self._leave)
        finally:
            os.close(stream)
        self.uplink.reply(connection, {"ev": "received", "id": message["id"], "settings": settings})

    def _op_load_piece(self, _connection, message, _raw):
        self.relays.take(message)

    def _op_drop(self, connection, message, _raw):
        for name in message["snapshots"]:
            self.sleepers.drop(name)
            self.snapshots.dropped(name)
        self.uplink.reply(connection, {"ev": "dropped", "id": message["id"]})

    def _op_snapshots(self, connection, message, _raw):
        self.uplink.reply(connection, dict(self.snapshots.listed(self.sleepers), ev="snapshots", id=message["id"]))

    def _op_terminal(self, _connection, message, _raw):
        self.terminals.begin(message, {name: self.options.get(name) for name in _OF_THE_CODE})

    def _op_terminal_input(self, _connection, message, _raw):
        self.terminals.write(message)

    def _op_terminal_size(self, _connection, message, _raw):
        self.terminals.resize(message)

    def _op_terminal_taken(self, _connection, message, _raw):
        self.terminals.taken(message)

    def _op_terminal_close(self, _connection, message, _raw):
        self.terminals.end(message)

    def _op_rest(self, connection, message, _raw):
        if self._jobs.job is not None or len(self.branches):
            raise checks.BadRequest("something runs")
        self._resting = processes.stand_still(os.getpid())
        self.uplink.reply(connection, {"ev": "resting", "id": message["id"]})

    def _op_orphan(self, connection, message, _raw):
        self.uplink.settle_orphan(message["seconds"])
        self.uplink.reply(connection, {"ev": "orphan", "id": message["id"]})

    def _op_ping(self, connection, message, _raw):
        self.uplink.reply(connection, {"ev": "pong", "n": message.get("n")})

    def _op_shutdown(self, connection, _message, _raw):
        self.uplink.reply(connection, {"ev": "bye"})
        self.loop.stop()

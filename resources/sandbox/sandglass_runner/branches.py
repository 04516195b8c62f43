"""Tasks that run beside each other: each in a process of its own, which branches off a copy of the interpreter that sleeps.

The process executes one call and ends. What it leaves in its folder waits there until the host has it joined, or given up."""

import os
import time
from _signal import SIGKILL

from . import checks, codec, processes, wire
from .child import Child
from .loop import GONE, IN, OUT
from .output import Budget

_AGAIN = 0.25  # seconds after which an interrupt is repeated
_START_PATIENCE = 10.0  # seconds until a copy must have made the process
_OUTPUT_AT_END = 1048576
_ALWAYS_OWN = 0.2  # seconds that a process has to end once its channel is closed


class NotAsleep(checks.BadRequest):
    """The copy that the process should branch off is gone."""


class Branch:
    def __init__(self, message, budget):
        self.id = message["id"]
        self.deadline_ms = message.get("deadline_ms") or 0
        self.child = Child()
        self.budget = budget
        self.started = time.monotonic()
        self.started_ticks = processes.now_in_ticks()
        self.is_up = False  # its process has reported
        self.stopping = None  # "timeout" or "interrupted"
        self.asking = None  # the number of the request to the host for whose answer its code waits
        self.call = message  # until its process has it

    def timers(self):
        return [(kind, self.id) for kind in ("deadline", "grace", "again", "start", "ended", "closed")]


class Branches:
    """`parts` has loop, uplink, keeper, sleepers, files, forks and options."""

    def __init__(self, parts):
        self._parts = parts
        self._all = {}
        self._waiting_join = set()
        self._paused = False

    def __len__(self):
        return len(self._all)

    def has(self, identifier):
        return identifier in self._all

    def processes(self):
        """All that belong to tasks, which are spared where the interpreter is ended."""
        found = set()
        for branch in self._all.values():
            if branch.child.pid:
                found.update(processes.tree(os.getpid(), branch.child.pid))
        return found

    # --- beginning ---

    def begin(self, message):
        parts, fork = self._parts, message["fork"]
        identifier, name = message["id"], fork["snapshot"]
        sleeper = parts.sleepers.find(name)
        if sleeper is None:
            raise NotAsleep("there is no live snapshot %s here" % name[:100])
        if identifier in self._all or identifier in self._waiting_join:
            raise checks.BadRequest("the id %d is in use" % identifier)
        folder, names = parts.forks.begin(identifier, fork["group"], fork["who"], fork.get("without") or ())
        branch = Branch(message, Budget(parts.options["output_limit"]))
        call = {key: value for key, value in message.items() if key not in ("fork", "deadline_ms", "copy")}
        if fork.get("keep"):
            call["keep"] = names
        branch.call = call
        order = {"op": "branch", "id": identifier, "nonce": branch.child.nonce, "folder": folder, "seed": fork.get("seed") or ""}
        order.update(home=parts.options["home"], apart=parts.forks.shared())
        try:
            parts.sleepers.send(name, order, branch.child.given())
        except OSError as error:
            branch.child.close()
            parts.forks.discard(identifier)
            raise NotAsleep("the live snapshot is gone: %s" % (error.strerror or error))
        branch.child.is_given()
        self._all[identifier] = branch
        self._watch(branch)
        parts.loop.at(("start", identifier), time.monotonic() + _START_PATIENCE, lambda: self._end(branch, "it did not start"))

    def _watch(self, branch):
        loop, child = self._parts.loop, branch.child
        loop.watch(child.channel, lambda events: self._channel_ready(branch, events), self._events(branch, child.channel))
        for fd, stream in ((child.out, "stdout"), (child.err, "stderr")):
            loop.watch(fd, lambda _events, fd=fd, stream=stream: self._output_ready(branch, fd, stream), self._events(branch, fd))

    def _events(self, branch, fd):
        writes = OUT if fd == branch.child.channel and branch.child.outbox.pending else 0
        return (0 if self._paused and branch.stopping is None else IN) | writes

    def pause(self, paused):
        if paused == self._paused:
            return
        self._paused = paused
        for branch in self._all.values():
            self._regulate(branch)

    def _regulate(self, branch):
        for fd in (branch.child.channel, branch.child.out, branch.child.err):
            self._parts.loop.change(fd, self._events(branch, fd))

    def _up(self, branch, message):
        """Its process has reported: now it gets the call, and its time begins."""
        pid = message["copy"]
        if branch.is_up or not processes.is_descendant(pid, os.getpid()) or pid <= 1:
            raise ValueError("a message that nothing asked for")
        loop = self._parts.loop
        branch.is_up, branch.child.pid = True, pid
        loop.cancel(("start", branch.id))
        branch.started = time.monotonic()
        if branch.stopping is not None:
            self._end(branch, "it was stopped")
            return
        if branch.deadline_ms > 0:
            loop.at(("deadline", branch.id), branch.started + branch.deadline_ms / 1000, lambda: self._interrupt(branch, "timeout", None))
        call, branch.call = branch.call, None
        self._send(branch, call)

    def _send(self, branch, message):
        body = codec.pack(message)
        try:
            branch.child.outbox.send(len(body).to_bytes(4, "big") + body)
        except OSError:
            return  # it is ending; the loop is about to notice
        if branch.child.outbox.pending:
            self._regulate(branch)

    # --- stopping ---

    def stop(self, message):
        branch = self._all[message["id"]]
        if message.get("kill"):
            branch.stopping = branch.stopping or "interrupted"
            self._end(branch, "it was stopped")
        else:
            self._interrupt(branch, "interrupted", message.get("grace_ms"))

    def _interrupt(self, branch, why, grace_ms):
        if branch.stopping is not None or branch.id not in self._all:
            return
        branch.stopping = why
        loop = self._parts.loop
        grace = self._parts.options["grace_ms"] if grace_ms is None else grace_ms
        loop.at(("grace", branch.id), time.monotonic() + grace / 1000, lambda: self._end(branch, "it did not react to the interrupt"))
        self._regulate(branch)
        if not branch.is_up:
            return
        self._send(branch, {"op": "interrupt", "id": branch.id})
        processes.interrupt_since(os.getpid(), branch.started_ticks, branch.child.pid, ())
        loop.at(("again", branch.id), time.monotonic() + _AGAIN, lambda: self._interrupt_again(branch))

    def _interrupt_again(self, branch):
        if branch.id in self._all:
            processes.interrupt(branch.child.pid)

    # --- its messages and output ---

    def _channel_ready(self, branch, events):
        if events & OUT:
            try:
                branch.child.outbox.flush()
            except OSError:
                pass
            self._regulate(branch)
        if not events & (IN | GONE):
            return
        data = wire.read_some(branch.child.channel)
        if data is None:
            return
        if not data:
            self._parts.loop.unwatch(branch.child.channel)
            why = "the code closed its channel" if branch.is_up else "the live snapshot could not make it"
            self._parts.loop.at(("closed", branch.id), time.monotonic() + _ALWAYS_OWN, lambda: self._end(branch, why))
            self._parts.keeper.reap()
            return
        self._parts.loop.stay_awake()
        self._take(branch, data)

    def _take(self, branch, data):
        try:
            for body in branch.child.bodies(data):
                self._message(branch, checks.from_interpreter(branch.child.message(body)))
                if branch.id not in self._all:
                    return
        except ValueError as error:
            self._end(branch, "the code wrote to its channel (%s)" % error)

    def _message(self, branch, message):
        event = message["ev"]
        if event == "woken":
            self._up(branch, message)
            return
        self._drain(branch)
        if event == "ask":
            self._ask(branch, message)
        elif event in ("custom", "display"):
            shown = message.pop("call", 0)
            self._pass_on(branch, dict(message, id=branch.id))
            if shown:
                self._send(branch, {"op": "answer", "id": message["id"], "call": shown})
        elif event == "done" and message["id"] == branch.id:
            if branch.stopping == "timeout" or (branch.stopping and message["status"] != "ok"):
                message["status"] = branch.stopping
                message.pop("update", None)
            self._finish(branch, message)
        else:
            raise ValueError("a message that nothing asked for")

    def _ask(self, branch, message):
        if message["id"] != branch.id:
            return
        if branch.asking is not None:
            raise ValueError("a request before the last was answered")
        branch.asking = message["call"]
        self._parts.uplink.send(message)

    def answered(self, message):
        branch = self._all[message["id"]]
        if branch.asking != message["call"]:
            return
        branch.asking = None
        kept = {key: message[key] for key in ("data", "error") if key in message}
        self._send(branch, dict(kept, op="answer", id=branch.id, call=message["call"]))

    def _pass_on(self, branch, message):
        data = message["data"]
        size = len(data) if message["ev"] == "custom" else sum(len(part) for part in data.values())
        passed, first = branch.budget.admit("custom", size)
        if passed or not size:
            self._parts.uplink.send(message)
        elif first:
            self._truncated(branch, "custom")

    def _output_ready(self, branch, fd, stream):
        data = wire.read_some(fd, self._parts.options["chunk_limit"])
        if data:
            self._output(branch, stream, data)
        elif data is not None:
            self._parts.loop.unwatch(fd)

    def _output(self, branch, stream, data):
        passed, first = branch.budget.admit(stream, len(data))
        if passed:
            rest = data if passed == len(data) else data[:passed]
            self._parts.uplink.send({"ev": "out", "id": branch.id, "stream": stream, "data": rest})
        if first:
            self._truncated(branch, stream)

    def _truncated(self, branch, stream):
        dropped = branch.budget.dropped[stream]
        self._parts.uplink.send({"ev": "truncated", "id": branch.id, "stream": stream, "dropped": dropped})

    def _drain(self, branch):
        for fd, stream in ((branch.child.out, "stdout"), (branch.child.err, "stderr")):
            room = _OUTPUT_AT_END
            while room > 0 and wire.available(fd):
                data = wire.read_some(fd, self._parts.options["chunk_limit"])
                if not data:
                    break
                room -= len(data)
                self._output(branch, stream, data)

    # --- its end ---

    def reaped(self, pid, status):
        for branch in self._all.values():
            if branch.child.pid == pid:
                branch.child.status = status
                self._parts.loop.at(("ended", branch.id), 0, lambda: self._ended(branch))
                return

    def _ended(self, branch):
        """Its process ended by itself. Messages that it had sent before still count."""
        if branch.id not in self._all:
            return
        if self._parts.loop.is_watched(branch.child.channel):
            data = wire.read_some(branch.child.channel)
            if data:
                self._take(branch, data)
        if branch.id in self._all:
            self._end(branch, None)

    def _end(self, branch, reason):
        """Ends it without an answer of its own. `reason` None: it ended by itself."""
        if branch.id not in self._all:
            return
        ended = branch.child.exit() if reason is None else dict(checks.NO_EXIT, signal=int(SIGKILL))
        message = {"ev": "done", "id": branch.id, "status": branch.stopping or "died", "exit": ended}
        if message["status"] == "died":
            text = (reason or checks.ending(ended)).replace("the interpreter", "its process")
            message["error"] = checks.error("InterpreterDied", text)
        self._finish(branch, message)

    def _finish(self, branch, message):
        parts = self._parts
        del self._all[branch.id]
        pid = branch.child.pid
        if pid:
            processes.kill_tree(os.getpid(), pid, parts.keeper.reap)
        self._drain(branch)
        for timer in branch.timers():
            parts.loop.cancel(timer)
        for fd in (branch.child.channel, branch.child.out, branch.child.err):
            parts.loop.unwatch(fd)
        branch.child.close()
        for stream, dropped in branch.budget.dropped.items():
            parts.uplink.send({"ev": "truncated", "id": branch.id, "stream": stream, "dropped": dropped})
        message["duration_ms"] = (time.monotonic() - branch.started) * 1000
        message["restarted"] = False
        if message["status"] == "ok":
            kept = message.pop("kept", ())
            parts.forks.note_kept(branch.id, kept)
            if kept:
                message["kept"] = len(kept)
            self._waiting_join.add(branch.id)
        else:
            parts.forks.discard(branch.id)
        parts.uplink.send(message)

    # --- afterwards ---

    def join(self, identifier):
        """Returns the answer. Conflict where it cannot be joined; it waits no more."""
        try:
            changed, artifacts = self._parts.forks.join(identifier)
        finally:
            self.give_up(identifier)
        return {"ev": "joined", "changed": changed, "artifacts": artifacts}

    def give_up(self, identifier):
        self._waiting_join.discard(identifier)
        self._parts.forks.discard(identifier)

    def host_lost(self):
        """Nobody is left to join them."""
        for branch in list(self._all.values()):
            branch.stopping = branch.stopping or "interrupted"
            self._end(branch, "the workbench went away")
        for identifier in list(self._waiting_join):
            self.give_up(identifier)

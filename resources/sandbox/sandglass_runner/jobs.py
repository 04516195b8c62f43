"""The interpreter's jobs, one after another: how they wait, begin, are stopped and end."""

import os
import time
from _collections import deque  # without all that collections imports

from . import checks, codec, outside, processes
from .job import Job
from .output import Budget

_MOST_JOBS = 1024
_AGAIN = 0.25  # seconds after which an interrupt is repeated
_LOOK_GRACE = 0.5  # seconds for a look at names to react to its interrupt


class Jobs:
    """`parts` has loop, uplink, keeper, sleepers, snapshots, relays, files and options."""

    def __init__(self, parts):
        self._parts = parts
        self._waiting = deque()
        self._restart_id = 0
        self._renewed = False  # the interpreter ended by itself while nothing ran, and no call has been told yet
        self.job = None  # the running one
        self.finished = deque(maxlen=16)  # (id, status) of the last jobs
        self.between = Budget(parts.options["output_limit"])  # for output while nothing runs

    def budget(self):
        return self.job.budget if self.job is not None else self.between

    def enqueue(self, message, raw, stream=None):
        """The job takes over `stream` when this returns."""
        identifier = message["id"]
        if len(self._waiting) >= _MOST_JOBS:
            raise checks.BadRequest("%d requests are waiting already" % _MOST_JOBS)
        if (self.job is not None and self.job.id == identifier) or (
            self._waiting and any(j.id == identifier for j in self._waiting)
        ):
            raise checks.BadRequest("the id %d is in use" % identifier)
        self._waiting.append(Job(message, raw, stream))
        if self.job is not None and self.job.refused:
            self._go_past_look()
        else:
            self.start_next()

    def start_next(self):
        parts = self._parts
        keeper = parts.keeper
        while self.job is None and self._waiting and keeper.child is not None:
            job = self._waiting.popleft()
            if job.op == "restart":
                self._restart_id = job.id
                keeper.replace("asked for by the host")
                continue
            job.started = time.monotonic()
            job.started_ticks = processes.now_in_ticks()
            job.budget = Budget(parts.options["output_limit"])
            self.job = job
            parts.relays.work(True)
            if job.op == "wake":
                parts.snapshots.wake(job, keeper, parts.sleepers)
                continue
            if job.op == "snapshot" and not parts.snapshots.begin(job, keeper, parts.sleepers):
                continue
            if job.copy is not None and not parts.snapshots.prepare(job, keeper, parts.sleepers):
                job.copy = None
                job.raw = codec.pack({k: v for k, v in codec.unpack(job.raw).items() if k != "copy"})
            if job.op in ("store", "load"):
                if not self._hand_stream_over(job):
                    continue
            if job.deadline_ms > 0:
                parts.loop.at("deadline", job.started + job.deadline_ms / 1000, lambda: self.interrupt("timeout", None))
            keeper.send(len(job.raw).to_bytes(4, "big") + job.raw)
            job.raw = b""
            if job.op == "snapshot":
                parts.snapshots.begun()

    def _hand_stream_over(self, job):
        """False: the interpreter cannot take it, and the job has ended."""
        parts = self._parts
        stream, job.stream = job.stream, None
        try:
            if stream is None and job.op == "store":
                stream = parts.relays.begin_out(job.id, first=outside.record(outside.mark()))
            elif stream is None:
                stream = parts.relays.begin_in(job.id)
            parts.keeper.hand_over(stream)
            return True
        except OSError as error:  # it is ending, or its code closed the socket for descriptors
            text = "the interpreter cannot be handed the stream: %s" % (error.strerror or error)
            self.finish(checks.problem(job.id, "OSError", text), job)
            return False

    def stop(self, message):
        """Stops a job at the host's request. Nothing is left to interrupt where its `done` is on its way."""
        identifier = message["id"]
        job = self.job
        if job is not None and job.id == identifier:
            if message.get("kill"):
                job.stopping = job.stopping or "interrupted"
                self._kill_running()
            else:
                self.interrupt("interrupted", message.get("grace_ms"))
            return
        for waiting in self._waiting:
            if waiting.id == identifier:
                self._waiting.remove(waiting)
                self.finish({"ev": "done", "id": waiting.id, "status": "interrupted", "restarted": False}, waiting)
                if job is not None and job.refused:
                    self._go_past_look()
                return

    def interrupt(self, why, grace_ms):
        """Sends SIGINT now and SIGKILL after the grace. Children such as those of os.system() get it too."""
        job = self.job
        if job is None or job.stopping is not None:
            return
        parts = self._parts
        job.stopping = why
        if job.is_look:
            parts.loop.at("grace", time.monotonic() + _LOOK_GRACE, self._refuse_look)
        else:
            grace = parts.options["grace_ms"] if grace_ms is None else grace_ms
            parts.loop.at("grace", time.monotonic() + grace / 1000, self._kill_running)
        # Also sent as a message: a signal that comes before the code has begun interrupts nothing.
        notice = codec.pack({"op": "interrupt", "id": job.id})
        parts.keeper.send(len(notice).to_bytes(4, "big") + notice)
        processes.interrupt_since(os.getpid(), job.started_ticks, parts.keeper.child.pid, parts.sleepers.spared())
        parts.keeper.pause(False)
        parts.loop.at("again", time.monotonic() + _AGAIN, self._interrupt_again)

    def _interrupt_again(self):
        """A signal just before C code begins to wait (time.sleep, a read) does not end that wait, so it is repeated."""
        if self.job is not None and self.job.stopping is not None:
            processes.interrupt(self._parts.keeper.child.pid)

    def _kill_running(self):
        if self.job is not None:
            self._parts.keeper.replace("it did not react to the interrupt")

    # --- looks at names that take too long ---

    def _refuse_look(self):
        """A mere look must not cost the session's names: the interpreter goes on with it, and nobody waits for that."""
        if self.job is not None and self.job.is_look:
            self._tell_busy(self.job)
            self.job.refused = True
            self._go_past_look()

    def _tell_busy(self, job):
        text = "the interpreter still describes or writes a name, and does not react to the interrupt"
        self._parts.uplink.send(checks.problem(job.id, "Busy", text))

    def _go_past_look(self):
        """Refuses other looks; a job that replaces the interpreter begins; code waits until its own deadline."""
        for job in [job for job in self._waiting if job.is_look]:
            self._waiting.remove(job)
            self._tell_busy(job)
        first = self._waiting[0] if self._waiting else None
        if first is not None and first.op in ("restart", "wake"):
            self.end()
        elif first is not None and first.deadline_ms > 0:
            when = max(time.monotonic(), first.asked + first.deadline_ms / 1000)
            self._parts.loop.at("deadline", when, lambda: self._take_from_look(first))

    def _take_from_look(self, job):
        """The job's deadline is over before its code began: it ends like code that does not react."""
        if not (self.job is not None and self.job.refused and self._waiting and self._waiting[0] is job):
            return
        self._waiting.popleft()
        job.started = job.asked
        job.budget = Budget(self._parts.options["output_limit"])
        job.stopping = "timeout"
        self.job = job
        self._parts.keeper.replace("it described a name for too long, and did not react to the interrupt")

    def finish(self, message, job):
        """Sends the job's last message. Another job may start."""
        uplink = self._parts.uplink
        if job.refused:
            pass
        elif job.op == "restart":
            uplink.send(checks.problem(job.id, "Interrupted", "the restart was taken back"))
        elif job.is_look and message["ev"] == "done":
            error = message.get("error") or {"type": message["status"], "message": "it was stopped"}
            uplink.send(checks.problem(job.id, error["type"], error["message"]))
        elif job.op != "store" or message["ev"] != "stored_names":  # the end of its stream says so
            self._send_last(message, job)
        if job.op == "load":
            self._parts.relays.end_in(job.id)
        if job.stream is not None:  # the job never began
            os.close(job.stream)
            job.stream = None
        if job is not self.job:
            return
        if job.copy is not None and self._follow(job):
            return
        self.end()

    def _follow(self, job):
        """The interpreter is making the copy that was requested with the call. False: it is not."""
        parts = self._parts
        if not job.leaves:
            parts.sleepers.drop(job.copy["snapshot"])
            return False
        parts.loop.cancel("deadline")
        parts.loop.cancel("grace")
        parts.loop.cancel("again")
        following = Job(dict(job.copy, op="snapshot"), b"")
        following.started = time.monotonic()
        following.started_ticks = processes.now_in_ticks()
        following.budget = self.between = Budget(parts.options["output_limit"])
        self.job = following
        parts.snapshots.follow(following, parts.keeper, parts.sleepers)
        return True

    def end(self):
        self._parts.loop.cancel("deadline")
        self._parts.loop.cancel("grace")
        self._parts.loop.cancel("again")
        self.job = None
        self._parts.relays.work(False)
        self.between = Budget(self._parts.options["output_limit"])
        self.start_next()

    def _send_last(self, message, job):
        uplink = self._parts.uplink
        if job.budget is not None and job.budget.dropped:
            for stream, dropped in job.budget.dropped.items():
                uplink.send({"ev": "truncated", "id": job.id if job.is_code else 0, "stream": stream, "dropped": dropped})
        if message["ev"] == "done":
            message["duration_ms"] = (time.monotonic() - job.started) * 1000 if job.started else 0.0
            message["artifacts"] = self._parts.files.has_any("artifacts")
            self.finished.append((job.id, message["status"]))
            if job.op == "call" and self.take_renewed():
                message["restarted"] = True
            if job.leaves:
                message["copy"] = True
        uplink.send(message)

    def take_renewed(self):
        """True once after names were lost between two jobs."""
        renewed, self._renewed = self._renewed, False
        return renewed

    # --- the interpreter's end ---

    def replaced(self, reason, ended):
        job = self.job
        identifier, self._restart_id = self._restart_id, 0
        if identifier or job is None:
            self._renewed = not identifier
            self._parts.uplink.send({"ev": "restarted", "id": identifier, "reason": reason, "exit": ended})
            return
        if job.op in ("snapshot", "wake"):
            self._parts.snapshots.interpreter_died(job, reason)
            return
        message = {"ev": "done", "id": job.id, "status": job.stopping or "died", "restarted": True, "exit": ended}
        if message["status"] == "died":
            message["error"] = checks.error("InterpreterDied", reason)
        if job.is_look:  # its end does not say that the names are gone
            self._renewed = True
            self._parts.uplink.send({"ev": "restarted", "id": 0, "reason": reason, "exit": ended})
        self.finish(message, job)

    def no_start(self, text):
        while self._waiting:
            job = self._waiting.popleft()
            died = {"ev": "done", "id": job.id, "status": "died", "restarted": False}
            self.finish(dict(died, error=checks.error("StartError", text), exit=checks.NO_EXIT), job)

"""Handles the interpreter's messages and output while a job runs, and reports them to the host."""

import os
import time

from . import codec, flat, processes, wire

_DROPPING_READ = 1048576
_OF_OP = {"variables": "variables", "completions": "complete", "inspection": "inspect"}
_AT_ANY_TIME = ("custom", "display", "ask")


class Reports:
    """The keeper's owner. `parts` as for Jobs; `up()` is called when an interpreter has started, `no_start(text)` when none
    could be started."""

    def __init__(self, parts, jobs, up, no_start):
        self._parts = parts
        self._jobs = jobs
        self._up = up
        self.no_start = no_start
        self.replaced = jobs.replaced

    def done_well(self, body):
        """Passes the usual end of a cell on without decoding it. False: it is another message."""
        job = self._jobs.job
        if job is None or job.op != "cell" or job.stopping is not None or job.asking is not None or job.budget.dropped:
            return False
        parts = self._parts
        if not parts.uplink.is_open() or not flat.is_done(body, job.id):
            return False
        if len(body) > wire.MAX_FRAME - 64:
            return False  # it may be too long for the host
        duration_ms = (time.monotonic() - job.started) * 1000
        self._jobs.finished.append((job.id, "ok"))
        parts.uplink.pass_on(flat.completed(body, duration_ms, parts.files.has_any("artifacts")))
        self._jobs.end()
        return True

    def message(self, message):
        """Handles a decoded message. ValueError when it may not come now."""
        event = message["ev"]
        jobs, parts = self._jobs, self._parts
        job = jobs.job
        if event == "up":
            self._up()
            jobs.start_next()
            return
        if event in _AT_ANY_TIME:
            parts.keeper.drain()
            self._at_any_time(message)
            return
        if job is None or message["id"] != job.id:
            raise ValueError("a message for no running cell")
        if _OF_OP.get(event, job.op) != job.op:
            raise ValueError("an answer to what was not asked")
        parts.keeper.drain()
        if event in ("loaded", "stored_names", "adopted"):
            jobs.finish(message, job)
            return
        if event in ("snapshot", "woken"):
            parts.snapshots.answered(message, job)
            return
        if event == "done" and job.copy is not None:  # taken before the status is changed below
            job.leaves = message["status"] == "ok" or job.copy.get("always") is True
        if event == "done" and (job.stopping == "timeout" or (job.stopping and message["status"] != "ok")):
            message["status"] = job.stopping
            message.pop("update", None)
        if message.get("status") in ("interrupted", "timeout") and not job.is_look:
            message["restarted"] = False
            spared = parts.sleepers.spared() | {parts.keeper.child.pid}
            processes.kill_since(os.getpid(), job.started_ticks, spared, parts.keeper.reap)
        jobs.finish(message, job)

    def _at_any_time(self, message):
        """A message of the code, or of a thread that it left, which may also come after its cell or while names are written or
        read. Then it does not answer the host's request, and is reported with id 0."""
        identifier, running = message["id"], self._running()
        if message["ev"] == "ask":
            if identifier == running:
                self._ask(message, self._jobs.job)
            return  # else its cell has ended, and no longer waits
        shown = message.pop("call", 0)
        message["id"] = running
        self._pass_on(message)
        if shown:
            self._answer_code({"op": "answer", "id": identifier, "call": shown})

    # --- requests of the code ---

    def _ask(self, message, job):
        if job.asking is not None:
            raise ValueError("a request before the last was answered")
        job.asking = message["call"]
        if self._parts.uplink.connection is None:
            self.answer({"error": {"type": "ConnectionError", "message": "the workbench is away"}})
        else:
            self._parts.uplink.send(message)

    def answered(self, message):
        """The host's answer to the code. Ignored if the code that asked has ended."""
        job = self._jobs.job
        if job is not None and job.id == message["id"] and job.asking == message["call"]:
            self.answer({key: message[key] for key in ("data", "error") if key in message})

    def host_lost(self):
        if self._jobs.job is not None and self._jobs.job.asking is not None:
            self.answer({"error": {"type": "ConnectionError", "message": "the workbench went away"}})

    def answer(self, answer):
        job = self._jobs.job
        answer.update(op="answer", id=job.id, call=job.asking)
        job.asking = None
        self._answer_code(answer)

    def _answer_code(self, answer):
        body = codec.pack(answer)
        self._parts.keeper.send(len(body).to_bytes(4, "big") + body)

    # --- output, within its budget ---

    def _pass_on(self, message):
        data = message["data"]
        budget = self._jobs.budget()
        size = len(data) if message["ev"] == "custom" else sum(len(part) for part in data.values())
        passed, first = budget.admit("custom", size)
        if passed or not size:
            self._parts.uplink.send(message)
        elif first:
            self._send_truncated("custom", budget)

    def output(self, stream, data):
        budget = self._jobs.budget()
        passed, first = budget.admit(stream, len(data))
        if passed:
            rest = data if passed == len(data) else data[:passed]
            self._parts.uplink.send({"ev": "out", "id": self._running(), "stream": stream, "data": rest})
        if first:
            self._send_truncated(stream, budget)

    def _send_truncated(self, stream, budget):
        dropped = budget.dropped[stream]
        self._parts.uplink.send({"ev": "truncated", "id": self._running(), "stream": stream, "dropped": dropped})

    def dropped_unsent(self, message, size):
        dropped = self._jobs.budget().dropped
        stream = message.get("stream", "custom")
        dropped[stream] = dropped.get(stream, 0) + size

    def read_size(self):
        return _DROPPING_READ if self._jobs.budget().exhausted() else self._parts.options["chunk_limit"]

    def _running(self):
        """The id of the running cell or call; 0 while there is none, even if the interpreter does other work."""
        job = self._jobs.job
        return job.id if job is not None and job.is_code else 0

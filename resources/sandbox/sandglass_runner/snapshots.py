"""The host's requests about copies of the interpreter: making, waking, listing."""

from . import checks, outside, processes
from .job import Job
from .keeper import FRESH


class Snapshots:
    """`jobs` has finish(message, job) and take_renewed()."""

    def __init__(self, jobs):
        self._jobs = jobs
        self._job = None  # waits for a copy to report that it sleeps
        self._reply = None  # the interpreter's part of the answer
        self._asleep = False
        self._sent = False  # the copy was told to wake
        self._differs = []  # beside the session's folder, where a copy woke
        self._memory = None  # of the control group, when the copy was requested

    # --- jobs ---

    def prepare(self, job, keeper, sleepers):
        """Called before a call after which the interpreter leaves a copy. False: it cannot."""
        name = job.copy["snapshot"]
        sleepers.drop(name)
        try:
            keeper.copy(name)
            return True
        except OSError as error:
            text = "no copy can be made: %s" % (error.strerror or error)
            self._jobs.finish(checks.problem(job.copy["id"], "OSError", text), Job(dict(job.copy, op="snapshot"), b""))
            return False

    def follow(self, job, keeper, sleepers):
        """Called when that call has ended and the interpreter makes its copy."""
        self._take(job, keeper, sleepers)
        self.begun()

    def begin(self, job, keeper, sleepers):
        """Called before the interpreter is told to leave a copy. False: the job has ended."""
        sleepers.drop(job.name)
        self._take(job, keeper, sleepers)
        try:
            keeper.copy(job.name)
        except OSError as error:
            self._refuse("OSError", "no copy can be made: %s" % (error.strerror or error))
            return False
        return True

    def begun(self):
        """The interpreter has begun to make the copy."""
        sleeper = self._sleepers.find(self._job.name)
        if sleeper is not None:
            sleeper.outside = outside.mark()
        self._memory = processes.group_memory()

    def wake(self, job, keeper, sleepers):
        self._take(job, keeper, sleepers)
        sleeper = sleepers.find(job.name)
        if sleeper is None:
            self._refuse("NotAsleep", "there is no live snapshot %s here" % job.name[:100])
            return
        try:
            keeper.wake(job.name, job.id)
            self._sent = True
            self._differs = outside.differences(sleeper.outside)  # while it wakes
        except OSError as error:
            sleepers.drop(job.name)
            self._refuse("NotAsleep", "the live snapshot is gone: %s" % (error.strerror or error))

    def _take(self, job, keeper, sleepers):
        self._job, self._keeper, self._sleepers = job, keeper, sleepers
        self._reply, self._asleep, self._sent = None, False, False

    def answered(self, message, job):
        """A message from the interpreter."""
        if job is not self._job or message["ev"] != ("woken" if job.op == "wake" else "snapshot"):
            raise ValueError("a message that nothing asked for")
        copy = message.pop("copy")
        self._reply = message
        if job.op == "snapshot" and not message["asleep"]:
            self._sleepers.drop(job.name)
            self._finish()
        elif self._asleep or (copy and self._sleepers.made(job.name, copy)):
            self._finish()

    def interpreter_died(self, job, reason):
        if job is self._job:
            if job.op == "snapshot":
                self._sleepers.drop(job.name)
            self._refuse("InterpreterDied", reason)

    # --- from the sleepers ---

    def asleep(self, name):
        if self._job is not None and self._job.name == name:
            self._asleep = True
            if self._reply is not None:
                self._finish()

    def sleeper_failed(self, name, reason):
        """A copy that was to wake could not leave a copy of itself, and sleeps on."""
        job = self._job
        if job is not None and job.op == "wake" and job.name == name and self._reply is None:
            self._sleepers.find(name).pid = self._keeper.child.pid
            self._keeper.give_up_waking()
            self._refuse("NoRoom", "the live snapshot cannot be woken: " + reason)

    def dropped(self, name):
        """The host drops a copy that it has just asked to wake or to make."""
        if self._job is not None and self._job.name == name:
            self.asleep(name)

    def sleeper_lost(self, name, reason):
        job = self._job
        if job is None or job.name != name:
            return
        if job.op == "wake" and not self._sent:
            return  # it is noticed when the copy is woken
        if job.op == "wake" and self._reply is None:
            self._keeper.give_up_waking()
            self._refuse("NotAsleep", "the live snapshot is gone: " + reason)
        elif job.op == "wake":
            self._reply["lost"].append({"kind": "copy", "name": reason})  # woken, but no copy of it is kept
            self._finish()
        elif self._reply is not None:
            self._reply.update(asleep=False, obstacles=[{"kind": "room", "name": reason}])
            self._finish()
        # Otherwise the interpreter is about to say why there is none.

    def _finish(self):
        job, self._job = self._job, None
        renewed = self._jobs.take_renewed()
        if job.op == "snapshot":
            if renewed:
                self._reply["renewed"] = True
            if self._memory:
                self._reply["memory"] = self._memory
            sleeper = self._sleepers.find(job.name)
            if sleeper is not None and "names" in self._reply:
                self._reply["names"] = outside.record(sleeper.outside) + self._reply["names"]
        elif self._differs:
            self._reply["differs"] = self._differs
        self._jobs.finish(self._reply, job)

    def _refuse(self, kind, text):
        job, self._job = self._job, None
        self._jobs.finish(checks.problem(job.id, kind, text), job)

    def listed(self, sleepers):
        found = []
        for name in sleepers.names():
            if name == FRESH:
                continue
            sleeper = sleepers.find(name)
            entry = {"snapshot": name}
            used = processes.memory(sleeper.pid) if sleeper.pid else None
            if used:
                entry.update(share=used[0], own=used[1])
            found.append(entry)
        return {"snapshots": found}

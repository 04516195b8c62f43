"""Starts what works beside the interpreter for a client outside, each a process with the rights of the code, on a socket that
the host gave: agents, which run commands, and further runners, each with an interpreter of its own."""

import os
import sys
from _signal import SIG_DFL, SIGCHLD, SIGHUP, SIGINT, SIGTERM, signal

from . import processes

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AGENT = [os.path.join(_FOLDER, "agent.py"), "3"]
RUNNER = [os.path.join(_FOLDER, "start.py"), "--fd", "3"]


class Agents:
    def __init__(self):
        self._pids = set()

    def start(self, stream, program, settings, leave):
        """`leave()` is called in the new process; `settings` are the session's (home, env)."""
        pid = os.fork()
        if pid:
            self._pids.add(pid)
            return
        try:
            leave()
            for number in (SIGCHLD, SIGTERM, SIGHUP, SIGINT):
                signal(number, SIG_DFL)
            os.setsid()
            os.dup2(stream, 3, inheritable=True)
            null = os.open("/dev/null", os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd, inheritable=True)
            os.closerange(4, 65536)
            environment = dict(os.environ, HOME=settings["home"])
            environment.update(settings.get("env") or {})
            os.execve(sys.executable, [sys.executable, "-I", "-X", "utf8", *program], environment)
        finally:
            os._exit(70)

    def reaped(self, pid):
        self._pids.discard(pid)

    def processes(self):
        """They and all that they have started, which is spared where the interpreter is ended."""
        found = set()
        for pid in self._pids:
            found.update(processes.tree(os.getpid(), pid))
        return found

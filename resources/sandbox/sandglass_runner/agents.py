"""Starts the agent that runs commands for a client outside: a process with the rights of the code, on a socket that the host gave."""

import os
import sys
from _signal import SIG_DFL, SIGCHLD, SIGHUP, SIGINT, SIGTERM, signal

_AGENT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "agent.py")


def start(stream, settings, leave):
    """`leave()` is called in the new process; `settings` are the session's (home, env)."""
    pid = os.fork()
    if pid:
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
        os.execve(sys.executable, [sys.executable, "-I", "-X", "utf8", _AGENT, "3"], environment)
    finally:
        os._exit(70)

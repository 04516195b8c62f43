"""Shells on terminals, by which a person looks around in the session next to its interpreter."""

import os
import time
from _signal import SIG_DFL, SIGCHLD, SIGHUP, SIGINT, SIGKILL, SIGTERM, signal

from . import checks, wire
from .loop import GONE, IN, OUT

_MOST = 8
_AHEAD = 262144  # bytes that the host may leave unread
_PIECE = 32768
_MOST_INPUT = 1048576  # bytes that the shell may leave unread; a host that heeds `terminal_typed` stays far below
_LATE = 0.1
_GRACE = 2.0  # seconds for a shell to end after its terminal is gone
_TIOCSCTTY, _TIOCSWINSZ = 0x540E, 0x5414
_SHELLS = ("/bin/bash", "/bin/sh")


class Crowded(checks.BadRequest):
    """Too much was typed ahead."""


class Terminals:
    """`send(message)` sends to the host; each new process calls `leave()` first."""

    def __init__(self, loop, send, leave):
        self._loop = loop
        self._send = send
        self._leave = leave
        self._open = {}
        self._paused = False

    def begin(self, message, settings):
        """`settings`: the session's (home, env, path, layers)."""
        if len(self._open) >= _MOST:
            raise checks.BadRequest("there are %d terminals in this session already" % _MOST)
        shell = next((path for path in _SHELLS if os.access(path, os.X_OK)), None)
        if shell is None:
            raise checks.BadRequest("this sandbox has no shell: neither %s nor %s" % _SHELLS)
        master, slave = os.openpty()
        try:
            _resize(master, message)
            pid = os.fork()
        except OSError:
            os.close(master)
            os.close(slave)
            raise
        if pid == 0:
            self._become_shell(shell, slave, settings)
        os.close(slave)
        os.set_blocking(master, False)
        terminal = _Terminal(message["id"], master, pid)
        self._open[terminal.id] = terminal
        self._loop.watch(master, lambda events: self._ready(terminal, events), IN)
        self._regulate(terminal)

    def write(self, message):
        terminal = self._of(message)
        if terminal.outbox.pending + len(message["data"]) > _MOST_INPUT:
            raise Crowded("what runs in this terminal does not read: what was typed is left out")
        terminal.untold += len(message["data"])
        try:
            terminal.outbox.send(message["data"])
        except OSError:
            return  # it is ending; the loop is about to notice
        self._tell_typed(terminal)
        self._regulate(terminal)

    def _tell_typed(self, terminal):
        """Reports how much more of the typed bytes the terminal has taken."""
        typed = terminal.untold - terminal.outbox.pending
        if typed > 0:
            terminal.untold -= typed
            self._send({"ev": "terminal_typed", "id": terminal.id, "bytes": typed})

    def resize(self, message):
        _resize(self._of(message).master, message)

    def taken(self, message):
        terminal = self._of(message)
        terminal.ahead = max(0, terminal.ahead - message["bytes"])
        self._regulate(terminal)

    def end(self, message):
        """Hangs up on the shell and on what it left in the foreground."""
        terminal = self._open.get(message["id"])
        if terminal is not None:
            self._close(terminal)

    def end_all(self):
        for terminal in list(self._open.values()):
            self._close(terminal)

    def pause(self, paused):
        self._paused = paused
        for terminal in self._open.values():
            self._regulate(terminal)

    def reaped(self, pid, status):
        self._loop.cancel(("kill", pid))
        for terminal in self._open.values():
            if terminal.pid == pid:
                terminal.status = status
                # Its last output may still be on its way; processes that it left may hold the terminal open.
                self._loop.at(("shell", pid), time.monotonic() + _LATE, lambda ended=terminal: self._shell_ended(ended))
                return

    def _shell_ended(self, terminal):
        while terminal.id in self._open:
            data = wire.read_some(terminal.master, _PIECE)
            if not data or terminal.ahead > 4 * _AHEAD:
                break
            self._print(terminal, data)
        self._close(terminal)

    def _of(self, message):
        terminal = self._open.get(message["id"])
        if terminal is None:
            raise checks.BadRequest("there is no terminal %d" % message["id"])
        return terminal

    def _ready(self, terminal, events):
        if events & OUT:
            try:
                terminal.outbox.flush()
            except OSError:
                pass
            self._tell_typed(terminal)
            self._regulate(terminal)
        if not events & (IN | GONE):
            return
        data = wire.read_some(terminal.master, _PIECE)
        if data:
            self._print(terminal, data)
            self._regulate(terminal)
        elif data is not None:  # the shell's exit is reported in a moment
            self._loop.unwatch(terminal.master)
            self._loop.at(("shell", terminal.pid), time.monotonic() + _LATE, lambda: self._close(terminal))

    def _print(self, terminal, data):
        terminal.ahead += len(data)
        self._send({"ev": "terminal_output", "id": terminal.id, "data": data})

    def _regulate(self, terminal):
        reads = not self._paused and terminal.ahead < _AHEAD
        self._loop.change(terminal.master, (IN if reads else 0) | (OUT if terminal.outbox.pending else 0))

    def _close(self, terminal):
        del self._open[terminal.id]
        self._loop.unwatch(terminal.master)
        os.close(terminal.master)
        self._loop.cancel(("shell", terminal.pid))
        if terminal.status is None:
            self._loop.at(("kill", terminal.pid), time.monotonic() + _GRACE, lambda: _kill(terminal.pid))
        code = None
        if terminal.status is not None and os.WIFEXITED(terminal.status):
            code = os.WEXITSTATUS(terminal.status)
        self._send({"ev": "terminal_ended", "id": terminal.id, "exit": code})

    def _become_shell(self, shell, slave, settings):
        """Runs in the new process. Never returns."""
        try:
            import fcntl

            self._leave()
            for number in (SIGCHLD, SIGTERM, SIGHUP, SIGINT):
                signal(number, SIG_DFL)
            os.setsid()
            fcntl.ioctl(slave, _TIOCSCTTY, 0)
            for fd in (0, 1, 2):
                os.dup2(slave, fd, inheritable=True)
            os.closerange(3, 65536)
            os.execve(shell, [os.path.basename(shell)], _environment(shell, settings))
        except BaseException as error:
            os.write(2, ("the shell cannot be started: %s\r\n" % error).encode("utf-8", "replace"))
        finally:
            os._exit(70)


class _Terminal:
    def __init__(self, identifier, master, pid):
        self.id = identifier
        self.master = master
        self.pid = pid
        self.outbox = wire.Outbox(master)
        self.ahead = 0
        self.untold = 0  # typed bytes that were not reported as taken yet
        self.status = None


def _environment(shell, settings):
    """The environment of the session's code; a Python started by hand also finds modules of the project and packages of
    layers."""
    made = dict(os.environ, HOME=settings["home"], TERM="xterm-256color", SHELL=shell, PS1="\\w $ ")
    made.update(settings.get("env") or {})
    folders = [*(settings.get("path") or ()), *(settings.get("modules") or {}).values(), *(settings.get("layers") or ())]
    if folders:
        made["PYTHONPATH"] = ":".join(folders)
    return made


def _resize(master, message):
    import fcntl
    from struct import pack

    rows, columns = (min(max(message[key], 1), 1000) for key in ("rows", "columns"))
    fcntl.ioctl(master, _TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))


def _kill(pid):
    try:
        os.kill(pid, SIGKILL)
    except OSError:
        pass

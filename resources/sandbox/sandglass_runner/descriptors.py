"""A process's open files, recorded before it is copied and opened anew when the copy wakes.

A fork shares file offsets with its origin, but a copy must read and write at the recorded places, through files that it opened
itself. What cannot be opened again (pipes, sockets, event queues) is replaced by a closed socket."""

import fcntl
import os
import stat

from . import mappings
from .surroundings import Surroundings, sleeps_with

_KEPT_FLAGS = os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK | os.O_SYNC | os.O_DSYNC | os.O_PATH
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_DELETED = " (deleted)"


class _OpenFile:
    __slots__ = ("fd", "path", "flags", "inheritable", "offset", "first")

    def __init__(self, fd, path, flags, inheritable, offset):
        self.fd = fd
        self.path = path  # None: the file has no name any more
        self.flags = flags
        self.inheritable = inheritable
        self.offset = offset
        self.first = fd  # the first descriptor of the same open file description, which shares its offset


class Recorded:
    """`left` names what a copy will not have."""

    def __init__(self, own):
        self._files = []
        self._openings = {}
        self._broken = []
        self._queues = []
        self._locks = None  # read only if a file is open
        self.left = []
        numbers = [int(name) for name in os.listdir("/proc/self/fd")]
        self.highest = max(numbers)
        others = [fd for fd in numbers if fd > 2 and fd not in own]
        if len(others) > 1:  # a single one is that of the listing itself
            for fd in others:
                self._record(fd)
        self._surroundings = Surroundings(bool(self._files))
        self.left += self._surroundings.left

    def _record(self, fd):
        try:
            path = os.readlink("/proc/self/fd/%d" % fd)
            found = os.fstat(fd)
        except OSError:
            return  # the descriptor of the listing itself
        if path.startswith("anon_inode:[eventpoll]"):
            self._queues.append(fd)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
            self._record_file(fd, path, found)
        elif path not in _HARMLESS:
            self._broken.append((fd, os.get_inheritable(fd)))
            is_named = not path.startswith(("pipe:[", "socket:["))  # else the name is only the kernel's number
            name = "%s (descriptor %d)" % (path[:200], fd) if is_named else "(descriptor %d)" % fd
            self.left.append({"kind": _kind(found.st_mode, path), "name": name})

    def _record_file(self, fd, path, found):
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        is_read = stat.S_ISREG(found.st_mode) and not flags & os.O_PATH
        offset = os.lseek(fd, 0, os.SEEK_CUR) if is_read else 0
        identity = (found.st_dev, found.st_ino)
        if self._locks is None:
            self._locks = _locks()
        named = _is(path, identity)
        shown = path[: -len(_DELETED)] if path.endswith(_DELETED) else path
        if not named:
            self.left.append({"kind": "deleted file", "name": shown[:200]})
        elif is_read and flags & os.O_ACCMODE != os.O_RDONLY and not mappings.is_carried(path):
            self.left.append({"kind": "file", "name": "%s (its content goes on with the others)" % shown[:200]})
        if identity in self._locks:
            self.left.append({"kind": "file lock", "name": shown[:200]})
        kept = flags & (_KEPT_FLAGS | (os.O_DIRECTORY if stat.S_ISDIR(found.st_mode) else 0))
        file = _OpenFile(fd, path if named else None, kept, os.get_inheritable(fd), offset)
        if is_read:
            alike = self._openings.setdefault((identity, flags, offset), [])
            file.first = next((other for other in alike if _is_one_opening(fd, other, flags)), fd)
            alike.append(fd)
        self._files.append(file)

    def holds(self):
        """Whether a copy takes part in a pipe, a socket or a lock until it lets go."""
        return bool(self._broken or self._locks)

    def let_go(self):
        """In the copy, as it falls asleep: else a pipe would not end, an address not be free and a file stay locked as long
        as it sleeps, whatever the interpreter closes."""
        sleeps_with(self._surroundings.timers)
        try:
            if self._broken:
                end = _dead_end()
                for fd, inheritable in self._broken:
                    os.dup2(end, fd, inheritable)
                os.close(end)
            nothing = os.open("/", os.O_PATH | os.O_CLOEXEC)
            for file in self._files:
                if file.path is not None:
                    os.dup2(nothing, file.fd, False)
            os.close(nothing)
        except OSError:
            pass  # too many are open

    def reopen(self):
        """Called in the woken copy, once its files are restored. Returns [{kind, name}] of what could not be opened again."""
        lost = self._surroundings.come_back()
        for file in self._files:
            if file.first != file.fd:
                os.dup2(file.first, file.fd, file.inheritable)
                continue
            try:
                new = os.open(file.path or "/proc/self/fd/%d" % file.fd, file.flags | os.O_CLOEXEC)
            except OSError as error:
                lost.append({"kind": "file", "name": "%s: %s" % (file.path or file.fd, error.strerror)})
                new = _dead_end()
                file.offset = 0
            if file.offset:
                os.lseek(new, file.offset, os.SEEK_SET)
            _put(new, file.fd, file.inheritable)
        for fd in self._queues:
            self._renew_queue(fd)
        return lost

    def _renew_queue(self, fd):
        import select

        queue = select.epoll()
        _put(os.dup(queue.fileno()), fd, False)
        queue.close()


def renew_loop(loop):
    """Restores an asyncio loop whose event queue was renewed: its own pair of sockets, and what it watches."""
    import _socket

    ends = _socket.socketpair()
    for end, old in zip(ends, (loop._ssock, loop._csock)):
        new = end.detach()
        os.set_blocking(new, False)
        _put(new, old.fileno(), False)
    selector = loop._selector
    queue = getattr(selector, "_selector", None)
    if queue is None or not hasattr(queue, "register"):
        return
    for key in list(selector.get_map().values()):
        events = (1 if key.events & 1 else 0) | (4 if key.events & 2 else 0)  # EPOLLIN, EPOLLOUT
        try:
            queue.register(key.fd, events)
        except OSError:
            pass  # registered already, or nothing that can be polled


def _is(path, identity):
    try:
        there = os.lstat(path)
    except (OSError, ValueError):
        return False
    return (there.st_dev, there.st_ino) == identity


def _is_one_opening(fd, other, flags):
    """Whether both share one open file description: flags set on one show on the other. Regular files ignore O_NONBLOCK, so
    nobody notices."""
    fcntl.fcntl(fd, fcntl.F_SETFL, flags ^ os.O_NONBLOCK)
    try:
        return fcntl.fcntl(other, fcntl.F_GETFL) != flags
    finally:
        fcntl.fcntl(fd, fcntl.F_SETFL, flags)


def _locks():
    """(device, inode) of the files that this process has locked."""
    found = set()
    try:
        with open("/proc/locks", "rb", buffering=0) as file:
            lines = file.read(65536).splitlines()
    except OSError:
        return found
    own = b"%d" % os.getpid()
    for line in lines:
        parts = line.split()
        if len(parts) == 8 and parts[4] == own:
            major, minor, inode = parts[5].split(b":")
            found.add((os.makedev(int(major, 16), int(minor, 16)), int(inode)))
    return found


def _kind(mode, path):
    if stat.S_ISFIFO(mode):
        return "pipe"
    if stat.S_ISSOCK(mode):
        return "socket"
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "device"
    return path.split(":")[-1].strip("[]") or "descriptor"


def _dead_end():
    """A socket whose other end is closed: reading returns EOF, writing fails."""
    import _socket

    one, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    other.close()
    return one.detach()


def _put(new, fd, inheritable):
    os.dup2(new, fd, inheritable)
    os.close(new)

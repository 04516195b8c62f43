"""What a process has open, recorded before it is copied and opened anew when the copy wakes.

A fork shares offsets with its origin: a copy must read and write at the places where they were, in files of its own
opening. What cannot be shared (pipes, sockets, event queues) is replaced by something that says "closed"."""

import fcntl
import os
import stat

_KEPT_FLAGS = os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK | os.O_SYNC | os.O_DSYNC | os.O_DIRECTORY
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_DELETED = " (deleted)"


class Recorded:
    """`left` says by name what a copy will not have."""

    def __init__(self, own):
        self._files = []
        self._broken = []
        self._queues = []
        self.left = []
        for name in os.listdir("/proc/self/fd"):
            fd = int(name)
            if fd > 2 and fd not in own:
                self._record(fd)

    def _record(self, fd):
        try:
            path = os.readlink("/proc/self/fd/%d" % fd)
            found = os.fstat(fd)
        except OSError:
            return  # the one that listed them
        if path.startswith("anon_inode:[eventpoll]"):
            self._queues.append(fd)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
            self._record_file(fd, path, found)
        elif path not in _HARMLESS:
            self._broken.append(fd)
            self.left.append({"kind": _kind(found.st_mode, path), "name": "%s (descriptor %d)" % (path[:200], fd)})

    def _record_file(self, fd, path, found):
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        inheritable = os.get_inheritable(fd)
        offset = os.lseek(fd, 0, os.SEEK_CUR) if stat.S_ISREG(found.st_mode) else 0
        named = _is(path, found)
        if not named:
            shown = path[: -len(_DELETED)] if path.endswith(_DELETED) else path
            self.left.append({"kind": "deleted file", "name": shown[:200]})
        self._files.append((fd, path if named else None, flags, inheritable, offset))

    def reopen(self):
        """In the woken copy, once the files are as they were. [{kind, name}] of what could not be had again."""
        lost = []
        for fd, path, flags, inheritable, offset in self._files:
            try:
                new = os.open(path or "/proc/self/fd/%d" % fd, flags & _KEPT_FLAGS | os.O_CLOEXEC)
            except OSError as error:
                lost.append({"kind": "file", "name": "%s: %s" % (path or fd, error.strerror)})
                new = _dead_end()
                offset = None
            if offset:
                os.lseek(new, offset, os.SEEK_SET)
            _put(new, fd, inheritable)
        for fd in self._broken:
            _put(_dead_end(), fd, os.get_inheritable(fd))
        for fd in self._queues:
            self._renew_queue(fd)
        return lost

    def _renew_queue(self, fd):
        import select

        queue = select.epoll()
        _put(os.dup(queue.fileno()), fd, False)
        queue.close()


def renew_loop(loop):
    """An asyncio loop whose event queue was renewed: its own pair of sockets, and what it watches, are put back."""
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
            pass  # it is there, or nothing that can be waited for


def _is(path, found):
    try:
        there = os.lstat(path)
    except (OSError, ValueError):
        return False
    return (there.st_dev, there.st_ino) == (found.st_dev, found.st_ino)


def _kind(mode, path):
    if stat.S_ISFIFO(mode):
        return "pipe"
    if stat.S_ISSOCK(mode):
        return "socket"
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "device"
    return path.split(":")[-1].strip("[]") or "descriptor"


def _dead_end():
    """A socket whose other end is closed: reading finds the end, writing fails."""
    import _socket

    one, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    other.close()
    return one.detach()


def _put(new, fd, inheritable):
    os.dup2(new, fd, inheritable)
    os.close(new)

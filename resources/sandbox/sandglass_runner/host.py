"""The byte stream to the workbench: a listening socket, an inherited descriptor, or stdin and stdout."""

import _socket
import os
from struct import unpack

from . import processes, wire


class Connection:
    """One connected host. Both descriptors are non-blocking and owned by this object."""

    def __init__(self, read_fd, write_fd):
        self.read_fd = read_fd
        self.write_fd = write_fd
        self.reader = wire.FrameReader()
        self.outbox = wire.Outbox(write_fd)
        self.greeted = False
        self.open = True
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)

    def await_descriptor(self):
        """The next descriptor that comes with a frame is for take_descriptor(). OSError where the stream is no socket."""
        end = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, self.read_fd)
        try:
            end.getsockopt(_socket.SOL_SOCKET, _socket.SO_TYPE)
        finally:
            end.detach()
        self._await_no_more()  # drops what an earlier frame brought in vain
        self.reader = wire.DescriptorReader(self.reader)

    def take_descriptor(self):
        """The descriptor that came with the last frame, or None; the caller owns it. No further one is awaited."""
        reader = self.reader
        if not isinstance(reader, wire.DescriptorReader):
            return None
        fd = reader.take()
        self._await_no_more()
        return fd

    def _await_no_more(self):
        if isinstance(self.reader, wire.DescriptorReader):
            self.reader.close()
            self.reader = self.reader.reader

    def close(self):
        self.open = False
        self._await_no_more()
        os.close(self.read_fd)
        if self.write_fd != self.read_fd:
            os.close(self.write_fd)


class Listener:
    """A socket in the file system. Processes that the supervisor started cannot connect."""

    def __init__(self, path):
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        old = os.umask(0o177)
        try:
            self._socket.bind(path)
        finally:
            os.umask(old)
        self._socket.listen(8)
        self._socket.setblocking(False)
        self.fd = self._socket.fileno()

    def accept(self):
        """A new connection; None where it is refused."""
        try:
            fd, _address = self._socket._accept()
        except OSError:
            return None
        peer = _socket.socket(fileno=fd)
        try:
            credentials = peer.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        finally:
            peer.detach()
        pid = unpack("iII", credentials)[0]
        # 0 means a process outside of this pid namespace, which no code in here can be.
        if pid != 0 and processes.is_descendant(pid, os.getpid()):
            os.close(fd)
            return None
        return Connection(fd, fd)


def inherited(fd):
    own = os.dup(fd)
    os.close(fd)
    return Connection(own, own)


def standard_streams():
    """Takes over fd 0 and 1, so that nothing else in this process can write to the stream."""
    read_fd, write_fd = os.dup(0), os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return Connection(read_fd, write_fd)

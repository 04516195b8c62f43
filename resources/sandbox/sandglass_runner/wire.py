"""Frames on byte streams: 4 bytes big-endian length, then one MessagePack map."""

import errno
import fcntl
import os
import sys
from _collections import deque  # without all that collections imports

from . import codec, flat

MAX_FRAME = 64 * 1024 * 1024  # except for the end of a cell or call, for which a host may allow more
LARGEST_FRAME = 1025 * 1024 * 1024  # the most that a host may allow
_LARGE = 131072  # bytes above which a frame is read into its own memory
_SMALL = 65536
_WORTH_A_PART = 16384  # bytes whose copying costs more than a longer system call
_RETRY = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EINTR)


class FrameTooLarge(ValueError):
    def __init__(self, size, limit):
        super().__init__(
            "%.1f MiB at once; at most %.0f MiB may leave a session or enter it: raise \"state_mb\" (a limit of the graph's "
            "sandbox, or SANDBOX_STATE_MB), or leave what is large in a file or an artifact" % (size / 1048576, limit / 1048576)
        )


def unpack(body):
    """The content of a frame."""
    found = flat.unpack(body) if type(body) is bytes else None
    return codec.unpack(body) if found is None else found


def frame(message, prefix=b"", limit=MAX_FRAME):
    return b"".join(frame_parts(message, prefix, limit))


def frame_parts(message, prefix=b"", limit=MAX_FRAME):
    """The frame in pieces, so that long data is not copied."""
    parts = flat.pack(message)
    if parts is None:
        parts = [codec.pack(message)]
    size = sum(map(len, parts)) + len(prefix)
    if size > limit:
        raise FrameTooLarge(size, limit)
    parts.insert(0, size.to_bytes(4, "big") + prefix)
    return parts


class FrameReader:
    """Cuts arriving bytes into frames. Memory stays within one frame and one read.

    A large frame is read into its own memory, as stored names come back by the hundred megabytes."""

    def __init__(self):
        self._buffer = bytearray()
        self._large = None  # the body of a large frame
        self._filled = 0

    def read(self, fd):
        """The bodies that one read completes; None where there is nothing yet. EOFError at the stream's end."""
        if self._large is None:
            data = read_some(fd)
            if data:
                return self.feed(data, True)
        else:
            data = read_into(fd, self._large[self._filled :])
            if data:
                self._filled += data
                return self._whole()
        if data is None:
            return None
        raise EOFError

    def is_within_large(self):
        return self._large is not None

    def _whole(self):
        if self._filled < len(self._large):
            return []
        body, self._large = self._large.toreadonly(), None
        return [body]

    def feed(self, data, in_place=False):
        """The bodies of frames that are now complete. `in_place`: read() continues with an incomplete one."""
        buffer = self._buffer
        if not buffer and len(data) >= 4 and int.from_bytes(data[:4], "big") == len(data) - 4 <= LARGEST_FRAME:
            return [data[4:]]  # usually one read brings one frame
        buffer += data
        bodies = []
        start = 0
        available = len(buffer)
        while available - start >= 4:
            size = int.from_bytes(buffer[start : start + 4], "big")
            if size > LARGEST_FRAME:
                raise FrameTooLarge(size, LARGEST_FRAME)
            if available - start - 4 < size:
                if in_place and size >= _LARGE:
                    self._begin_large(size, memoryview(buffer)[start + 4 :])
                    start = available
                break
            bodies.append(bytes(memoryview(buffer)[start + 4 : start + 4 + size]))
            start += 4 + size
        if start:
            del buffer[:start]
        return bodies

    def _begin_large(self, size, begin):
        self._large, self._filled = memoryview(bytearray(size)), len(begin)
        self._large[: len(begin)] = begin
        begin.release()  # else the buffer behind it could not be shortened


class DescriptorReader:
    """Replaces another reader while a frame with a descriptor is awaited: a plain read would lose the descriptor."""

    def __init__(self, reader):
        self.reader = reader
        self._came = []

    def read(self, fd):
        if self.reader.is_within_large():
            return self.reader.read(fd)  # it does not read beyond that frame
        try:
            data, came = receive_with_fds(fd, _SMALL, 1)
        except OSError as error:
            if error.errno in _RETRY:
                return None
            if error.errno == errno.ECONNRESET:
                raise EOFError from error
            raise
        self._came += came
        if not data:
            raise EOFError
        return self.reader.feed(data)

    def take(self):
        """The first descriptor that came, which the caller then owns; None where there is none."""
        return self._came.pop(0) if self._came else None

    def close(self):
        while self._came:
            os.close(self._came.pop())


class Outbox:
    """Bytes on their way to a non-blocking descriptor."""

    def __init__(self, fd):
        self.fd = fd
        self.pending = 0
        self._queue = deque()

    def send_parts(self, parts):
        """As send(), for pieces; a long last one is not copied."""
        if len(parts[-1]) < _WORTH_A_PART or self._queue:
            self.send(b"".join(parts))
            return
        head = b"".join(parts[:-1])
        try:
            written = os.writev(self.fd, (head, parts[-1]))
        except OSError as error:
            if error.errno not in _RETRY:
                raise
            written = 0
        if written < len(head):
            self.send(head[written:] + parts[-1])
        elif written < len(head) + len(parts[-1]):
            self._wait(memoryview(parts[-1])[written - len(head) :])

    def send(self, data):
        """Queues the bytes and writes what the descriptor takes now. OSError when the other end is gone."""
        if not self._queue:
            try:
                written = os.write(self.fd, data)
            except OSError as error:
                if error.errno not in _RETRY:
                    raise
                written = 0
            if written == len(data):
                return
            data = memoryview(data)[written:]
        self._wait(data)

    def _wait(self, data):
        self._queue.append(data)
        self.pending += len(data)

    def flush(self):
        while self._queue:
            data = self._queue[0]
            try:
                written = os.write(self.fd, data)
            except OSError as error:
                if error.errno not in _RETRY:
                    raise
                return
            self.pending -= written
            if written < len(data):
                self._queue[0] = memoryview(data)[written:]
                return
            self._queue.popleft()


_NOTHING = bytes(4)
_FIONREAD = 0x541B


def available(fd):
    """How many bytes a pipe holds: cheaper than a read in vain."""
    return int.from_bytes(fcntl.ioctl(fd, _FIONREAD, _NOTHING), sys.byteorder)


def is_readable(fd, patience_ms=0):
    import select

    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(patience_ms))


_scratch = memoryview(bytearray(65536))  # grows with demand, as new memory costs time, too
_MOST_SCRATCH = 1048576


def read_into(fd, view):
    """The number of bytes read; 0 at the end of the stream, None when there are none yet."""
    try:
        return os.readv(fd, (view,))
    except OSError as error:
        if error.errno in _RETRY:
            return None
        if error.errno in (errno.ECONNRESET, errno.EIO, errno.EBADF):
            return 0
        raise


def read_some(fd, size=262144):
    """Bytes that are available now; b"" at the end of the stream, None when there are none yet.

    Reads through a permanent buffer: os.read would map and unmap `size` bytes on each call (19 us)."""
    global _scratch
    try:
        got = os.readv(fd, (_scratch[:size],))
        data = bytes(_scratch[:got])
        if got == len(_scratch) < min(size, _MOST_SCRATCH):
            _scratch = memoryview(bytearray(4 * got))
        return data
    except OSError as error:
        if error.errno in _RETRY:
            return None
        if error.errno in (errno.ECONNRESET, errno.EIO, errno.EBADF):
            return b""
        raise


def send_with_fds(fd, data, fds):
    """Sends one message on a socket that preserves message boundaries. OSError when the other end is gone."""
    import _socket

    end = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, fileno=fd)
    try:
        packed = b"".join(number.to_bytes(4, sys.byteorder) for number in fds)
        end.sendmsg([data], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
    finally:
        end.detach()


def receive_with_fds(fd, size, most):
    """(message, descriptors); the message is empty at the end of the stream. Blocks if `fd` does."""
    import _socket

    end = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, fileno=fd)
    try:
        data, ancillary, _flags, _address = end.recvmsg(size, _socket.CMSG_SPACE(4 * most))
    finally:
        end.detach()
    fds = []
    for level, kind, packed in ancillary:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            fds += [int.from_bytes(packed[i : i + 4], sys.byteorder) for i in range(0, len(packed) - 3, 4)]
    for number in fds:
        os.set_inheritable(number, False)
    return data, fds

"""Memory that is shared with a file: a write by one branch would be seen by the others.

A copy that wakes has the session's files as they were, and changed ones are new files: they are mapped again. All other shared
memory is reported as lost."""

import fcntl
import os
import re
import stat
import struct
import sys

_MAKERS = ("mmap", "_sqlite3", "_multiprocessing", "pyarrow")  # modules that can map writable memory
_LIKELY = re.compile(rb" [r-][w-][x-]s ")
_SHARED = re.compile(rb"([0-9a-f]+)-([0-9a-f]+) (.)(.)(.)s ([0-9a-f]+) ([0-9a-f]+):([0-9a-f]+) ([1-9]\d*) +(.*)")
_LISTED = 20
_FIXED_SHARED = 0x11

_QUERY = struct.Struct("=9Q4I2Q")  # struct procmap_query of linux/fs.h
_ASK = 0xC0686611  # PROCMAP_QUERY
_NEXT_SHARED_FILE = 0x10 | 0x20 | 0x08
_LONGEST_PATH = 4096

carried = None  # the folder whose files come back with a copy, ending in "/"
_is_written = False  # whether writable mappings of that folder's files were found last time


def is_carried(path):
    return carried is not None and path.startswith(carried)


class _Mapping:
    def __init__(self, start, end, protection, offset, identity, path):
        self.address = start
        self.size = end - start
        self.protection = protection  # as in mmap(2): 1 read, 2 write, 4 execute
        self.can_write = bool(protection & 2)
        self.offset = offset
        self.identity = identity  # (device, inode)
        self.path = os.fsdecode(path)

    def is_carried(self):
        return is_carried(self.path) and os.path.lexists(self.path)

    def touch(self):
        found = os.stat(self.path)
        if (found.st_dev, found.st_ino) == self.identity:
            os.chmod(self.path, stat.S_IMODE(found.st_mode))

    def renew(self):
        found = os.stat(self.path)
        if (found.st_dev, found.st_ino) == self.identity:
            return
        import ctypes

        fd = os.open(self.path, (os.O_RDWR if self.can_write else os.O_RDONLY) | os.O_CLOEXEC)
        try:
            mmap = ctypes.CDLL(None, use_errno=True).mmap
            mmap.restype, numbers = ctypes.c_ssize_t, (ctypes.c_int, ctypes.c_int, ctypes.c_int)
            mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *numbers, ctypes.c_long)
            if mmap(self.address, self.size, self.protection, _FIXED_SHARED, fd, self.offset) == -1:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        finally:
            os.close(fd)


class Mappings:
    """The mappings at the time of the copy. `left` names those that it will not have."""

    def __init__(self, has_files):
        """`has_files`: files are open, as a mapped file stays open; except a semaphore's."""
        global _is_written
        self.left = []
        self._carried = []
        if not _may_be_there() or not (has_files or "_multiprocessing" in sys.modules or _has_written()):
            return
        for mapping in _shared():
            if mapping.is_carried():
                self._carried.append(mapping)
            elif mapping.can_write and len(self.left) < _LISTED:
                self.left.append({"kind": "memory map", "name": mapping.path[:200]})
        _is_written = any(mapping.can_write for mapping in self._carried)

    def renew(self):
        """Called in the woken copy, once its files are restored. Returns [{kind, name}] of what could not be mapped again."""
        lost = []
        for mapping in self._carried:
            try:
                mapping.renew()
            except (OSError, ImportError) as error:
                lost.append({"kind": "memory map", "name": "%s: %s" % (mapping.path[:200], error)})
        return lost


def touch():
    """Updates the times of mapped files: writes through memory change them late or never, so a scan for changes would miss
    them."""
    try:
        _touch()
    except BaseException:  # no memory, or an exception of the code's own signal handler
        pass


def _touch():
    global _is_written
    if not _may_be_there() or not (_is_written or _has_written()):
        return
    written = [mapping for mapping in _shared() if mapping.can_write and mapping.is_carried()]
    _is_written = bool(written)
    for mapping in written:
        try:
            mapping.touch()
        except OSError:
            pass  # another user's, or just removed


def _may_be_there():
    return any(name in sys.modules for name in _MAKERS)


def _has_written():
    """Whether shared memory or an in-memory file was written to; for a file on a disk its time shows the first write."""
    try:
        with open("/proc/self/status", "rb", buffering=0) as file:
            return b"RssShmem:\t       0 kB" not in file.read(8192)
    except OSError:
        return True


def _shared():
    try:
        return list(_asked())
    except (OSError, ImportError):  # an older kernel, or Python was built without ctypes
        return _listed()


def _asked():
    """Kernels from 6.11 on answer a query, and need not list the hundreds of mappings of libraries."""
    import ctypes

    path = ctypes.create_string_buffer(_LONGEST_PATH)
    where = 0
    file = os.open("/proc/self/maps", os.O_RDONLY | os.O_CLOEXEC)
    try:
        while True:
            query = bytearray(
                _QUERY.pack(_QUERY.size, _NEXT_SHARED_FILE, where, *(0,) * 8, _LONGEST_PATH, 0, ctypes.addressof(path), 0)
            )
            fcntl.ioctl(file, _ASK, query)
            _size, _flags, _where, start, where, protection, _page, offset, inode, major, minor, *_rest = _QUERY.unpack(query)
            yield _Mapping(start, where, protection & 7, offset, (os.makedev(major, minor), inode), path.value)
    except FileNotFoundError:  # no further mapping
        pass
    finally:
        os.close(file)


def _listed():
    try:
        with open("/proc/self/maps", "rb", buffering=0) as file:
            pieces = []
            while not pieces or pieces[-1]:
                pieces.append(file.read(1 << 20))
    except OSError:
        return []
    text = b"".join(pieces)
    lines = {text.rfind(b"\n", 0, place.start()) + 1 for place in _LIKELY.finditer(text)}
    found = (_SHARED.match(text, begin) for begin in sorted(lines))
    return [_parsed(match) for match in found if match]


def _parsed(match):
    start, end, read, write, execute, offset, major, minor, inode, path = match.groups()
    protection = (read == b"r") | (write == b"w") << 1 | (execute == b"x") << 2
    identity = (os.makedev(int(major, 16), int(minor, 16)), int(inode))
    return _Mapping(int(start, 16), int(end, 16), protection, int(offset, 16), identity, path)

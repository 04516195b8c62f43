"""The files beneath a folder, as a snapshot records and restores them.

`scan` tells the host all entries, and later only what has changed; `read` returns contents in bounded pieces; `change` makes
single steps back to an earlier state. No link is followed, and nothing outside of the folder is touched."""

import os
import stat

from .files import Refused, open_folder, parts_of, sent, shown
from .places import FORKS

READ_LIMIT = 8 * 1024 * 1024
_PAGE = 4000
_DEEPEST = 128
_MOST = 1000000
_CLOCK_STEP_NS = 50_000_000
_PART = ".sandglass-part"
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Manifest:
    def __init__(self, root):
        self._root = root
        self._entries = {}  # path → identity of the entry
        self._fresh = set()  # changed so shortly before the last scan that a later change might go unnoticed
        self._token = 0

    def scan(self, base):
        """Messages with the changes since the scan of that token; 0: everything."""
        import gc
        import time

        limit = time.time_ns() - _CLOCK_STEP_NS
        if base != self._token or base == 0:
            self._entries, self._fresh = {}, set()
        old, fresh = self._entries, set()
        new, changed, problems = {}, [], []
        stack = [("", 0)]
        collects = gc.isenabled()
        gc.disable()  # a collection would go through the many tuples made here several times
        try:
            while stack:
                prefix, depth = stack.pop()
                try:
                    folders = self._list(prefix, limit, new, changed, fresh)
                except (OSError, Refused) as error:
                    problems.append([sent(prefix), getattr(error, "strerror", None) or str(error)])
                    continue
                if folders and (depth >= _DEEPEST or len(new) > _MOST):
                    problems += [[sent(path), "too deep, or too many files"] for path in folders]
                else:
                    stack += [(path + "/", depth + 1) for path in folders]
        finally:
            if collects:
                gc.enable()
        removed = [path for path in old if path not in new]
        self._entries, self._fresh = new, fresh
        self._token += 1
        return self._pages(changed, removed, problems, new)

    def _list(self, prefix, limit, new, changed, fresh):
        """Adds one folder's entries and returns its subfolders. Entries that vanish meanwhile are left out."""
        known, was_fresh, folders = self._entries.get, self._fresh, []
        fd = self._open(prefix.rstrip("/"))
        try:
            with os.scandir(fd) as entries:
                for entry in entries:
                    name = entry.name
                    try:
                        found = entry.stat(follow_symlinks=False)
                    except OSError:
                        continue
                    path = prefix + name
                    if path == FORKS:
                        continue
                    mode, ctime = found.st_mode, found.st_ctime_ns
                    key = (mode, found.st_size, found.st_mtime_ns, found.st_ino, ctime, found.st_nlink)
                    if known(path) != key or path in was_fresh:
                        if name == _PART:
                            continue
                        changed.append(path)
                    if ctime > limit:
                        fresh.add(path)
                    new[path] = key
                    if stat.S_ISDIR(mode):
                        folders.append(path)
        finally:
            os.close(fd)
        return folders

    def _open(self, path):
        return open_folder(self._root, parts_of(path) if path else ())

    def _pages(self, changed, removed, problems, entries):
        pages = []
        while True:
            page = {"token": self._token, "total": len(entries)}
            page["entries"] = [self._described(path, entries[path]) for path in changed[:_PAGE]]
            page["removed"] = [sent(path) for path in removed[:_PAGE]]
            page["problems"] = problems[:_PAGE]
            changed, removed, problems = changed[_PAGE:], removed[_PAGE:], problems[_PAGE:]
            page["more"] = bool(changed or removed or problems)
            pages.append(page)
            if not page["more"]:
                return pages

    def _described(self, path, key):
        mode, size, mtime_ns, inode, ctime_ns, links = key
        entry = [sent(path), _type(mode), stat.S_IMODE(mode), size, mtime_ns, inode, ctime_ns, links]
        if stat.S_ISLNK(mode):
            folder, _, name = path.rpartition("/")
            try:
                fd = self._open(folder)
                try:
                    entry.append(sent(os.readlink(name, dir_fd=fd)))
                finally:
                    os.close(fd)
            except (OSError, Refused):
                entry.append("")
        return entry

    def read(self, wanted):
        """Contents of [path, inode, offset, length]; bytes, or None where the file was replaced."""
        found, room = [], READ_LIMIT
        for path, inode, offset, length in wanted:
            data = self._content(path, inode, offset, min(length, room))
            found.append(data)
            room -= len(data) if data else 0
            if room <= 0:
                break
        return found

    def _content(self, path, inode, offset, length):
        parts = parts_of(path)
        try:
            folder = open_folder(self._root, parts[:-1])
            try:
                fd = os.open(parts[-1], _FILE, dir_fd=folder)
            finally:
                os.close(folder)
        except (OSError, Refused):
            return None
        try:
            found = os.fstat(fd)
            if found.st_ino != inode or not stat.S_ISREG(found.st_mode):
                return None
            return os.pread(fd, length, offset)
        except OSError:
            return None
        finally:
            os.close(fd)

    def change(self, steps):
        """Executes steps in order and returns their number. OSError or Refused at a step that fails."""
        for number, step in enumerate(steps):
            try:
                getattr(self, "_step_" + step[0])(*step[1:])
            except OSError as error:
                raise Refused("step %d, %s '%s': %s" % (number, step[0], shown(step[1]), error.strerror or error))
            except (AttributeError, TypeError, IndexError) as error:
                raise Refused("step %d is none that is known (%s)" % (number, error))
        return len(steps)

    def _beneath(self, path):
        parts = parts_of(path)
        return open_folder(self._root, parts[:-1]), parts[-1]

    def _step_remove(self, path):
        folder, name = self._beneath(path)
        try:
            try:
                os.unlink(name, dir_fd=folder)
            except IsADirectoryError:
                os.rmdir(name, dir_fd=folder)
        finally:
            os.close(folder)

    def _step_folder(self, path, mode):
        folder, name = self._beneath(path)
        try:
            os.mkdir(name, 0o700, dir_fd=folder)
            os.chmod(name, mode & 0o7777, dir_fd=folder)
        finally:
            os.close(folder)

    def _step_link(self, path, target):
        folder, name = self._beneath(path)
        try:
            os.symlink(target, name, dir_fd=folder)
        finally:
            os.close(folder)

    def _step_pipe(self, path, mode):
        folder, name = self._beneath(path)
        try:
            os.mkfifo(name, mode & 0o7777, dir_fd=folder)
        finally:
            os.close(folder)

    def _step_same(self, path, other):
        """Gives an existing file a second name."""
        folder, name = self._beneath(path)
        origin, old = self._beneath(other)
        try:
            os.link(old, name, src_dir_fd=origin, dst_dir_fd=folder, follow_symlinks=False)
        finally:
            os.close(folder)
            os.close(origin)

    def _step_write(self, path, offset, data, last, mode):
        """Writes to a temporary file, which gets the name with the last piece, so that no file is ever half written."""
        folder, name = self._beneath(path)
        part = os.fsencode(_PART)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | (os.O_TRUNC if offset == 0 else 0)
            fd = os.open(part, flags, 0o600, dir_fd=folder)
            try:
                view = memoryview(data)
                while view:
                    written = os.pwrite(fd, view, offset)
                    offset += written
                    view = view[written:]
                if last:
                    os.fchmod(fd, mode & 0o7777)
            finally:
                os.close(fd)
            if last:
                os.rename(part, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            try:
                os.unlink(part, dir_fd=folder)
            except OSError:
                pass
            raise
        finally:
            os.close(folder)

    def _step_mode(self, path, mode):
        folder, name = self._beneath(path)
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except PermissionError:  # a file that may not be read is changed through its path alone
            fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            try:
                os.chmod("/proc/self/fd/%d" % fd, mode & 0o7777)
            finally:
                os.close(fd)
                os.close(folder)
            return
        try:
            os.fchmod(fd, mode & 0o7777)
        finally:
            os.close(fd)
            os.close(folder)

    def _step_time(self, path, mtime_ns):
        folder, name = self._beneath(path)
        try:
            os.utime(name, ns=(mtime_ns, mtime_ns), dir_fd=folder, follow_symlinks=False)
        finally:
            os.close(folder)


def _type(mode):
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISFIFO(mode):
        return "pipe"
    return "socket" if stat.S_ISSOCK(mode) else "device"

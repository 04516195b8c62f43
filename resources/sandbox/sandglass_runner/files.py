"""Files beneath a few folders, for a host that cannot or must not touch them itself.

The code in the sandbox may change the tree at any moment: each part of a path is opened beneath the one before without
following links, and checks are made on the opened file."""

import errno
import os
import stat
import time

READ_LIMIT = 4 * 1024 * 1024
CHANGED = "changed"  # reason for a file that was replaced or written meanwhile
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_UPLOAD = ".sandglass-upload-"
_DEEPEST = 64
_MOST_UPLOADS = 16
_VISITED = 2000000  # names of one folder
_LISTED_BYTES = 16 * 1024 * 1024  # of paths in one answer
_CLOCK_STEP_NS = 50_000_000


class Refused(Exception):
    """The path is not one that may be touched; the text says why."""


class Files:
    def __init__(self, roots):
        # Resolved before any of the user's code runs; afterwards no link in these paths is followed.
        self._roots = {name: os.path.realpath(path) for name, path in roots.items()}
        self._uploads = {}
        self._empty = None  # (the folder that was last found empty, its state then)

    def list_files(self, root, limit, after=None, as_of=None):
        """One page, in the order of a walk. `after`: the last path of the page before; `as_of`: the time of the first page.
        Later changes are left out, or a thread that goes on writing would be listed for ever."""
        listing = _Listing(limit, as_of)
        self.root(root)
        try:
            folder = self._open_root(root)
        except FileNotFoundError:  # the code removed it, so there is nothing to list
            raise
        except (OSError, Refused) as error:
            return listing.told_of_no_folder(_reason_of(error))
        try:
            listing.walk(folder, "", 0, list(map(os.fsdecode, parts_of(after))) if after else [])
        finally:
            os.close(folder)
        return listing.told()

    @staticmethod
    def _make_again(path):
        try:
            os.mkdir(path, 0o755)
        except OSError:  # what it lies in is gone, or may not be written
            pass

    def has_any(self, root):
        """False where a listing of the folder would tell nothing: saves the host a request after each cell. A folder that the code
        has removed is made again, as the next code expects it.

        An unchanged folder that was empty is not read again. File systems record times only to some milliseconds, so a folder
        found empty right after a change is read again."""
        try:
            found = os.lstat(self._roots[root])
            state = (root, found.st_dev, found.st_ino, found.st_mtime_ns)
            if state == self._empty:
                return False
            folder = self._open_root(root)
        except KeyError:
            return False
        except FileNotFoundError:
            self._make_again(self._roots[root])
            return False
        except (OSError, Refused):
            return True  # a listing says why
        try:
            names = os.listdir(folder)
        finally:
            os.close(folder)
        is_settled = time.time_ns() - found.st_mtime_ns > _CLOCK_STEP_NS
        self._empty = state if not names and is_settled else None
        return bool(names)

    def read_file(self, root, path, offset, length, inode=None):
        fd, found = self._open_file(root, path, inode)
        try:
            data = os.pread(fd, min(length, READ_LIMIT), offset)
        finally:
            os.close(fd)
        return {
            "data": data,
            "offset": offset,
            "size": found.st_size,
            "inode": found.st_ino,
            "mtime_ns": found.st_mtime_ns,
            "end": offset + len(data) >= found.st_size or not data,
            "path": self._absolute(root, path),
        }

    def fetch_files(self, root, wanted):
        """Whole contents of [path, inode, size, mtime_ns]: bytes, or a text that says why there are none. Returns fewer than
        requested where they are long."""
        contents, room = [], READ_LIMIT
        with _Parents(self.root(root)) as parents:
            for path, inode, size, mtime_ns in wanted:
                if contents and size > room:
                    break
                contents.append(_whole(parents, path, (inode, size, mtime_ns)))
                room -= size
        return contents

    def remove_file(self, root, path, inode=None):
        folder, name = self._open_parent(root, path)
        try:
            _unlink(folder, name, path, inode)
        finally:
            os.close(folder)
        return {}

    def remove_files(self, root, wanted):
        """[index, reason] for those of [path, inode] that could not be removed."""
        kept = []
        with _Parents(self.root(root)) as parents:
            for number, (path, inode) in enumerate(wanted):
                try:
                    folder, name = parents.of(path)
                    _unlink(folder, name, path, inode)
                except (OSError, Refused) as error:
                    kept.append([number, _reason_of(error)])
        return kept

    def put_file(self, root, path, offset, data, last, mode=None):
        key = (root, parts_of(path))
        if offset == 0:
            self._begin(key, root, path)
        upload = self._uploads.get(key)
        if upload is None or upload["size"] != offset:
            raise Refused(
                "'%s': a chunk at %d where %d was due" % (shown(path), offset, upload["size"] if upload else 0)
            )
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(upload["fd"], view) :]
            upload["size"] += len(data)
            if last:
                self._finish(key, upload, mode)
        except OSError:
            self._abandon(key)
            raise
        return {"size": upload["size"], "path": self._absolute(root, path)}

    def discard(self, root, path):
        """Discards a file that is being written."""
        self._abandon((root, parts_of(path)))

    def _begin(self, key, root, path):
        self._abandon(key)
        if len(self._uploads) >= _MOST_UPLOADS:
            raise Refused("more than %d files are being written" % _MOST_UPLOADS)
        folder, name = self._open_parent(root, path, create=True)
        try:
            existing = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if reason_against(existing):
                os.close(folder)
                raise Refused("'%s' exists and is %s" % (shown(path), reason_against(existing)))
        except FileNotFoundError:
            pass
        temporary = _UPLOAD + os.urandom(8).hex()
        try:
            fd = os.open(
                temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644, dir_fd=folder
            )
        except OSError:
            os.close(folder)
            raise
        self._uploads[key] = {"fd": fd, "folder": folder, "temporary": temporary, "name": name, "size": 0}

    def _finish(self, key, upload, mode):
        if mode is None:
            mode = _mode_of(upload["folder"], upload["name"])  # a script stays executable
        if mode is not None:
            os.fchmod(upload["fd"], mode & 0o777)
        os.rename(upload["temporary"], upload["name"], src_dir_fd=upload["folder"], dst_dir_fd=upload["folder"])
        del self._uploads[key]
        os.close(upload["fd"])
        os.close(upload["folder"])

    def _abandon(self, key):
        upload = self._uploads.pop(key, None)
        if upload is None:
            return
        try:
            os.unlink(upload["temporary"], dir_fd=upload["folder"])
        except OSError:
            pass
        os.close(upload["fd"])
        os.close(upload["folder"])

    def abandon_all(self):
        for key in list(self._uploads):
            self._abandon(key)

    def _absolute(self, root, path):
        return sent(os.path.join(os.fsdecode(self._roots[root]), os.fsdecode(path)))

    def _open_root(self, root):
        path = self.root(root)
        try:
            return open_folder(path, ())
        except PermissionError:
            for each in sorted({self._roots.get("session", path), path}, key=len):
                _unlock(None, each)
            return open_folder(path, ())

    def root(self, root):
        path = self._roots.get(root)
        if path is None:
            raise Refused("there is no folder '%s' here; there are: %s" % (root, ", ".join(sorted(self._roots))))
        return path

    def _open_parent(self, root, path, create=False):
        parts = parts_of(path)
        folder = self._open_root(root)
        for part in parts[:-1]:
            folder = _step(folder, part, create)
        return folder, parts[-1]

    def _open_file(self, root, path, inode):
        folder, name = self._open_parent(root, path)
        try:
            fd = os.open(name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                raise Refused("'%s' is a link or no regular file" % shown(path))
            raise
        finally:
            os.close(folder)
        found = os.fstat(fd)
        reason = reason_against(found)
        if not reason and inode is not None and found.st_ino != inode:
            reason = "not the file that was listed"
        if reason:
            os.close(fd)
            raise Refused("'%s' is %s" % (shown(path), reason))
        return fd, found


class _Listing:
    """The content of one page of a listing."""

    def __init__(self, limit, as_of):
        self._limit = limit
        self._as_of = as_of
        self._began = time.time_ns()
        self._files, self._refused = [], []
        self._bytes = 0
        self._last = None
        self._is_full = self._is_cut = False

    def told(self):
        told = {"files": self._files, "refused": self._refused, "more": self._is_full or self._is_cut}
        told["as_of"] = self._as_of or self._began
        if self._is_full and self._last is not None:
            told["next"] = sent(self._last)
        return told

    def told_of_no_folder(self, reason):
        """What is listed where the folder itself is none that can be opened."""
        self._refuse("", reason, is_lost=True)
        return self.told()

    def walk(self, folder, prefix, depth, after):
        """`after`: the parts of a path that was listed before; nothing up to it is listed again."""
        for name in self._names(folder):
            if after:
                if name < after[0]:
                    continue
                if name == after[0] and len(after) == 1:
                    after = []
                    continue
            inner, after = (after[1:] if after and name == after[0] else []), []
            room = self._limit - len(self._files) - len(self._refused)
            self._is_full = self._is_full or room <= 0 or self._bytes >= _LISTED_BYTES
            if self._is_full:
                return
            if not name.startswith(_UPLOAD):
                self._tell(folder, name, prefix + name, depth, inner)

    def _names(self, folder):
        names = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(names) >= _VISITED:
                    self._is_cut = True
                    break
                names.append(entry.name)
        return sorted(names)

    def _tell(self, folder, name, path, depth, after):
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return  # it has vanished
        if stat.S_ISDIR(found.st_mode):
            self._walk_into(folder, name, path, depth, after, found)
            return
        if self._as_of is not None and found.st_ctime_ns > self._as_of:
            return
        if reason_against(found):
            self._refuse(path, reason_against(found), stat.S_ISREG(found.st_mode), found)
            return
        if not found.st_mode & stat.S_IRUSR:
            _unlock(folder, name)
        self._add(self._files, path, _described(path, found))

    def _walk_into(self, folder, name, path, depth, after, found):
        if depth >= _DEEPEST:
            self._refuse(path, "deeper than %d folders" % _DEEPEST, True, found)
            return
        try:
            if found.st_mode & stat.S_IRWXU != stat.S_IRWXU:
                _unlock(folder, name)
            inner = os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            self._refuse(path, error.strerror, True, found)
            return
        try:
            self.walk(inner, path + "/", depth + 1, after)
        finally:
            os.close(inner)

    def _refuse(self, path, reason, is_lost=False, found=None):
        """
        `is_lost`: it has content of the user's, which no one gets this way. Links and pipes have none of their own. The stamp
        differs where code made or changed it again.
        """
        entry = {"path": sent(path), "reason": reason, "lost": is_lost}
        if found is not None:
            entry["stamp"] = "%d.%d" % (found.st_ino, found.st_ctime_ns)
        self._add(self._refused, path, entry)

    def _add(self, where, path, entry):
        where.append(entry)
        self._bytes += len(path)
        self._last = path


class _Parents:
    """The parent folders of many files, one after the other: the last one stays open, as the next file is mostly there too."""

    def __init__(self, root):
        self._root = root
        self._parts, self._folder = None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._folder is not None:
            os.close(self._folder)

    def of(self, path):
        parts = parts_of(path)
        if parts[:-1] != self._parts:
            folder = open_folder(self._root, parts[:-1])
            self.__exit__()
            self._parts, self._folder = parts[:-1], folder
        return self._folder, parts[-1]


def _whole(parents, path, listed):
    """The content of a file listed with (inode, size, mtime_ns), or why there is none."""
    try:
        folder, name = parents.of(path)
        fd = os.open(name, _FILE, dir_fd=folder)
    except (OSError, Refused) as error:
        return _reason_of(error)
    try:
        reason = reason_against(os.fstat(fd))
        data = None if reason else os.pread(fd, min(listed[1], READ_LIMIT) + 1, 0)
        found = os.fstat(fd)  # taken after reading: earlier figures say nothing about what was read
    except OSError as error:
        return _reason_of(error)
    finally:
        os.close(fd)
    if not reason and ((found.st_ino, found.st_size, found.st_mtime_ns) != listed or len(data) != found.st_size):
        reason = CHANGED
    return reason or data


def _unlink(folder, name, path, inode):
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(found.st_mode):
        raise Refused("'%s' is a folder" % shown(path))
    if inode is not None and found.st_ino != inode:
        raise Refused("'%s' was replaced since it was listed" % shown(path))
    os.unlink(name, dir_fd=folder)


def _reason_of(error):
    return getattr(error, "strerror", None) or str(error)


def _mode_of(folder, name):
    """The mode of a regular file; None where there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return found.st_mode if stat.S_ISREG(found.st_mode) else None


def _unlock(folder, name):
    """Makes readable what the code, which runs as the same user, shut against itself. `folder`: a
    descriptor; None: `name` is absolute."""
    try:
        fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            mode = os.fstat(fd).st_mode
            wanted = stat.S_IRWXU if stat.S_ISDIR(mode) else stat.S_IRUSR if stat.S_ISREG(mode) else 0
            if mode & wanted != wanted:
                os.chmod("/proc/self/fd/%d" % fd, stat.S_IMODE(mode) | wanted)
        finally:
            os.close(fd)
    except OSError:
        pass  # it is another user's: opening it tells why not


def open_folder(root, parts):
    """Opens a folder beneath a resolved one, or that itself, without following links."""
    folder = os.open("/", _FOLDER)
    for part in tuple(os.fsencode(root).split(b"/")[1:] if root != "/" else ()) + tuple(parts):
        folder = _step(folder, part, False)
    return folder


def _step(folder, part, create):
    """The folder one part deeper; closes `folder`."""
    try:
        if create:
            try:
                os.mkdir(part, 0o755, dir_fd=folder)
            except FileExistsError:
                pass
        return os.open(part, _FOLDER, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise Refused("'%s' is a link or no folder" % shown(part))
        raise
    finally:
        os.close(folder)


def parts_of(path):
    raw = path if isinstance(path, bytes) else path.encode("utf-8", "surrogateescape")
    parts = tuple(raw.split(b"/"))
    if b"\0" in raw or any(p in (b"", b".", b"..") for p in parts):
        raise Refused("'%s' is not a relative path without '.', '..' and empty parts" % shown(path))
    return parts


def reason_against(found):
    """Why a file must not be listed or read; None for an ordinary file."""
    mode = found.st_mode
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    if not stat.S_ISREG(mode):
        return "a folder" if stat.S_ISDIR(mode) else "a device"
    if found.st_nlink != 1:
        return "a file with %d names" % found.st_nlink
    return None


def _described(path, found):
    return {
        "path": sent(path),
        "size": found.st_size,
        "mtime_ns": found.st_mtime_ns,
        "ctime_ns": found.st_ctime_ns,
        "inode": found.st_ino,
        "mode": stat.S_IMODE(found.st_mode),
    }


def sent(path):
    """Text where the name is UTF-8, else its bytes."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        return os.fsencode(path)


def shown(path):
    return path.decode("utf-8", "replace") if isinstance(path, bytes) else str(path)

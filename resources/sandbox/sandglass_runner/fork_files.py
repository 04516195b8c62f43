"""Folders of tasks that run beside each other: each sees the session's files as they were when its superstep began, changes
only its own, and is joined to the session's folder when it is done.

Small files are copied, large ones are lent: a link to the session's own file, which redirect.py replaces by a copy before Python
writes to it. No link is followed here, as the code may change all of it at any moment."""

import errno
import os
import stat

from .files import Refused, open_folder, parts_of, shown
from .places import FORKS

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_COPIED = 1 << 20  # bytes up to which a file is copied
_COPIED_IN_ALL = 32 << 20  # bytes of all files that are copied for one task, which count as the session's
_SHARE = 8  # at most one part in so many of the room that is left is filled with copies for one task
_PIECE = 1 << 20
_DEEPEST = 128
_MOST = 200000
_NAMED = 5
_VANISHED = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENOTDIR, errno.ENXIO)
_EARLIER = "a task of the superstep that was done before the run went on"


class Conflict(Exception):
    """What a task has left cannot be joined to what another one has left."""


class _Group:
    """The tasks of one superstep: what those that are joined have changed, and how it was before."""

    def __init__(self):
        self.joined = {}  # path → who
        self.before = {}  # path → its file in the folder of kept ones; None: there was none
        self.folders_before = set()  # folders that are there no more
        self.names = {}  # name → who set it


class _Fork:
    def __init__(self, group, who, path, names):
        self.group = group
        self.who = who
        self.path = path
        self.names = names  # the file to which it writes names that are kept
        self.kept = ()  # these names, once it has said so
        self.origin = {}  # path → the state of the session's entry when it was taken over
        self.taken = {}  # path → the state of its own entry at the beginning
        self.lent = set()
        self.is_joined = False


class _Moves:
    """Changes of names in the session's folder and beside it, which can be taken back: a join is done as a whole or not at all.
    No content is written but that of lent files."""

    def __init__(self, place):
        self._place = place
        self._back = []  # what takes each step back
        self._aside = []  # names in the place of what was replaced

    def rename(self, from_root, path, to_root, new_path):
        source, target = _folder_of(from_root, path), None
        try:
            target = _folder_of(to_root, new_path)
            os.rename(os.path.basename(path), os.path.basename(new_path), src_dir_fd=source, dst_dir_fd=target)
        finally:
            os.close(source)
            if target is not None:
                os.close(target)
        self._back.append(lambda: self._renamed_back(from_root, path, to_root, new_path))

    def _renamed_back(self, from_root, path, to_root, new_path):
        _Moves(self._place).rename(to_root, new_path, from_root, path)

    def clear(self, root, path):
        """Puts aside what lies at the path, if anything does."""
        name = b"aside-%d" % len(self._aside)
        try:
            self.rename(root, path, self._place, name)
        except FileNotFoundError:
            return
        self._aside.append(name)

    def make_folder(self, root, path):
        folder, name = _folder_of(root, path), os.path.basename(path)
        try:
            os.mkdir(name, 0o755, dir_fd=folder)
        except FileExistsError:
            return
        finally:
            os.close(folder)
        self._back.append(lambda: self._without_folder(root, path))

    def link(self, root, path, new_path):
        source, target = _folder_of(root, path), None
        try:
            target = _folder_of(root, new_path)
            os.link(os.path.basename(path), os.path.basename(new_path), src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        finally:
            os.close(source)
            if target is not None:
                os.close(target)
        self._back.append(lambda: self._without_file(root, new_path))

    def remove_folder(self, root, path):
        self.rename(root, path, self._place, b"aside-%d" % len(self._aside))
        self._aside.append(b"aside-%d" % len(self._aside))

    def _without_folder(self, root, path):
        folder = _folder_of(root, path)
        try:
            os.rmdir(os.path.basename(path), dir_fd=folder)
        finally:
            os.close(folder)

    def copy(self, source, root, path):
        folder, name = _folder_of(root, path), os.path.basename(path)
        try:
            self._back.append(lambda: self._without_file(root, path))  # a full disk leaves a part of it
            _copy_to(source, folder, name)
        finally:
            os.close(folder)

    def _without_file(self, root, path):
        folder = _folder_of(root, path)
        try:
            os.unlink(os.path.basename(path), dir_fd=folder)
        except FileNotFoundError:
            pass
        finally:
            os.close(folder)

    def note(self, action):
        self._back.append(action)

    def take_back(self):
        for action in reversed(self._back):
            try:
                action()
            except (OSError, Refused):  # the code changes its folders meanwhile
                pass

    def finish(self):
        for name in self._aside:
            _remove(os.path.join(os.fsencode(self._place), name))


def _folder_of(root, path):
    return open_folder(root, parts_of(path)[:-1])


class ForkFiles:
    """`roots`: the session's folders. The session's own must not be changed by others than the joined tasks meanwhile: where it
    is, the path counts as written by two."""

    def __init__(self, roots):
        self._session = os.path.realpath(roots["session"])
        self._apart = {}  # path in the session → what a task finds in its place: an own folder (None), or a link there
        for root, target in (("artifacts", None), ("data", roots.get("data"))):
            path = os.path.realpath(roots.get(root) or "/")
            if path.startswith(self._session + "/"):
                self._apart[os.fsencode(path[len(self._session) + 1 :])] = None if target is None else path
        self._place = os.path.join(self._session, FORKS)
        self._groups = {}
        self._forks = {}
        self._kept = 0  # files that were kept as they were before a task was joined
        self._is_made = False
        self.artifacts = next((path for path, target in self._apart.items() if target is None), None)

    def path_of(self, identifier):
        return self._forks[identifier].path

    def note_kept(self, identifier, names):
        self._forks[identifier].kept = tuple(names)

    def begin(self, identifier, group, who, without):
        """Makes the folder of a task; returns (its path, the file for its names). `without`: paths that other tasks of its
        superstep have made, in an earlier run."""
        self._make_place()
        if group not in self._groups and not self._forks:
            self._forget_groups()
        found = self._groups.setdefault(group, _Group())
        for path in without:
            found.joined.setdefault(os.fsencode(path), _EARLIER)
        path = os.path.join(self._place, str(identifier))
        fork = _Fork(found, who, path, path + ".names")
        os.mkdir(path, 0o700)
        self._forks[identifier] = fork
        try:
            _Taking(self, fork).take_all()
        except (OSError, Refused) as error:
            self.discard(identifier)
            raise Refused(
                "%s cannot run beside others: it cannot be given the session's files (%s). Say \"parallel\": \"serial\" in the node, "
                "or keep fewer files in the session" % (who, getattr(error, "strerror", None) or error)
            )
        return path, fork.names

    def _forget_groups(self):
        for group in self._groups.values():
            for kept in group.before.values():
                if kept is not None:
                    _remove(os.path.join(self._place, kept))
        self._groups = {}

    def shared(self):
        """Paths in the session's folder that all tasks share."""
        return [os.fsdecode(path) for path, target in self._apart.items() if target is not None]

    def place_of_session(self):
        return self._session

    def session(self, parts=()):
        return open_folder(self._session, parts)

    def apart(self, path):
        return self._apart.get(path, False)

    def kept_of(self, group):
        """[(path, file)] of what the session had where joined tasks have changed it."""
        return [(path, os.path.join(self._place, kept)) for path, kept in group.before.items() if kept is not None]

    def folders_before(self, group):
        return sorted(group.folders_before)

    def _make_place(self):
        if not self._is_made:
            _remove(self._place)  # an earlier runner may have left it in a folder that stays
            self._is_made = True
        try:
            os.mkdir(self._place, 0o700)
        except FileExistsError:
            pass

    def discard(self, identifier):
        """Called when the task is joined, or will not be."""
        fork = self._forks.pop(identifier, None)
        if fork is None:
            return
        if not fork.is_joined:
            names = fork.group.names
            fork.group.names = {name: who for name, who in names.items() if who is not fork}
        _remove(fork.path)
        _remove(fork.names)
        try:
            os.rmdir(self._place)  # once nothing is in it any more: people see the session's folder
        except OSError:
            pass

    def discard_all(self):
        for identifier in list(self._forks):
            self.discard(identifier)

    # --- names ---

    def claim_names(self, identifier):
        """Conflict where another task of the superstep has set one of the same names. Returns the file of its names."""
        fork = self._fork(identifier)
        taken = fork.group.names
        both = sorted(name for name in fork.kept if taken.get(name, fork) is not fork)
        if both:
            raise Conflict(
                "%s set the name%s %s, which %s of the same superstep set too. Return the values to the state, or let one of "
                "them keep names"
                % (fork.who, "s" if len(both) > 1 else "", _listed(both), taken[both[0]].who)
            )
        taken.update(dict.fromkeys(fork.kept, fork))
        return fork.names

    # --- joining ---

    def join(self, identifier):
        """Brings what the task has changed into the session's folder. Conflict, with nothing changed, where it cannot.
        Returns (how many paths have changed, whether it has left artifacts)."""
        fork = self._fork(identifier)
        moves = _Moves(self._place)
        try:
            found = _Changes(fork, self)
            self._check(fork, found)
            artifacts = self._join_all(moves, fork, found)
        except (OSError, Refused) as error:
            moves.take_back()
            why = getattr(error, "strerror", None) or error
            raise Refused("the files of %s cannot be joined to the session's, which are as they were: %s" % (fork.who, why))
        except BaseException:
            moves.take_back()
            raise
        moves.finish()
        for path in found.written | found.removed | found.folders:
            fork.group.joined.setdefault(path, fork.who)
        fork.is_joined = True
        return len(found.written) + len(found.removed) + len(found.folders), artifacts

    def _join_all(self, moves, fork, found):
        for path in sorted(found.removed, key=len, reverse=True):
            self._join_removal(moves, fork, path)
        for path in sorted(found.changed_kind()):
            self._join_removal(moves, fork, path)
        for path in sorted(found.folders):
            moves.make_folder(self._session, path)
        for path in sorted(found.written):
            self._join_file(moves, fork, path, found.twin_of(path))
        return self.artifacts is not None and self._join_artifacts(moves, fork)

    def _fork(self, identifier):
        fork = self._forks.get(identifier)
        if fork is None:
            raise Refused("there is no task %d to be joined" % identifier)
        return fork

    def _check(self, fork, found):
        self._check_folders(fork, found)
        for path in sorted(found.written | found.removed | found.folders):
            now = self._state(path)
            if now == fork.origin.get(path) or (path in found.folders and now is not None and now[0] == stat.S_IFDIR):
                continue
            if path in found.removed and now is None:
                continue
            who = fork.group.joined.get(path)
            raise Conflict(
                "'%s' was written by %s and by %s: tasks of one superstep cannot write the same path. Give each a path of its own, "
                "or say \"parallel\": \"serial\"" % (shown(path), who or "something else in the session", fork.who)
            )
        for path in sorted(fork.lent):
            if path not in found.written | found.removed and self._state(path) != fork.origin[path] and path not in fork.group.joined:
                raise Conflict(
                    "'%s' was changed in place while %s ran, by code that is not Python's own (a C library or a program), which all "
                    "tasks of the superstep see" % (shown(path), fork.who)
                )

    def _check_folders(self, fork, found):
        """What is written needs its folder; a folder that becomes a file must be empty then."""
        for path in sorted({os.path.dirname(each) for each in found.written | found.folders} - found.folders - {b""}):
            now = self._state(path)
            if now is None or now[0] != stat.S_IFDIR:
                who = fork.group.joined.get(path) or "something else in the session"
                raise Conflict("%s wrote files in '%s', a folder that %s has removed" % (fork.who, shown(path), who))
        for folder in found.changed_kind() & found.written:
            for path, who in fork.group.joined.items():
                if path.startswith(folder + b"/") and self._state(path) is not None:
                    raise Conflict("%s made a file of '%s', a folder in which %s wrote '%s'" % (fork.who, shown(folder), who, shown(path)))

    def _state(self, path):
        try:
            folder = self.session(parts_of(path)[:-1])
        except (OSError, Refused):
            return None
        try:
            return state_of(os.lstat(os.path.basename(path), dir_fd=folder))
        except OSError:
            return None
        finally:
            os.close(folder)

    def _keep(self, moves, fork, path):
        """Tasks of the superstep that begin later find the file as it was."""
        before = fork.group.before
        if path not in before:
            before[path] = None
            moves.note(lambda: before.pop(path, None))
            if fork.origin.get(path) is not None and fork.origin[path][0] == stat.S_IFREG:
                self._kept += 1
                kept = "kept-%d" % self._kept
                moves.rename(self._session, path, self._place, os.fsencode(kept))
                before[path] = kept
                return
        moves.clear(self._session, path)

    def _join_file(self, moves, fork, path, twin):
        """`twin`: the unchanged file of the session of which this is another name."""
        self._keep(moves, fork, path)
        if twin is not None:
            moves.link(self._session, twin, path)
            return
        own = _folder_of(fork.path, path)
        try:
            lent = self._lent_elsewhere(fork, own, os.path.basename(path))
        finally:
            os.close(own)
        if lent is None:
            moves.rename(fork.path, path, self._session, path)
        else:
            moves.copy(lent, self._session, path)

    def _lent_elsewhere(self, fork, own, name):
        """The session's file to which a lent link leads that a program has moved; None for anything else."""
        try:
            target = os.readlink(name, dir_fd=own)
        except OSError:
            return None
        path = target[len(os.fsencode(self._session)) + 1 :]
        if path not in fork.lent or target != os.fsencode(self._session) + b"/" + path:
            return None
        kept = fork.group.before.get(path)
        return os.path.join(self._place, kept) if kept else target

    def _join_removal(self, moves, fork, path):
        if fork.origin[path][0] != stat.S_IFDIR:
            self._keep(moves, fork, path)
            return
        if self._is_empty(path):  # else another task wrote into it, and it stays
            moves.remove_folder(self._session, path)
            folders_before = fork.group.folders_before
            folders_before.add(path)
            moves.note(lambda: folders_before.discard(path))

    def _is_empty(self, path):
        try:
            folder = self.session(parts_of(path))
        except (OSError, Refused):
            return False
        try:
            return not os.listdir(folder)
        finally:
            os.close(folder)

    def _join_artifacts(self, moves, fork):
        """Returns whether there was a file among them."""
        try:
            os.close(open_folder(fork.path, parts_of(self.artifacts)))
        except (OSError, Refused):
            return False
        moves.make_folder(self._session, self.artifacts)
        return self._move_artifacts(moves, fork, self.artifacts, 0)

    def _move_artifacts(self, moves, fork, prefix, depth):
        if depth > _DEEPEST:
            raise Refused("'%s' lies more than %d folders deep" % (shown(prefix), _DEEPEST))
        own, moved = open_folder(fork.path, parts_of(prefix)), False
        try:
            names = {}
            for name in map(os.fsencode, os.listdir(own)):
                found = os.lstat(name, dir_fd=own)
                names[name] = found.st_mode
                if stat.S_ISDIR(found.st_mode):
                    _open_up(own, name, found)
        finally:
            os.close(own)
        for name, mode in names.items():
            path = prefix + b"/" + name
            if stat.S_ISDIR(mode):
                moves.make_folder(self._session, path)
                moved = self._move_artifacts(moves, fork, path, depth + 1) or moved
            else:
                moves.clear(self._session, path)
                moves.rename(fork.path, path, self._session, path)
                moved = True
        return moved


class _Taking:
    """Fills a task's folder with the session's files."""

    def __init__(self, files, fork):
        self._files = files
        self._fork = fork
        self._room = min(_COPIED_IN_ALL, _free(files.place_of_session()) // _SHARE)
        self._session = os.fsencode(files.place_of_session())
        self._names = {}  # {a file that has several names: the first of them}

    def take_all(self):
        source, own = self._files.session(), os.open(self._fork.path, _FOLDER)
        try:
            self._folder(source, own, b"", 0)
        finally:
            os.close(source)
            os.close(own)
        for path in self._files.folders_before(self._fork.group):
            os.makedirs(os.path.join(os.fsencode(self._fork.path), path), exist_ok=True)
            self._fork.origin[path] = self._fork.taken[path] = (stat.S_IFDIR,)
        for path, kept in self._files.kept_of(self._fork.group):
            self._take_kept(path, kept)

    def _folder(self, source, own, prefix, depth):
        with os.scandir(source) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                path = prefix + name
                if not prefix and entry.name == FORKS:
                    continue
                if len(self._fork.taken) >= _MOST:
                    raise Refused("the session has more than %d files" % _MOST)
                apart = self._files.apart(path)
                try:
                    if apart is None:
                        os.mkdir(name, 0o755, dir_fd=own)
                    elif apart:
                        os.symlink(apart, name, dir_fd=own)
                    if apart is False:
                        self._entry(source, own, path, name, depth)
                except OSError as error:
                    if error.errno not in _VANISHED:  # such as a full disk: a part of a file is worse than none
                        raise

    def _entry(self, source, own, path, name, depth):
        if path in self._fork.group.joined:
            return
        found = os.lstat(name, dir_fd=source)
        if stat.S_ISDIR(found.st_mode):
            self._subfolder(source, own, path, name, found, depth)
        elif stat.S_ISREG(found.st_mode):
            self._file(source, own, path, name, found)
        elif stat.S_ISLNK(found.st_mode):
            os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=own)
        elif stat.S_ISFIFO(found.st_mode):
            os.mkfifo(name, stat.S_IMODE(found.st_mode), dir_fd=own)
        else:
            return
        self._fork.origin[path] = state_of(found)
        self._fork.taken[path] = state_of(os.lstat(name, dir_fd=own))

    def _subfolder(self, source, own, path, name, found, depth):
        if depth >= _DEEPEST:
            raise Refused("'%s' lies more than %d folders deep" % (shown(path), _DEEPEST))
        os.mkdir(name, stat.S_IMODE(found.st_mode) | 0o700, dir_fd=own)
        below, made = os.open(name, _FOLDER, dir_fd=source), os.open(name, _FOLDER, dir_fd=own)
        try:
            self._folder(below, made, path + b"/", depth + 1)
        finally:
            os.close(below)
            os.close(made)

    def _file(self, source, own, path, name, found):
        if found.st_nlink > 1 and self._is_linked(own, path, name, found):
            return
        if found.st_size > min(_COPIED, self._room):
            os.symlink(self._session + b"/" + path, name, dir_fd=own)
            self._fork.lent.add(path)
            return
        self._room -= found.st_size
        fd = os.open(name, _FILE, dir_fd=source)
        try:
            _copy_to(fd, own, name)
        finally:
            os.close(fd)

    def _is_linked(self, own, path, name, found):
        """Makes another name of a file that was taken by its first one, as it is in the session."""
        first = self._names.setdefault((found.st_dev, found.st_ino), path)
        if first == path or first in self._fork.lent or self._fork.origin.get(first) != state_of(found):
            return False
        folder = _folder_of(self._fork.path, first)
        try:
            os.link(os.path.basename(first), name, src_dir_fd=folder, dst_dir_fd=own, follow_symlinks=False)
        finally:
            os.close(folder)
        return True

    def _take_kept(self, path, kept):
        parts, name = parts_of(path), os.path.basename(path)
        try:
            own = open_folder(self._fork.path, parts[:-1])
        except (OSError, Refused):
            return
        try:
            _copy_to(kept, own, name)
            self._fork.origin[path] = self._fork.taken[path] = state_of(os.lstat(name, dir_fd=own))
        finally:
            os.close(own)


class _Changes:
    """What a task has changed in its folder: paths that it has `written` (files, links, pipes), new `folders`, `removed` paths."""

    def __init__(self, fork, files):
        self.written, self.folders, self._seen = set(), set(), set()
        self._unchanged, self._inodes = {}, {}  # of files with several names: {inode: path} and {written path: inode}
        self._fork, self._files = fork, files
        try:
            own = os.open(fork.path, _FOLDER)
        except OSError:
            raise Refused("the task's folder is gone")
        try:
            self._folder(own, b"", 0)
        finally:
            os.close(own)
        self.removed = set(fork.taken) - self._seen

    def twin_of(self, path):
        return self._unchanged.get(self._inodes.get(path))

    def changed_kind(self):
        """Paths that were a folder and are none now, or the other way round."""
        origin, folder = self._fork.origin, stat.S_IFDIR
        return {path for path in self.written if (origin.get(path) or (0,))[0] == folder} | {
            path for path in self.folders if (origin.get(path) or (folder,))[0] != folder
        }

    def _folder(self, own, prefix, depth):
        with os.scandir(own) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                path = prefix + name
                if self._files.apart(path) is not False:
                    continue
                try:
                    found = os.lstat(name, dir_fd=own)
                except OSError:
                    continue
                now = state_of(found)
                if now[0] == stat.S_IFSOCK:
                    continue
                self._seen.add(path)
                if now != self._fork.taken.get(path):
                    (self.folders if now[0] == stat.S_IFDIR else self.written).add(path)
                    if found.st_nlink > 1 and now[0] == stat.S_IFREG:
                        self._inodes[path] = found.st_ino
                elif found.st_nlink > 1 and now[0] == stat.S_IFREG:
                    self._unchanged[found.st_ino] = path
                if now[0] == stat.S_IFDIR:
                    if depth >= _DEEPEST:
                        raise Refused("'%s' lies more than %d folders deep" % (shown(path), _DEEPEST))
                    _open_up(own, name, found)
                    below = os.open(name, _FOLDER, dir_fd=own)
                    try:
                        self._folder(below, path + b"/", depth + 1)
                    finally:
                        os.close(below)


def state_of(found):
    """What differs once an entry was written or replaced."""
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFDIR:
        return (kind,)
    return (kind, stat.S_IMODE(found.st_mode), found.st_ino, found.st_size, found.st_mtime_ns)


def _open_up(own, name, found):
    """A task may have closed a folder of its own even to itself."""
    if found.st_mode & 0o700 != 0o700:
        os.chmod(name, stat.S_IMODE(found.st_mode) | 0o700, dir_fd=own)


def _copy_to(source, folder, name):
    """Copies a file (an open one, or a path) with its mode and time to a new one in an open folder."""
    fd = source if isinstance(source, int) else os.open(source, _FILE)
    try:
        found = os.fstat(fd)
        made = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
        try:
            while True:
                data = os.read(fd, _PIECE)
                if not data:
                    break
                while data:
                    data = data[os.write(made, data) :]
            os.fchmod(made, stat.S_IMODE(found.st_mode))
            os.utime(made, ns=(found.st_atime_ns, found.st_mtime_ns))
        finally:
            os.close(made)
    finally:
        if fd is not source:
            os.close(fd)


def _remove(path):
    """Removes a file or a folder with all that it holds, as far as that is possible."""
    try:
        os.unlink(path)
        return
    except FileNotFoundError:
        return
    except OSError:
        pass
    try:
        os.chmod(path, 0o700)
        folder = os.open(path, _FOLDER)
    except OSError:
        return
    try:
        for _ in range(_MOST):
            if not _empty(folder, 0, folder):
                break
    finally:
        os.close(folder)
    try:
        os.rmdir(path)
    except OSError:
        pass


def _empty(folder, depth, top):
    """What lies too deep is moved to the top; returns whether something was."""
    is_moved = False
    for name in map(os.fsencode, os.listdir(folder)):
        try:
            os.unlink(name, dir_fd=folder)
            continue
        except OSError:
            pass
        try:
            _open_up(folder, name, os.lstat(name, dir_fd=folder))
            if depth >= _DEEPEST:
                os.rename(name, b"deep-" + os.urandom(8).hex().encode(), src_dir_fd=folder, dst_dir_fd=top)
                is_moved = True
                continue
            below = os.open(name, _FOLDER, dir_fd=folder)
        except OSError:
            continue
        try:
            is_moved = _empty(below, depth + 1, top) or is_moved
        finally:
            os.close(below)
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            pass
    return is_moved


def _free(folder):
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize


def _listed(names):
    text = ", ".join("'%s'" % name for name in names[:_NAMED])
    return text + (" and %d more" % (len(names) - _NAMED) if len(names) > _NAMED else "")

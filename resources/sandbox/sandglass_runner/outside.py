"""What the code may write to beside the session's folder, which no snapshot has: how it was, and what is different since.

A copy that wakes finds these places as they are by then, so it is said what of them is not as it was."""

import os
import stat

_MOST = 500  # entries: a look must cost less than the copy that is made meanwhile
_DEEPEST = 16
_MOST_TOLD = 100
_OWN = ("matplotlib",)  # in /tmp: what libraries keep there for the runner, and make again
_KINDS = {stat.S_IFDIR: "folder", stat.S_IFLNK: "link", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
_SYSTEM_V = (("shm", "shared memory"), ("sem", "semaphore"), ("msg", "queue"))

_folders = []


def watch(text):
    """`text`: absolute folders, separated by colons."""
    _folders[:] = [path for path in text.split(":") if path.startswith("/")]


def mark():
    """{(kind, name): state}; None where there is more than can be compared, or nothing is watched."""
    if not _folders:
        return None
    found = {}
    for folder in _folders:
        if not _look(folder, found, 0, _OWN):
            return None
    for file, kind in _SYSTEM_V:
        _look_at_objects(file, kind, found)
    return found


def differences(before):
    """[{kind, name}] of what is not as it was; `before` is a mark."""
    if not _folders:
        return []
    now = mark()
    if before is None or now is None:
        many = "more than %d files, which are not compared" % _MOST
        return [{"kind": "folder", "name": "%s (%s)" % (" or ".join(_folders), many)}]
    told = [_told(key, "new") for key in now if key not in before]
    told += [_told(key, "changed") for key, state in now.items() if before.get(key, state) != state]
    told += [_told(key, "gone") for key in before if key not in now]
    rest = len(told) - _MOST_TOLD
    return told[:_MOST_TOLD] + ([{"kind": "file", "name": "and %d more" % rest}] if rest > 0 else [])


def _told(key, how):
    kind, name = key
    return {"kind": kind, "name": "%s (%s)" % (name.encode("utf-8", "backslashreplace").decode(), how)}


def _look(folder, found, depth, without=()):
    """False: there is too much."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in without:
                    continue
                if len(found) >= _MOST or depth >= _DEEPEST:
                    return False
                state = entry.stat(follow_symlinks=False)
                kind = _KINDS.get(stat.S_IFMT(state.st_mode), "file")
                key = (state.st_ino, state.st_mode)
                if kind != "folder":  # of which the entries tell
                    key += (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
                found[(kind, entry.path)] = key
                if kind == "folder" and not _look(entry.path, found, depth + 1):
                    return False
    except OSError:  # there is no such folder, or it has just gone, or the code has shut it
        pass
    return True


def _look_at_objects(file, kind, found):
    """Objects of System V, each a row: key, identifier, … and last the time of its last change."""
    try:
        with open("/proc/sysvipc/" + file, "rb", buffering=0) as rows:
            lines = rows.read(65536).splitlines()
    except OSError:
        return
    columns = lines[0].split() if lines else []
    for line in lines[1:]:
        values = dict(zip(columns, line.split()))
        found[(kind, values.get(file.encode() + b"id", b"?").decode())] = values.get(b"ctime"), values.get(b"key")

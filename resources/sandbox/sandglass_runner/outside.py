"""What the code may write to beside the session's folder, which no snapshot has: how it was, and what is different since.

A copy that wakes, and names that are read back, find these places as they are by then, so it is said what of them is not as it
was. For stored names a shorter mark is written out before them, as a record of the stream in stored_names.py:
    {"kind": "outside", "entries": [[kind, name, state], …], "more": entries that are not listed, or null: too many to count}"""

import os
import stat

from .codec import pack

_MOST = 500  # entries: a look must cost less than the copy that is made meanwhile
_DEEPEST = 16
_MOST_TOLD = 100
_MOST_STORED = 100  # entries of a stored mark, which is a part of each snapshot
_MOST_STORED_BYTES = 16384  # of their names
_STAGED = "/data/"  # the host stages datasets there again
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
        return [_too_many()]
    told = [_told(key, "new") for key in now if key not in before]
    told += [_told(key, "changed") for key, state in now.items() if before.get(key, state) != state]
    told += [_told(key, "gone") for key in before if key not in now]
    return _bounded(told)


def stored(before):
    """A mark as it is written out; None where nothing is watched."""
    if not _folders:
        return None
    if before is None:
        return {"entries": [], "more": None}
    entries, size = [], 0
    kept = _comparable(before)
    for (kind, name), state in kept.items():
        size += len(name)
        if len(entries) == _MOST_STORED or size > _MOST_STORED_BYTES:
            break
        entries.append([kind, name, state])
    return {"entries": entries, "more": len(kept) - len(entries)}


def record(before):
    """A mark as the first record of a stream of names; b"" where nothing is watched."""
    found = stored(before)
    if found is None:
        return b""
    data = pack(dict(found, kind="outside"))
    return len(data).to_bytes(4, "big") + data


def differences_to_stored(before):
    """[{kind, name}] of what is not as it was; `before` is one that stored() gave, or anything that code put in its place."""
    if not _folders:
        return []
    more, entries, now = before.get("more"), before.get("entries"), mark()
    if type(more) is not int or now is None or not isinstance(entries, list):
        return [_too_many()]
    found = _comparable(now)
    known = {(e[0], e[1]): e[2] for e in entries if type(e) is list and len(e) == 3 and type(e[0]) is type(e[1]) is str}
    told = [_told(key, "new") for key in found if key not in known] if more == 0 else []
    told += [_told(key, "changed") for key, state in found.items() if known.get(key, state) != state]
    told += [_told(key, "gone") for key in known if key not in found]
    return _bounded(told) + ([{"kind": "file", "name": "and %d more, which are not compared" % more}] if more > 0 else [])


def _bounded(told):
    rest = len(told) - _MOST_TOLD
    return told[:_MOST_TOLD] + ([{"kind": "file", "name": "and %d more" % rest}] if rest > 0 else [])


def _comparable(marked):
    """{(kind, name as it is told): number that stands for its state}, without what is staged again."""
    return {
        (kind, _shown(name)): hash(tuple(int(part or 0) for part in state)) & 0x7FFFFFFF
        for (kind, name), state in marked.items()
        if not name.startswith(_STAGED)
    }


def _too_many():
    return {"kind": "folder", "name": "%s (more than %d files, which are not compared)" % (" or ".join(_folders), _MOST)}


def _shown(name):
    return name.encode("utf-8", "backslashreplace").decode()


def _told(key, how):
    kind, name = key
    return {"kind": kind, "name": "%s (%s)" % (_shown(name), how)}


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

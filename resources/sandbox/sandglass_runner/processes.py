"""The sandbox's processes, read from /proc: who descends from the supervisor, what they use, and how they are ended."""

import os
import time
from _signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_LOOKS = 3
LAST_FOR_OOM_KILL = 300  # of what can be ended for memory: the supervisor is none of it


def _stat(pid):
    """The fields of /proc/PID/stat from the state on; None when the process is gone."""
    try:
        with open("/proc/%s/stat" % pid, "rb", buffering=0) as file:
            data = file.read(1024)
    except OSError:
        return None
    return data[data.rfind(b")") + 2 :].split()


def descendants(root):
    """{pid: stat fields} of every live process beneath `root`. Ended ones that wait to be reaped are left out."""
    children = {}
    stats = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        fields = _stat(name)
        if fields and len(fields) > 21:
            pid = int(name)
            stats[pid] = fields
            children.setdefault(int(fields[1]), []).append(pid)
    found = {}
    waiting = list(children.get(root, ()))
    while waiting:
        pid = waiting.pop()
        if pid in found:
            continue
        waiting.extend(children.get(pid, ()))
        if stats[pid][0] not in (b"Z", b"X"):
            found[pid] = stats[pid]
    return found


def is_descendant(pid, root):
    """Also of one whose parent is ending just now: the kernel gives it another, beneath `root` too."""
    for _ in range(_LOOKS):
        at = pid
        while at > 1 and at != root:
            fields = _stat(at)
            if not fields:
                break
            at = int(fields[1])
        else:
            return at == root
        if at == pid:
            return False
    return False


def kill_all(root, reap, patience=20.0, spared=()):
    """Ends everything beneath `root`, which is this process, but for the spared. True when none is left.

    As process 1 one call reaches all others of the namespace at once."""
    if root == 1:
        _signal_all((-1,), SIGSTOP if spared else SIGKILL)
    done = _kill(lambda: _without(descendants(root), spared), reap, patience)
    if root == 1 and spared:
        _signal_all(spared, SIGCONT)
    return done


def end_idle(pid, spared):
    """Kills a child of this process that does nothing, without waiting for its end, where there is nothing else to end.

    It never runs again, however long its memory takes to be given back. False: there is something else."""
    try:
        if _children_of(os.getpid()) - spared != {pid} or _children_of(pid):
            return False
        fields = _stat(pid)
        if not fields or int(fields[17]) != 1:
            return False
        os.kill(pid, SIGKILL)
        return True
    except (OSError, IndexError, ValueError):
        return False


def _children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid), "rb", buffering=0) as file:
        return {int(child) for child in file.read(65536).split()}


def stand_still(root):
    """Stops all beneath a process. Those that were stopped."""
    found = tuple(descendants(root))
    _signal_all(found, SIGSTOP)
    return found


def go_on(pids):
    _signal_all(pids, SIGCONT)


def interrupt(pid):
    _signal_all([pid], SIGINT)


def interrupt_since(root, ticks, leader, spared):
    """What Ctrl-C does: SIGINT to a process and to what it started in its group since a moment, no older helpers.

    The spared are about to leave its group."""
    started = _without(_started(root, ticks), spared)
    found = [pid for pid, f in started.items() if int(f[2]) == leader and pid != leader]
    _signal_all([leader] + found, SIGINT)
    _signal_all([leader] + found, SIGCONT)


def kill_since(root, ticks, spared, reap, patience=5.0):
    """Ends what was started beneath `root` since a moment of `now_in_ticks`, but for the spared processes."""
    return _kill(lambda: _without(_started(root, ticks), spared), reap, patience)


def _without(found, spared):
    return {pid: fields for pid, fields in found.items() if pid not in spared}


def _started(root, ticks):
    return {pid: fields for pid, fields in descendants(root).items() if int(fields[19]) >= ticks}


def now_in_ticks():
    """The clock in which /proc tells when a process was started."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * _TICKS)


def _kill(search, reap, patience):
    """They are stopped before they are ended, so that a fork bomb of a limited size cannot outrun the search."""
    end = time.monotonic() + patience
    stopped = set()
    while time.monotonic() < end:
        found = search()
        if not found:
            reap()
            return True
        fresh = [pid for pid in found if pid not in stopped]
        if fresh and len(found) > 1:
            _signal_all(fresh, SIGSTOP)
            stopped.update(fresh)
            continue
        _signal_all(found, SIGKILL)
        reap()
        time.sleep(0.001)
    return not search()


def _signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def usage(root, without=()):
    """CPU time, memory, counts, without what only sleeps. CPU includes ended processes, whose time the kernel adds to who waited for them."""
    found = _without(descendants(root), without)
    own = _stat(root)
    if own:
        found[root] = own
    ticks = rss = threads = fds = 0
    for pid, fields in found.items():
        ticks += sum(int(f) for f in fields[11:15])
        threads += int(fields[17])
        rss += int(fields[21])
        try:
            fds += len(os.listdir("/proc/%d/fd" % pid))
        except OSError:
            pass
    return {
        "cpu_seconds": ticks / _TICKS,
        "rss": rss * _PAGE,
        "processes": len(found),
        "threads": threads,
        "fds": fds,
    }


def listed(root, without, limit):
    """What runs, as a person wants to see it: the heaviest first where there are more than `limit`."""
    found = _without(descendants(root), without)
    own = _stat(root)
    if own:
        found[root] = own
    rows = []
    for pid, fields in found.items():
        try:
            command = _text("/proc/%d/cmdline" % pid).rstrip(b"\0").replace(b"\0", b" ")
            command = command or b"[" + _text("/proc/%d/comm" % pid).strip() + b"]"
        except OSError:  # it ended just now
            continue
        rows.append(
            {
                "pid": pid,
                "parent": int(fields[1]),
                "state": fields[0].decode("ascii", "replace"),
                "cpu_seconds": sum(int(f) for f in fields[11:13]) / _TICKS,
                "rss": int(fields[21]) * _PAGE,
                "threads": int(fields[17]),
                "command": command[:1000].decode("utf-8", "replace"),
            }
        )
    rows.sort(key=lambda row: -row["rss"])
    return {"processes": rows[: max(0, limit)], "total": len(rows)}


def set_oom_score(score, pid="self"):
    """How soon the kernel ends a process where memory runs out. It may refuse it: lower than it was before, or another's."""
    try:
        fd = os.open("/proc/%s/oom_score_adj" % pid, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, b"%d" % score)
    except OSError:
        pass
    finally:
        os.close(fd)


def oom_kills():
    """How often the kernel ended something for memory in this control group; None where that cannot be read."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            for line in _text(path).splitlines():
                words = line.split()
                if len(words) == 2 and words[0] == b"oom_kill":
                    return int(words[1])
        except (OSError, ValueError):
            pass
    return None


def group_memory():
    """{used, limit} in bytes of this control group, without what the kernel could give up; None where there is no limit."""
    for folder, current, most, inactive in _MEMORY_FILES:
        try:
            used = _number(folder + current)
            limit = _number(folder + most)
            for line in _text(folder + "memory.stat").splitlines():
                if line.startswith(inactive):
                    used -= int(line.split()[1])
                    break
        except (OSError, ValueError, IndexError):
            continue
        return {"used": max(used, 0), "limit": limit} if limit < 1 << 60 else None
    return None


_MEMORY_FILES = (
    ("/sys/fs/cgroup/", "memory.current", "memory.max", b"inactive_file "),
    ("/sys/fs/cgroup/memory/", "memory.usage_in_bytes", "memory.limit_in_bytes", b"total_inactive_file "),
)


def _text(path):
    """Of a small file, by one call of the system."""
    with open(path, "rb", buffering=0) as file:
        return file.read(65536)


def _number(path):
    return int(_text(path))


def memory(pid):
    """(bytes that are the process's share, bytes that it alone has); None where that cannot be read."""
    try:
        with open("/proc/%d/smaps_rollup" % pid) as file:
            fields = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
        return _kilobytes(fields["Pss"]), _kilobytes(fields["Private_Dirty"])
    except (OSError, KeyError, ValueError):
        return None


def _kilobytes(text):
    return int(text.split()[0]) * 1024

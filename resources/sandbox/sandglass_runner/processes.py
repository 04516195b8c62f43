"""The sandbox's processes, read from /proc: who descends from the supervisor, what they use, and how they are ended."""

import os
import time
from _signal import SIGKILL, SIGSTOP

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


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
    while pid > 1:
        if pid == root:
            return True
        fields = _stat(pid)
        if not fields:
            return False
        pid = int(fields[1])
    return pid == root


def kill_all(root, reap, patience=3.0):
    """Ends everything beneath `root`. They are stopped first: a fork bomb cannot outrun that. True when none is left."""
    end = time.monotonic() + patience
    stopped = set()
    while time.monotonic() < end:
        found = descendants(root)
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
    return not descendants(root)


def _signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def usage(root):
    """CPU time, memory, counts. CPU includes ended processes, whose time the kernel adds to who waited for them."""
    found = descendants(root)
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
    return {"cpu_seconds": ticks / _TICKS, "rss": rss * _PAGE, "processes": len(found), "threads": threads, "fds": fds}


def oom_kills():
    """How often the kernel ended something for memory in this control group; None where that cannot be read."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path) as file:
                for line in file:
                    words = line.split()
                    if len(words) == 2 and words[0] == "oom_kill":
                        return int(words[1])
        except (OSError, ValueError):
            pass
    return None

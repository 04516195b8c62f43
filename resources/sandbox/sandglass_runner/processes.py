"""The sandbox's processes, read from /proc: descendants of the supervisor, their resource use, and ways to end them."""

import os
import time
from _signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_LOOKS = 3
LAST_FOR_OOM_KILL = 300  # for processes that may be ended for memory; the supervisor is not one of them


def _stat(pid):
    """The fields of /proc/PID/stat from the state on; None when the process is gone."""
    try:
        with open("/proc/%s/stat" % pid, "rb", buffering=0) as file:
            data = file.read(1024)
    except OSError:
        return None
    return data[data.rfind(b")") + 2 :].split()


def descendants(root):
    """{pid: stat fields} of every live process beneath `root`, without ended ones that wait to be reaped."""
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
    """Tries again where a parent is just ending: the kernel gives its child another one, beneath `root` too."""
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
    """Ends everything beneath `root`, which is this process, except the spared. True when nothing is left.

    For process 1, one call reaches all other processes of the namespace at once."""
    if root == 1:
        _signal_all((-1,), SIGSTOP if spared else SIGKILL)
    done = _kill(lambda: _without(descendants(root), spared), reap, patience)
    if root == 1 and spared:
        _signal_all(spared, SIGCONT)
    return done


def end_idle(pid, spared):
    """Kills an idle child of this process without waiting, if there is nothing else to end.

    It never runs again, however long its memory takes to be freed. False: there is something else."""
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
    """Stops all processes beneath `root` and returns them."""
    found = tuple(descendants(root))
    _signal_all(found, SIGSTOP)
    return found


def go_on(pids):
    _signal_all(pids, SIGCONT)


def interrupt(pid):
    _signal_all([pid], SIGINT)


def interrupt_since(root, ticks, leader, spared):
    """Does what Ctrl-C does: SIGINT to a process and to processes of its group that started since `ticks`, without older
    helpers.

    The spared processes are about to leave the group."""
    started = _without(_started(root, ticks), spared)
    found = [pid for pid, f in started.items() if int(f[2]) == leader and pid != leader]
    _signal_all([leader] + found, SIGINT)
    _signal_all([leader] + found, SIGCONT)


def kill_since(root, ticks, spared, reap, patience=5.0):
    """Ends processes beneath `root` that started since `ticks` (see now_in_ticks()), except the spared."""
    return _kill(lambda: _without(_started(root, ticks), spared), reap, patience)


def tree(root, leader):
    """{pid: stat fields} of a process beneath `root`, what it started, and what belongs to its session."""
    found = descendants(root)
    below = {leader}
    grows = True
    while grows:
        more = {pid for pid, f in found.items() if pid not in below and (int(f[1]) in below or int(f[3]) == leader)}
        below |= more
        grows = bool(more)
    return {pid: fields for pid, fields in found.items() if pid in below}


def kill_tree(root, leader, reap, patience=5.0):
    return _kill(lambda: tree(root, leader), reap, patience)


def _without(found, spared):
    return {pid: fields for pid, fields in found.items() if pid not in spared}


def _started(root, ticks):
    return {pid: fields for pid, fields in descendants(root).items() if int(fields[19]) >= ticks}


def now_in_ticks():
    """The time in the clock of /proc's process start times."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * _TICKS)


def _kill(search, reap, patience):
    """Processes are stopped before they are killed, so that a fork bomb of limited size cannot outrun the search."""
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
    """CPU time, memory and counts, without sleeping copies. CPU time includes ended processes, which the kernel adds to those
    that waited for them."""
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
    """The running processes for a person: the heaviest where there are more than `limit`."""
    found = _without(descendants(root), without)
    own = _stat(root)
    if own:
        found[root] = own
    rows = []
    for pid, fields in found.items():
        try:
            command = _text("/proc/%d/cmdline" % pid).rstrip(b"\0").replace(b"\0", b" ")
            command = command or b"[" + _text("/proc/%d/comm" % pid).strip() + b"]"
        except OSError:  # it has just ended
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
    """How soon the kernel ends a process when memory runs out. It may refuse a lower score than before, or another user's
    process."""
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
    """How often the kernel killed a process of this control group for memory; None where that cannot be read."""
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
    """{used, limit} in bytes of this control group, without memory that the kernel can reclaim; None where there is no
    limit."""
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
    """Reads a small file with one system call."""
    with open(path, "rb", buffering=0) as file:
        return file.read(65536)


def _number(path):
    return int(_text(path))


def memory(pid):
    """(the process's share of its memory, memory that it alone has); None where they cannot be read."""
    try:
        with open("/proc/%d/smaps_rollup" % pid) as file:
            fields = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
        return _kilobytes(fields["Pss"]), _kilobytes(fields["Private_Dirty"])
    except (OSError, KeyError, ValueError):
        return None


def _kilobytes(text):
    return int(text.split()[0]) * 1024

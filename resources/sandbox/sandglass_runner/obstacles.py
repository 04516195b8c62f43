"""What stands against a live copy of this process, and what a copy leaves behind."""

import os
import sys
import time

_LISTED = 20
_OPENMP = ("torch", "sklearn", "xgboost", "lightgbm")
_WITH_BLAS = ("numpy", "scipy")  # each brings its own
_ARROWS_OWN = 4  # of its allocator, its timers and its signals
_LOOKS = 20  # a millisecond apart: what Python has joined is a task of the kernel for a moment yet


def found():
    """[{kind, name}]: each forbids a live copy, because a fork would have only half of it."""
    result = [{"kind": "thread", "name": thread} for thread in _other_threads()]
    pythons = len(result)
    torch = sys.modules.get("torch")
    if torch is not None and _holds(lambda: torch.cuda.is_initialized()):
        result.append({"kind": "cuda", "name": "torch"})
    cupy = sys.modules.get("cupy")
    if cupy is not None:
        result.append({"kind": "cuda", "name": "cupy"})
    numba = sys.modules.get("numba.cuda.cudadrv.driver")
    if numba is not None and _holds(lambda: numba.driver.is_initialized):
        result.append({"kind": "cuda", "name": "numba"})
    result += _parallel_libraries(1 + pythons)
    return result


def _parallel_libraries(pythons):
    """Threads of C code are not there in a fork, and who shares their work waits for them for ever. The BLAS of numpy and the
    pools of Arrow see to that themselves."""
    threads = _tasks()
    if threads <= pythons:
        return []
    loaded = [name for name in _OPENMP if name in sys.modules]
    if loaded:
        return [{"kind": "thread", "name": "OpenMP, of " + name} for name in loaded]
    known = pythons + _harmless()
    for _ in range(_LOOKS):
        if threads <= known:
            break
        time.sleep(0.001)
        threads = _tasks()
    unknown = threads - known
    return [{"kind": "thread", "name": "threads of C code: %d" % unknown}] if unknown > 0 else []


def _tasks():
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 2


def _harmless():
    """The most threads that libraries which go on after a fork may have made."""
    blas = max(len(os.sched_getaffinity(0)), _asked("OPENBLAS_NUM_THREADS"), _asked("OMP_NUM_THREADS")) - 1
    most = sum(blas for name in _WITH_BLAS if name in sys.modules)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        try:
            most += arrow.cpu_count() + arrow.io_thread_count() + _ARROWS_OWN
        except Exception:  # a part of it alone, or one that is being imported
            most += _ARROWS_OWN
    return most


def _asked(variable):
    value = os.environ.get(variable, "")
    return int(value) if value.isdigit() and len(value) < 4 else 1


def _other_threads():
    import _thread

    own = _thread.get_ident()
    idents = [ident for ident in sys._current_frames() if ident != own]
    if not idents:
        return []
    threading = sys.modules.get("threading")
    names = {t.ident: t.name for t in threading.enumerate()} if threading is not None else {}
    return [str(names.get(ident, "a thread of the C level"))[:200] for ident in idents]


def left():
    """[{kind, name}] of what goes on with this process alone: its children, also how they ended."""
    found = []
    try:
        with open("/proc/self/task/%d/children" % os.getpid(), "rb", buffering=0) as file:
            pids = file.read(65536).decode().split()
    except OSError:
        return []
    for pid in pids[:_LISTED]:
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                command = file.read(200).replace(b"\0", b" ").decode("utf-8", "replace").strip()
            with open("/proc/%s/stat" % pid, "rb") as file:
                name, rest = file.read().split(b"(", 1)[1].rsplit(b")", 1)
        except (OSError, IndexError):
            continue
        has_ended = rest.split()[0] == b"Z"
        told = "%s (ended, and not waited for)" % name.decode("utf-8", "replace") if has_ended else command or "?"
        found.append({"kind": "process", "name": "%s (pid %s)" % (told, pid)})
    return found


def _holds(question):
    try:
        return bool(question())
    except Exception:  # another version of that library: nothing is known against it
        return False

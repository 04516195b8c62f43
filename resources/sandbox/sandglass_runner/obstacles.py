"""Reasons against a live copy of this process, and things that a copy leaves behind."""

import os
import sys
import time

_LISTED = 20
_OPENMP = ("torch", "sklearn", "xgboost", "lightgbm")
_WITH_BLAS = ("numpy", "scipy")  # each brings its own BLAS
_ARROWS_OWN = 4  # threads of Arrow's allocator, timers and signals
_LOOKS = 20  # a millisecond apart: a thread that Python has joined exists in the kernel for a moment longer


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
    """A fork lacks the threads of C code, and whoever shares work with them would wait for ever. The BLAS of numpy and Arrow's
    thread pools handle forks themselves."""
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
    """The largest number of threads that libraries which survive a fork may have made."""
    blas = max(len(os.sched_getaffinity(0)), _asked("OPENBLAS_NUM_THREADS"), _asked("OMP_NUM_THREADS")) - 1
    most = sum(blas for name in _WITH_BLAS if name in sys.modules)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        try:
            most += arrow.cpu_count() + arrow.io_thread_count() + _ARROWS_OWN
        except Exception:  # only a part of pyarrow, or one that is being imported
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
    """[{kind, name}] of what stays with this process: its children, including their exit status."""
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
    except Exception:  # another version of that library: no reason is known
        return False

"""Settings of Python and of libraries that the session's code has changed: {name: value}, written out with the names and set
again. Nothing is imported to read them."""

import builtins
import faulthandler
import gc
import os
import sys
from _locale import LC_ALL, setlocale
from _signal import (
    SIG_BLOCK,
    SIG_SETMASK,
    SIGALRM,
    SIGCHLD,
    SIGHUP,
    SIGPIPE,
    SIGPROF,
    SIGQUIT,
    SIGTERM,
    SIGUSR1,
    SIGUSR2,
    SIGVTALRM,
    SIGWINCH,
    getsignal,
    pthread_sigmask,
    signal,
)
from types import FunctionType

from . import dict_versions, open_limit, surroundings

SCOPE = "<settings>"
# The runner uses the other signals itself.
_SIGNALS = (SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGCHLD, SIGWINCH, SIGALRM, SIGVTALRM, SIGPROF)

_began = {}
_of_libraries = []  # the module of their settings, as an import costs a copy more pages than a look


def begin():
    """Records the present settings, which need not be kept."""
    for name, ask, _change in _OF_PYTHON:
        _began[name] = ask()
    _began["builtins"] = dict(builtins.__dict__)
    _began["limits"] = _read_limits()


def told():
    """({name: value}, [(name, error)] of settings that could not be read)."""
    if not _of_libraries:
        from . import library_settings  # not of a session's start

        _of_libraries.append(library_settings)
    found, failed = {}, []
    for name, ask, _change in _OF_PYTHON:  # in place, as each function that is called costs pages of every copy
        try:
            value = ask()
            if value is not None and value != _began.get(name):
                found[name] = value
        except BaseException as error:  # code has replaced it by something of its own
            failed.append((name, error))
    _note("builtins", _builtins, found, failed)
    _note("limits of the process", _limits, found, failed)
    for name, ask in _of_libraries[0].asked().items():
        _note(name, ask, found, failed)
    return found, failed


class Restored(dict):
    """Filled by name; applied once all names are there, as reading names may import libraries that have settings."""

    def finish(self):
        """Returns [(name, error)] of settings that could not be applied."""
        from . import library_settings

        changes = {name: change for name, _ask, change in _OF_PYTHON}
        changes["builtins"] = builtins.__dict__.update
        changes["limits of the process"] = _set_limits
        failed = []
        for name, value in self.items():
            try:
                if name in changes:
                    changes[name](value)
                else:
                    library_settings.change(name, value)
            except BaseException as error:  # another version, or a replacement by the user's code
                failed.append((name, error))
        return failed


def _note(name, ask, found, failed):
    try:
        value = ask()
    except BaseException as error:  # code has replaced it by something of its own
        failed.append((name, error))
        return
    if value is not None:
        found[name] = value


# --- of Python ---


def own_alarm(handler):
    """That of the code, in a process whose alarm the runner uses."""
    _instead["alarm"] = handler


_instead = {}


def _signals():
    found = {int(number): getsignal(number) for number in _SIGNALS}
    return {**found, int(SIGALRM): _instead.get("alarm", found[int(SIGALRM)])}


def _blocked():
    return sorted(map(int, pthread_sigmask(SIG_BLOCK, ())))


def _read_limits():
    try:
        with open("/proc/self/limits", "rb", buffering=0) as file:
            return file.read(65536)
    except OSError:
        return b""


def _limit_rows(text):
    """[(soft, hard)] by the number of the limit; -1: unlimited."""
    rows = [line[26:].split()[:2] for line in text.splitlines()[1:]]
    return [tuple(-1 if word == b"unlimited" else int(word) for word in row) for row in rows]


def _limits():
    """Limits that the code has set; without the module it has set none. The limit of open files is excluded, as the runner
    changes it while it writes names out."""
    if "resource" not in sys.modules:
        return None
    text = _read_limits()
    if text == _began.get("limits"):
        return None
    began, now = _limit_rows(_began.get("limits", b"")), _limit_rows(text)
    return {i: now[i] for i in range(min(len(began), len(now))) if now[i] != began[i] and i != open_limit.FILES} or None


def _set_limits(limits):
    """Sets limits, none above what this session was given."""
    import resource

    for number, (soft, hard) in limits.items():
        most = resource.getrlimit(number)[1]
        hard = most if hard == -1 or -1 != most < hard else hard
        resource.setrlimit(number, (hard if soft == -1 or -1 != hard < soft else soft, hard))


def _watching():
    found = sys.getprofile(), sys.gettrace()
    return None if found == (None, None) else found


def _set_watching(found):
    profile, trace = found
    sys.setprofile(profile)
    sys.settrace(trace)


def _is_of_code(value):
    from . import module_state  # which imports this

    defined = value if isinstance(value, (type, FunctionType)) else type(value)
    return module_state.is_users(defined.__module__)


def _finders():
    present = [*map(id, sys.meta_path), *map(id, sys.path_hooks)]
    if present == _librarys_finders:
        return None
    found = {name: [(i, v) for i, v in enumerate(getattr(sys, name)) if _is_of_code(v)] for name in ("meta_path", "path_hooks")}
    _librarys_finders[:] = () if any(found.values()) else present
    return found if any(found.values()) else None


_librarys_finders = []  # those that were looked at last, if none was of the code


def _set_finders(found):
    for name, finders in found.items():
        for place, finder in finders:
            getattr(sys, name).insert(place, finder)


def _set_signals(handlers):
    for number, handler in handlers.items():
        signal(number, handler)


def _collection():
    return gc.isenabled(), gc.get_threshold()


def _set_collection(value):
    is_enabled, threshold = value
    gc.set_threshold(*threshold)
    (gc.enable if is_enabled else gc.disable)()


def _streams():
    """Replaced streams and hooks that are not the runner's own."""
    found = {name: getattr(sys, name, None) for name in ("stdin", "stdout", "stderr", "displayhook", "excepthook", "unraisablehook")}
    return {
        name: value
        for name, value in found.items()
        if value is not getattr(sys, "__%s__" % name, None) and not type(value).__module__.startswith("sandglass_runner.")
    }


def _set_streams(streams):
    for name, value in streams.items():
        setattr(sys, name, value)


def _builtins():
    if _same_builtins.holds(builtins.__dict__):
        return None
    began = _began.get("builtins", builtins.__dict__)
    changed = {k: v for k, v in builtins.__dict__.items() if k not in began or began[k] is not v}
    if not changed:
        _same_builtins.note(builtins.__dict__)
    return changed or None


_same_builtins = dict_versions.Same()  # as they were when nothing was changed


def _filters():
    return list(sys.modules["warnings"].filters) if "warnings" in sys.modules else None


def _set_filters(filters):
    import warnings

    warnings.filters[:] = filters
    warnings._filters_mutated()


def _mask():
    """The mask for new files. os.umask() reads it only by setting another for a moment, which other threads would see."""
    if len(sys._current_frames()) > 1:
        with open("/proc/self/status") as status:
            return next((int(line.split()[1], 8) for line in status if line.startswith("Umask:")), None)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _digits():
    ask = getattr(sys, "get_int_max_str_digits", None)
    return ask() if ask else None


def own_niceness(value):
    """That of the code, in a process that gives way."""
    _instead["niceness"] = value


def _niceness():
    return _instead.get("niceness", os.getpriority(os.PRIO_PROCESS, 0))


def _set_niceness(value):
    os.setpriority(os.PRIO_PROCESS, 0, max(value, _niceness()))


_OF_PYTHON = (
    ("locale", lambda: setlocale(LC_ALL, None), lambda value: setlocale(LC_ALL, value)),
    ("recursion limit", sys.getrecursionlimit, lambda value: sys.setrecursionlimit(value)),
    ("switch interval", sys.getswitchinterval, lambda value: sys.setswitchinterval(value)),
    ("digits of integers", _digits, lambda value: sys.set_int_max_str_digits(value)),
    ("arguments", lambda: list(sys.argv), lambda value: sys.argv.__setitem__(slice(None), value)),
    ("signal handlers", _signals, _set_signals),
    ("blocked signals", _blocked, lambda value: pthread_sigmask(SIG_SETMASK, value)),
    ("hooks of profilers and debuggers", _watching, _set_watching),
    ("finders of modules", _finders, _set_finders),
    ("garbage collection", _collection, _set_collection),
    ("standard streams and hooks", _streams, _set_streams),
    ("warning filters", _filters, _set_filters),
    ("writing of bytecode", lambda: sys.dont_write_bytecode, lambda value: setattr(sys, "dont_write_bytecode", value)),
    ("timers", surroundings.timers, lambda value: surroundings.set_timers(value)),
    ("loading of libraries", sys.getdlopenflags, lambda value: sys.setdlopenflags(value)),
    ("origins of coroutines", sys.get_coroutine_origin_tracking_depth, lambda value: sys.set_coroutine_origin_tracking_depth(value)),
    ("hooks of generators", lambda: tuple(sys.get_asyncgen_hooks()), lambda value: sys.set_asyncgen_hooks(*value)),
    ("debugging of garbage", gc.get_debug, lambda value: gc.set_debug(value)),
    ("lines of crashes", faulthandler.is_enabled, lambda value: faulthandler.enable() if value else faulthandler.disable()),
    ("niceness", _niceness, _set_niceness),
    ("processors", lambda: sorted(os.sched_getaffinity(0)), lambda value: os.sched_setaffinity(0, value)),
    ("mask of new files", _mask, lambda value: os.umask(value)),
)

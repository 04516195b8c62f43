"""The limit of open files. Code may set it below the numbers of its descriptors, which leaves a waking copy no room for new
ones."""

import sys

FILES = 7  # RLIMITFILES of Linux
_UNLIMITED = (1 << 64) - 1
_LEAST = 8
_TOO_LOW = (
    "a session's limit of open files cannot be below %d: nothing could be opened or imported any more, and its names could not be "
    "kept; set %d or more, or set the limit in a process of its own" % (_LEAST, _LEAST)
)
_MARGIN = 16  # descriptors that a copy receives, or opens for a moment


def can_hold(highest):
    """Whether a process with descriptors up to that number could open some more, with its limit raised if necessary."""
    limit = _limit()
    return limit is None or max(limit) > highest + _MARGIN


def lift(highest):
    """Raises the limit in a copy. Returns the limit to restore; None: nothing was changed."""
    limit = _limit()
    if limit is None or limit[0] > highest + _MARGIN:
        return None
    _set(limit[1], limit[1])
    return limit


def put_back(limit):
    if limit is not None:
        _set(*limit)


def obstacle():
    limit = _limit()
    return {"kind": "limit", "name": "of open files: %s" % (limit[1] if limit else "reached")}


def hard():
    limit = _limit()
    return None if limit is None else limit[1]


def lower(resource, value):
    """Lowers both limits; a lower one stays. Does nothing where they cannot be set."""
    library = _library()
    if library is None:
        return
    found = _pair()
    if library.getrlimit(resource, found) == 0:
        library.setrlimit(resource, _pair(min(value, found[0]), min(value, found[1])))


def _limit():
    """(soft, hard); None where it cannot be read."""
    if _asked:
        return tuple(_UNLIMITED if each == -1 else each for each in _asked[0](FILES))
    library = _library()
    if library is None:
        return None
    found = _pair()
    return tuple(found) if library.getrlimit(FILES, found) == 0 else None


def keeps_room(module, is_session):
    """Makes the module `resource` refuse limits with which the session could not go on. `is_session()`: false in a process that
    the code forked, which may set any."""

    def guarded(original, place):
        def set_limit(*arguments):
            number, limits = (arguments[place : place + 2] + (None, None))[:2]
            if number == FILES and limits is not None and is_session():
                limits = tuple(limits)  # an iterator gives them once
                if _is_too_low(limits):
                    raise ValueError(_TOO_LOW)
                arguments = (*arguments[: place + 1], limits, *arguments[place + 2 :])
            return original(*arguments)

        set_limit.__name__ = set_limit.__qualname__ = original.__name__
        set_limit.__module__, set_limit.__doc__ = module.__name__, original.__doc__
        return set_limit

    module.setrlimit = guarded(module.setrlimit, 0)
    if hasattr(module, "prlimit"):
        module.prlimit = guarded(module.prlimit, 1)


def _is_too_low(limits):
    return any(type(each) is int and 0 <= each < _LEAST for each in limits)


def load_ahead():
    """Makes the limit cheaper to ask for: the module takes longer to load than a session's start should.

    It is not left among the loaded modules, where it says that the code may have set limits."""
    was_loaded = "resource" in sys.modules
    try:
        from resource import getrlimit
    except ImportError:
        return
    if not was_loaded:
        sys.modules.pop("resource", None)
    _asked[:] = [getrlimit]


_asked = []


def _set(soft, hard):
    _library().setrlimit(FILES, _pair(soft, hard))


def _pair(*numbers):
    import ctypes

    return (ctypes.c_ulong * 2)(*numbers)


_libraries = []


def _library():
    if not _libraries:
        try:
            import ctypes

            _libraries.append(ctypes.PyDLL(None))
        except (ImportError, OSError):
            _libraries.append(None)
    return _libraries[0]

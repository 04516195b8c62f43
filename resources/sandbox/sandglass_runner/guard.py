"""Keeps the session's code away from the supervisor, and its processes together."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_SIGKILL = 9


def _prctl(option, value):
    """Does nothing where Python was built without ctypes: then only the pid namespace keeps the processes together."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def protect():
    """Makes orphans this process's children, and denies code of the same user its memory and descriptors."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _prctl(_PR_SET_DUMPABLE, 0)


def become_reachable():
    """Called in a new interpreter: undoes that, and makes it end with the supervisor."""
    _prctl(_PR_SET_DUMPABLE, 1)
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)

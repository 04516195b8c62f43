"""What keeps the code of a session away from the supervisor, and its processes together."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_SIGKILL = 9


def _prctl(option, value):
    """Does nothing where Python was built without ctypes: then the pid namespace alone keeps the processes together."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def protect():
    """Makes orphans this process's children, and its memory and descriptors unreachable for code of the same user."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _prctl(_PR_SET_DUMPABLE, 0)


def become_reachable():
    """In a new interpreter: undoes that, and ends it when the supervisor ends."""
    _prctl(_PR_SET_DUMPABLE, 1)
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)

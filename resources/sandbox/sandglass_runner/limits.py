"""Limits of processes: what the host asks this one to set for itself, and the lower ones of the code.

The kernel passes no descriptor for a process that may have fewer open files than its user has descriptors in flight: code must not
be able to send as many as its supervisor, the host and other programs of the same user may have."""

_NUMBERS = {"fsize": 1, "core": 4, "nofile": 7, "sigpending": 11, "msgqueue": 12}
_LEAST = 64
_RESERVE = 1024  # open files by which the code has fewer, where there are enough

_for_code = []


def apply(text):
    """`text`: NAME=NUMBER, comma-separated. "code" is the number of open files of each process of the code."""
    from . import open_limit

    for name, _, value in (part.partition("=") for part in text.split(",")):
        if not value.isdigit():
            continue
        if name == "code":
            _for_code[:] = [int(value)]
        elif name in _NUMBERS:
            open_limit.lower(_NUMBERS[name], int(value))


def enter_code():
    """In each new process of the code, before it runs any."""
    from . import open_limit

    if not _for_code:
        return
    most = open_limit.hard()
    if most is not None:
        below = most - _RESERVE if most > 2 * _RESERVE else most // 2
        open_limit.lower(open_limit.FILES, max(_LEAST, min(_for_code[0], below)))

"""Process limits: those that the host asks this process to set for itself, and lower ones for the code.

The kernel passes no descriptor for a process that may have fewer open files than its user has descriptors in flight: code must
not be able to send as many as its supervisor, the host and other programs of the same user may open."""

_NUMBERS = {"fsize": 1, "core": 4, "nofile": 7, "sigpending": 11, "msgqueue": 12}
_LEAST = 64
_RESERVE = 1024  # the code may open so many files less, if there are enough

_for_code = []


def apply(text):
    """`text`: NAME=NUMBER, comma-separated. "code" is the number of open files of each of the code's processes."""
    from . import open_limit

    for name, _, value in (part.partition("=") for part in text.split(",")):
        if not value.isdigit():
            continue
        if name == "code":
            _for_code[:] = [int(value)]
        elif name in _NUMBERS:
            open_limit.lower(_NUMBERS[name], int(value))


def enter_code():
    """Called in each new process of the code, before it runs any."""
    from . import open_limit

    if not _for_code:
        return
    most = open_limit.hard()
    if most is not None:
        below = most - _RESERVE if most > 2 * _RESERVE else most // 2
        open_limit.lower(open_limit.FILES, max(_LEAST, min(_for_code[0], below)))

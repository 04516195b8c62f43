"""Short time slices for all that runs in the sandbox.

A cell is four hand-overs between processes, each of which may wait for the time slice of another session's code: 1.4 ms or more
where that computes on every processor. Processes with short slices wait less for the next one; all get as much time as
before."""

import ctypes
import os

_TURN_NS = 500000
_NUMBER = {"x86_64": 314, "aarch64": 274}  # of sched_setattr(2)


class _Attributes(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    ]


def use():
    """Applies to this process and all that it starts. Kernels before 6.12 ignore it, and a filter may refuse it: then nothing
    changes."""
    number = _NUMBER.get(os.uname().machine)
    if number is None or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    wanted = _Attributes(size=ctypes.sizeof(_Attributes), policy=os.SCHED_OTHER, nice=os.nice(0), runtime=_TURN_NS)
    ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_long(0), ctypes.byref(wanted), ctypes.c_long(0))

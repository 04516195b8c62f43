"""A system call filter in addition to the container engine's: it refuses more calls and allows none again."""

import os
import sys

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION = 8  # bytes of a struct sock_filter


def install_filter(machine, encoded):
    """Applies to this process and all that it starts. A filter for another kind of machine is ignored: its numbers mean other
    calls."""
    if os.uname().machine != machine:
        return
    import base64
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]

    code = base64.b64decode(encoded)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = Program(len(code) // _INSTRUCTION, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        sys.exit("the system call filter cannot be installed: " + os.strerror(ctypes.get_errno()))

"""Turns a process into one that can read but change nothing outside of itself.

The names of a sleeping copy are written out and listed without any request to run code, yet pickling or describing an object
calls methods of the user's classes. In a child that has called begin() these may compute and read. A system call filter refuses
what would leave a trace: files cannot be opened for writing, made, renamed or removed (EROFS, as on a read-only disk),
processes cannot be started or signalled and no connection made (EPERM). Filters need no privileges where no_new_privs is set,
as it is in every sandbox."""

import os
from struct import pack

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
# struct sock_filter: operations on the number at an offset of struct seccomp_data.
_LOAD, _EQUALS, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EPERM, _EROFS, _ENOSYS = 1, 30, 38
_CLONE_THREAD = 0x10000
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | (os.O_TMPFILE & ~os.O_DIRECTORY)
_X32 = 0x40000000  # flag of x86-64's second table of calls

# <asm/unistd.h>
_MACHINES = {
    "x86_64": {
        "architecture": 0xC000003E,
        # creat mkdir rmdir link unlink symlink rename truncate chmod fchmod chown fchown lchown utime utimes mknod, their
        # relatives with a folder or extended attributes, fchmodat2, mq_open mq_unlink, setxattrat removexattrat file_setattr
        "files": (85, 83, 84, 86, 87, 88, 82, 76, 90, 91, 92, 93, 94, 132, 235, 133, 258, 263, 265, 266, 264, 316, 268, 260, 261)
        + (280, 259, 188, 189, 190, 197, 198, 199, 452, 240, 241, 463, 466, 469),
        # fork vfork execve execveat kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_getfd socket connect bind
        # shmget shmat shmctl semget semop semtimedop semctl msgget msgsnd msgctl io_uring_setup ptrace process_vm_writev
        # process_madvise setpriority sched_setaffinity sched_setscheduler sched_setparam sched_setattr
        "others": (57, 58, 59, 322, 62, 200, 129, 297, 424, 438, 41, 42, 49, 29, 30, 31, 64, 65, 220, 66, 68, 69, 71, 425, 101)
        + (311, 440, 141, 203, 144, 142, 314),
        "absent": (437, 435),  # openat2 clone3: a filter cannot see their flags; libc has a fallback
        "opening": ((2, 1), (257, 2)),  # open openat, and the index of the argument with the flags
        "clone": 56,
        "own": (234, 302),  # tgkill prlimit64: only on this process
    },
    "aarch64": {
        "architecture": 0xC00000B7,
        "files": (34, 35, 36, 37, 38, 276, 45, 52, 53, 54, 55, 88, 33, 5, 6, 7, 14, 15, 16, 452, 180, 181, 463, 466, 469),
        "others": (221, 281, 129, 130, 138, 240, 424, 438, 198, 203, 200, 194, 196, 195, 190, 193, 192, 191, 186, 189, 187, 425)
        + (117, 271, 440, 140, 122, 119, 118, 274),
        "absent": (437, 435),
        "opening": ((56, 2),),
        "clone": 220,
        "own": (131, 261),
    },
}


def begin():
    """Applies to this process and its threads. OSError where the kernel refuses the filter; does nothing on other machines."""
    machine = _MACHINES.get(os.uname().machine)
    if machine is None:
        return
    import ctypes

    code = _program(machine, os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(pack("HP", len(code) // 8, ctypes.addressof(buffer)))  # struct sock_fprog
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, "the system call filter cannot be installed: " + os.strerror(number))


def _program(machine, pid):
    refused, sees_only = _result(_EPERM), _result(_EROFS)
    code = [_step(_LOAD, _ARCHITECTURE), _step(_EQUALS, machine["architecture"], 1, 0), refused, _step(_LOAD, _NUMBER)]
    code += [_step(_AT_LEAST, _X32, 0, 1), refused]
    for result, numbers in ((sees_only, "files"), (refused, "others"), (_result(_ENOSYS), "absent")):
        for number in machine[numbers]:
            code += [_step(_EQUALS, number, 0, 1), result]
    for number, flags in machine["opening"]:
        code += _asked(number, flags, [_step(_ANY_BIT, _WRITES, 0, 1), sees_only])
    code += _asked(machine["clone"], 0, [_step(_ANY_BIT, _CLONE_THREAD, 1, 0), refused])
    for number in machine["own"]:
        code += _asked(number, 0, [_step(_EQUALS, pid, 2, 0), _step(_EQUALS, 0, 1, 0), refused])
    return b"".join(code + [_step(_RETURN, _ALLOW)])


def _asked(number, argument, steps):
    """Steps for one call: they load the low half of an argument, and allow the call unless they refuse it."""
    steps = [_step(_LOAD, _ARGUMENTS + 8 * argument)] + steps + [_step(_RETURN, _ALLOW)]
    return [_step(_EQUALS, number, 0, len(steps))] + steps


def _result(error):
    return _step(_RETURN, _ERRNO | error)


def _step(code, value, if_true=0, if_false=0):
    return pack("=HBBI", code, if_true, if_false, value)

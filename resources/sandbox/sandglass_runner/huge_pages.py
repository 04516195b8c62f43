"""Places the interpreter's objects in huge pages, where the host has asked the C library for them.

A fork copies one entry for each page: 50,000 for 200 MB of small objects, or 100 with huge pages. GLIBC_TUNABLES (see the
sandbox backends) puts the C library's memory into huge pages. Python gets memory for small objects from the kernel, 1 MB at a
time, too little for a huge page: here it is told to get it from the C library."""

import ctypes
import gc
import os

_RAW = 0  # PYMEM_DOMAIN_RAW
_BLOCK = 400  # bytes; objects that small are allocated in arenas
_PAGE_BITS = 12  # two arenas share no page
_MOST = 65536


class _Allocator(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("ctx", "malloc", "calloc", "realloc", "free")]


class _ArenaAllocator(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("ctx", "alloc", "free")]


def use():
    """Called before any code of the user's runs. Does nothing where it would not help."""
    if "malloc.hugetlb=1" not in os.environ.get("GLIBC_TUNABLES", "") or not _possible():
        return
    before = _mapped()
    if not _pin_arenas(before):
        return
    raw = _Allocator()
    ctypes.pythonapi.PyMem_GetAllocator(_RAW, ctypes.byref(raw))
    # They are called as (ctx, size) and (ctx, address, size); one more argument does no harm.
    arenas = _ArenaAllocator(raw.ctx, raw.malloc, raw.free)
    ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(arenas))


def _possible():
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as file:
            return "[never]" not in file.read()
    except OSError:
        return False


def _mapped():
    """[(begin, end)] of this process's memory."""
    found = []
    with open("/proc/self/maps") as file:
        for line in file:
            begin, end = line.split(None, 1)[0].split("-")
            found.append((int(begin, 16), int(end, 16)))
    return found


def _pin_arenas(before):
    """Keeps each arena that came from the kernel alive for ever, as the C library's free() must never get it.

    New objects fill the free room until all arenas are full, and then one object in each page is kept. Its count is raised so
    that it also outlives the interpreter. Python's own shutdown must still be skipped: os._exit()."""
    kept = {}
    for each in gc.get_objects():
        kept.setdefault(id(each) >> _PAGE_BITS + 4, each)
    filling = []
    for number in range(_MOST):
        each = bytes(_BLOCK)
        filling.append(each)
        if not number % 64 and not any(begin <= id(each) < end for begin, end in before):
            break
    else:
        return False
    for each in filling:
        kept[-(id(each) >> _PAGE_BITS)] = each
    for each in kept.values():
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))
    return True

"""Pickles objects that are parts of others so that they still share with them once they are read back: views of arrays, memory and
dicts, mapped files, exceptions with what caused them, and a library's own marks.

pickle and cloudpickle copy what such an object shows. The memo that all names have makes the copy's owner one object again, so it is
enough to pickle the owner and how to look at it. An object that cannot be kept so is refused, and named as missing."""

import collections
import gc
import sys
from array import array
from types import MappingProxyType

_VIEWS = {
    type(getattr(of, name)(of())): (of, name) for of in (dict, collections.OrderedDict) for name in ("keys", "values", "items")
}
# pickle makes them iterators of a list, which no longer belong to their dict or set.
_ITERATORS = frozenset(
    type(make())
    for make in (
        lambda: iter({}),
        lambda: iter({}.values()),
        lambda: iter({}.items()),
        lambda: reversed({}),
        lambda: reversed({}.values()),
        lambda: reversed({}.items()),
        lambda: iter(set()),
        lambda: iter(collections.OrderedDict()),
    )
)
_ARRAYS = ("ndarray", "matrix", "recarray", "memmap")  # of numpy; its other kinds pickle themselves in ways of their own
_MODULE = type.__dict__["__module__"].__get__  # asks the class for its module without code of its metaclass
_MOST_MARKED = 4  # attributes that a mark may have, which hold its name


class Ways(dict):
    """{class: a function of its value that returns a reduction, or NotImplemented; None: it is pickled as ever}. It remembers
    classes and modules, so it is made anew for each time that names are written."""

    def __init__(self):
        super().__init__()
        self._marks = _Marks()

    def __missing__(self, kind):
        way = self[kind] = _way(kind, self._marks)
        return way


def _way(kind, marks):
    if kind in _VIEWS:
        return _reduced_view
    if kind in _ITERATORS:
        return _refused
    if kind is memoryview:
        return _reduced_memory
    if kind is MappingProxyType:
        return _reduced_proxy
    if kind is _Alone:
        return _reduced_alone
    if issubclass(kind, BaseException):
        return _reduced_exception
    if kind is object:
        return marks.reduced
    module = _MODULE(kind)
    if type(module) is str and module != "builtins" and not issubclass(kind, type):
        if module.partition(".")[0] == "numpy" and kind.__name__ in _ARRAYS and _is_of_numpy(kind):
            return _reduced_array
        if module.startswith("pandas.core.internals."):
            return _reduced_block
        if marks.has(kind, module):
            return marks.reduced
    return None


def _refused(value):
    raise TypeError("cannot pickle '%s' object" % type(value).__name__)


class _Alone:
    """Stands for an array whose content is pickled by itself, whoever else sees it."""

    def __init__(self, value):
        self.value = value


def _reduced_alone(alone):
    return alone.value.__reduce_ex__(5)


# --- dicts ---


def _reduced_view(view):
    of, name = _VIEWS[type(view)]
    return _view, (of, name, _owner(view))


def _owner(view):
    """Python code cannot ask a view of a dict for it; the garbage collector can."""
    found = gc.get_referents(view)
    if len(found) != 1:
        _refused(view)
    return found[0]


def _view(of, name, owner):
    return getattr(of, name)(owner)


def _reduced_proxy(proxy):
    owner = _owner(proxy)
    if type(owner) is dict and "__module__" in owner and ("__dict__" in owner or "__doc__" in owner):
        return _names_of_class, (_class_of(owner),)
    return MappingProxyType, (owner,)


def _class_of(names):
    for key in ("__dict__", "__weakref__"):
        found = getattr(names.get(key), "__objclass__", None)
        if isinstance(found, type) and _owner(type.__dict__["__dict__"].__get__(found)) is names:
            return found
    raise TypeError("cannot pickle the names of a class")


def _names_of_class(of):
    return of.__dict__


# --- memory ---


def _reduced_memory(view):
    owner = view.obj  # a released one raises a ValueError
    if view.readonly and type(owner) is bytes and view.nbytes != len(owner):
        owner = bytes(view)  # it cannot change, so that a part of it is as good
        start = 0
    else:
        start = _start(view, owner)
    step = view.strides[0] // view.itemsize if view.ndim == 1 and len(view) > 1 and view.itemsize else 1
    looks = (start, view.format, view.shape, step, view.readonly)
    if step < 1 or _description(_memory(owner, *looks)) != _description(view):
        raise TypeError("cannot pickle this kind of memoryview")
    return _memory, (owner,) + looks


def _description(view):
    return view.format, view.itemsize, view.shape, view.strides if view.nbytes else (), view.readonly


def _start(view, owner):
    """At which byte of its owner it begins."""
    whole = memoryview(owner)
    if not view.nbytes or (view.nbytes == whole.nbytes and view.contiguous):
        return 0
    if view.readonly:
        raise TypeError("cannot pickle a read-only part of '%s' object" % type(owner).__name__)
    from ctypes import addressof, c_char

    first = view[:1] if view.ndim == 1 else view
    return addressof(c_char.from_buffer(first)) - addressof(c_char.from_buffer(whole))


def _memory(owner, start, form, shape, step, is_readonly):
    whole = memoryview(owner).cast("B")
    size = memoryview(bytes(16)).cast(form).itemsize
    count = 1
    for length in shape:
        count *= length
    if step == 1:
        view = whole[start : start + size * count]
        view = view.cast(form) if len(shape) == 1 or not count else view.cast(form, shape)
    else:
        view = whole[start : start + size * ((count - 1) * step + 1)].cast(form)[::step]
    return view.toreadonly() if is_readonly and not view.readonly else view


# --- arrays ---


def _is_of_numpy(kind):
    numpy = sys.modules.get("numpy")
    return numpy is not None and numpy.__dict__.get(kind.__name__) is kind


def _holders(view):
    base = view.base
    return sys.getrefcount(base)


def _holders_of_memory(memory):
    owner = memory.obj
    return sys.getrefcount(owner)


class _Probe:
    def __init__(self):
        self.base = object()


# The counts where nobody else holds the base, so that nobody can tell a copy from it.
_ITSELF = _holders(_Probe())
_ITSELF_OF_MEMORY = _holders_of_memory(memoryview(bytearray(1)))


def _is_shared(value):
    if type(value.base) is memoryview:
        return _holders_of_memory(value.base) > _ITSELF_OF_MEMORY
    return value.base is not None and _holders(value) > _ITSELF


def _reduced_array(value):
    kind, base = type(value), value.base
    if kind.__name__ == "memmap" and type(base).__name__ == "mmap":
        return _reduced_mapped(value)
    del base
    if _is_shared(value):
        reduced = _reduced_part(value, kind)
        if reduced is not None:
            return reduced
    flags = value.flags
    if not flags.writeable and not flags.c_contiguous and not flags.f_contiguous:
        return _read_only, (_Alone(value),)
    return NotImplemented


def _reduced_part(value, kind):
    """None where a copy is as good."""
    import numpy

    base = value.base.obj if type(value.base) is memoryview else value.base
    if not isinstance(base, (numpy.ndarray, bytearray, array)) and type(base).__name__ != "mmap":
        if not value.flags.writeable:
            return None
        raise TypeError("cannot pickle an array that shows the memory of '%s' object" % type(base).__name__)
    start = _address(value) - _address(_bytes_of(base))
    looks = (kind, value.dtype, start, value.shape, value.strides, bool(value.flags.writeable))
    if not value.size:
        return None
    _part(base, *looks)  # what cannot be made is found here
    return _part, (base,) + looks


def _address(value):
    return value.__array_interface__["data"][0]


def _bytes_of(base):
    """The memory of a base as a flat array: its bytes, or its objects, which have no bytes."""
    import numpy

    if not isinstance(base, numpy.ndarray):
        return numpy.frombuffer(base, numpy.uint8)
    flat = numpy.asarray(base)
    if not flat.flags.c_contiguous and not flat.flags.f_contiguous:
        raise TypeError("cannot pickle a part of an array whose memory has gaps")
    flat = flat.reshape(-1, order="A")
    return flat if flat.dtype.hasobject else flat.view(numpy.uint8)


def _part(base, kind, dtype, start, shape, strides, is_writeable):
    import numpy

    memory = _bytes_of(base)
    if not dtype.hasobject:
        found = numpy.ndarray(shape, dtype, memory, start, strides)
    elif memory.dtype == dtype and start % dtype.itemsize == 0:
        found = numpy.lib.stride_tricks.as_strided(memory[start // dtype.itemsize :], shape, strides)
    else:
        raise TypeError("cannot pickle a part of the fields of an array of objects")
    if kind is not numpy.ndarray:
        found = found.view(kind)
        if kind is numpy.memmap and isinstance(base, numpy.memmap):
            found.__array_finalize__(base)
    if not is_writeable:
        found.flags.writeable = False
    return found


def _read_only(value):
    value.flags.writeable = False
    return value


def _reduced_mapped(value):
    order = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
    mode = "r+" if value.mode == "w+" else value.mode
    if value.filename is None:
        raise TypeError("cannot pickle a mapped file that has no name")
    where = (str(value.filename), value.dtype, mode, value.offset, value.shape, order)
    if mode != "c":
        return _mapped, where
    import numpy

    return _mapped, where, (_Alone(numpy.asarray(value)),), None, None, _fill


def _mapped(name, dtype, mode, offset, shape, order):
    import numpy

    return numpy.memmap(name, dtype, mode, offset, shape, order)


def _fill(mapped, state):
    """Changes that were made to memory alone."""
    mapped[...] = state[0]


def _reduced_block(block):
    """A frame's block tells blocks that share its values by a list which is not pickled: without it a change of one frame would be
    seen by another. So the values come back as ones of its own."""
    refs = getattr(block, "refs", None)
    if refs is None or not refs.has_reference():
        return NotImplemented
    reduced = block.__reduce_ex__(5)
    if type(reduced) is not tuple or not reduced[1] or reduced[1][0] is not block.values:
        return NotImplemented
    import numpy

    values = block.values
    values = _Alone(values) if isinstance(values, numpy.ndarray) else values.copy()
    return (reduced[0], (values,) + tuple(reduced[1][1:])) + tuple(reduced[2:])


# --- exceptions ---


def _reduced_exception(error):
    links = (error.__cause__, error.__context__, error.__suppress_context__)
    if links == (None, None, False):
        return NotImplemented
    reduced = error.__reduce_ex__(5)
    if type(reduced) is not tuple or len(reduced) > 3:
        return NotImplemented
    state = reduced[2] if len(reduced) == 3 else None
    return reduced[0], reduced[1], (state, links), None, None, _link


def _link(error, state):
    own, (cause, context, is_suppressed) = state
    if own is not None:
        error.__setstate__(own)
    error.__cause__, error.__context__, error.__suppress_context__ = cause, context, is_suppressed


# --- marks of libraries ---


class _Marks:
    """Objects without content that a library's module has as an attribute, such as dataclasses.MISSING: code asks for them by `is`."""

    def __init__(self):
        self._found = {}  # {id: (module, attribute)} of those whose class was asked for
        self._kinds = set()

    def has(self, kind, module):
        """Whether the module that defines a class has instances of it."""
        from . import module_state

        if kind not in self._kinds:
            self._kinds.add(kind)
            holder = sys.modules.get(module)
            names = getattr(holder, "__dict__", None)
            if type(names) is not dict or module_state.is_users(module) or module.partition(".")[0] == __package__:
                return False
            self._enter(module, names, kind)
        return any(where[0] == module for where in self._found.values())

    def reduced(self, value):
        if type(value) is object and object not in self._kinds:
            self._find_objects()
        where = self._found.get(id(value))
        return NotImplemented if where is None or not _has_no_content(value, where[1]) else (_mark, where)

    def _find_objects(self):
        from . import module_state

        self._kinds.add(object)
        for name, module in list(sys.modules.items()):
            names = getattr(module, "__dict__", None)
            if type(names) is dict and not module_state.is_users(name):
                self._enter(name, names, object)

    def _enter(self, module, names, kind):
        for name, value in list(names.items()):
            if type(value) is kind and type(name) is str:
                self._found.setdefault(id(value), (module, name))


def _has_no_content(value, name):
    """Or nothing but its own name. Anything else may have been put there, and comes back as it was."""
    if type(value) is object:
        return True
    if type(value).__reduce_ex__ is not object.__reduce_ex__ or type(value).__reduce__ is not object.__reduce__:
        return False
    reduced = value.__reduce_ex__(4)
    state = reduced[2] if len(reduced) > 2 else None
    if any(part is not None for part in reduced[3:]) or len(reduced[1]) != 1:
        return False
    if not state:
        return True
    plain = name.strip("_").lower()
    if type(state) is not dict or len(state) > _MOST_MARKED:
        return False
    return all(type(each) is str and plain in each.lower() for each in state.values())


def _mark(module, name):
    __import__(module)
    return getattr(sys.modules[module], name)

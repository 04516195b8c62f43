"""The session's names, as a list for a person."""

import sys

from .failures import cut

_PREVIEW = 200
_SKIPPED = ("module",)


def listed(namespace, limit, describe=None):
    """{"variables": …}: names without leading underscore; modules by name only. `describe(namespace, names)` describes them."""
    plain = [(n, v) for n, v in namespace.items() if isinstance(n, str) and not n.startswith("_")]
    names = [n for n, v in plain if type(v).__name__ not in _SKIPPED]
    modules = sorted(n for n, v in plain if type(v).__name__ in _SKIPPED)
    shown = sorted(names)[:limit]
    return {
        "variables": describe(namespace, shown) if describe else [described(n, namespace[n]) for n in shown],
        "total": len(names),
        "modules": modules[:limit],
    }


def named(name, value):
    """The name and its type, for which no code of the value's class is called."""
    cls, module = (type.__dict__[key].__get__(type(value)) for key in ("__name__", "__module__"))
    if not isinstance(module, str) or module in ("builtins", "__main__"):
        return {"name": name, "type": cls}
    return {"name": name, "type": "%s.%s" % (module.split(".")[0], cls)}


def described(name, value):
    entry = named(name, value)
    for key, read in (("shape", _shape), ("size", _size), ("preview", _preview)):
        try:
            found = read(value)
        except Exception:  # an object's own methods may fail; it is listed without that column
            found = None
        if found is not None:
            entry[key] = found
    return entry


def _shape(value):
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return [int(n) for n in shape]
    if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes, bytearray)):
        return [len(value)]
    return None


def _size(value):
    if type(value).__module__.split(".")[0] == "pandas" and hasattr(value, "memory_usage"):
        used = value.memory_usage()
        return int(used.sum() if hasattr(used, "sum") else used)
    if isinstance(getattr(value, "nbytes", None), int):
        return value.nbytes
    return sys.getsizeof(value)


def _preview(value):
    if callable(value) and hasattr(value, "__name__"):
        return None
    columns = getattr(value, "columns", None)
    if columns is not None and hasattr(value, "shape"):
        return cut(", ".join(str(c) for c in list(columns)[:20]), _PREVIEW)
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return str(value.dtype) if getattr(value, "size", 0) > 1000 else cut(repr(value), _PREVIEW)
    from . import previews

    return previews.of(value, _PREVIEW)

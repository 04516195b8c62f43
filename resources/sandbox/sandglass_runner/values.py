"""State values: Python objects <-> MessagePack with LangGraph's ext codes.

ext 0  [module, class, argument]            ext 3  [module, class, argument, method]
ext 1  [module, name, [arguments]]          ext 4, 5  [module, class, fields (, method)]  pydantic 1 and 2
ext 2  [module, class, {keywords}]          ext 6  [dtype, shape, order, bytes]           numpy array

Stored state knows neither tuples nor numpy scalars. From node to node of one run they stay what they are:
ext -64  [items]  tuple                     ext -65  [dtype, plain value]  numpy scalar
"""

import sys

from . import codec
from .codec import Ext, Unencodable
from .revived import NUMPY_SCALAR, TUPLE, ModelDict, _model_dict, loads  # noqa: F401  (stored snapshots name the last but one)
from .stored_forms import Unfindable, ext as _ext, to_native as _to_native


def dumps(value, what="state"):
    """The value as MessagePack. A TypeError names key and type of a part that cannot be stored."""
    try:
        return codec.pack(value, _to_native)
    except (Unencodable, RecursionError) as error:
        raise TypeError(_refusal(value, what, error)) from None


def dumps_update(update):
    """A node's return value, with the types that only the run preserves."""
    cls = type(update)
    if cls is not dict:
        carried = _with_carried_update(update)
        return dumps(list(carried) if cls is tuple else carried)
    try:
        return codec.pack(update, _to_carried, _carried_tuple)
    except (Unencodable, RecursionError) as error:
        raise TypeError(_refusal(update, "state", error)) from None


def _with_carried_update(command):
    if type(command).__module__ != "langgraph.types" or type(getattr(command, "update", None)) is not dict:
        return command
    from dataclasses import replace

    return replace(command, update={key: _carried(value) for key, value in command.update.items()})


def _carried(value):
    """The value with tuples and numpy scalars replaced by their ext, as the content of an ext is packed separately."""
    cls = type(value)
    if cls is dict:
        return {key: _carried(item) for key, item in value.items()}
    if cls is list:
        return [_carried(item) for item in value]
    return _carried_tuple(value) if cls is tuple else _to_carried(value, otherwise=value)


def _carried_tuple(value):
    return Ext(TUPLE, codec.pack(list(value), _to_carried, _carried_tuple))


def _to_carried(obj, otherwise=None):
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(obj, numpy.generic) and obj.dtype.kind in "biuf":
        if obj.dtype.itemsize <= 8:  # wider ones are no MessagePack number
            return _ext(NUMPY_SCALAR, obj.dtype.str, obj.item())
    return _to_native(obj) if otherwise is None else otherwise


# --- what cannot be stored, by name ---


def _refusal(value, what, error):
    keys, culprit, reason = _find(value, [], error, 0)
    where = "%s key '%s'" % (what, _key_path(keys)) if keys else "the %s" % what
    name = _described(culprit)
    if isinstance(reason, RecursionError) or "nested deeper" in str(reason):
        return "%s: it is nested deeper than %d levels, or contains itself" % (where, codec.MAX_DEPTH)
    if type(culprit) is int:
        return "%s: an integer of more than 64 bits cannot be stored in the state; store it as text" % where
    if isinstance(reason, Unfindable):
        return "%s: %s cannot be stored in the state: %s; define the class at the top level of a file" % (where, name, reason)
    return "%s: %s cannot be stored in the state; write it to /session/artifacts or store its path" % (where, name)


def _find(value, keys, error, depth):
    """Path and value of the innermost part that cannot be encoded."""
    if depth < 40:
        for key, part in _parts(value):
            try:
                codec.pack(part, _to_native)
            except (Unencodable, RecursionError) as inner:
                return _find(part, keys + [key], inner, depth + 1)
    return keys, value, error


def _parts(value):
    if isinstance(value, dict):
        for key in value:
            try:
                codec.pack(key, _to_native)
            except (Unencodable, RecursionError):
                return [("(key)", key)]
        return list(value.items())
    if isinstance(value, (list, tuple, set, frozenset)) and not hasattr(value, "_fields"):
        return list(enumerate(value))
    names = getattr(type(value), "__dataclass_fields__", None) or getattr(type(value), "_fields", None)
    if names is None and type(value).__name__ == "Send":
        names = ("arg",)
    return [(name, getattr(value, name, None)) for name in names or ()]


def _key_path(keys):
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += "[%d]" % key
        else:
            text += ("." if text else "") + str(key)[:80]
    return text


def _described(value):
    cls = type(value)
    if cls.__name__ == "ndarray":
        return "a numpy array of Python objects" if value.dtype.hasobject else "a numpy array with named fields"
    module = cls.__module__.split(".")[0]
    name = cls.__name__ if module in ("builtins", "__main__") else "%s %s" % (module, cls.__name__)
    if cls.__name__ in ("function", "module", "type"):
        name = "%s %r" % (cls.__name__, getattr(value, "__name__", "?"))
    return "%s %s" % ("an" if name[0] in "aeiouAEIOU" else "a", name)

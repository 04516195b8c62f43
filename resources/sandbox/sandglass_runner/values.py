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

ONE, MANY, KEYWORDS, METHOD, PYDANTIC1, PYDANTIC2, NUMPY = range(7)
TUPLE, NUMPY_SCALAR = -64, -65

# What an ext may name to be built here. Other classes are built only where the session has loaded their module itself
# and they are plain carriers of data; nothing is imported on behalf of a stored value.
_STANDARD = {
    ONE: {
        "builtins": ("set", "frozenset"),
        "collections": ("deque",),
        "uuid": ("UUID",),
        "decimal": ("Decimal",),
        "zoneinfo": ("ZoneInfo",),
        "ipaddress": ("IPv4Address", "IPv4Interface", "IPv4Network", "IPv6Address", "IPv6Interface", "IPv6Network"),
    },
    MANY: {
        "pathlib": ("Path", "PosixPath"),
        "pathlib._local": ("Path", "PosixPath"),
        "re": ("compile",),
        "datetime": ("timedelta", "date", "timezone"),
    },
    KEYWORDS: {"datetime": ("time",)},
    METHOD: {"datetime": ("datetime",)},
}
_LANGGRAPH = ("Send", "Command", "Interrupt", "Overwrite", "TimeoutPolicy")
_LANGCHAIN = ("langchain_core.messages.", "langchain_core.documents.")


class ModelDict(dict):
    """A pydantic model (a LangChain message, say) whose class is not to be had here: its fields, also as attributes.

    It is stored again as the model it was."""

    __slots__ = ("_ext",)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self):
        return (_model_dict, (dict(self), self._ext))


def _model_dict(fields, ext):
    model = ModelDict(fields)
    model._ext = ext
    return model


# --- decoding ---


def loads(data):
    return codec.unpack(data, _from_ext)


def _from_ext(code, data):
    if not 0 <= code <= NUMPY and code not in (TUPLE, NUMPY_SCALAR):
        return Ext(code, data)
    try:
        parts = codec.unpack(data, _from_ext)
        value = _built(code, parts)
    except Exception:  # whatever a constructor raises: the value is kept as it came
        return Ext(code, data)
    return Ext(code, data) if value is None else value


def _built(code, parts):
    if code == NUMPY:
        return _array(*parts)
    if code == TUPLE:
        return tuple(parts) if type(parts) is list else None
    if code == NUMPY_SCALAR:
        return _scalar(*parts)
    module, name, payload = parts[0], parts[1], parts[2]
    if name in _STANDARD.get(code, {}).get(module, ()):
        return _standard(code, module, name, parts)
    if module == "langgraph.types" and name in _LANGGRAPH:
        return _langgraph(code, name, payload)
    cls = _data_class(module, name)
    if code in (PYDANTIC1, PYDANTIC2):
        if cls is None:
            return _model_dict(payload, (code,) + tuple(parts[:2]) + tuple(parts[3:]))
        try:
            return cls(**payload)
        except Exception:
            return (cls.construct if code == PYDANTIC1 else cls.model_construct)(**payload)
    if cls is None:
        return None
    if code == ONE:
        return cls(payload)
    if code == KEYWORDS:
        return cls(**payload)
    return None


def _standard(code, module, name, parts):
    module = "pathlib" if module == "pathlib._local" else module
    target = getattr(__import__(module), name)
    if code == ONE:
        return target(parts[2])
    if code == MANY:
        return target(*parts[2])
    if code == KEYWORDS:
        return target(**parts[2])
    return target.fromisoformat(parts[2]) if parts[3] == "fromisoformat" else None


def _langgraph(code, name, payload):
    from langgraph import types

    if name == "Send":
        if code != MANY:
            return None
        return types.Send(*payload[:2]) if len(payload) == 2 else types.Send(*payload[:2], timeout=payload[2])
    return getattr(types, name)(**payload) if code == KEYWORDS else None


def _data_class(module, name):
    loaded = sys.modules.get(module)
    if loaded is None and module.startswith(_LANGCHAIN):
        try:
            __import__(module)
        except ImportError:
            return None
        loaded = sys.modules.get(module)
    cls = getattr(loaded, name, None)
    if not isinstance(cls, type):
        return None
    enum = sys.modules.get("enum")
    is_data = (
        hasattr(cls, "__dataclass_fields__")
        or hasattr(cls, "model_construct")
        or (hasattr(cls, "construct") and hasattr(cls, "__fields__"))
        or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
        or (enum is not None and issubclass(cls, enum.Enum))
    )
    return cls if is_data else None


def _array(dtype, shape, order, data):
    if "O" in dtype:
        return None
    import numpy

    return numpy.frombuffer(data, dtype=numpy.dtype(dtype)).reshape(shape, order=order).copy(order)


# --- encoding ---


def dumps(value, what="state"):
    """The value as MessagePack. A TypeError names key and type of what cannot be stored."""
    try:
        return codec.pack(value, _to_native)
    except (Unencodable, RecursionError) as error:
        raise TypeError(_refusal(value, what, error)) from None


def dumps_update(update):
    """What a node returned, with the types that only the run keeps."""
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
    """The value with tuples and numpy scalars already as their ext: what stands in an ext is packed apart."""
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
        if obj.dtype.itemsize <= 8:  # what is wider is no MessagePack number
            return _ext(NUMPY_SCALAR, obj.dtype.str, obj.item())
    return _to_native(obj) if otherwise is None else otherwise


def _to_native(obj):
    cls = type(obj)
    way = _ways.get(cls)
    if way is None:
        way = _way_for(cls)
        if len(_ways) < 4096:
            _ways[cls] = way
    return way(obj)


def _ext(code, *parts):
    return Ext(code, codec.pack(parts, _to_native))


def _one(argument):
    return lambda obj: _ext(ONE, _module(obj), type(obj).__name__, argument(obj))


def _many(arguments):
    return lambda obj: _ext(MANY, _module(obj), type(obj).__name__, arguments(obj))


def _module(obj):
    module = type(obj).__module__
    return "pathlib" if module == "pathlib._local" else module  # Python 3.13's own name for it is unknown to others


def _keywords(obj):
    from dataclasses import fields  # loaded already, or there would be no dataclass

    cls = type(obj)
    return _ext(KEYWORDS, cls.__module__, cls.__name__, {f.name: getattr(obj, f.name) for f in fields(obj)})


def _time(obj):
    names = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
    return _ext(KEYWORDS, "datetime", type(obj).__name__, {n: getattr(obj, n) for n in names})


def _send(obj):
    timeout = getattr(obj, "timeout", None)
    arguments = (obj.node, obj.arg) if timeout is None else (obj.node, obj.arg, timeout)
    return _ext(MANY, type(obj).__module__, type(obj).__name__, arguments)


def _scalar(dtype, value):
    import numpy

    return numpy.dtype(dtype).type(value)


def _ndarray(obj):
    if obj.dtype.hasobject:
        raise Unencodable("a numpy array of Python objects")
    order = "F" if obj.flags.f_contiguous and not obj.flags.c_contiguous else "C"
    return _ext(NUMPY, obj.dtype.str, obj.shape, order, obj.tobytes(order="A" if order == "F" else "C"))


def _model_dict_ext(obj):
    code, module, name = obj._ext[:3]
    return _ext(code, module, name, dict(obj), *obj._ext[3:])


_BY_NAME = {
    ("uuid", "UUID"): _one(lambda o: o.hex),
    ("decimal", "Decimal"): _one(str),
    ("builtins", "set"): _one(tuple),
    ("builtins", "frozenset"): _one(tuple),
    ("collections", "deque"): _one(tuple),
    ("ipaddress", "IPv4Address"): _one(str),
    ("ipaddress", "IPv4Network"): _one(str),
    ("ipaddress", "IPv6Address"): _one(str),
    ("ipaddress", "IPv6Network"): _one(str),
    ("zoneinfo", "ZoneInfo"): _one(lambda o: o.key),
    ("enum", "Enum"): _one(lambda o: o.value),
    ("pathlib", "Path"): _many(lambda o: o.parts),
    ("pathlib._local", "Path"): _many(lambda o: o.parts),
    ("re", "Pattern"): lambda o: _ext(MANY, "re", "compile", (o.pattern, o.flags)),
    ("datetime", "datetime"): lambda o: _ext(METHOD, _module(o), type(o).__name__, o.isoformat(), "fromisoformat"),
    ("datetime", "timedelta"): _many(lambda o: (o.days, o.seconds, o.microseconds)),
    ("datetime", "date"): _many(lambda o: (o.year, o.month, o.day)),
    ("datetime", "timezone"): _many(lambda o: o.__getinitargs__()),
    ("datetime", "time"): _time,
    ("langgraph.types", "Send"): _send,
    ("numpy", "ndarray"): _ndarray,
    ("numpy", "generic"): lambda o: _plain(o.item(), o),
    ("sandglass_runner.values", "ModelDict"): _model_dict_ext,
    ("builtins", "BaseException"): repr,
}


def _plain(changed, obj):
    if changed is obj or type(changed).__module__.split(".")[0] == "numpy":
        raise Unencodable(type(obj).__name__)
    return changed


def _way_for(cls):
    """How objects of a class are stored: the order in which LangGraph's serializer asks."""
    if cls is Ext:
        return lambda obj: obj
    if not issubclass(cls, dict):
        if callable(getattr(cls, "model_dump", None)):
            return lambda obj: _ext(PYDANTIC2, cls.__module__, cls.__name__, obj.model_dump(), "model_validate_json")
        if callable(getattr(cls, "get_secret_value", None)):
            return _one(lambda obj: obj.get_secret_value())
        if callable(getattr(cls, "dict", None)) and hasattr(cls, "__fields__"):
            return lambda obj: _ext(PYDANTIC1, cls.__module__, cls.__name__, obj.dict())
    if callable(getattr(cls, "_asdict", None)):
        return lambda obj: _ext(KEYWORDS, cls.__module__, cls.__name__, dict(obj._asdict()))
    for base in cls.__mro__:
        way = _BY_NAME.get((base.__module__, base.__name__))
        if way is not None:
            return way
    if hasattr(cls, "__dataclass_fields__"):
        return _keywords
    return lambda obj: obj  # str, int, dict subclasses and bytearray; anything else the codec refuses


_ways = {}


# --- what cannot be stored, by name ---


def _refusal(value, what, error):
    keys, culprit, reason = _find(value, [], error, 0)
    where = "%s key '%s'" % (what, _key_path(keys)) if keys else "the %s" % what
    name = _described(culprit)
    if isinstance(reason, RecursionError) or "nested deeper" in str(reason):
        return "%s: it is nested deeper than %d levels, or contains itself" % (where, codec.MAX_DEPTH)
    if type(culprit) is int:
        return "%s: an integer of more than 64 bits cannot be stored in the state; store it as text" % where
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
        return "a numpy array of Python objects"
    module = cls.__module__.split(".")[0]
    name = cls.__name__ if module in ("builtins", "__main__") else "%s %s" % (module, cls.__name__)
    if cls.__name__ in ("function", "module", "type"):
        name = "%s %r" % (cls.__name__, getattr(value, "__name__", "?"))
    return "%s %s" % ("an" if name[0] in "aeiouAEIOU" else "a", name)

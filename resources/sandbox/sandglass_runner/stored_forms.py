"""How LangGraph stores values without a MessagePack form: the ext codes of `values.py` and their contents."""

import sys

from . import codec
from .codec import Ext, Unencodable

ONE, MANY, KEYWORDS, METHOD, PYDANTIC1, PYDANTIC2, NUMPY = range(7)


class Unfindable(Unencodable):
    """The value could be stored but not restored: its class is not found under its name."""


def to_native(obj):
    cls = type(obj)
    way = _ways.get(cls)
    if way is None:
        way = _checked(cls, way_for(cls))
        if len(_ways) < 4096:
            _ways[cls] = way
    return way(obj)


def form_of(cls):
    """The ext code for objects of a class; None where they are stored as plain values, or not at all."""
    return getattr(way_for(cls), "code", None)


def ext(code, *parts):
    return Ext(code, codec.pack(parts, to_native))


def _form(code):
    """Marks a function that returns an ext with that code."""

    def marked(way):
        way.code = code
        return way

    return marked


def _one(argument):
    return _form(ONE)(lambda obj: ext(ONE, _module(obj), type(obj).__name__, argument(obj)))


def _many(arguments):
    return _form(MANY)(lambda obj: ext(MANY, _module(obj), type(obj).__name__, arguments(obj)))


def _checked(cls, way):
    if getattr(way, "code", None) not in (ONE, MANY, KEYWORDS, METHOD):
        return way
    found = getattr(sys.modules.get(cls.__module__), cls.__name__, None)
    is_there = isinstance(found, type) and (found is cls or "<locals>" not in cls.__qualname__)
    if not is_there:
        where = (cls.__name__, cls.__module__)
        raise Unfindable("no '%s' at the top level of %s is its class, so no other node could make it again" % where)
    return way


def _module(obj):
    module = type(obj).__module__
    return "pathlib" if module == "pathlib._local" else module  # other versions do not know the name of Python 3.13


@_form(KEYWORDS)
def _keywords(obj):
    from dataclasses import fields  # loaded already, or there would be no dataclass

    cls = type(obj)
    return ext(KEYWORDS, cls.__module__, cls.__name__, {f.name: getattr(obj, f.name) for f in fields(obj)})


@_form(KEYWORDS)
def _time(obj):
    names = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
    return ext(KEYWORDS, type(obj).__module__, type(obj).__name__, {n: getattr(obj, n) for n in names})


@_form(MANY)
def _send(obj):
    timeout = getattr(obj, "timeout", None)
    arguments = (obj.node, obj.arg) if timeout is None else (obj.node, obj.arg, timeout)
    return ext(MANY, type(obj).__module__, type(obj).__name__, arguments)


@_form(KEYWORDS)
def _named_fields(obj):
    return ext(KEYWORDS, type(obj).__module__, type(obj).__name__, dict(obj._asdict()))


@_form(METHOD)
def _datetime(obj):
    return ext(METHOD, _module(obj), type(obj).__name__, obj.isoformat(), "fromisoformat")


@_form(PYDANTIC1)
def _pydantic1(obj):
    return ext(PYDANTIC1, type(obj).__module__, type(obj).__name__, obj.dict())


@_form(PYDANTIC2)
def _pydantic2(obj):
    return ext(PYDANTIC2, type(obj).__module__, type(obj).__name__, obj.model_dump(), "model_validate_json")


def _timedelta_parts(obj):
    if getattr(obj, "nanoseconds", 0):
        raise Unencodable("one with nanoseconds would lose them")  # a pandas.Timedelta
    return (obj.days, obj.seconds, obj.microseconds)


def _ndarray(obj):
    numpy = sys.modules["numpy"]
    if obj.dtype.hasobject:
        raise Unencodable("a numpy array of Python objects")
    if isinstance(obj, numpy.ma.MaskedArray):
        raise Unencodable("its mask would be lost")
    if numpy.dtype(obj.dtype.str) != obj.dtype:
        raise Unencodable("the names of its fields would be lost")
    order = "F" if obj.flags.f_contiguous and not obj.flags.c_contiguous else "C"
    return ext(NUMPY, obj.dtype.str, obj.shape, order, obj.tobytes(order="A" if order == "F" else "C"))


def _generic(obj):
    """A number or text of numpy's that is of no type of its own in the state."""
    if obj.dtype.kind in "Mm":
        raise Unencodable("it would arrive as another type")
    return _plain(obj.item(), obj)


def _model_dict_ext(obj):
    code, module, name = obj._ext[:3]
    return ext(code, module, name, dict(obj), *obj._ext[3:])


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
    ("re", "Pattern"): lambda o: ext(MANY, "re", "compile", (o.pattern, o.flags)),
    ("datetime", "datetime"): _datetime,
    ("datetime", "timedelta"): _many(_timedelta_parts),
    ("datetime", "date"): _many(lambda o: (o.year, o.month, o.day)),
    ("datetime", "timezone"): _many(lambda o: o.__getinitargs__()),
    ("datetime", "time"): _time,
    ("langgraph.types", "Send"): _send,
    ("numpy", "ndarray"): _ndarray,
    ("numpy", "generic"): _generic,
    ("sandglass_runner.revived", "ModelDict"): _model_dict_ext,
    ("builtins", "BaseException"): repr,
}


def _plain(changed, obj):
    if changed is obj or type(changed).__module__.split(".")[0] == "numpy":
        raise Unencodable(type(obj).__name__)
    return changed


def way_for(cls):
    """How objects of a class are stored, in the order of LangGraph's serializer."""
    if cls is Ext:
        return lambda obj: obj
    if not issubclass(cls, dict):
        if callable(getattr(cls, "model_dump", None)):
            return _pydantic2
        if callable(getattr(cls, "get_secret_value", None)):
            return _one(lambda obj: obj.get_secret_value())
        if callable(getattr(cls, "dict", None)):
            return _pydantic1
    if callable(getattr(cls, "_asdict", None)):
        return _named_fields
    for base in cls.__mro__:
        way = _BY_NAME.get((base.__module__, base.__name__))
        if way is not None:
            return way
    if hasattr(cls, "__dataclass_fields__"):
        return _keywords
    return lambda obj: obj  # str, int, dict subclasses and bytearray; the codec refuses all others


_ways = {}

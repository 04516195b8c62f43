"""Turns stored values into objects, as LangGraph would, where this Python can import their classes.

An ext names a class by its module. It is only called if objects of that class are stored in that form, so that no stored value
can call a function or a class with side effects (`subprocess.Popen`). Other values stay an `Ext`, which is stored again
unchanged."""

import sys
from importlib import import_module

from . import codec
from .codec import Ext
from .stored_forms import KEYWORDS, MANY, METHOD, NUMPY, ONE, PYDANTIC1, PYDANTIC2, form_of

TUPLE, NUMPY_SCALAR = -64, -65

_absent = set()  # modules that could not be imported for this document


class ModelDict(dict):
    """The fields of a pydantic model (a LangChain message, for example) whose class is not available, also as attributes.

    It is stored again as that model."""

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


def loads(data):
    _absent.clear()
    return codec.unpack(data, _from_ext)


def _from_ext(code, data):
    if not 0 <= code <= NUMPY and code not in (TUPLE, NUMPY_SCALAR):
        return Ext(code, data)
    try:
        parts = codec.unpack(data, _from_ext)
        value = _built(code, parts)
    except Exception:  # a constructor may raise anything: the value stays as it came
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
    if code == MANY and (module, name) == ("re", "compile"):
        return import_module("re").compile(*payload)
    cls = _class_of(code, module, name)
    if code in (PYDANTIC1, PYDANTIC2):
        return _model(cls, code, parts)
    return None if cls is None else _MAKERS[code](cls, *parts[2:])


def _class_of(code, module, name):
    """None where objects of that class are not stored in this form."""
    module = "pathlib" if module == "pathlib._local" else module
    loaded = sys.modules.get(module) or _imported(module)
    cls = getattr(loaded, name, None)
    return cls if isinstance(cls, type) and form_of(cls) == code else None


def _imported(module):
    if module in _absent or module.partition(".")[0] == __package__:
        return None
    try:
        return import_module(module)
    except (Exception, SystemExit):  # the module's own code may raise anything
        _absent.add(module)
        return None


def _one(cls, payload):
    try:
        return cls(payload)
    except (TypeError, ValueError):  # tuples are stored as lists: items of a set, the value of an Enum member
        return cls(codec.frozen(payload))


def _many(cls, payload):
    try:
        return cls(*payload)
    except TypeError:
        return cls(**dict(zip(("days", "seconds", "microseconds"), payload)))  # pandas.Timedelta takes them only by name


def _keywords(cls, payload):
    try:
        return cls(**payload)
    except Exception:
        if not hasattr(cls, "__dataclass_fields__"):
            raise
        made = cls.__new__(cls)  # for fields that __init__ does not take
        for name in cls.__dataclass_fields__:
            object.__setattr__(made, name, payload[name])
        return made


def _method(cls, payload, method):
    if method != "fromisoformat":
        return None
    if payload == "NaT":
        return import_module("pandas").NaT
    # The method that pandas inherits would cut off the nanoseconds.
    return cls(payload) if cls.__module__.partition(".")[0] == "pandas" else cls.fromisoformat(payload)


def _model(cls, code, parts):
    payload = parts[2]
    for make in (cls, getattr(cls, "construct" if code == PYDANTIC1 else "model_construct", None)):
        if make is not None:
            try:
                return make(**payload)
            except Exception:
                pass
    return _model_dict(payload, (code,) + tuple(parts[:2]) + tuple(parts[3:]))


_MAKERS = {ONE: _one, MANY: _many, KEYWORDS: _keywords, METHOD: _method}


def _array(dtype, shape, order, data):
    if "O" in dtype:
        return None
    import numpy

    return numpy.frombuffer(data, dtype=numpy.dtype(dtype)).reshape(shape, order=order).copy(order)


def _scalar(dtype, value):
    import numpy

    return numpy.dtype(dtype).type(value)

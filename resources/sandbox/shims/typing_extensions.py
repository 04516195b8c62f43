"""Names of typing for any Python from 3.9 on, where the package typing_extensions is not installed.

Names that this Python's own typing has are taken from there; others only serve annotations."""

import typing
import warnings

for _name in typing.__all__:
    globals()[_name] = getattr(typing, _name)
for _name in ("Any", "get_type_hints", "get_origin", "get_args", "is_typeddict"):
    if hasattr(typing, _name):
        globals()[_name] = getattr(typing, _name)


class _Form:
    """`NotRequired[int]` is int; `LiteralString` alone is only a name."""

    def __init__(self, name, whole=None):
        self._name = name
        self._whole = whole

    def __getitem__(self, parameters):
        first = parameters[0] if isinstance(parameters, tuple) else parameters
        return first if self._whole is None else self._whole

    def __call__(self, *_arguments, **_keywords):
        raise TypeError("%r is for annotations" % self)

    def __repr__(self):
        return "typing_extensions.%s" % self._name


def _same(thing):
    return thing


def _decorator(*_arguments, **_keywords):
    return _same


def _assert_never(value):
    raise AssertionError("Expected code to be unreachable, but got: %r" % (value,))


def _reveal_type(value):
    print("Runtime type is %r" % type(value).__name__)
    return value


class _Deprecated:
    """Like warnings.deprecated: warns where the decorated object is called."""

    def __init__(self, message, /, *, category=DeprecationWarning, stacklevel=1):
        self.message, self.category, self.stacklevel = message, category, stacklevel

    def __call__(self, thing):
        thing.__deprecated__ = self.message
        if self.category is None or isinstance(thing, type):
            return thing
        import functools

        @functools.wraps(thing)
        def warns(*arguments, **keywords):
            warnings.warn(self.message, category=self.category, stacklevel=self.stacklevel + 1)
            return thing(*arguments, **keywords)

        return warns


class Doc:
    def __init__(self, documentation, /):
        self.documentation = documentation


class _TypeAliasType:
    def __init__(self, name, value, *, type_params=()):
        self.__name__, self.__value__, self.__type_params__ = name, value, type_params

    def __getitem__(self, _parameters):
        return self

    def __repr__(self):
        return self.__name__


def _get_original_bases(cls, /):
    return cls.__dict__.get("__orig_bases__", cls.__bases__)


def _type_variable(name):
    """A kind of type variable that accepts a default, even if this Python's own does not."""
    own = getattr(typing, name, typing.TypeVar)

    def make(variable, *constraints, default=None, infer_variance=False, **keywords):
        return own(variable, *constraints, **keywords) if own is not typing.TypeVar or name == "TypeVar" else own(variable)

    return make


NoDefault = getattr(typing, "NoDefault", _Form("NoDefault"))
deprecated = getattr(warnings, "deprecated", _Deprecated)
_LACKING = {
    "assert_never": _assert_never,
    "assert_type": lambda value, _type, /: value,
    "clear_overloads": lambda: None,
    "dataclass_transform": _decorator,
    "disjoint_base": _same,
    "get_original_bases": _get_original_bases,
    "get_overloads": lambda _function: [],
    "is_typeddict": lambda thing: isinstance(thing, type) and hasattr(thing, "__total__"),
    "override": _same,
    "reveal_type": _reveal_type,
    "TypeAliasType": _TypeAliasType,
}
for _name in ("Concatenate", "Never", "NotRequired", "ReadOnly", "Required", "Self", "TypeAlias", "TypeForm", "Unpack"):
    _LACKING[_name] = _Form(_name)
for _name, _whole in (("TypeGuard", bool), ("TypeIs", bool), ("LiteralString", str), ("Buffer", bytes)):
    _LACKING[_name] = _Form(_name, _whole)
for _name, _thing in _LACKING.items():
    globals().setdefault(_name, _thing)
if not hasattr(typing, "NoDefault"):
    for _name in ("TypeVar", "ParamSpec", "TypeVarTuple"):
        globals()[_name] = _type_variable(_name)
runtime = typing.runtime_checkable
__all__ = [_name for _name in list(globals()) if not _name.startswith("_") and _name not in ("typing", "warnings")]

"""Pickles the session's functions so that they use the session's names again where they are read back.

cloudpickle alone would give each function a namespace of its own: changes that it makes there would be seen by nobody else."""

import pickle
from io import TextIOWrapper
from types import CellType, FunctionType

from . import shared_parts

_SET = ("__defaults__", "__kwdefaults__", "__annotations__", "__qualname__", "__module__", "__doc__", "__type_params__")

_scopes = {}  # {scope: its names}, while names are read back


def read_into(scopes):
    """Functions that are read back from now on belong to these scopes."""
    global _scopes
    _scopes = scopes


def pickler(cloudpickle, scopes, comes_with_file, is_left=lambda _class: False):
    """A class of picklers. `comes_with_file(value)`: true for a value that returns when its node file is executed again.
    `is_left(class)`: true for a class of a node file's module that does not."""
    places = {id(names): scope for scope, names in scopes.items()}
    ways = shared_parts.Ways()
    whole_class = getattr(getattr(cloudpickle, "cloudpickle", None), "_dynamic_class_reduce", None)

    class Pickler(cloudpickle.CloudPickler):
        def reducer_override(self, value):
            kind = type(value)
            if kind is FunctionType:
                scope = places.get(id(value.__globals__))
                if scope is not None and not comes_with_file(value):
                    return _reduced(value, scope)
            elif kind is CellType:
                return _reduced_cell(value)
            elif kind is TextIOWrapper:  # cloudpickle would make it a StringIO
                raise TypeError("cannot pickle an open file")
            elif whole_class is not None and issubclass(kind, type) and is_left(value):
                return whole_class(value)
            way = ways[kind]
            reduced = NotImplemented if way is None else way(value)
            return super().reducer_override(value) if reduced is NotImplemented else reduced

    return Pickler


def plain_pickler():
    """The same without cloudpickle."""
    ways = shared_parts.Ways()

    class Pickler(pickle.Pickler):
        def reducer_override(self, value):
            way = ways[type(value)]
            return NotImplemented if way is None else way(value)

    return Pickler


def _reduced(function, scope):
    state = {key: getattr(function, key) for key in _SET if hasattr(function, key)}
    arguments = (function.__code__, scope, function.__name__, function.__closure__)
    return _function, arguments, (state, dict(function.__dict__)), None, None, _set


def _reduced_cell(cell):
    """Several functions may share a cell, and it may hold one of them, so it is filled after it is made."""
    try:
        return _cell, (), (cell.cell_contents,), None, None, _fill
    except ValueError:  # an empty cell
        return _cell, ()


def _function(code, scope, name, cells):
    if scope not in _scopes:
        raise KeyError("its file did not come back")
    return FunctionType(code, _scopes[scope], name, None, cells)


def _set(function, state):
    attributes, own = state
    for key, value in attributes.items():
        setattr(function, key, value)
    function.__dict__.update(own)


def _cell():
    return CellType()


def _fill(cell, state):
    (cell.cell_contents,) = state

"""Functions and classes of the session's code that it has put into other modules or their classes, and modules that it made
itself: {module: {path of attributes: value}}, as in module_state.

There are thousands of attributes, so only those are looked at whose names the code sets somewhere, in modules and classes that
the same code names. Code that makes code from text has all of them looked at."""

import sys
from types import FunctionType, ModuleType

_SETTING = frozenset(("setattr", "delattr", "__setattr__", "update", "patch", "ModuleType", "modules", "monkeypatch"))
_REGISTERING = ("register", "add", "set", "install")  # by a name, perhaps
_ANYTHING = frozenset(("exec", "eval", "compile", "__dict__", "vars", "globals", "runpy"))
_COMPILED = ("builtin_function_or_method", "module")
_OF_PYTHON = ("builtins", "__main__")
MADE = ("", "made")  # the path that marks a module without a file

_known = set()  # modules that the session began with
traces = None  # of the code, once there is any
_set = set()  # names of attributes that the code sets
_beside = set()  # other names in such code
_looks_at_all = False
_seen = set()  # the user's modules whose functions were noted


def begin():
    _known.update(sys.modules)


def note(code):
    """Code of the session is about to be run."""
    global _looks_at_all, traces
    if traces is None:
        from .code_traces import Traces  # not of a session's start

        traces = Traces()
    traces.add(code)
    stored = traces.set.intersection(code.co_names)
    if any(name.startswith(_REGISTERING) for name in code.co_names):
        traces.set.update(text for text in code.co_consts if type(text) is str and text.isidentifier())
    if not _SETTING.isdisjoint(code.co_names):
        texts = {part for text in code.co_consts if type(text) is str and len(text) < 500 for part in text.split(".")}
        traces.set.update(texts)
        stored.update(texts)
        stored.update(code.co_names)
    if stored:
        _set.update(stored)
        _beside.update(stored, code.co_names)
    _looks_at_all = _looks_at_all or not _ANYTHING.isdisjoint(code.co_names)
    for inner in code.co_consts:
        if type(inner) is type(code):
            note(inner)


def told(own):
    """`own`: {name: module} of the user's modules."""
    for name, module in own.items():
        if name not in _seen:
            _seen.add(name)
            _note_functions(module.__dict__, name)
    if not _set and not _looks_at_all:
        return {}
    users = {"__main__", *own}
    found = {}
    for name, module in list(sys.modules.items()):
        if type(module) is not ModuleType or name in users or name in _OF_PYTHON or name.startswith("sandglass_runner"):
            continue
        if module is sys.modules["__main__"]:
            continue  # another name of it, which multiprocessing gives
        changed = _made(name, module, users) if _is_made(name, module) else _changed(name, module, users)
        if changed:
            found[name] = changed
    return found


def put_back(name):
    """Makes a module that has no file."""
    if name not in sys.modules:
        sys.modules[name] = ModuleType(name)


def _note_functions(names, module):
    for value in list(names.values()):
        function = _function_of(value)
        if function.__module__ == module:
            note(function.__code__)
        elif isinstance(value, type) and value.__module__ == module:
            _note_functions(value.__dict__, module)


def _is_made(name, module):
    """Whether code made the module by hand. Libraries' modules have dots in their names, a spec or a file."""
    names = module.__dict__
    return name not in _known and "." not in name and names.get("__spec__") is None and "__file__" not in names


def _made(name, module, users):
    found = {(name, key): value for key, value in list(module.__dict__.items()) if type(key) is str and not _is_hidden(key)}
    # Objects that a compiled library makes hold nothing of the user's.
    if not any(_is_users(value, users) for value in found.values()):
        return {}
    return {**found, MADE: True}


def _changed(name, module, users):
    found = {}
    names = module.__dict__
    for key in list(names) if _looks_at_all else _common(_beside, names):
        value = names[key]
        kind = type(value)
        if kind is FunctionType or issubclass(kind, type):
            origin = value.__module__
            if origin in users:
                found[(name, key)] = value
            elif origin == name and kind is not FunctionType:
                found.update(_inner((name, key), value.__dict__, users))
    return found


def _common(few, names):
    """set.intersection() goes through all of a dictionary, however small the set is."""
    return [key for key in few if key in names] if len(few) < len(names) else few.intersection(names)


def _inner(path, names, users):
    keys = list(names) if _looks_at_all else _common(_set, names)
    return {(*path, key): names[key] for key in keys if _function_of(names[key]).__module__ in users}


class _Nothing:
    __module__ = None


def _function_of(value):
    if type(value) in (staticmethod, classmethod):
        value = value.__func__
    elif type(value) is property:
        value = value.fget
    return value if type(value) is FunctionType else _Nothing


def _is_users(value, users):
    if type(value) is FunctionType or isinstance(value, type):
        return value.__module__ in users
    return type(value).__module__ in ("builtins", "__main__", *users) and type(value).__name__ not in _COMPILED


def _is_hidden(key):
    return key.startswith("__") and key.endswith("__")

"""The state of the user's modules, as the session's code left it: attributes of modules below the session's folder or in a
folder of the project, of their classes and functions and those of node files, and attributes that they added to other modules.
A module is imported anew when names are read back; then its attributes are set again, and those that it had lost are removed.

What comes with a module's text (its own functions, classes, imported modules) is not written out. Looking at attributes calls
no code of theirs."""

import os
import sys
import zlib
from _contextvars import ContextVar, copy_context
from _thread import LockType
from types import FunctionType, ModuleType

from . import kept_state, library_state, own_changes

SCOPE = "<modules>"
TEXT = ("",)  # the path of the hash by which a module's text is told from another
PROJECT = "<project>"  # in place of a module's name: the texts of the project's modules
_TEXTS = ("", "texts")
KEYS = ("", "keys")  # the path of its attributes' names, where some that come with its text may have been removed
_CONTEXT = "<context>"  # last part of a context variable's path, whose value is kept
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
# Objects of these modules are made anew by each module; they cannot be pickled, and hold nothing that a person put there.
_MADE_ANEW = ("_thread", "threading", "_contextvars", "contextvars", "typing", "weakref", "_weakref", "_abc", "_functools")


def told(files):
    """({module: {path of attributes: value}}, [(module, error)] for modules that could not be read). `files`: {name:
    NodeFile}."""
    found, failed = {}, []
    of_project = sys.modules.get("sandglass_runner.project_modules")
    texts = of_project.texts() if of_project else None
    if texts:
        found[PROJECT] = {_TEXTS: texts}
    node_modules = {file.module.__name__: file.module for file in files.values()}
    own = {file.module.__name__: file.own for file in files.values()}
    for name, module in {**own_modules(), **node_modules}.items():
        try:
            state = _inner(module, own.get(name))
            if node_modules.get(name) is not module:
                state.update(_attributes(module))
        except BaseException as error:  # its own objects may do anything when they are read
            failed.append((name, error))
            continue
        if node_modules.get(name) is not module:
            state[KEYS] = sorted(filter(_can_be_lost, module.__dict__))
            state[TEXT] = _text_of(module)
        if state:
            found[name] = state
    try:
        found.update(own_changes.told({**own_modules(), **node_modules}))
    except BaseException as error:
        failed.append(("of others", error))
    return found, failed


def told_of_libraries(files):
    """The same of what was changed in modules of others."""
    users = {"__main__": None, **own_modules(), **{file.module.__name__: file.module for file in files.values()}}
    lost = []
    return ({} if own_changes.traces is None else library_state.told(users, own_changes.traces, lost)), lost


def notes(state):
    """The part of a module's state that says how to apply the rest."""
    return {path: value for path, value in state.items() if path[0] == ""}


def is_users(name):
    """Whether a module of that name is of the user's code: cells, node files, modules of the session or the project."""
    if name == "__main__":
        return True
    module = sys.modules.get(name)
    file = module.__dict__.get("__file__") if type(module) is ModuleType else None
    return type(file) is str and (not file.startswith(os.sep) or name in own_modules())  # a node file's path is the project's


def is_made_anew(value):
    """True for an object whose loss need not be reported. The loss of a held lock is: the new one is free."""
    if type(value) is LockType and value.locked():
        return False
    return type(value).__module__ in _MADE_ANEW


class Restored(dict):
    """{module: {path of attributes: value}}, or {module.path: value} of a single one."""

    def __setitem__(self, name, state):
        if name == PROJECT:
            of_project = sys.modules.get("sandglass_runner.project_modules")
            if of_project:
                of_project.came_with(state[_TEXTS])
            return
        text, keys, is_made = state.pop(TEXT, None), state.pop(KEYS, None), state.pop(own_changes.MADE, False)
        module = next((path[0] for path in state), name)
        if is_made:
            own_changes.put_back(module)
        __import__(module)
        if text is not None and _text_of(sys.modules[module]) != text:
            return  # the file was changed since then, so the new module is left as it is
        if keys is not None:
            _remove_others(sys.modules[module], keys)
        for (_module, *path, last), value in state.items():
            holder = sys.modules[module]
            for part in path:
                holder = getattr(holder, part)
            if last == _CONTEXT:
                holder.set(value)
            else:
                setattr(holder, last, value)


def _can_be_lost(key):
    return type(key) is str and not (key.startswith("__") and key.endswith("__"))


def _remove_others(module, keys):
    for key in [key for key in module.__dict__ if _can_be_lost(key) and key not in keys]:
        if not isinstance(module.__dict__[key], ModuleType):
            del module.__dict__[key]


def own_modules():
    """{name: module} of the user's own modules."""
    newest = next(reversed(sys.modules))
    seen = len(sys.modules), newest, id(sys.modules[newest])
    if seen != _looked.get("seen"):
        _looked.update(seen=seen, found=_found_modules())
    return _looked["found"]


_looked = {}


def _found_modules():
    of_project = sys.modules.get("sandglass_runner.project_modules")  # where the project has any
    folders = [kept_state.session_folder(), *(of_project.folders().values() if of_project else ())]
    places = tuple(os.path.join(folder, "") for folder in folders)
    found = {}
    for name, module in list(sys.modules.items()):
        file = module.__dict__.get("__file__") if type(module) is ModuleType else None
        is_own = type(file) is str and file.startswith(places) and not any(part in file for part in _INSTALLED)
        if is_own and module.__dict__.get("__name__") == name:
            found[name] = module
    return found


def _text_of(module):
    path = module.__dict__["__file__"]
    of_project = sys.modules.get("sandglass_runner.project_modules")
    known = of_project.imported_hash(path) if of_project else None
    if known is None:
        with open(path, "rb") as file:
            known = zlib.crc32(file.read())
    return known


def _attributes(module):
    name = module.__name__
    found = {}
    for key, value in list(module.__dict__.items()):
        if type(key) is not str or (key.startswith("__") and key.endswith("__")) or issubclass(type(value), ModuleType):
            continue
        if type(value) is ContextVar:
            if value in copy_context():
                found[(name, key, _CONTEXT)] = value.get()
        elif not _is_defined_as(value, name, key):
            found[(name, key)] = value
    return found


def _inner(module, own):
    """Attributes of a module's classes and functions, including mutable defaults of arguments. `own`: the names of a node file,
    without those that its calls have left: these are the session's, and come back as a whole."""
    found = {}
    for key, value in list(module.__dict__.items()):
        if own is not None and key not in own:
            continue
        if not _is_defined_as(value, module.__name__, key):
            continue
        if type(value) is FunctionType:
            found.update(((module.__name__, key, inner), v) for inner, v in value.__dict__.items() if inner != "__wrapped__")
            for inner in ("__defaults__", "__kwdefaults__"):
                defaults = getattr(value, inner) or ()
                if any(type(v) in (list, dict, set, bytearray) for v in (defaults.values() if type(defaults) is dict else defaults)):
                    found[(module.__name__, key, inner)] = defaults
        elif type(value) is type or type(value).__name__ == "ABCMeta":
            found.update(((module.__name__, key, inner), v) for inner, v in value.__dict__.items() if _is_plain(inner, v))
    return found


def _is_defined_as(value, module, name):
    if type(value) is not FunctionType and not issubclass(type(value), type):
        return False
    return value.__module__ == module and value.__qualname__ == name


def _is_plain(name, value):
    is_hidden = name.startswith("__") or name.startswith("_abc_")
    return not is_hidden and not hasattr(type(value), "__get__") and not issubclass(type(value), (type, ModuleType))

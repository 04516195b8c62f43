"""Process state that the session's code has set besides its names: written out with them, and set again before they are read.

The generators of random numbers come last, as reading names may draw from them. Settings of Python and of libraries are in
settings.py. The host drops an environment variable that holds a secret, as it does any name."""

import os
import sys

from . import dict_versions, noted_calls, own_changes, settings

SCOPE = "<process>"  # no node file has that name
_VARIABLE = "environment variable "

_began = {}


def begin():
    """Called when an interpreter is ready for the user's code: the state at this point need not be kept."""
    _began.update(folder=os.getcwd(), path=list(sys.path), environment=dict(os.environ))
    settings.begin()
    own_changes.begin()
    noted_calls.begin()


def told():
    """{name: value} of what has changed since begin(), and [(name, error)] of what could not be read."""
    found, failed = {}, []
    for name, ask in (("folder", _folder), ("path", _path), ("random", _random), ("numpy.random", _numpy_random)):
        try:
            value = ask()
        except BaseException as error:  # code has replaced it by something of its own
            failed.append((name, error))
            continue
        if value is not None:
            found[name] = value
    try:
        found.update(_variables())
    except BaseException as error:
        failed.append(("environment", error))
    return found, failed


def has_own_path():
    return sys.path != _began.get("path")


def session_folder():
    return _began.get("folder") or os.sep


def _folder():
    try:
        now = os.getcwd()
    except OSError:
        return None  # the folder was removed
    return None if now == _began.get("folder") else now


def _path():
    """(present path, path at the beginning), or None where they are equal."""
    began = _began.get("path", [])
    return None if sys.path == began else (list(sys.path), list(began))


def _random():
    module = sys.modules.get("random")
    return None if module is None else module.getstate()


def _numpy_random():
    legacy = getattr(sys.modules.get("numpy.random"), "get_state", None)
    return None if legacy is None else legacy()


def _variables():
    """{name of the record: (variable, its text, or None where the code removed it)}."""
    data = getattr(os.environ, "_data", None)
    if _same_environment.holds(data):
        return {}
    began, now = _began.get("environment", {}), dict(os.environ)
    if began == now:
        if type(os.environ) is os._Environ:
            _same_environment.note(data)
        return {}
    changed = {name: text for name, text in now.items() if began.get(name) != text}
    changed.update((name, None) for name in began if name not in now)
    return {_VARIABLE + name.encode("utf-8", "backslashreplace").decode(): (name, text) for name, text in changed.items()}


_same_environment = dict_versions.Same()  # as it was when nothing was changed


class Restored(dict):
    """Restores each value as it is stored under its name; finish() sets the rest."""

    def __setitem__(self, name, value):
        if name == "folder":
            os.chdir(value)
        elif name == "path":
            _set_path(*value)
        elif name.startswith(_VARIABLE):
            _set_variable(*value)
        else:
            super().__setitem__(name, value)

    def finish(self):
        """Sets the random generators; returns [(name, error)] of what could not be set."""
        failed = []
        for name, setter in (("random", "setstate"), ("numpy.random", "set_state")):
            if name in self:
                try:
                    __import__(name)
                    getattr(sys.modules[name], setter)(self[name])
                except BaseException as error:  # another version, or a replacement by the user's code
                    failed.append((name, error))
        return failed


def _set_path(path, began):
    """Entries that only this interpreter has stay, at the end: a folder of packages, for example."""
    sys.path[:] = path + [entry for entry in sys.path if entry not in began and entry not in path]


def _set_variable(name, text):
    if text is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = text
    if name == "TZ":
        import time

        time.tzset()

"""What the session's code has set that is none of its names: written out beside them, and set again before they are read.

The generators of random numbers come last: to read names may draw from them. Settings of Python and of libraries are those of
settings.py. A variable of the environment that holds a secret is left out by the host, as any name is."""

import os
import sys

from . import noted_calls, own_changes, settings

SCOPE = "<process>"  # no file of a node has that name
_VARIABLE = "environment variable "

_began = {}


def begin():
    """An interpreter that is ready for the user's code: what is so now need not be kept."""
    _began.update(folder=os.getcwd(), path=list(sys.path), environment=dict(os.environ))
    settings.begin()
    own_changes.begin()
    noted_calls.begin()


def told():
    """{name: value} of what is other than it began, and [(name, error)] of what could not be asked."""
    found, failed = {}, []
    for name, ask in (("folder", _folder), ("path", _path), ("random", _random), ("numpy.random", _numpy_random)):
        try:
            value = ask()
        except BaseException as error:  # code put something of its own in its place
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
        return None  # it has no name any more
    return None if now == _began.get("folder") else now


def _path():
    """(as it is, as it began)"""
    began = _began.get("path", [])
    return None if sys.path == began else (list(sys.path), list(began))


def _random():
    module = sys.modules.get("random")
    return None if module is None else module.getstate()


def _numpy_random():
    legacy = getattr(sys.modules.get("numpy.random"), "get_state", None)
    return None if legacy is None else legacy()


def _variables():
    """{name of the record: (variable, its text, or None where the code removed it)}"""
    began, now = _began.get("environment", {}), dict(os.environ)
    if began == now:
        return {}
    changed = {name: text for name, text in now.items() if began.get(name) != text}
    changed.update((name, None) for name in began if name not in now)
    return {_VARIABLE + name.encode("utf-8", "backslashreplace").decode(): (name, text) for name, text in changed.items()}


class Restored(dict):
    """Is filled by name; what waits is set by finish()."""

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
        """[(name, error)] of what could not be set."""
        failed = []
        for name, setter in (("random", "setstate"), ("numpy.random", "set_state")):
            if name in self:
                try:
                    __import__(name)
                    getattr(sys.modules[name], setter)(self[name])
                except BaseException as error:  # another version of it, or code of the user's own in its place
                    failed.append((name, error))
        return failed


def _set_path(path, began):
    """What this interpreter has that the other did not begin with stays, at the end: a folder of packages, say."""
    sys.path[:] = path + [entry for entry in sys.path if entry not in began and entry not in path]


def _set_variable(name, text):
    if text is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = text
    if name == "TZ":
        import time

        time.tzset()

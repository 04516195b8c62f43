"""Calls of the session's code that change Python where nobody can ask for it afterwards: they are noted, and made again where the
session's names come back. Calls of libraries are not: they make them again as they are imported."""

import atexit
import codecs
import os
import sys
from abc import ABCMeta

CALL = "()"  # ends the name of a function in a path
_MOST = 1000
_OF_PYTHON = getattr(sys, "stdlib_module_names", ())  # Python 3.9 does not tell
_CLASSES = ("abc", "ABCMeta.register")
_NOTED = ((atexit, "register"), (codecs, "register_error"), (codecs, "register"), (os, "register_at_fork"), (sys, "addaudithook"), (os, "putenv"))

_originals = {}
_calls = []  # (module of the caller, (module, function), arguments, keywords)
_too_many = set()


def begin():
    """From now on."""
    if _originals:
        return
    for module, name in _NOTED:
        _put(module, name, (module.__name__, name), _noting((module.__name__, name), getattr(module, name)))
    _put(ABCMeta, "register", _CLASSES, _register_class)
    _put(atexit, "unregister", ("atexit", "unregister"), _unregister)


def told(users):
    """({module: {path: (arguments, keywords)}}, [(name, error)]) of calls by code of these modules."""
    found = {}
    for place, (caller, (module, function), arguments, keywords) in enumerate(_calls):
        if caller in users:
            found.setdefault(module, {})[(module, function + CALL, str(place))] = (arguments, keywords)
    error = RuntimeError("it was called more than %d times" % _MOST)
    return found, [(".".join(call) + CALL, error) for call in _too_many]


def call_again(module, function, value):
    arguments, keywords = value
    call = (module, function[: -len(CALL)])
    if call == _CLASSES:
        _originals[call](*arguments)
    else:
        _originals[call](*arguments, **keywords)
    _note("__main__", call, arguments, keywords)


def _put(holder, name, call, function):
    _originals[call] = getattr(holder, name)
    function.__name__, (function.__module__, function.__qualname__) = name, call  # it is pickled by these
    function.__doc__ = _originals[call].__doc__
    setattr(holder, name, function)


def _noting(call, original):
    def noting(*arguments, **keywords):
        made = original(*arguments, **keywords)
        _note(sys._getframe(1).f_globals.get("__name__"), call, arguments, keywords)
        return made

    return noting


def _register_class(cls, subclass):
    made = _originals[_CLASSES](cls, subclass)
    _note(sys._getframe(1).f_globals.get("__name__"), _CLASSES, (cls, subclass), {})
    return made


def _unregister(function):
    _originals[("atexit", "unregister")](function)
    _calls[:] = [each for each in _calls if each[1] != ("atexit", "register") or each[2][0] != function]


def _note(caller, call, arguments, keywords):
    if str(caller).startswith(("sandglass_runner.", "importlib.")) or caller in _OF_PYTHON:
        return
    if len(_calls) < _MOST:
        _calls.append((caller, call, arguments, keywords))
    else:
        _too_many.add(call)

"""Passes exceptions of one call to another: the interpreter that met one packs it as data, and it is built again for the error
handler, in another interpreter or after the failed call's changes were undone."""

import builtins
import sys

from . import codec, values
from .failures import text_of

MOST_BYTES = 1 << 20
_MOST_NAME = 200


def told(error):
    """Packed arguments and attributes; for parts that state cannot hold, their text or nothing. None: they are too large."""
    parts = {"args": [_stored(part) or _stored(text_of(repr, part)) for part in error.args], "attributes": {}}
    for name, value in _attributes(error):
        stored = _stored(value)
        if stored is not None and type(name) is str:
            parts["attributes"][name] = stored
    data = codec.pack(parts)
    return data if len(data) <= MOST_BYTES else None


def _attributes(error):
    yield from list(vars(error).items())
    for cls in type(error).__mro__:
        if cls.__module__ == "builtins" and cls is not BaseException:
            for name in vars(cls):
                if not name.startswith("_") and type(vars(cls)[name]).__name__ == "member_descriptor":
                    value = getattr(error, name, None)
                    if value is not None:
                        yield name, value


def _stored(part):
    try:
        return values.dumps_update({"it": part})
    except TypeError:
        return None


def built(failed):
    """The exception that the host describes, or its text where the host knows no more."""
    if failed["type"] == "str":
        return failed["message"]
    try:
        return _built_from_data(failed) if failed.get("data") else _built_from_text(failed)
    except Exception:  # data from an interpreter is as untrusted as any input
        return Exception(failed["message"])


def _built_from_data(failed):
    parts = codec.unpack(failed["data"])
    error = _made(_class_of(failed), [values.loads(stored)["it"] for stored in parts["args"]])
    for name, stored in parts["attributes"].items():
        try:
            setattr(error, name, values.loads(stored)["it"])
        except Exception:  # a property of its class may do anything
            pass
    return error


def _made(cls, arguments):
    """Builds an exception as unpickling would, without its class's __init__, whose parameters may differ from `args`."""
    base = next(c for c in cls.__mro__ if c.__module__ == "builtins")
    try:
        error = base.__new__(cls, *arguments)
        base.__init__(error, *arguments)
    except Exception:  # unsuitable arguments, for example of UnicodeDecodeError where one could not be stored
        return Exception(*arguments)
    error.args = tuple(arguments)
    return error


def _built_from_text(failed):
    import ast

    kind, message, text = failed["type"], failed["message"], failed.get("repr") or ""
    arguments = (message,)
    try:
        if text.startswith(kind + "(") and text.endswith(")"):
            inner = text[len(kind) + 1 : -1].strip()
            arguments = ast.literal_eval("(%s,)" % inner) if inner else ()
        elif kind == "KeyError":  # its text is the key's repr()
            arguments = (ast.literal_eval(message),)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    cls = _class_of(failed)
    error = _made(cls, arguments)
    return error if str(error) == message else _made(cls, (message,))


def _class_of(failed):
    """The class itself where its module is loaded here, else a new class of that name below a known base."""
    names = failed.get("mro") or ["builtins." + failed["type"], "langgraph.errors." + failed["type"]]
    for place, name in enumerate(names):
        cls = _loaded_class(name)
        if cls is not None:
            break
    else:
        place, cls = 1, Exception
    if place == 0 or cls.__name__ == failed["type"]:
        return cls
    module = names[0].rpartition(".")[0] if failed.get("mro") else "__main__"
    return type(failed["type"][:_MOST_NAME], (cls,), {"__module__": module})


def _loaded_class(name):
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        found = builtins if parts[:end] == ["builtins"] else sys.modules.get(".".join(parts[:end]))
        for part in parts[end:]:
            found = vars(found).get(part) if found is not None and hasattr(found, "__dict__") else None
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return None

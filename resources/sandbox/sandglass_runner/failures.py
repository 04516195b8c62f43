"""Describes exceptions for the host: bounded, and cut to the user's own frames, whatever the exception does."""

import os

MESSAGE_LIMIT = 65536
TEXT_LIMIT = 262144
FRAMES = 100

_here = os.path.dirname(__file__) + os.sep
_shims = os.path.join(os.path.dirname(os.path.dirname(__file__)), "shims") + os.sep


def cut(text, limit):
    if len(text) <= limit:
        return text
    return "%s… (%d more characters)" % (text[:limit], len(text) - limit)


def _is_ours(filename):
    return filename.startswith(_here) or filename.startswith(_shims)


def text_of(function, error):
    """`function` is str or repr."""
    try:
        return str(function(error))
    except BaseException as inner:  # the exception's own __str__ or __repr__ may do anything
        return "<%s has no readable text: its own %s failed with %s>" % (
            type(error).__name__,
            "__str__" if function is str else "__repr__",
            type(inner).__name__,
        )


def simple(kind, message):
    """An error made by the runner itself."""
    return {
        "type": kind,
        "message": message,
        "repr": "%s(%r)" % (kind, message),
        "mro": [],
        "traceback": [],
        "text": "%s: %s" % (kind, message),
    }


def described(error):
    """The map that PROTOCOL.md calls error."""
    kind = type(error).__name__
    message = cut(text_of(str, error), MESSAGE_LIMIT)
    result = {
        "type": kind,
        "message": message,
        "repr": cut(text_of(repr, error), MESSAGE_LIMIT),
        "mro": ["%s.%s" % (c.__module__, c.__qualname__) for c in type(error).__mro__[:50]],
        "traceback": [],
        "text": "%s: %s" % (kind, message),
    }
    try:
        _add_traceback(result, error)
    except BaseException:  # out of memory or stack: type and message still arrive
        pass
    return result


def _add_traceback(result, error):
    import traceback

    first = error.__traceback__
    while first is not None and _is_ours(first.tb_frame.f_code.co_filename):
        first = first.tb_next
    summary = traceback.TracebackException(type(error), error, first, limit=-FRAMES)
    stack = [f for f in summary.stack if not _is_ours(f.filename)]
    summary.stack[:] = stack
    result["traceback"] = [
        {"file": f.filename, "line": f.lineno or 0, "function": f.name, "source": (f.line or "")[:1000]}
        for f in stack
    ]
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        result["traceback"].append(
            {
                "file": error.filename,
                "line": error.lineno or 0,
                "function": "",
                "source": (error.text or "").strip()[:1000],
            }
        )
    text = "".join(summary.format())
    if "ModuleNotFoundError" in text:
        from . import missing_module

        text = text.rstrip("\n") + "\n" + missing_module.advice(missing_module.cause(error))
    result["text"] = cut(text.rstrip("\n") + "\n", TEXT_LIMIT)

"""Completes names that are being typed, and describes them. Nothing but attributes is evaluated."""

import builtins
import keyword
import sys

from .failures import cut

MOST_MATCHES = 200
_DOC_LIMIT = 20000
_MOST_KEY = 200


def completed(namespace, code, cursor):
    """Returns {"matches": [{"text", "kind"}], "start", "end"}, positions in characters of `code`."""
    cursor = min(cursor, len(code))
    before = code[:cursor]
    start = cursor
    while start and (before[start - 1].isalnum() or before[start - 1] == "_"):
        start -= 1
    begun = before[start:]
    key = _key_begun(before)
    if key is not None:
        base, quote, start = key
        names = _keys(_resolved(namespace, base), quote)
        begun = before[start:]
    elif start and before[start - 1] == ".":
        base = _dotted_before(before, start - 1)
        names = _attributes(_resolved(namespace, base)) if base else []
    elif _is_import(before):
        names = [(name, "module") for name in _modules()]
    else:
        names = [(name, _kind(value)) for name, value in list(namespace.items()) + list(vars(builtins).items())]
        names += [(word, "keyword") for word in keyword.kwlist]
    found = {}
    for name, kind in names:
        if name.startswith(begun) and (begun.startswith("_") or not name.startswith("_")):
            found.setdefault(name, kind)
    matches = [{"text": name, "kind": found[name]} for name in sorted(found)[:MOST_MATCHES]]
    return {"matches": matches, "start": start, "end": cursor}


def described(namespace, code, cursor):
    """Returns {"found": bool, …}: type, signature, docstring and file of the dotted name at the cursor."""
    cursor = min(cursor, len(code))
    end = cursor
    while end < len(code) and (code[end].isalnum() or code[end] == "_"):
        end += 1
    if end == cursor and code[:cursor].rstrip().endswith("("):
        end = len(code[:cursor].rstrip()) - 1
    name = _dotted_before(code, end)
    found, value = _looked_up(namespace, name)
    if not found:
        return {"found": False, "name": name}
    import inspect

    result = {"found": True, "name": name, "type": _type_name(value)}
    for key, read in (("signature", _signature), ("doc", inspect.getdoc), ("file", inspect.getsourcefile)):
        try:
            text = read(value)
        except Exception:  # the object has none
            text = None
        if isinstance(text, str) and text:
            result[key] = cut(text, _DOC_LIMIT)
    return result


def _signature(value):
    import inspect

    return str(inspect.signature(value)) if callable(value) else None


def _type_name(value):
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)


def _dotted_before(code, end):
    start = end
    while start and (code[start - 1].isalnum() or code[start - 1] in "_."):
        start -= 1
    return code[start:end]


def _key_begun(before):
    """(base, quote, start of the key) within `base["key`; None elsewhere."""
    at = max(before.rfind('["'), before.rfind("['"))
    if at < 0 or before[at + 1] in before[at + 2 :] or "\n" in before[at:]:
        return None
    base = _dotted_before(before, at)
    return (base, before[at + 1], at + 2) if base else None


def _resolved(namespace, dotted):
    return _looked_up(namespace, dotted)[1]


def _looked_up(namespace, dotted):
    parts = dotted.split(".")
    if not all(part.isidentifier() for part in parts):
        return False, None
    if parts[0] in namespace:
        value = namespace[parts[0]]
    elif hasattr(builtins, parts[0]):
        value = getattr(builtins, parts[0])
    else:
        return False, None
    for part in parts[1:]:
        try:
            value = getattr(value, part)
        except Exception:  # absent, or a failing property
            return False, None
    return True, value


def _attributes(value):
    if value is None:
        return []
    found = []
    for name in dir(value):
        member = getattr(type(value), name, None)  # does not evaluate properties
        found.append((name, "property" if isinstance(member, property) else _kind(member)))
    return [(name, kind) for name, kind in found if isinstance(name, str)]


def _keys(value, quote):
    keys = list(getattr(value, "columns", ())) if hasattr(value, "columns") else []
    if isinstance(value, dict):
        keys = list(value)[:10000]
    usable = [k for k in keys if isinstance(k, str) and len(k) <= _MOST_KEY and k.isprintable() and quote not in k]
    return [(k, "key") for k in usable]


def _kind(value):
    if isinstance(value, type):
        return "class"
    if isinstance(value, type(sys)):
        return "module"
    return "function" if callable(value) else "value"


def _is_import(before):
    words = before.rsplit("\n", 1)[-1].split()
    last_is_open = before[-1:].isspace()
    return len(words) + last_is_open == 2 and words[0] in ("import", "from")


def _modules():
    import pkgutil

    return {module.name for module in pkgutil.iter_modules()} | set(sys.builtin_module_names)

"""Finds faults in code files before they run: they are compiled, never executed."""

import warnings

_MOST_TEXT = 200
_MOST_KEYS = 100  # of one file


def faults(files):
    """Of each {file, source, functions, channels, updating, reading}: [line, column, message, line of code, channel].

    The line is 0 where none is to blame. A fault that names a channel is about a key that the state lacks: one that a
    function of `updating` returns, or that one of `reading` asks its state for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [_faults(each["file"], each["source"], each["functions"]) or _strange_keys(each) for each in files]


def _faults(file, source, functions):
    try:
        code = compile(source, file, "exec", 0, True)
    except SyntaxError as error:
        line = max(error.lineno or 0, 0)
        lines = source.split("\n")
        text = error.text or (lines[line - 1] if 0 < line <= len(lines) else "")
        message = "%s: %s" % (type(error).__name__, error.msg)
        return [[line, max(error.offset or 0, 0), message[:_MOST_TEXT], text.strip()[:_MOST_TEXT], ""]]
    except Exception as error:  # null bytes, too deep a nesting
        return [[0, 0, ("%s: %s" % (type(error).__name__, error))[:_MOST_TEXT], "", ""]]
    from .nodes import bound_names

    if any(instruction.opname in ("IMPORT_STAR", "CALL_INTRINSIC_1") for instruction in _instructions(code)):
        return []  # names may come from elsewhere
    names = bound_names(code)
    lacking = [name for name in functions if name not in names]
    return [[0, 0, "it defines no function '%s'" % name, "", ""] for name in lacking]


def _instructions(code):
    import dis

    return dis.get_instructions(code)


def _strange_keys(each):
    if not each["channels"]:
        return []  # the graph declares none, which is told already
    import ast

    try:
        functions = {f.name: f for f in ast.parse(each["source"]).body if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))}
        known, told = set(each["channels"]), {}
        for name in each["updating"]:
            for key, line in _returned(functions[name], ast) if name in functions else ():
                told.setdefault((key, "it returns '%s'" % key), line)
        for name in each["reading"]:
            for key, line in _asked(functions[name], ast) if name in functions else ():
                told.setdefault((key, "it reads '%s' from the state" % key), line)
    except RecursionError:
        return []
    lines = each["source"].split("\n")
    found = sorted((line, words, key) for (key, words), line in told.items() if key not in known and not key.startswith("__"))
    return [
        [line, 0, (words + ", which is no channel of the graph")[:_MOST_TEXT], lines[line - 1].strip()[:_MOST_TEXT], key]
        for line, words, key in found[:_MOST_KEYS]
        if len(key) <= _MOST_TEXT
    ]


def _inner(function, ast):
    """What stands in the function itself, not in the functions that it defines."""
    waiting = list(function.body)
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(part))


def _text_of(part, ast):
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None


def _returned(function, ast):
    for part in _inner(function, ast):
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Dict):
            for key in part.value.keys:
                if key is not None and _text_of(key, ast) is not None:
                    yield key.value, key.lineno


def _asked(function, ast):
    arguments = function.args.posonlyargs + function.args.args
    if not arguments:
        return
    state = arguments[0].arg
    parts = list(_inner(function, ast))
    if any(isinstance(p, ast.Name) and p.id == state and not isinstance(p.ctx, ast.Load) for p in parts):
        return  # the name means something else from some line on
    written = {p.slice.value for p in parts if _is_item(p, state, ast) and not isinstance(p.ctx, ast.Load)}
    for part in parts:
        if _is_item(part, state, ast) and part.slice.value not in written:
            yield part.slice.value, part.lineno
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "get" and part.args:
            key = _text_of(part.args[0], ast)
            if isinstance(part.func.value, ast.Name) and part.func.value.id == state and key is not None:
                yield key, part.lineno


def _is_item(part, name, ast):
    return (
        isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        and _text_of(part.slice, ast) is not None
    )

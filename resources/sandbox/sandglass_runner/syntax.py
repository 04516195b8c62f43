"""What is wrong with code files before anything of them runs: compiled, never executed."""

import warnings

_MOST_TEXT = 200


def faults(files):
    """Of each {file, source, functions}: [line, column, message, line of code], line 0 where none is to blame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [_faults(each["file"], each["source"], each["functions"]) for each in files]


def _faults(file, source, functions):
    try:
        code = compile(source, file, "exec", 0, True)
    except SyntaxError as error:
        line = max(error.lineno or 0, 0)
        lines = source.split("\n")
        text = error.text or (lines[line - 1] if 0 < line <= len(lines) else "")
        message = "%s: %s" % (type(error).__name__, error.msg)
        return [[line, max(error.offset or 0, 0), message[:_MOST_TEXT], text.strip()[:_MOST_TEXT]]]
    except Exception as error:  # null bytes, too deep a nesting
        return [[0, 0, ("%s: %s" % (type(error).__name__, error))[:_MOST_TEXT], ""]]
    from .nodes import bound_names

    if any(instruction.opname in ("IMPORT_STAR", "CALL_INTRINSIC_1") for instruction in _instructions(code)):
        return []  # names from elsewhere
    names = bound_names(code)
    lacking = [name for name in functions if name not in names]
    return [[0, 0, "it defines no function '%s'" % name, ""] for name in lacking]


def _instructions(code):
    import dis

    return dis.get_instructions(code)

"""Advice about a missing module, shown below the traceback of the ModuleNotFoundError."""

import os

_MOST_NAMED = 40
_MOST_LINKS = 100  # of a chain of errors, which may go round


def cause(error):
    """The first error about a missing module among an error and those that led to it, as far as its traceback shows them."""
    for _ in range(_MOST_LINKS):
        if error is None or isinstance(error, ModuleNotFoundError):
            return error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return None


def advice(error):
    """One or more lines for people; empty where the error names no module, or part of an existing one."""
    name = getattr(error, "name", None)
    root = name.partition(".")[0] if isinstance(name, str) else ""
    if not root or _is_there(root):
        return ""
    from . import project_modules

    packages = _packages()
    lines = [
        "'%s' is not in this sandbox%s. If it is a package, name it in \"requirements\" of the graph's \"sandbox\"."
        % (root, _guess(root, packages))
    ]
    folders = project_modules.folders()
    seen = [folder for folder, path in folders.items() if os.path.isdir(path)]
    if seen:
        places = " or ".join("%s/" % folder for folder in folders)
        if list(folders) == ["nodes"]:  # a graph that names no folders has lib/, too, once it exists
            places += ", or in lib/, which the project does not have yet"
        lines.append("If it is a file of the project, it has to lie in %s." % places)
    elif folders:
        hidden = ", ".join("%s/" % folder for folder in folders)
        lines.append("This sandbox sees no folder of your machine: nothing can be imported from %s." % hidden)
    more = ", and %d more" % (len(packages) - _MOST_NAMED) if len(packages) > _MOST_NAMED else ""
    lines.append("Installed: %s%s." % (", ".join(packages[:_MOST_NAMED]) or "the standard library alone", more))
    return "\n".join(lines)


def _is_there(root):
    from importlib.util import find_spec

    try:
        return find_spec(root) is not None
    except Exception:  # an odd module of that name
        return True


def _packages():
    from importlib.metadata import distributions

    try:
        names = {each.metadata["Name"] for each in distributions()}
    except Exception:  # a partly installed package
        return []
    return sorted((name[:64] for name in names if isinstance(name, str)), key=str.lower)


def _guess(root, packages):
    from difflib import get_close_matches

    near = get_close_matches(root.lower(), [name.lower().replace("-", "_") for name in packages], 1, 0.75)
    return " (did you mean '%s'?)" % near[0] if near and near[0] != root.lower() else ""

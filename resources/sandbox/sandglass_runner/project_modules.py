"""Modules of the project: its folders on sys.path, what was imported from them, and what has changed since.

They come after the standard library, so that no project file hides a part of it, and before installed packages. A module is
always imported from its text (never from compiled code beside it), and the call that imports it reports the text's hash."""

import importlib
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader

_folders = {}  # name in the project: folder in the sandbox
_loaded = {}  # path: hash of the text that was imported
_told = set()
_run = None
_is_stale = False  # names that were brought back are from other texts of modules
_MOST_TOLD = 1000


def install(folders):
    """`folders`: {name in the project: folder}, in the order in which they are searched."""
    _folders.update(folders)
    sys.path_hooks.insert(0, _finder)
    own = [i for i, path in enumerate(sys.path) if os.path.basename(path) in ("site-packages", "dist-packages")]
    place = own[0] if own else len(sys.path)
    sys.path[place:place] = list(_folders.values())


def folders():
    """{name in the project: folder in the sandbox}; the folders need not exist."""
    return dict(_folders)


def path_of(file):
    """The path in the sandbox of a file of the project; None where it is in none of the folders."""
    for name, folder in _folders.items():
        if file.startswith(name + "/"):
            return folder + file[len(name) :]
    return None


def imported_hash(path):
    """The hash of the text that was imported from that path; None: none was."""
    return _loaded.get(path)


def is_imported(path, source):
    """Whether the module of that file was imported with this very text."""
    return path in _loaded and _loaded[path] == _hash(source.encode("utf-8", "surrogatepass"))


def take_up(run, node_files):
    """Called before code runs. In a new run, or in a cell, forgets all modules if one has changed; returns whether it did.

    `node_files`: {file: text} of executed ones. Within a run all nodes have the same modules."""
    global _run, _is_stale
    if not _folders or (run is not None and run == _run):
        return False
    _run = run
    _told.clear()
    importlib.invalidate_caches()
    if not _is_stale and not any(_has_changed(path, seen) for path, seen in _known(node_files)):
        return False
    _is_stale = False
    for name, module in list(sys.modules.items()):
        if name != "__main__" and _is_ours(module):
            del sys.modules[name]
    _loaded.clear()
    return True


def texts():
    """{file of the project: hash of its text} of all that is imported."""
    return {_shown(path): digest for path, digest in list(_loaded.items())}


def came_with(texts):
    """Called when names are brought back that were made with these texts. Where one has changed, modules that took values from
    it would bring back the old ones."""
    global _is_stale
    for file, digest in texts.items():
        path = path_of(file)
        if path is None or _has_changed(path, digest):
            _is_stale = True


def told():
    """{file: SHA-256} of modules that this run has imported and not reported yet."""
    fresh = {path: digest for path, digest in list(_loaded.items()) if path not in _told}
    fresh = dict(list(fresh.items())[:_MOST_TOLD])  # the rest is reported with the next call
    _told.update(fresh)
    return {_shown(path): digest for path, digest in fresh.items()}


def _known(node_files):
    yield from list(_loaded.items())
    for file, text in node_files.items():
        path = path_of(file)
        if path is not None and os.path.exists(path):
            yield path, _hash(text.encode("utf-8", "surrogatepass"))


def _has_changed(path, seen):
    try:
        with open(path, "rb") as file:
            return _hash(file.read()) != seen
    except OSError:
        return True


class _Loader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        source = self.get_data(path)
        _loaded[path] = _hash(source)
        return self.source_to_code(source, _shown(path))


def _finder(path):
    if not _is_below(path):
        raise ImportError("not a folder of the project")
    return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (_Loader, [".py"]))


def _is_ours(module):
    """Whether the module is the project's: includes node files' modules, known by their name in the project, and namespace
    packages."""
    file = getattr(module, "__file__", None)
    places = [file] if isinstance(file, str) else list(getattr(module, "__path__", None) or ())
    return any(isinstance(place, str) and (_is_below(place) or path_of(place) is not None) for place in places)


def _is_below(path):
    return any(path == folder or path.startswith(folder + os.sep) for folder in _folders.values())


def _shown(path):
    for name, folder in _folders.items():
        if path.startswith(folder + os.sep):
            return name + path[len(folder) :]
    return path


def _hash(data):
    from hashlib import sha256  # not of a session's start

    return sha256(data).hexdigest()

"""In a task that runs beside others: its own folder stands for the session's.

Paths below the session's folder lead Python's own functions to the task's folder, and files that were lent to it are replaced
by copies before they are written. What a C library or a program opens by such a path is the session's own; the current folder
is the task's for them, too."""

import builtins
import io
import os
import sys

from . import late

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_TRUNC | os.O_APPEND
_PIECE = 1 << 20
# Functions of os by what they do with their first path; those of two paths change the second one, too.
_READ = ("stat", "lstat", "access", "listdir", "scandir", "readlink", "statvfs", "pathconf", "listxattr", "getxattr")
_CHANGE = ("mkdir", "rmdir", "mkfifo", "mknod", "chdir", "remove", "unlink")
_WRITE = ("truncate", "chmod", "utime", "chown", "setxattr", "removexattr", "lchown")
_TWO = ("rename", "replace", "link")
_OPENERS = (("tarfile", "bltn_open"), ("bz2", "_builtin_open"), ("tokenize", "_builtin_open"))  # kept under names of their own


class _View:
    def __init__(self, home, own, apart):
        self.home, self.own = home, own
        self._apart = tuple(os.path.join(home, path) for path in apart)
        self._chdir, self._fold = os.chdir, os.getcwd
        self._lstat, self._readlink, self._os_open = os.lstat, os.readlink, os.open

    def mapped(self, path):
        """The path by which this process reaches what the code means."""
        if isinstance(path, int):
            return path
        given = os.fspath(path)
        text = os.fsdecode(given)
        if not text.startswith(self.home):
            return path
        if "/../" in text or text.endswith("/..") or "//" in text or "/./" in text:
            text = os.path.normpath(text)
        rest = text[len(self.home) :]
        if rest and rest[0] != "/":
            return path
        if text.startswith(self.own) or any(text == each or text.startswith(each + "/") for each in self._apart):
            return path
        made = self.own + rest
        return os.fsencode(made) if isinstance(given, bytes) else made

    def told(self, path):
        """The path as the code knows it."""
        if isinstance(path, (str, bytes)):
            text = os.fsdecode(path)
            if text == self.own or text.startswith(self.own + "/"):
                back = self.home + text[len(self.own) :]
                return os.fsencode(back) if isinstance(path, bytes) else back
        return path

    def make_own(self, path, keeps=True):
        """Replaces a lent file by a copy, an empty one unless `keeps`. `path` is mapped already, or relative."""
        if isinstance(path, int):
            return
        text = os.path.join(self._fold(), os.fsdecode(os.fspath(path)))
        try:
            target = self._readlink(text)
        except OSError:
            return
        text = os.path.normpath(text)
        if target != self.told(text) or target == text:
            return  # a link of the code's own
        source = self._os_open(target, os.O_RDONLY | os.O_CLOEXEC)
        try:
            found = os.fstat(source)
            part = text + ".sandglass-part"
            made = self._os_open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, found.st_mode & 0o7777)
            try:
                while keeps:
                    data = os.read(source, _PIECE)
                    if not data:
                        break
                    while data:
                        data = data[os.write(made, data) :]
            finally:
                os.close(made)
            self._rename(part, text)
        finally:
            os.close(source)

    _rename = staticmethod(os.rename)

    def opener(self, path, flags):
        path = self.mapped(path)
        if flags & _WRITES:
            self.make_own(path, not flags & os.O_TRUNC)
        return self._os_open(path, flags, 0o666)

    def explained(self, error):
        for name in ("filename", "filename2"):
            known = getattr(error, name, None)
            if known is not None:
                setattr(error, name, self.told(known))


class _Mapped:
    """A function of os with mapped paths. It is no Python function: as an attribute of a class it must not bind."""

    def __init__(self, view, function, paths, owns):
        self._view, self._function, self._paths, self._owns = view, function, paths, owns
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *arguments, **keywords):
        view = self._view
        given = list(arguments)
        for place in range(min(self._paths, len(given))):
            if given[place] is not None:
                given[place] = view.mapped(given[place])
        for name in ("path", "src", "dst"):
            if isinstance(keywords.get(name), (str, bytes)) or hasattr(keywords.get(name), "__fspath__"):
                keywords[name] = view.mapped(keywords[name])
        if self._owns and given and keywords.get("dir_fd") is None:
            view.make_own(given[0])
        try:
            return self._function(*given, **keywords)
        except OSError as error:
            view.explained(error)
            raise

    def __repr__(self):
        return repr(self._function)


def begin(home, own, apart):
    """`home`: the session's folder; `own`: the task's; `apart`: paths below it that all tasks share."""
    view = _View(home, own, apart)
    originals = {}
    for names, paths, owns in ((_READ, 1, False), (_CHANGE, 1, False), (_WRITE, 1, True), (_TWO, 2, True)):
        for name in names:
            function = getattr(os, name, None)
            if function is not None:
                originals[name] = function
                _replace(name, _Mapped(view, function, paths, owns))
    _replace("open", _os_open(view))
    _replace("symlink", _symlink(view, os.symlink))
    _replace("getcwd", _folder(view, os.getcwd))
    _replace("getcwdb", _folder(view, os.getcwdb))
    _replace_open(view)
    _add_sqlite(view)
    os.environ["HOME"] = own
    view._chdir(own)


def _replace(name, function):
    original = getattr(os, name)
    setattr(os, name, function)
    for known in ("supports_dir_fd", "supports_fd", "supports_follow_symlinks"):
        functions = getattr(os, known)
        if original in functions:
            functions.add(function)
    accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)  # until Python 3.10
    if accessor is not None and name in accessor.__dict__:
        setattr(accessor, name, function)
    if accessor is not None:
        instance = getattr(sys.modules["pathlib"], "_normal_accessor", None)
        if instance is not None and name in getattr(instance, "__dict__", {}):
            setattr(instance, name, function)


class _Function:
    def __init__(self, call, original):
        self._call = call
        self._original = original
        self.__name__, self.__doc__ = original.__name__, original.__doc__

    def __call__(self, *arguments, **keywords):
        return self._call(*arguments, **keywords)

    def __repr__(self):
        return repr(self._original)


def _os_open(view):
    original = os.open

    def opened(path, flags, mode=0o777, *, dir_fd=None):
        path = view.mapped(path)
        if flags & _WRITES and dir_fd is None:
            view.make_own(path, not flags & os.O_TRUNC)
        try:
            return original(path, flags, mode, dir_fd=dir_fd)
        except OSError as error:
            view.explained(error)
            raise

    return _Function(opened, original)


def _symlink(view, original):
    def linked(src, dst, target_is_directory=False, *, dir_fd=None):
        return original(src, view.mapped(dst), target_is_directory, dir_fd=dir_fd)

    return _Function(linked, original)


def _folder(view, original):
    return _Function(lambda: view.told(original()), original)


def _replace_open(view):
    original = builtins.open

    def opened(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        if opener is None and not isinstance(file, int):
            opener = view.opener
        try:
            return original(file, mode, buffering, encoding, errors, newline, closefd, opener)
        except OSError as error:
            view.explained(error)
            raise

    function = _Function(opened, original)
    builtins.open = io.open = function
    for module, name in _OPENERS:
        if getattr(sys.modules.get(module), name, None) is original:
            setattr(sys.modules[module], name, function)
    accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)
    if accessor is not None and "open" in accessor.__dict__ and accessor.__dict__["open"] is original:
        accessor.open = function
    file_io = io.FileIO

    class FileIO(file_io):
        def __init__(self, file, mode="r", closefd=True, opener=None):
            super().__init__(file, mode, closefd, opener or (None if isinstance(file, int) else view.opener))

    FileIO.__qualname__ = "FileIO"
    FileIO.__module__ = "_io"
    io.FileIO = FileIO


def _add_sqlite(view):
    """Its databases are opened by C code; many nodes use them."""

    def add(_name, module):
        original = module.connect

        def connect(database, *arguments, **keywords):
            database = view.mapped(database)
            view.make_own(database)
            return original(database, *arguments, **keywords)

        module.connect = _Function(connect, original)

    if "sqlite3" in sys.modules:
        add("sqlite3", sys.modules["sqlite3"])
    else:
        late.install(("sqlite3",), add)

"""The session's names written out one by one, and read back.

Written (copy → host), after a record {"kind": "world"}:
    {"kind": "name", …}, then the pickle in chunks (4 bytes length each, 0 ends it, 0xffffffff: it failed), then
                         4 bytes count of buffers, each 8 bytes length and its bytes; a failed one has none
    {"kind": "import" | "alias" | "file" | "missing", …}
    {"kind": "end", "over": names that had no room}
Read (host → interpreter): the same records; a "name" says "buffers": [lengths] and "pickle": length, whose bytes follow in
that order. The "world" says "careful" where an earlier attempt ended the interpreter. A record is 4 bytes length and MessagePack.
Lengths are big-endian. All names have one memo (one_memo.py): a "name" says "memo": [entries before it, its first]; so does a
"missing" that the host put in its place."""

import os
import pickle
import sys
from types import FunctionType, ModuleType

from . import bound_functions, cells, kept_state, library_state, library_settings  # noqa: F401
from . import module_state, one_memo, settings, variables
from .codec import pack, unpack
from .failures import cut
from .patience import Unlimited

_FAILED = 0xFFFFFFFF
_AT_ONCE = 8 << 20
_OUT_OF_BAND = 65536  # bytes from which a buffer is sent by itself
HIDDEN = ("__builtins__", "__name__", "__doc__", "__loader__", "__spec__", "__package__", "__file__")
_CONTAINERS = (list, dict, set, frozenset, tuple)
_REASON = 300
_LONGEST_NAME = 10000
LIBRARY = "cloudpickle"  # with the scope of the process's state: importing it
WHOLE = "everything"  # the name of a part of the process's state that is lost as a whole


class _OverCap(Exception):
    pass


class _Deadly(Exception):
    pass


class Out:
    """The stream as the pickler's file: each piece that it writes is a chunk. `room`: bytes of pickles and buffers that it
    accepts; None: any number."""

    def __init__(self, fd, room=None, patience=None):
        self.patience = patience or Unlimited()
        self._fd = fd
        self._cap = self._room = room
        self._spare = 3 * (room or 0)  # more for names that turn out to have no room
        self._claimed = 0  # bytes of the current name, including buffers, which are written after its pickle
        self._buffers = 0

    def write(self, data):
        view = memoryview(data).cast("B")
        if len(view):
            self.claim(len(view))
            self.patience.writes()  # until the whole chunk is out: nothing may come between its length and its bytes
            self.raw(memoryview(len(view).to_bytes(4, "big")))
            self.raw(view)
            self.patience.moved()
        return len(view)

    def claim(self, size):
        if self._room is None:
            return
        if size > self._room:
            raise _OverCap("it takes more than is left of the %d MB that are written ahead" % (self._cap >> 20))
        self._room -= size
        self._claimed += size

    def claim_buffer(self, size):
        self.claim(size)
        self._buffers += size

    def end_name(self, kept):
        if self._room is not None and not kept:
            in_vain = min(self._claimed - self._buffers, self._spare)
            self._spare -= in_vain
            self._room += self._buffers + in_vain
        self._claimed = self._buffers = 0

    def number(self, value, size):
        self.raw(memoryview(value.to_bytes(size, "big")))

    def raw(self, view):
        while view:
            view = view[os.write(self._fd, view[:_AT_ONCE]) :]

    def record(self, message):
        data = pack(message)
        self.number(len(data), 4)
        self.raw(memoryview(data))


def load_ahead():
    """Loads the library that pickles, unless code put folders of its own on `sys.path`: one may have a module of that name."""
    if not kept_state.has_own_path():
        _cloudpickle()


def write_listed(fd, listed):
    """Writes the list of names that a person sees, as one MessagePack document."""
    Out(fd).raw(memoryview(pack(listed)))


class Nowhere(Out):
    """A stream that nobody reads."""

    def __init__(self, patience):
        super().__init__(-1, None, patience)

    def raw(self, view):
        pass


def write(fd, namespace, node_files, room=None, patience=None, left_out=None):
    """Writes all of the session's names. Runs in a child of a copy, so that side effects of pickling are lost with it.

    With `room`, names that need more bytes are left out; then the end says "over". With `patience` (a Patience), names that
    take too long are given up. `left_out(scope, name)`: see _Names."""
    out = Out(fd, room, patience)
    write_to(out, namespace, node_files, _limited_pickler(out, namespace, node_files, left_out), left_out)


def try_out(namespace, node_files, patience, left_out):
    """Does the same without writing anything."""
    out = Nowhere(patience)
    write_to(out, namespace, node_files, _limited_pickler(out, namespace, node_files, left_out), left_out)


def _limited_pickler(out, namespace, node_files, left_out):
    """Importing the library may be code of the user's."""
    if left_out is not None and left_out(kept_state.SCOPE, LIBRARY) is not None:
        return pickle.Pickler
    try:
        return out.patience.limited(_pickler, namespace, node_files)
    except BaseException:
        return pickle.Pickler


def write_to(out, namespace, node_files, make, left_out=None):
    """`make` makes a pickler."""
    files = dict(node_files)
    out.record(
        {
            "kind": "world",
            "python": "%d.%d" % sys.version_info[:2],
            "files": [
                {"file": name, "module": f.module.__name__, "source": f.source} for name, f in files.items()
            ],
        }
    )
    names = _Names(out, files, make, left_out)
    names.write_state(kept_state.SCOPE, kept_state.told)
    names.write_state(settings.SCOPE, settings.told)
    names.write_modules(module_state.SCOPE, lambda: module_state.told(files))
    names.write_modules(library_state.SCOPE, lambda: module_state.told_of_libraries(files))
    for scope, key, value in _in_order(namespace, files):
        if not isinstance(key, str):
            names.lost("?", "", "its name is no text")
        elif len(key) > _LONGEST_NAME:
            names.lost(cut(key, _REASON), scope, "its name is too long")
        else:
            names.write(key, scope, value)
    out.record({"kind": "end", "over": names.over})


def names_writer(out, node_files, namespace):
    """For single names: its `write(name, "", value)`."""
    files = dict(node_files)
    return _Names(out, files, _pickler(namespace, files), None)


def _in_order(namespace, files):
    """(scope, name, value). Definitions come first: they come back even if their objects do not. Then long names: pickles refer
    to the memo by number, so a name that grows has all later ones stored once more, and the long ones should not be among
    them."""
    found = [
        (name, key, file.module.__dict__[key])
        for name, file in files.items()
        for key in sorted(file.own)
        if key in file.module.__dict__ and key not in HIDDEN
    ]
    found += [("", key, value) for key, value in namespace.items() if key not in HIDDEN]
    return sorted(found, key=_rank)


def _rank(each):
    value = each[2]
    if type(value) is FunctionType or issubclass(type(value), type):
        return -1000
    return -len(value).bit_length() if type(value) in _CONTAINERS else 0


def _comes_with_its_file(value, node_file):
    if isinstance(value, ModuleType):
        return True
    is_defined = callable(value) and _text_of(value, "__qualname__")  # excludes callable objects
    return bool(is_defined) and _text_of(value, "__module__") == node_file.module.__name__


def _text_of(value, attribute):
    """A text attribute; None where there is none, or reading it fails."""
    try:
        found = getattr(value, attribute, None)
    except BaseException:
        return None
    return found if type(found) is str else None


def _origin(value, files):
    """(file, name) of an object that a node file itself defines."""
    attribute = _text_of(value, "__qualname__")
    for name, node_file in files.items():
        names = node_file.module.__dict__
        if attribute in node_file.own and names.get(attribute) is value and _comes_with_its_file(value, node_file):
            return name, attribute
    return None


class _Names:
    """Writes names one after another; `over` counts those that had no room. `left_out(scope, name)` is called before anything of
    a name is touched, and tells why it is not to be, or None."""

    def __init__(self, out, files, pickler, left_out):
        self.over = 0
        self._out = out
        self._files = files
        self._left_out = left_out or (lambda _scope, _name: None)
        self._seen = {}
        limited = out.patience.limited
        self._memo = one_memo.Writer(pickler, out, lambda buffer, buffers: _keep_apart(buffer, buffers, out), limited)

    def write_state(self, scope, ask):
        for key, value in self._told(scope, ask).items():
            if not self._is_left_out(scope, key):
                self._pickled({"name": key, "scope": scope}, value)

    def write_modules(self, scope, ask):
        for module, attributes in self._told(scope, ask).items():
            self._write_module(scope, module, attributes)

    def _told(self, scope, ask):
        if self._is_left_out(scope, WHOLE):
            return {}
        try:
            state, failed = self._out.patience.limited(ask)
        except BaseException as error:  # code has put things of its own in the places that are looked at
            self.lost(WHOLE, scope, self._reason(error))
            return {}
        for key, error in failed:
            self.lost(key, scope, self._reason(error))
        return state

    def _write_module(self, scope, module, state):
        """At once, or where something of it cannot be pickled each by itself."""
        record = {"name": module, "scope": scope}
        notes = module_state.notes(state)
        alone = {path: value for path, value in state.items() if path not in notes}
        if len(alone) != 1 and self._left_out(scope, module) is None and self._pickled(record, state, is_told=False):
            return
        for path, value in alone.items():
            is_told = not module_state.is_made_anew(value)
            name = ".".join(path)
            if not self._is_left_out(scope, name):
                self._pickled(dict(record, name=name), {**notes, path: value}, is_told=is_told)

    def lost(self, key, scope, reason):
        self._out.record({"kind": "missing", "name": key, "scope": scope, "reason": reason})

    def _is_left_out(self, scope, name):
        reason = self._left_out(scope, name)
        if reason is not None:
            self.lost(name, scope, reason)
        return reason is not None

    def write(self, key, scope, value):
        if self._is_left_out(scope, key):
            return
        record = {"name": key, "scope": scope}
        try:
            is_pickled = self._out.patience.limited(self._describe, record, value)
        except BaseException as error:  # an object may not even tell its class
            self.lost(key, scope, self._reason(error))
            return
        if is_pickled:
            self._pickled(record, value)
        elif "kind" in record:
            self._out.record(record)

    def _describe(self, record, value):
        """Completes the record of an object that comes back by other means, if by any record. True: it is to be pickled."""
        key, scope = record["name"], record["scope"]
        if scope and _comes_with_its_file(value, self._files[scope]):
            self._seen.setdefault(id(value), (key, scope))
            return False
        if id(value) in self._seen:
            of, of_scope = self._seen[id(value)]
            if not scope:  # only these names are listed
                record["shown"] = _shown(key, value)
            record.update(kind="alias", of=of, of_scope=of_scope)
            return False
        self._seen[id(value)] = (key, scope)
        if isinstance(value, ModuleType):
            module = _text_of(value, "__name__") or "?"
            record.update(kind="import", module=module, parts=cells.imported_parts(module))
            return False
        record["shown"] = _shown(key, value)
        origin = _origin(value, self._files)
        if origin:
            record.update(kind="file", file=origin[0], attribute=origin[1])
        return not origin

    def _pickled(self, record, value, is_told=True):
        """Pickles a value, if possible; a failure is recorded or, unless `is_told`, ignored."""
        out = self._out
        out.record(dict(record, kind="name", memo=self._memo.begin()))
        try:
            buffers = self._memo.dump(value)
        except BaseException as error:  # the user's own methods may raise anything; an OSError of the stream recurs
            out.number(_FAILED, 4)
            out.end_name(False)
            is_over = isinstance(error, _OverCap)
            if is_told:
                self.over += is_over
                out.record(dict(record, kind="missing", reason=str(error) if is_over else self._reason(error)))
            return False
        out.number(0, 4)
        out.end_name(True)
        out.number(len(buffers), 4)
        for buffer in buffers:
            out.number(buffer.nbytes, 8)
            out.raw(buffer)
        return True

    def _reason(self, error):
        try:
            return self._out.patience.limited(_reason, error)
        except BaseException:  # it is of the user's own
            return "an error that cannot be told"


def _shown(key, value):
    try:
        listed = variables.described(key, value)
    except BaseException:  # its class may answer nothing
        return {"type": "?"}
    return {k: listed[k] for k in ("type", "size", "shape", "preview") if k in listed}


def _keep_apart(buffer, buffers, out):
    """False: the buffer is sent by itself. Small and non-contiguous buffers go into the pickle."""
    try:
        raw = buffer.raw()
    except BufferError:
        return True
    if raw.nbytes < _OUT_OF_BAND:
        return True
    out.claim_buffer(raw.nbytes)
    buffers.append(raw)
    return False


def _reason(error):
    return cut("%s: %s" % (type(error).__name__, error), _REASON)


def _cloudpickle():
    try:
        import cloudpickle

        return cloudpickle if isinstance(cloudpickle.CloudPickler, type) else None
    except Exception:  # missing, broken, or something of the user's own
        return None


def _pickler(namespace, files):
    cloudpickle = _cloudpickle()
    if cloudpickle is None:
        return bound_functions.plain_pickler()
    scopes = {name: file.module.__dict__ for name, file in files.items()}
    scopes[""] = namespace
    return bound_functions.pickler(cloudpickle, scopes, lambda value: _origin(value, files) is not None, _class_left_by(files))


def _class_left_by(files):
    """A function that is true for a class which a node's call has defined: pickle would take it for one of its file's top level."""
    files_of = {file.module.__name__: file for file in files.values()}

    def is_left(value):
        file = files_of.get(_text_of(value, "__module__"))
        path = (_text_of(value, "__qualname__") or "").split(".")
        return file is not None and path[0] not in file.own and file.module.__dict__.get(path[0]) is not None

    return is_left


# --- back ---


def _new_bytes(size):
    """Like bytearray(size), but a large one is not zeroed first, which takes as long as reading it."""
    if size < _OUT_OF_BAND:
        return bytearray(size)
    try:
        from ctypes import c_ssize_t, c_void_p, py_object, pythonapi
    except ImportError:
        return bytearray(size)
    make = pythonapi.PyByteArray_FromStringAndSize
    make.argtypes, make.restype = (c_void_p, c_ssize_t), py_object
    return make(None, size)


class _In:
    def __init__(self, fd):
        self._file = os.fdopen(fd, "rb", 1 << 20, closefd=False)

    def exactly(self, size):
        data = _new_bytes(size)
        view = memoryview(data)
        while view:
            got = self._file.readinto(view)
            if not got:
                raise EOFError("the host stopped sending")
            view = view[got:]
        return data

    def record(self):
        return unpack(bytes(self.exactly(int.from_bytes(self.exactly(4), "big"))))

    def close(self):
        self._file.close()


def read(fd, namespace, nodes):
    """Reads names into a fresh interpreter. Returns [{kind, name}] of those that did not come back."""
    source = _In(fd)
    reading = _Reading(source, namespace, nodes)
    try:
        reading.begin(source.record())
        while True:
            record = source.record()
            if record["kind"] == "end":
                break
            reading.take(record)
    finally:
        source.close()
    reading.finish()
    return reading.missing


class _Written:
    """A stream as it is written, read as the host would send it."""

    def __init__(self, fd):
        self._source = _In(fd)
        self._pieces = []

    def record(self):
        record = self._source.record()
        if record["kind"] != "name":
            return record
        data = bytearray()
        while True:
            size = int.from_bytes(self._source.exactly(4), "big")
            if size == _FAILED:
                return self.record()  # it says what is missing
            if size == 0:
                break
            data += self._source.exactly(size)
        count = int.from_bytes(self._source.exactly(4), "big")
        buffers = [self._source.exactly(int.from_bytes(self._source.exactly(8), "big")) for _ in range(count)]
        self._pieces = buffers + [data]
        return dict(record, buffers=[len(buffer) for buffer in buffers], pickle=len(data))

    def exactly(self, _size):
        return self._pieces.pop(0)

    def close(self):
        self._source.close()


def written(fd):
    """The records of a stream that names_writer() wrote."""
    source = _Written(fd)
    try:
        while True:
            record = source.record()
            if record["kind"] == "end":
                return
            yield record
    finally:
        source.close()


def read_written(fd, namespace, nodes):
    """Reads such a stream. ([names], [{kind, name}] of what did not come back)."""
    source, names = _Written(fd), []
    reading = _Reading(source, namespace, nodes)
    reading.know_files()
    try:
        while True:
            record = source.record()
            if record["kind"] == "end":
                break
            reading.take(record)
            names.append(record["name"])
    finally:
        source.close()
    reading.finish()
    return names, reading.missing


class _Reading:
    def __init__(self, source, namespace, nodes):
        self.missing = []
        self._is_careful = False  # an earlier attempt ended the interpreter
        self._source = source
        self._nodes = nodes
        self._memo = one_memo.Reader()
        self._waiting = []  # aliases, which come after all else
        self._files = []  # files not executed yet: they may need state that is set first
        self._scopes = {
            "": namespace,
            kept_state.SCOPE: kept_state.Restored(),
            settings.SCOPE: settings.Restored(),
            module_state.SCOPE: module_state.Restored(),
            library_state.SCOPE: library_state.Restored(),
        }
        bound_functions.read_into(self._scopes)

    def begin(self, world):
        if world.get("python") != "%d.%d" % sys.version_info[:2]:
            self.missing.append({"kind": "python", "name": "written by Python %s" % world.get("python")})
        self._files = world["files"]
        self._is_careful = bool(world.get("careful"))

    def know_files(self):
        """Names may refer to what the files hold that were executed already."""
        for name, node_file in self._nodes.files().items():
            self._scopes[name] = node_file.module.__dict__

    def take(self, record):
        if record["scope"] != kept_state.SCOPE:
            self._execute_files()
        kind = record["kind"]
        if kind == "alias":
            self._waiting.append(record)
            return
        try:
            self._take_value(kind, record)
        except EOFError:
            raise
        except BaseException as error:
            self._lost(record, _why(error))

    def finish(self):
        self._execute_files()
        for record in self._waiting:
            origin = self._scopes.get(record["of_scope"], {})
            if record["of"] in origin and record["scope"] in self._scopes:
                self._scopes[record["scope"]][record["name"]] = origin[record["of"]]
            elif record["of_scope"] and record["of_scope"] not in self._scopes:
                self._lost(record, "its file %s did not come back" % record["of_scope"])
            else:
                self._lost(record, "it is another name of %s, which did not come back" % record["of"])
        self._nodes.show_session()
        for scope in (library_state.SCOPE, settings.SCOPE, kept_state.SCOPE):
            for name, error in self._scopes[scope].finish():
                self._lost({"name": name, "scope": scope}, _reason(error))

    def _execute_files(self):
        files, self._files = self._files, []
        for file in files:
            try:
                asked = file["file"], file["source"], file["module"]
                self._survive(self._nodes.load, *asked)
                self._scopes[file["file"]] = self._nodes.load(*asked)
            except BaseException as error:
                self.missing.append({"kind": "file", "name": "%s: %s" % (file["file"], _why(error))})

    def _take_value(self, kind, record):
        scope = self._scopes.get(record["scope"])
        if kind == "name":
            buffers = [self._source.exactly(size) for size in record["buffers"]]
            data = self._source.exactly(record["pickle"])
            if scope is None:
                self._memo.lose(record)
                raise KeyError("its file did not come back")
            try:
                self._survive(self._memo.load, record, data, buffers)
            except _Deadly:
                self._memo.give_up(record, data)
                raise
            if record.get("memo") is None:  # an older stream, in which each name was pickled by itself
                scope[record["name"]] = pickle.loads(data, buffers=buffers)
            else:
                scope[record["name"]] = self._memo.load(record, data, buffers)
        elif kind == "missing":
            self._lost(record, record["reason"])
            self._memo.lose(record)
        elif kind == "import":
            self._survive(__import__, record["module"])
            __import__(record["module"])
            scope[record["name"]] = sys.modules[record["module"]]
            for part in record.get("parts", ()):
                cells.import_part(part)
        elif kind == "file":
            if record["file"] not in self._scopes:
                raise KeyError("its file %s did not come back" % record["file"])
            scope[record["name"]] = self._scopes[record["file"]][record["attribute"]]

    def _survive(self, work, *arguments):
        """With care each name is read in a child first: _Deadly where it kills that."""
        if not self._is_careful:
            return
        from . import deadly

        reason = deadly.killed_by(lambda: work(*arguments))
        if reason is not None:
            raise _Deadly(reason)

    def _lost(self, record, reason):
        self.missing.append(_missing(record, reason))


def _why(error):
    return str(error) if isinstance(error, _Deadly) else _reason(error)


def _missing(record, reason):
    where = " of " + record["scope"] if record["scope"] else ""
    return {"kind": "name", "name": cut("%s%s (%s)" % (record["name"], where, reason), 400)}

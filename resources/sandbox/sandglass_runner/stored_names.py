"""The session's names written out one by one, and read back.

Written (copy → host), after a record {"kind": "world"}:
    {"kind": "name", …}, then the pickle in chunks (4 bytes length each, 0 ends it, 0xffffffff: it failed), then
                         4 bytes count of buffers, each 8 bytes length and its bytes; a failed one has none
    {"kind": "import" | "alias" | "file" | "missing", …}
    {"kind": "end", "over": names that had no room}
Read (host → interpreter): the same records; a "name" says "buffers": [lengths] and "pickle": length, whose bytes follow in
that order. A record is 4 bytes length and MessagePack. Lengths are big-endian. All names have one memo (one_memo.py): a "name" says
"memo": [entries before it, its first]; so does a "missing" that the host put in its place."""

import os
import pickle
import sys
from types import FunctionType, ModuleType

from . import bound_functions, cells, kept_state, library_state, library_settings  # noqa: F401
from . import module_state, one_memo, settings, variables
from .codec import pack, unpack
from .failures import cut

_FAILED = 0xFFFFFFFF
_AT_ONCE = 8 << 20
_OUT_OF_BAND = 65536  # bytes from which a buffer is sent by itself
HIDDEN = ("__builtins__", "__name__", "__doc__", "__loader__", "__spec__", "__package__", "__file__")
_CONTAINERS = (list, dict, set, frozenset, tuple)
_REASON = 300


class _OverCap(Exception):
    pass


class Out:
    """The stream as the pickler's file: each piece that it writes is a chunk. `room`: bytes of pickles and buffers that it
    accepts; None: any number."""

    def __init__(self, fd, room=None, patience=None):
        self._fd = fd
        self._patience = patience
        self._cap = self._room = room
        self._spare = 3 * (room or 0)  # more for names that turn out to have no room
        self._claimed = 0  # bytes of the current name, including buffers, which are written after its pickle
        self._buffers = 0

    def write(self, data):
        view = memoryview(data).cast("B")
        if len(view):
            self.claim(len(view))
            self.number(len(view), 4)
            self.raw(view)
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

    def begin_name(self):
        if self._patience is not None:
            self._patience.moved()

    def end_name(self, kept):
        if self._room is not None and not kept:
            in_vain = min(self._claimed - self._buffers, self._spare)
            self._spare -= in_vain
            self._room += self._buffers + in_vain
        self._claimed = self._buffers = 0

    def number(self, value, size):
        self.raw(memoryview(value.to_bytes(size, "big")))

    def raw(self, view):
        patience = self._patience
        while view:
            if patience is not None:
                patience.writes()
            view = view[os.write(self._fd, view[:_AT_ONCE]) :]
            if patience is not None:
                patience.moved()

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


def write(fd, namespace, node_files, room=None, patience=None):
    """Writes all of the session's names. Runs in a child of a copy, so that side effects of pickling are lost with it.

    With `room`, names that need more bytes are left out; then the end says "over". With `patience` (a Patience), names that
    take too long are given up."""
    write_to(Out(fd, room, patience), namespace, node_files, _pickler(namespace, node_files))


def write_to(out, namespace, node_files, make):
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
    names = _Names(out, files, make)
    names.write_state(kept_state.SCOPE, kept_state.told())
    names.write_state(settings.SCOPE, settings.told())
    names.write_modules(module_state.SCOPE, module_state.told(files))
    names.write_modules(library_state.SCOPE, module_state.told_of_libraries(files))
    for scope, key, value in _in_order(namespace, files):
        if not isinstance(key, str):
            names.lost("?", "", "its name is no text")
        elif scope and _comes_with_its_file(value, files[scope]):
            names.is_written(key, scope, value)
        else:
            names.write(key, scope, value)
    out.record({"kind": "end", "over": names.over})


def names_writer(out, node_files, namespace):
    """For single names: its `write(name, "", value)`."""
    files = dict(node_files)
    return _Names(out, files, _pickler(namespace, files))


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
    """Writes names one after another; `over` counts those that had no room."""

    def __init__(self, out, files, pickler):
        self.over = 0
        self._out = out
        self._files = files
        self._seen = {}
        self._memo = one_memo.Writer(pickler, out, lambda buffer, buffers: _keep_apart(buffer, buffers, out))

    def write_state(self, scope, told):
        state, failed = told
        for key, error in failed:
            self.lost(key, scope, _reason(error))
        for key, value in state.items():
            self._pickled({"name": key, "scope": scope}, value)

    def write_modules(self, scope, told):
        state, failed = told
        for module, error in failed:
            self.lost(module, scope, _reason(error))
        for module, attributes in state.items():
            self._write_module(scope, module, attributes)

    def _write_module(self, scope, module, state):
        """At once, or where something of it cannot be pickled each by itself."""
        record = {"name": module, "scope": scope}
        notes = module_state.notes(state)
        alone = {path: value for path, value in state.items() if path not in notes}
        if len(alone) != 1 and self._pickled(record, state, is_told=False):
            return
        for path, value in alone.items():
            is_told = not module_state.is_made_anew(value)
            self._pickled(dict(record, name=".".join(path)), {**notes, path: value}, is_told=is_told)

    def is_written(self, key, scope, value):
        """Notes an object that comes back by other means."""
        self._seen.setdefault(id(value), (key, scope))

    def lost(self, key, scope, reason):
        self._out.record({"kind": "missing", "name": key, "scope": scope, "reason": reason})

    def write(self, key, scope, value):
        record = {"name": key, "scope": scope}
        if id(value) in self._seen:
            of, of_scope = self._seen[id(value)]
            if not scope:  # only these names are listed
                record["shown"] = _shown(key, value)
            self._out.record(dict(record, kind="alias", of=of, of_scope=of_scope))
            return
        self._seen[id(value)] = (key, scope)
        if isinstance(value, ModuleType):
            module = _text_of(value, "__name__") or "?"
            self._out.record(dict(record, kind="import", module=module, parts=cells.imported_parts(module)))
            return
        record["shown"] = _shown(key, value)
        origin = _origin(value, self._files)
        if origin:
            self._out.record(dict(record, kind="file", file=origin[0], attribute=origin[1]))
        else:
            self._pickled(record, value)

    def _pickled(self, record, value, is_told=True):
        """Pickles a value, if possible; a failure is recorded or, unless `is_told`, ignored."""
        out = self._out
        out.begin_name()
        out.record(dict(record, kind="name", memo=self._memo.begin()))
        try:
            buffers = self._memo.dump(value)
            out.number(0, 4)
        except BaseException as error:  # the user's own methods may raise anything; an OSError of the stream recurs
            out.number(_FAILED, 4)
            out.end_name(False)
            is_over = isinstance(error, _OverCap)
            if is_told:
                self.over += is_over
                out.record(dict(record, kind="missing", reason=str(error) if is_over else _reason(error)))
            return False
        out.end_name(True)
        out.number(len(buffers), 4)
        for buffer in buffers:
            out.number(buffer.nbytes, 8)
            out.raw(buffer)
        return True


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
        return pickle.Pickler
    scopes = {name: file.module.__dict__ for name, file in files.items()}
    scopes[""] = namespace
    return bound_functions.pickler(cloudpickle, scopes, lambda value: _origin(value, files) is not None)


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
            self._lost(record, _reason(error))

    def finish(self):
        self._execute_files()
        for record in self._waiting:
            origin = self._scopes.get(record["of_scope"], {})
            if record["of"] in origin and record["scope"] in self._scopes:
                self._scopes[record["scope"]][record["name"]] = origin[record["of"]]
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
                self._scopes[file["file"]] = self._nodes.load(file["file"], file["source"], file["module"])
            except BaseException as error:
                self.missing.append({"kind": "file", "name": "%s: %s" % (file["file"], _reason(error))})

    def _take_value(self, kind, record):
        scope = self._scopes.get(record["scope"])
        if kind == "name":
            buffers = [self._source.exactly(size) for size in record["buffers"]]
            data = self._source.exactly(record["pickle"])
            if scope is None:
                self._memo.lose(record)
                raise KeyError("its file did not come back")
            if record.get("memo") is None:  # an older stream, in which each name was pickled by itself
                scope[record["name"]] = pickle.loads(data, buffers=buffers)
            else:
                scope[record["name"]] = self._memo.load(record, data, buffers)
        elif kind == "missing":
            self._lost(record, record["reason"])
            self._memo.lose(record)
        elif kind == "import":
            __import__(record["module"])
            scope[record["name"]] = sys.modules[record["module"]]
            for part in record.get("parts", ()):
                cells.import_part(part)
        elif kind == "file":
            scope[record["name"]] = self._scopes[record["file"]][record["attribute"]]

    def _lost(self, record, reason):
        self.missing.append(_missing(record, reason))


def _missing(record, reason):
    where = " of " + record["scope"] if record["scope"] else ""
    return {"kind": "name", "name": cut("%s%s (%s)" % (record["name"], where, reason), 400)}

"""The session's names written out one by one, and read back.

Written (copy → host), after a record {"kind": "world"}:
    {"kind": "name", …}, then the pickle in chunks (4 bytes length each, 0 ends it, 0xffffffff: it failed), then
                         4 bytes count of buffers, each 8 bytes length and its bytes; a failed one has none
    {"kind": "import" | "alias" | "file" | "missing", …}
    {"kind": "end", "over": names that had no room}
Read (host → interpreter): the same records; a "name" says "buffers": [lengths] and "pickle": length, whose bytes follow in
that order. A record is 4 bytes length and MessagePack. Lengths are big-endian."""

import os
import pickle
import sys
from types import ModuleType

from . import bound_functions, cells, kept_state, variables
from .codec import pack, unpack
from .failures import cut

_FAILED = 0xFFFFFFFF
_AT_ONCE = 8 << 20
_OUT_OF_BAND = 65536  # bytes from which a buffer is sent by itself
HIDDEN = ("__builtins__", "__name__", "__doc__", "__loader__", "__spec__", "__package__", "__file__")
_REASON = 300


class _OverCap(Exception):
    pass


class Out:
    """The stream as the pickler's file: each piece it writes is a chunk. `room`: bytes of pickles and buffers that it takes;
    None: any number."""

    def __init__(self, fd, room=None, patience=None):
        self._fd = fd
        self._patience = patience
        self._cap = self._room = room
        self._spare = 3 * (room or 0)  # for what was written in vain
        self._claimed = 0  # for the name at hand, and of it by buffers, which are written when all of it is pickled
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
    """The library that pickles. Not where the code put folders of its own on `sys.path`: one may have a module of that name."""
    if not kept_state.has_own_path():
        _cloudpickle()


def write_listed(fd, listed):
    """What a person sees of the names, as one MessagePack document."""
    Out(fd).raw(memoryview(pack(listed)))


def write(fd, namespace, node_files, room=None, patience=None):
    """All of the session's names. Runs in a child of a copy: what pickling changes is gone with it.

    With `room` names are left out for which so many bytes are not enough; then the end says "over". With `patience` (a
    Patience) a name is given up that takes too long."""
    write_to(Out(fd, room, patience), namespace, node_files)


def write_to(out, namespace, node_files):
    over = 0
    files = {}
    for name, node_file in node_files.items():
        files[name] = node_file
    out.record(
        {
            "kind": "world",
            "python": "%d.%d" % sys.version_info[:2],
            "pickler": "cloudpickle" if _cloudpickle() else "pickle",
            "files": [
                {"file": name, "module": f.module.__name__, "source": f.source} for name, f in files.items()
            ],
        }
    )
    seen = {}
    pickler = _pickler(namespace, files)
    state, lost = kept_state.told()
    for key, error in lost:
        out.record({"kind": "missing", "name": key, "scope": kept_state.SCOPE, "reason": _reason(error)})
    for key, value in state.items():
        over += _write_one(out, key, kept_state.SCOPE, value, seen, files, pickler)
    for name, node_file in files.items():
        for key in sorted(node_file.own):
            if key in node_file.module.__dict__ and key not in HIDDEN:
                value = node_file.module.__dict__[key]
                if not _comes_with_its_file(value, node_file):
                    over += _write_one(out, key, name, value, seen, files, pickler)
                seen.setdefault(id(value), (key, name))
    for key in list(namespace):
        if not isinstance(key, str):
            out.record({"kind": "missing", "name": "?", "scope": "", "reason": "its name is no text"})
        elif key not in HIDDEN:
            over += _write_one(out, key, "", namespace[key], seen, files, pickler)
    out.record({"kind": "end", "over": over})


def _comes_with_its_file(value, node_file):
    if isinstance(value, ModuleType):
        return True
    is_defined = callable(value) and _text_of(value, "__qualname__")  # not an object that can be called
    return bool(is_defined) and _text_of(value, "__module__") == node_file.module.__name__


def _text_of(value, attribute):
    """None where it has none, whatever its own methods do where they are asked."""
    try:
        found = getattr(value, attribute, None)
    except BaseException:
        return None
    return found if type(found) is str else None


def _origin(value, files):
    """(file, name) of what a node file binds by itself."""
    attribute = _text_of(value, "__qualname__")
    for name, node_file in files.items():
        names = node_file.module.__dict__
        if attribute in node_file.own and names.get(attribute) is value and _comes_with_its_file(value, node_file):
            return name, attribute
    return None


def _write_one(out, key, scope, value, seen, files, pickler):
    """How many names had no room: one or none."""
    record = {"name": key, "scope": scope}
    if id(value) in seen:
        of, of_scope = seen[id(value)]
        if not scope:  # it is listed
            record["shown"] = _shown(key, value)
        out.record(dict(record, kind="alias", of=of, of_scope=of_scope))
        return 0
    seen[id(value)] = (key, scope)
    out.begin_name()
    if isinstance(value, ModuleType):
        module = _text_of(value, "__name__") or "?"
        out.record(dict(record, kind="import", module=module, parts=cells.imported_parts(module)))
        return 0
    record["shown"] = _shown(key, value)
    origin = _origin(value, files)
    if origin:
        out.record(dict(record, kind="file", file=origin[0], attribute=origin[1]))
        return 0
    out.record(dict(record, kind="name"))
    buffers = []
    try:
        pickler(out, 5, buffer_callback=lambda b: _keep_apart(b, buffers, out)).dump(value)
        out.number(0, 4)
    except BaseException as error:  # whatever the user's own methods raise; an OSError of the stream comes again
        out.number(_FAILED, 4)
        out.end_name(False)
        is_over = isinstance(error, _OverCap)
        out.record(dict(record, kind="missing", reason=str(error) if is_over else _reason(error)))
        return int(is_over)
    out.end_name(True)
    out.number(len(buffers), 4)
    for buffer in buffers:
        out.number(buffer.nbytes, 8)
        out.raw(buffer)
    return 0


def _shown(key, value):
    try:
        listed = variables.described(key, value)
    except BaseException:  # its class answers nothing
        return {"type": "?"}
    return {k: listed[k] for k in ("type", "size", "shape", "preview") if k in listed}


def _keep_apart(buffer, buffers, out):
    """False: the buffer is sent by itself. Small ones and those that do not lie in one piece go into the pickle."""
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
    except Exception:  # not there, broken, or something of the user's own
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
    """As bytearray(size), but a large one is not filled with zeros first: that takes as long as to read it."""
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
    """Into a fresh interpreter. [{kind, name}] of what did not come back."""
    source = _In(fd)
    missing = []
    waiting = []  # aliases, once all else is there
    scopes = {"": namespace, kept_state.SCOPE: kept_state.Restored()}
    bound_functions.read_into(scopes)
    try:
        world = source.record()
        if world.get("python") != "%d.%d" % sys.version_info[:2]:
            missing.append({"kind": "python", "name": "written by Python %s" % world.get("python")})
        for file in world["files"]:
            try:
                scopes[file["file"]] = nodes.load(file["file"], file["source"], file["module"])
            except BaseException as error:
                missing.append({"kind": "file", "name": "%s: %s" % (file["file"], _reason(error))})
        while True:
            record = source.record()
            if record["kind"] == "end":
                break
            _read_one(source, record, scopes, missing, waiting)
    finally:
        source.close()
    for record in waiting:
        origin = scopes.get(record["of_scope"], {})
        if record["of"] in origin and record["scope"] in scopes:
            scopes[record["scope"]][record["name"]] = origin[record["of"]]
        else:
            missing.append(_missing(record, "it is another name of %s, which did not come back" % record["of"]))
    nodes.show_session()
    for name, error in scopes[kept_state.SCOPE].finish():
        missing.append(_missing({"name": name, "scope": kept_state.SCOPE}, _reason(error)))
    return missing


def _read_one(source, record, scopes, missing, waiting):
    kind = record["kind"]
    scope = scopes.get(record["scope"])
    if kind == "alias":
        waiting.append(record)
        return
    if kind == "missing":
        missing.append(_missing(record, record["reason"]))
        return
    try:
        if kind == "name":
            buffers = [source.exactly(size) for size in record["buffers"]]
            data = source.exactly(record["pickle"])
            if scope is None:
                raise KeyError("its file did not come back")
            scope[record["name"]] = pickle.loads(data, buffers=buffers)
        elif kind == "import":
            __import__(record["module"])
            scope[record["name"]] = sys.modules[record["module"]]
            for part in record.get("parts", ()):
                cells.import_part(part)
        elif kind == "file":
            scope[record["name"]] = scopes[record["file"]][record["attribute"]]
    except EOFError:
        raise
    except BaseException as error:
        missing.append(_missing(record, _reason(error)))


def _missing(record, reason):
    where = " of " + record["scope"] if record["scope"] else ""
    return {"kind": "name", "name": cut("%s%s (%s)" % (record["name"], where, reason), 400)}

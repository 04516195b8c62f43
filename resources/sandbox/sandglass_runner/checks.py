"""Checks that messages follow PROTOCOL.md. Messages of the interpreter are copied key by key: the host never sees bytes that
the user's code could have put into a frame of its own."""

from . import wire

NO_EXIT = {"code": None, "signal": None, "oom": False}


class BadRequest(Exception):
    pass


_REQUIRED = {
    "cell": {"id": int, "code": str},
    "call": {"id": int, "source": str, "file": str, "state": bytes},
    "interrupt": {"id": int},
    "restart": {"id": int},
    "variables": {"id": int},
    "complete": {"id": int, "code": str, "cursor": int},
    "inspect": {"id": int, "code": str, "cursor": int},
    "processes": {"id": int},
    "list_files": {"id": int},
    "read_file": {"id": int, "path": (str, bytes), "offset": int, "length": int},
    "put_file": {"id": int, "path": (str, bytes), "offset": int, "data": bytes, "last": bool},
    "remove_file": {"id": int, "path": (str, bytes)},
    "fetch_files": {"id": int, "files": list},
    "remove_files": {"id": int, "files": list},
    "answer": {"id": int, "call": int},
    "snapshot": {"id": int, "snapshot": str},
    "wake": {"id": int, "snapshot": str},
    "drop": {"id": int, "snapshots": list},
    "snapshots": {"id": int},
    "rest": {"id": int},
    "orphan": {"id": int, "seconds": int},
    "scan": {"id": int, "base": int},
    "store": {"id": int, "snapshot": str},
    "outside": {"id": int, "before": dict},
    "await_descriptor": {"id": int},
    "load": {"id": int},
    "agent": {"id": int},
    "interpreter": {"id": int},
    "adopt": {"id": int, "of": int, "source": str, "file": str},
    "join": {"id": int, "of": int},
    "give_up": {"id": int, "of": int},
    "load_piece": {"id": int, "to": int, "data": bytes},
    "terminal": {"id": int, "rows": int, "columns": int},
    "terminal_input": {"id": int, "data": bytes},
    "terminal_size": {"id": int, "rows": int, "columns": int},
    "terminal_taken": {"id": int, "bytes": int},
    "terminal_close": {"id": int},
    "read_files": {"id": int, "files": list},
    "change_files": {"id": int, "steps": list},
}
_OPTIONAL = {
    "after": (str, bytes),
    "as_of": int,
    "filename": str,
    "function": str,
    "module": str,
    "config": bytes,
    "failed": dict,
    "fork": dict,
    "asks": list,
    "error": dict,
    "resume": bytes,
    "deadline_ms": int,
    "grace_ms": int,
    "kill": bool,
    "copy": dict,
    "descriptor": bool,
    "discard": bool,
    "limit": int,
    "listed": bool,
    "careful": bool,
    "run": str,
    "room": int,
    "root": str,
    "inode": int,
    "mode": int,
}
_MOST_MODULES = 1000  # in one message
_NUMBERS = frozenset(
    ("id", "of", "offset", "length", "limit", "deadline_ms", "grace_ms", "call", "cursor", "base", "room", "rows", "columns", "bytes", "seconds")
)
_OPTIONS = {
    "output_limit": int,
    "frame_limit": int,
    "chunk_limit": int,
    "grace_ms": int,
    "home": str,
    "env": dict,
    "roots": dict,
    "path": list,
    "layers": list,
    "modules": dict,
    "preload": list,
    "egress": str,
}


def request(message):
    """Raises BadRequest unless the keys have the right types and numbers are not negative."""
    required = _REQUIRED.get(message["op"], {})
    for key, kind in required.items():
        if not isinstance(message.get(key), kind):
            raise BadRequest("%s needs '%s'" % (message["op"], key))
    absent = ()
    for key, value in message.items():
        kind = _OPTIONAL.get(key)
        if kind is not None and not isinstance(value, kind):
            if value is not None:
                raise BadRequest("'%s' has the wrong type" % key)
            absent += (key,)
        elif key in _NUMBERS and (type(value) is not int or not 0 <= value < 1 << 53):
            raise BadRequest("'%s' must be a whole number and not negative" % key)
    for key in absent:
        del message[key]
    if "id" in required and message["id"] == 0:
        raise BadRequest("'id' must be positive")
    if "fork" in message and message["op"] == "call":
        _check_fork(message["fork"])
    copy = message.get("copy")
    if copy is not None and not (
        type(copy.get("id")) is int and 0 < copy["id"] < 1 << 53 and isinstance(copy.get("snapshot"), str)
    ):
        raise BadRequest("'copy' needs 'id' and 'snapshot'")


def _check_fork(fork):
    if not all(isinstance(fork.get(key), str) for key in ("snapshot", "group", "who")):
        raise BadRequest("'fork' needs 'snapshot', 'group' and 'who'")
    without = fork.get("without") or []
    if not isinstance(without, list) or not all(isinstance(path, (str, bytes)) for path in without):
        raise BadRequest("'without' must be a list of paths")
    if not isinstance(fork.get("seed", ""), str):
        raise BadRequest("'seed' must be a text")


def options(given):
    """The known options of a hello."""
    if not isinstance(given, dict):
        raise BadRequest("'options' must be a map")
    known = {}
    for name, kind in _OPTIONS.items():
        value = given.get(name)
        if value is None:
            continue
        if not isinstance(value, kind) or isinstance(value, bool) or (kind is int and value < 0):
            raise BadRequest("the option '%s' has the wrong type" % name)
        if kind is dict and not all(isinstance(k, str) and isinstance(v, str) for k, v in value.items()):
            raise BadRequest("the option '%s' must be a map of text to text" % name)
        if kind is list and not all(isinstance(v, str) for v in value):
            raise BadRequest("the option '%s' must be a list of texts" % name)
        known[name] = value
    if "chunk_limit" in known:
        known["chunk_limit"] = min(max(known["chunk_limit"], 1024), 1048576)
    if "frame_limit" in known:
        known["frame_limit"] = min(max(known["frame_limit"], wire.MAX_FRAME), wire.LARGEST_FRAME)
    return known


def problem(identifier, kind, message):
    number = identifier if type(identifier) is int and identifier > 0 else 0
    return {"ev": "problem", "id": number, "error": {"type": kind, "message": message}}


def error(kind, message):
    text = "%s: %s" % (kind, message)
    return {
        "type": kind,
        "message": message,
        "repr": "%s(%r)" % (kind, message),
        "mro": [],
        "traceback": [],
        "text": text,
    }


def too_large(message, text):
    """The message that replaces one whose frame would be over the limit."""
    if message["ev"] == "done":
        return {
            "ev": "done",
            "id": message["id"],
            "status": "error",
            "error": error("StateTooLarge", text),
            "duration_ms": message.get("duration_ms", 0.0),
        }
    return problem(message.get("id"), "StateTooLarge", text)


def ending(ended):
    """Describes how an interpreter ended."""
    if ended["signal"] is not None:
        if ended["oom"]:
            return "the interpreter was killed%s because the sandbox ran out of memory" % (
                ", probably" if ended["oom"] == "likely" else ""
            )
        return "the interpreter was ended by signal %d" % ended["signal"]
    if ended["code"] is not None:
        return "the code ended the interpreter with exit code %d" % ended["code"]
    return "the interpreter ended"


# --- from the interpreter ---

_MOST_PARTS = 32
_MOST_NAMED = 200
_MOST_NAMES_BYTES = 1 << 16  # bytes of a stream; a longer one is incomplete and ignored
_STATUSES = ("ok", "error", "interrupt", "interrupted")


def from_interpreter(message):
    """Copies the parts of a message that PROTOCOL.md allows. ValueError for anything else."""
    try:
        return _copied(message)
    except Exception as error:  # something else where a map or a number should be
        raise ValueError("%s in a message" % type(error).__name__) from error


def _copied(message):
    event = message["ev"]
    if event == "up":
        return {"ev": "up"}
    copy = {"ev": event, "id": _number(message["id"])}
    if event == "done":
        return _done(message, copy)
    if event == "custom":
        copy["data"] = _bytes(message["data"])
    elif event == "display":
        copy["call"] = _number(message["call"])
        copy["data"] = _bundle(message["data"])
    elif event == "ask":
        copy["call"] = _number(message["call"])
        copy["kind"] = _text(message["kind"])[:64]
        copy["data"] = _bytes(message["data"])
    elif event == "snapshot":
        copy["asleep"] = message["asleep"] is True
        copy["copy"] = _number(message["copy"]) if "copy" in message else 0
        copy["obstacles"] = _named(message["obstacles"])
        copy["left"] = _named(message["left"])
        if "names" in message:
            copy["names"] = _bytes(message["names"])[:_MOST_NAMES_BYTES]
    elif event == "loaded":
        copy["missing"] = _named(message["missing"])
    elif event in ("stored_names", "adopted"):
        pass
    elif event == "woken":
        copy["lost"] = _named(message["lost"])
        copy["copy"] = _number(message["copy"]) if "copy" in message else 0
    elif event == "variables":
        copy["variables"] = [_variable(v) for v in message["variables"]]
        copy["total"] = _number(message["total"])
        copy["modules"] = [_text(name) for name in message["modules"]]
    elif event == "completions":
        copy["matches"] = [{"text": _text(m["text"]), "kind": _text(m["kind"])} for m in message["matches"]]
        copy["start"], copy["end"] = _number(message["start"]), _number(message["end"])
    elif event == "inspection":
        copy["found"] = message["found"] is True
        for key in ("name", "type", "signature", "doc", "file"):
            if key in message:
                copy[key] = _text(message[key])
    else:
        raise ValueError("an event that the interpreter never sends")
    return copy


def _done(message, copy):
    if message["status"] not in _STATUSES:
        raise ValueError("a status that does not exist")
    copy["status"] = message["status"]
    for key, value in message.items():
        check = _DONE.get(key)
        if check is not None:
            copy[key] = check(value)
    return copy


def _number(value):
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError("not a whole number")
    return value


def _bytes(value):
    if type(value) is not bytes:
        raise TypeError("not bytes")
    return value


def _text(value):
    if type(value) is not str:
        raise TypeError("not text")
    return value


def _bundle(value):
    if len(value) > _MOST_PARTS:
        raise ValueError("more parts than are shown")
    return {_text(kind): data if type(data) is bytes else _text(data) for kind, data in value.items()}


def _error(value):
    copy = {key: _text(value[key]) for key in ("type", "message", "repr", "text")}
    copy["mro"] = [_text(name) for name in value["mro"]]
    if "data" in value:
        copy["data"] = _bytes(value["data"])
    copy["traceback"] = [
        {
            "file": _text(f["file"]),
            "line": _number(f["line"]),
            "function": _text(f["function"]),
            "source": _text(f["source"]),
        }
        for f in value["traceback"]
    ]
    return copy


def _named(value):
    return [{"kind": _text(entry["kind"])[:64], "name": _text(entry["name"])[:512]} for entry in value[:_MOST_NAMED]]


def _variable(value):
    copy = {"name": _text(value["name"]), "type": _text(value["type"])}
    if "size" in value:
        copy["size"] = _number(value["size"])
    if "shape" in value:
        copy["shape"] = [_number(n) for n in value["shape"]]
    if "preview" in value:
        copy["preview"] = _text(value["preview"])
    return copy


def _hashes(value):
    """{file: SHA-256} of modules, at most 1,000."""
    if type(value) is not dict or len(value) > _MOST_MODULES:
        raise ValueError("not a map of modules")
    return {_text(file)[:1024]: _text(digest)[:64] for file, digest in value.items()}


def _names(value):
    if len(value) > _MOST_MODULES:
        raise ValueError("more than %d names are set" % _MOST_MODULES)
    return [_text(name) for name in value]


_DONE = {
    "result": _bundle,
    "update": _bytes,
    "interrupts": _bytes,
    "schemas": _bytes,
    "answered": _number,
    "error": _error,
    "modules": _hashes,
    "kept": _names,
}

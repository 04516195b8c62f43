"""MessagePack for the usual frame: a small map of names to plain values, with at most one such map inside.

The general codec costs more than executing a small cell; it handles all other frames."""

from struct import Struct

_f64 = Struct(">d")
_BYTE = [bytes((n,)) for n in range(256)]

_NAMES = (
    "ev op id call code status result artifacts duration_ms deadline_ms filename stream data text/plain kind error "
    "restarted answered update n v limit root path offset length inode size mtime_ns end"
).split()
_PACKED = {name: _BYTE[0xA0 | len(name)] + name.encode() for name in _NAMES}
_KNOWN = {name.encode(): name for name in _NAMES}
_SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}  # bin and str
_NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data):
    """The map in `data` (bytes), as codec.unpack() would read it; None: use that."""
    try:
        result, pos = _read(data, 0, True)
    except (IndexError, UnicodeDecodeError):
        return None
    return result if pos == len(data) else None


def _read(data, pos, outermost):
    tag = data[pos]
    if not 0x80 <= tag < 0x90:
        return None, -1
    pos += 1
    end = len(data)
    result = {}
    for _ in range(tag & 15):
        stop = pos + 1 + (data[pos] & 31)
        name = _KNOWN.get(data[pos + 1 : stop])
        if name is None or data[pos] & 0xE0 != 0xA0:
            return None, -1
        tag = data[stop]
        pos = stop + 1
        if tag < 0x80:
            result[name] = tag
            continue
        if tag < 0x90 and outermost:
            result[name], pos = _read(data, stop, False)
            if pos < 0:
                return None, -1
            continue
        if 0xA0 <= tag < 0xC0:
            stop = pos + (tag & 31)
        elif tag in _SIZES:
            width = _SIZES[tag]
            stop = pos + width
            size = int.from_bytes(data[pos:stop], "big")
            pos = stop
            stop += size
        elif tag in _NUMBERS:
            stop = pos + _NUMBERS[tag]
            result[name] = int.from_bytes(data[pos:stop], "big")
            pos = stop
            continue
        elif tag in _CONSTANTS:
            result[name] = _CONSTANTS[tag]
            continue
        else:
            return None, -1
        if stop > end:
            return None, -1
        part = data[pos:stop]
        result[name] = part if 0xC4 <= tag <= 0xC6 else part.decode()
        pos = stop
    return result, pos


_DONE_WELL = b"\xa2ev\xa4done\xa2id"
_OK = b"\xa6status\xa2ok"
_SHOWN = b"\xa6result\x81\xaatext/plain"


def done(identifier, text):
    """Equals pack() of a cell's done with status ok and, if `text` is not None, a plain text result."""
    if text is None:
        return b"\x83" + _DONE_WELL + _whole(identifier) + _OK
    raw = text.encode()
    head = _BYTE[0xA0 | len(raw)] if len(raw) < 32 else _head(len(raw), 0xD9)
    return b"".join((b"\x84", _DONE_WELL, _whole(identifier), _OK, _SHOWN, head, raw))


def is_done(body, identifier):
    """Whether `body` is, byte for byte, what done() makes for that number."""
    start = _DONE_WELL + _whole(identifier) + _OK
    if not body.startswith(start, 1):
        return False
    if body[0] == 0x83:
        return len(body) == 1 + len(start)
    pos = 1 + len(start) + len(_SHOWN)
    if body[0] != 0x84 or body[1 + len(start) : pos] != _SHOWN or len(body) <= pos:
        return False
    tag = body[pos]
    width = 0 if 0xA0 <= tag < 0xC0 else _SIZES.get(tag, -1) if tag >= 0xD9 else -1
    if width < 0:
        return False
    size = tag & 31 if width == 0 else int.from_bytes(body[pos + 1 : pos + 1 + width], "big")
    pos += 1 + width
    if pos + size != len(body):
        return False
    try:
        body[pos:].decode()
    except UnicodeDecodeError:
        return False
    return True


def completed(body, duration_ms, artifacts):
    """The body of a done with the supervisor's additions."""
    head = _BYTE[body[0] + 2] + body[1:] + b"\xabduration_ms\xcb" + _f64.pack(duration_ms)
    return head + (b"\xa9artifacts\xc3" if artifacts else b"\xa9artifacts\xc2")


def pack(message):
    """The parts of the packed map, as codec.pack() would write it; None: use that.

    Long bytes are a part of their own, without a copy."""
    if type(message) is dict and len(message) <= 4 and message.get("status") == "ok":
        usual = _usual_done(message)
        if usual is not None:
            return [usual]
    parts = []
    return parts if _write(message, parts, True) else None


def _usual_done(message):
    identifier, text = message.get("id"), None
    if message.get("ev") != "done" or type(identifier) is not int or not 0 <= identifier < 4294967296:
        return None
    if len(message) == 4:
        result = message.get("result")
        text = result.get("text/plain") if type(result) is dict and len(result) == 1 else None
        if type(text) is not str:
            return None
    try:
        return done(identifier, text)
    except UnicodeEncodeError:
        return None


def _write(message, parts, outermost):
    if type(message) is not dict or len(message) > 15:
        return False
    put = parts.append
    put(_BYTE[0x80 | len(message)])
    for name, value in message.items():
        packed = _PACKED.get(name)
        if packed is None:
            return False
        put(packed)
        kind = type(value)
        if kind is str:
            try:
                raw = value.encode()
            except UnicodeEncodeError:
                return False
            put(_head(len(raw), 0xD9) if len(raw) > 31 else _BYTE[0xA0 | len(raw)])
            put(raw)
        elif kind is int:
            if not 0 <= value < 4294967296:
                return False
            put(_BYTE[value] if value < 128 else _number(value))
        elif kind is bool:
            put(b"\xc3" if value else b"\xc2")
        elif kind is float:
            put(b"\xcb" + _f64.pack(value))
        elif kind is bytes:
            put(_head(len(value), 0xC4))
            put(value)
        elif value is None:
            put(b"\xc0")
        elif kind is not dict or not outermost or not _write(value, parts, False):
            return False
    return True


def _whole(value):
    if value < 4294967296:
        return _BYTE[value] if value < 128 else _number(value)
    return b"\xcf" + value.to_bytes(8, "big")


def _head(size, tag):
    if size < 256:
        return bytes((tag, size))
    if size < 65536:
        return bytes((tag + 1,)) + size.to_bytes(2, "big")
    return bytes((tag + 2,)) + size.to_bytes(4, "big")


def _number(value):
    if value < 256:
        return bytes((0xCC, value))
    if value < 65536:
        return b"\xcd" + value.to_bytes(2, "big")
    return b"\xce" + value.to_bytes(4, "big")

"""MessagePack in plain Python, as ormsgpack writes it: shortest integers, 64-bit floats, shortest ext forms."""

from struct import Struct, error as StructError

MAX_DEPTH = 256  # what the host accepts

_u16 = Struct(">H")
_u32 = Struct(">I")
_u64 = Struct(">Q")
_i8 = Struct(">b")
_i16 = Struct(">h")
_i32 = Struct(">i")
_i64 = Struct(">q")
_f32 = Struct(">f")
_f64 = Struct(">d")
_tag16 = Struct(">BH")
_tag32 = Struct(">BI")
_tag64 = Struct(">BQ")
_tagi16 = Struct(">Bh")
_tagi32 = Struct(">Bi")
_tagi64 = Struct(">Bq")
_tagf64 = Struct(">Bd")
_BYTE = [bytes((n,)) for n in range(256)]
_FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}


class CodecError(ValueError):
    """The bytes are not one well-formed MessagePack document."""


class Unencodable(TypeError):
    """A value has no MessagePack form."""


class Ext:
    """An extension kept as it came; it encodes back unchanged."""

    __slots__ = ("code", "data")

    def __init__(self, code, data):
        self.code = code
        self.data = data

    def __eq__(self, other):
        return type(other) is Ext and self.code == other.code and self.data == other.data

    def __hash__(self):
        return hash((self.code, self.data))

    def __repr__(self):
        return "Ext(code=%d, %d bytes)" % (self.code, len(self.data))


def _put_int(put, n):
    if n >= 0:
        if n < 128:
            put(_BYTE[n])
        elif n < 256:
            put(b"\xcc" + _BYTE[n])
        elif n < 65536:
            put(_tag16.pack(0xCD, n))
        elif n < 4294967296:
            put(_tag32.pack(0xCE, n))
        elif n < 18446744073709551616:
            put(_tag64.pack(0xCF, n))
        else:
            raise Unencodable("an integer of more than 64 bits")
    elif n >= -32:
        put(_BYTE[256 + n])
    elif n >= -128:
        put(b"\xd0" + _i8.pack(n))
    elif n >= -32768:
        put(_tagi16.pack(0xD1, n))
    elif n >= -2147483648:
        put(_tagi32.pack(0xD2, n))
    elif n >= -9223372036854775808:
        put(_tagi64.pack(0xD3, n))
    else:
        raise Unencodable("an integer of more than 64 bits")


def _put_str(put, text):
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "replace")  # lone surrogates become "?", as ormsgpack does
    n = len(raw)
    if n < 32:
        put(_BYTE[0xA0 | n])
    elif n < 256:
        put(b"\xd9" + _BYTE[n])
    elif n < 65536:
        put(_tag16.pack(0xDA, n))
    else:
        put(_tag32.pack(0xDB, n))
    put(raw)


def _put_bin(put, raw):
    n = len(raw)
    if n < 256:
        put(b"\xc4" + _BYTE[n])
    elif n < 65536:
        put(_tag16.pack(0xC5, n))
    elif n < 4294967296:
        put(_tag32.pack(0xC6, n))
    else:
        raise Unencodable("more than 4 GiB of bytes")
    put(raw)


def _put_ext(put, code, raw):
    n = len(raw)
    if n in _FIXEXT:
        put(_BYTE[_FIXEXT[n]])
    elif n < 256:
        put(b"\xc7" + _BYTE[n])
    elif n < 65536:
        put(_tag16.pack(0xC8, n))
    else:
        put(_tag32.pack(0xC9, n))
    put(_i8.pack(code))
    put(raw)


def _put_length(put, n, small, tag16):
    if n < 16:
        put(_BYTE[small | n])
    elif n < 65536:
        put(_tag16.pack(tag16, n))
    else:
        put(_tag32.pack(tag16 + 1, n))


def pack(value, default=None):
    """One value as bytes. `default(object)` turns what is not native into something that is, or raises Unencodable."""
    parts = []
    put = parts.append

    def walk(v, depth):
        t = type(v)
        if t is str:
            _put_str(put, v)
        elif t is int:
            if 0 <= v < 128:
                put(_BYTE[v])
            else:
                _put_int(put, v)
        elif v is None:
            put(b"\xc0")
        elif v is True:
            put(b"\xc3")
        elif v is False:
            put(b"\xc2")
        elif t is float:
            put(_tagf64.pack(0xCB, v))
        elif t is dict:
            entries(v, depth)
        elif t is list or t is tuple:
            items(v, depth)
        elif t is bytes:
            _put_bin(put, v)
        else:
            other(v, depth)

    def entries(v, depth):
        if depth >= MAX_DEPTH:
            raise Unencodable("a value nested deeper than %d levels, or one that contains itself" % MAX_DEPTH)
        _put_length(put, len(v), 0x80, 0xDE)
        for key, item in v.items():
            walk(key, depth + 1)
            walk(item, depth + 1)

    def items(v, depth):
        if depth >= MAX_DEPTH:
            raise Unencodable("a value nested deeper than %d levels, or one that contains itself" % MAX_DEPTH)
        _put_length(put, len(v), 0x90, 0xDC)
        for item in v:
            walk(item, depth + 1)

    def other(v, depth):
        if type(v) is Ext:
            _put_ext(put, v.code, v.data)
            return
        if default is not None:
            changed = default(v)
            if changed is not v:
                walk(changed, depth + 1)
                return
        if isinstance(v, (bytearray, memoryview)):
            _put_bin(put, bytes(v))
        elif isinstance(v, str):
            _put_str(put, str.__str__(v))
        elif isinstance(v, int):
            _put_int(put, int(v))
        elif isinstance(v, float):
            put(_tagf64.pack(0xCB, float(v)))
        elif isinstance(v, dict):
            entries(v, depth)
        elif isinstance(v, list):
            items(v, depth)
        else:
            raise Unencodable(type(v).__name__)

    walk(value, 0)
    return b"".join(parts)


def unpack(data, ext=Ext):
    """The one value that `data` holds. `ext(code, payload)` makes the object for an extension."""
    end = len(data)
    pos = 0

    def take(n):
        nonlocal pos
        start = pos
        pos = start + n
        if pos > end:
            raise CodecError("the bytes end inside a value")
        return data[start:pos]

    def number(form):
        nonlocal pos
        start = pos
        pos = start + form.size
        return form.unpack_from(data, start)[0]

    def text(n):
        raw = take(n)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("utf-8", "replace")

    def items(n, depth):
        if depth >= MAX_DEPTH:
            raise CodecError("nested deeper than %d levels" % MAX_DEPTH)
        if n > end - pos:
            raise CodecError("the bytes end inside a list")
        return [read(depth + 1) for _ in range(n)]

    def entries(n, depth):
        if depth >= MAX_DEPTH:
            raise CodecError("nested deeper than %d levels" % MAX_DEPTH)
        if 2 * n > end - pos:
            raise CodecError("the bytes end inside a map")
        result = {}
        for _ in range(n):
            key = read(depth + 1)
            if type(key) is list:
                key = _frozen(key)
            try:
                result[key] = read(depth + 1)
            except TypeError as error:
                raise CodecError("a map key that cannot be one: %s" % error)
        return result

    def extension(n):
        code = number(_i8)
        return ext(code, bytes(take(n)))

    def read(depth):
        nonlocal pos
        tag = data[pos]
        pos += 1
        if tag < 0x80:
            return tag
        if tag >= 0xE0:
            return tag - 256
        if tag < 0x90:
            return entries(tag & 15, depth)
        if tag < 0xA0:
            return items(tag & 15, depth)
        if tag < 0xC0:
            return text(tag & 31)
        reader = _READERS.get(tag)
        if reader is None:
            raise CodecError("the byte 0x%02x starts no value" % tag)
        return reader(number, text, take, items, entries, extension, depth)

    try:
        result = read(0)
    except (IndexError, StructError):
        raise CodecError("the bytes end inside a value")
    if pos != end:
        raise CodecError("%d bytes after the value" % (end - pos))
    return result


def _frozen(value):
    return tuple(_frozen(v) if type(v) is list else v for v in value)


_u8 = Struct(">B")
_READERS = {
    0xC0: lambda number, text, take, items, entries, ext, depth: None,
    0xC2: lambda number, text, take, items, entries, ext, depth: False,
    0xC3: lambda number, text, take, items, entries, ext, depth: True,
    0xC4: lambda number, text, take, items, entries, ext, depth: bytes(take(number(_u8))),
    0xC5: lambda number, text, take, items, entries, ext, depth: bytes(take(number(_u16))),
    0xC6: lambda number, text, take, items, entries, ext, depth: bytes(take(number(_u32))),
    0xC7: lambda number, text, take, items, entries, ext, depth: ext(number(_u8)),
    0xC8: lambda number, text, take, items, entries, ext, depth: ext(number(_u16)),
    0xC9: lambda number, text, take, items, entries, ext, depth: ext(number(_u32)),
    0xCA: lambda number, text, take, items, entries, ext, depth: number(_f32),
    0xCB: lambda number, text, take, items, entries, ext, depth: number(_f64),
    0xCC: lambda number, text, take, items, entries, ext, depth: number(_u8),
    0xCD: lambda number, text, take, items, entries, ext, depth: number(_u16),
    0xCE: lambda number, text, take, items, entries, ext, depth: number(_u32),
    0xCF: lambda number, text, take, items, entries, ext, depth: number(_u64),
    0xD0: lambda number, text, take, items, entries, ext, depth: number(_i8),
    0xD1: lambda number, text, take, items, entries, ext, depth: number(_i16),
    0xD2: lambda number, text, take, items, entries, ext, depth: number(_i32),
    0xD3: lambda number, text, take, items, entries, ext, depth: number(_i64),
    0xD4: lambda number, text, take, items, entries, ext, depth: ext(1),
    0xD5: lambda number, text, take, items, entries, ext, depth: ext(2),
    0xD6: lambda number, text, take, items, entries, ext, depth: ext(4),
    0xD7: lambda number, text, take, items, entries, ext, depth: ext(8),
    0xD8: lambda number, text, take, items, entries, ext, depth: ext(16),
    0xD9: lambda number, text, take, items, entries, ext, depth: text(number(_u8)),
    0xDA: lambda number, text, take, items, entries, ext, depth: text(number(_u16)),
    0xDB: lambda number, text, take, items, entries, ext, depth: text(number(_u32)),
    0xDC: lambda number, text, take, items, entries, ext, depth: items(number(_u16), depth),
    0xDD: lambda number, text, take, items, entries, ext, depth: items(number(_u32), depth),
    0xDE: lambda number, text, take, items, entries, ext, depth: entries(number(_u16), depth),
    0xDF: lambda number, text, take, items, entries, ext, depth: entries(number(_u32), depth),
}

"""MessagePack in plain Python, as ormsgpack writes it: shortest integers, 64-bit floats, shortest ext forms."""

from struct import Struct, error as StructError

MAX_DEPTH = 256  # as deep as the host accepts

_u8 = Struct(">B")
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
_SHORT = [bytes((0xA0 | n,)) for n in range(32)]
_FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}


class CodecError(ValueError):
    """The bytes are not one well-formed MessagePack document."""


class Unencodable(TypeError):
    """A value has no MessagePack form."""


class Ext:
    """An extension kept as received; it encodes back unchanged."""

    __slots__ = ("code", "data")

    def __init__(self, code, data):
        self.code = code
        self.data = data

    def __eq__(self, other):
        return type(other) is Ext and self.code == other.code and self.data == other.data

    def __hash__(self):
        return hash((self.code, self.data))

    def __getattr__(self, name):
        if name in Ext.__slots__ or name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError("this session could not make the %r again: it has no such class" % (self,))

    def __repr__(self):
        try:
            module, name = unpack(self.data)[:2]
            return "stored %.200s.%.200s" % (module, name)
        except Exception:
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


def _put_length(put, n, depth, small, tag16):
    if depth >= MAX_DEPTH:
        raise Unencodable("a value nested deeper than %d levels, or one that contains itself" % MAX_DEPTH)
    if n < 16:
        put(_BYTE[small | n])
    elif n < 65536:
        put(_tag16.pack(tag16, n))
    else:
        put(_tag32.pack(tag16 + 1, n))


def _put_subclass(put, v):
    """Writes a value that is of no plain type itself, but of a subclass or a related type."""
    if type(v) is Ext:
        _put_ext(put, v.code, v.data)
    elif isinstance(v, (bytearray, memoryview)):
        _put_bin(put, bytes(v))
    elif isinstance(v, str):
        _put_str(put, str.__str__(v))
    elif isinstance(v, int):
        _put_int(put, int(v))
    elif isinstance(v, float):
        put(_tagf64.pack(0xCB, float(v)))
    else:
        raise Unencodable(type(v).__name__)


def pack(value, default=None, tuples=None):
    """Packs one value. `default(object)` turns an unsupported object into a supported one, or raises Unencodable.

    Tuples become arrays, or what `tuples(tuple)` makes of them."""
    parts = []
    put = parts.append

    def walk(v, depth):
        t = type(v)
        if t is str:
            if len(v) < 32 and v.isascii():
                put(_SHORT[len(v)] + v.encode())
            else:
                _put_str(put, v)
        elif t is int:
            if 0 <= v < 128:
                put(_BYTE[v])
            else:
                _put_int(put, v)
        elif v is None:
            put(b"\xc0")
        elif t is bool:
            put(b"\xc3" if v else b"\xc2")
        elif t is float:
            put(_tagf64.pack(0xCB, v))
        elif t is dict:
            entries(v, depth)
        elif t is list or (t is tuple and tuples is None):
            items(v, depth)
        elif t is tuple:
            walk(tuples(v), depth + 1)
        elif t is bytes:
            _put_bin(put, v)
        else:
            other(v, depth)

    def entries(v, depth):
        _put_length(put, len(v), depth, 0x80, 0xDE)
        for key, item in v.items():
            walk(key, depth + 1)
            walk(item, depth + 1)

    def items(v, depth):
        _put_length(put, len(v), depth, 0x90, 0xDC)
        for item in v:
            walk(item, depth + 1)

    def other(v, depth):
        if default is not None and type(v) is not Ext:
            changed = default(v)
            if changed is not v:
                return walk(changed, depth + 1)
        if isinstance(v, (dict, list)):
            (entries if isinstance(v, dict) else items)(v, depth)
        else:
            _put_subclass(put, v)

    walk(value, 0)
    return b"".join(parts)


def unpack(data, ext=Ext):
    """The one value in `data`. `ext(code, payload)` makes the object for an extension."""
    reader = _Reader(data, ext)
    try:
        result = reader.read(0)
    except (IndexError, StructError):
        raise CodecError("the bytes end inside a value")
    if reader.pos != reader.end:
        raise CodecError("%d bytes after the value" % (reader.end - reader.pos))
    return result


class _Reader:
    __slots__ = ("data", "pos", "end", "ext")

    def __init__(self, data, ext):
        self.data = data
        self.pos = 0
        self.end = len(data)
        self.ext = ext

    def read(self, depth):
        pos = self.pos
        tag = self.data[pos]
        self.pos = pos + 1
        if tag < 0x80:
            return tag
        if tag < 0x90:
            return self.entries(tag & 15, depth)
        if tag < 0xA0:
            return self.items(tag & 15, depth)
        if tag < 0xC0:
            return self.text(tag & 31)
        if tag >= 0xE0:
            return tag - 256
        found = _FORMS.get(tag)
        if found is None:
            raise CodecError("the byte 0x%02x starts no value" % tag)
        kind, form = found
        if kind is _CONSTANT:
            return form
        if kind is _FIXED:
            return self.extension(form, depth)
        number = form.unpack_from(self.data, self.pos)[0]
        self.pos += form.size
        return kind(self, number, depth)

    def take(self, size):
        start = self.pos
        self.pos = stop = start + size
        if stop > self.end:
            raise CodecError("the bytes end inside a value")
        return self.data[start:stop]

    def text(self, size, _depth=0):
        start = self.pos
        self.pos = stop = start + size
        if stop > self.end:
            raise CodecError("the bytes end inside a value")
        try:
            return str(self.data[start:stop], "utf-8")  # `data` may be a memoryview
        except UnicodeDecodeError:
            return str(self.data[start:stop], "utf-8", "replace")

    def items(self, size, depth):
        self.check(size, depth)
        read = self.read
        depth += 1
        return [read(depth) for _ in range(size)]

    def entries(self, size, depth):
        self.check(2 * size, depth)
        read = self.read
        depth += 1
        result = {}
        for _ in range(size):
            key = read(depth)
            if type(key) is list:
                key = frozen(key)
            try:
                result[key] = read(depth)
            except TypeError as error:
                raise CodecError("a map key that cannot be one: %s" % error)
        return result

    def check(self, least, depth):
        """Checks, before memory is allocated for a container, that the rest can hold it and that it is not too deep."""
        if depth >= MAX_DEPTH:
            raise CodecError("nested deeper than %d levels" % MAX_DEPTH)
        if least > self.end - self.pos:
            raise CodecError("the bytes end inside a container")

    def blob(self, size, _depth):
        return bytes(self.take(size))

    def extension(self, size, _depth):
        code = _i8.unpack(self.take(1))[0]
        return self.ext(code, bytes(self.take(size)))

    def number(self, value, _depth):
        return value


def frozen(value):
    """The list and lists within it as tuples; any other value unchanged."""
    return tuple(frozen(v) for v in value) if type(value) is list else value


# The meaning of each tag: (function that reads the value, format of its first number), or the value itself, or the size of an ext.
_CONSTANT, _FIXED = "constant", "fixed"
_FORMS = {
    0xC0: (_CONSTANT, None),
    0xC2: (_CONSTANT, False),
    0xC3: (_CONSTANT, True),
    0xC4: (_Reader.blob, _u8),
    0xC5: (_Reader.blob, _u16),
    0xC6: (_Reader.blob, _u32),
    0xC7: (_Reader.extension, _u8),
    0xC8: (_Reader.extension, _u16),
    0xC9: (_Reader.extension, _u32),
    0xCA: (_Reader.number, _f32),
    0xCB: (_Reader.number, _f64),
    0xCC: (_Reader.number, _u8),
    0xCD: (_Reader.number, _u16),
    0xCE: (_Reader.number, _u32),
    0xCF: (_Reader.number, _u64),
    0xD0: (_Reader.number, _i8),
    0xD1: (_Reader.number, _i16),
    0xD2: (_Reader.number, _i32),
    0xD3: (_Reader.number, _i64),
    0xD4: (_FIXED, 1),
    0xD5: (_FIXED, 2),
    0xD6: (_FIXED, 4),
    0xD7: (_FIXED, 8),
    0xD8: (_FIXED, 16),
    0xD9: (_Reader.text, _u8),
    0xDA: (_Reader.text, _u16),
    0xDB: (_Reader.text, _u32),
    0xDC: (_Reader.items, _u16),
    0xDD: (_Reader.items, _u32),
    0xDE: (_Reader.entries, _u16),
    0xDF: (_Reader.entries, _u32),
}

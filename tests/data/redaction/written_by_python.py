# Writes written_by_python.json: secrets as Python's own encoders write them, which tst_redaction compares with.
# "alone": nothing but the secret; "core": of a longer text, the digits that the secret alone decides.
import base64
import html
import json
import os
import textwrap
import urllib.parse
from xml.sax import saxutils

SECRETS = [
    "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".encode(),
    "tok/EN+with==:é€😀 \"quo'tes\" & <tag>~!*() {a} [b] \\end".encode(),
    'only "double" quotes and a \\ and a / and $%^#@;,?'.encode(),
    "".join(chr(33 + (i * 37 + 5) % 94) for i in range(150)).encode(),
    b"first line of a key 0123\nsecond line of a key 4567\r\n\tthird\x01\x7f one 89ab",
    bytes(range(128, 200)),
]


def texts(secret):
    """What only writers of text write, as (name, text)."""
    text = secret.decode()
    small = lambda quoted: "".join(c.lower() if quoted[max(0, i - 2) : i].find("%") >= 0 else c for i, c in enumerate(quoted))
    quoted = urllib.parse.quote(text)
    yield "quote", quoted
    yield "quote, small digits", small(quoted)
    yield "quote all", urllib.parse.quote(text, safe="")
    yield "quote_plus", urllib.parse.quote_plus(text)
    yield "urlencode", urllib.parse.urlencode({"k": text})[2:]
    yield "encodeURIComponent", urllib.parse.quote(text, safe="!'()*")
    yield "encodeURI", urllib.parse.quote(text, safe="!'()*;,/?:@&=+$#")
    yield "html.escape", html.escape(text)
    yield "html.escape, no quotes", html.escape(text, quote=False)
    yield "html of templates", html.escape(text).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
    yield "xml", saxutils.escape(text, {'"': "&quot;", "'": "&apos;"})
    yield "json", json.dumps(text)[1:-1]
    yield "json in UTF-8", json.dumps(text, ensure_ascii=False)[1:-1]
    yield "json with \\/", json.dumps(text)[1:-1].replace("/", "\\/")
    yield "repr", repr(text)[1:-1]
    yield "ascii", ascii(text)[1:-1]
    units = text.encode("utf-16-be")
    yield "every character as JSON", "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    yield "every character as JSON, large digits", "".join(f"\\u{units[i]:02X}{units[i + 1]:02X}" for i in range(0, len(units), 2))
    yield "every character as HTML", "".join(f"&#{ord(c)};" for c in text)
    yield "every character as HTML, hex", "".join(f"&#x{ord(c):02x};" for c in text)
    yield "every character as HTML, large digits", "".join(f"&#x{ord(c):02X};" for c in text)
    for order in ("utf-16-le", "utf-16-be"):
        wide = text.encode(order)
        yield order, wide
        yield f"repr of {order}", repr(wide)[2:-1]
        if wide.isascii():
            yield f"json of {order}", json.dumps(wide.decode("ascii"))[1:-1]


def forms(secret):
    plain = base64.b64encode(secret).decode()
    yield "itself", secret
    yield "b64encode", plain
    yield "without padding", plain.rstrip("=")
    yield "urlsafe_b64encode", base64.urlsafe_b64encode(secret).decode()
    yield "encodebytes", base64.encodebytes(secret).decode().rstrip("\n")
    yield "in lines of 64", "\n".join(textwrap.wrap(plain, 64))
    yield "in lines of a mail", "\r\n".join(textwrap.wrap(plain, 76))
    yield "encodebytes as shown", repr(base64.encodebytes(secret).rstrip(b"\n"))[2:-1]
    yield "hex", secret.hex()
    yield "b16encode", base64.b16encode(secret).decode()
    for between in " :-":
        yield f"hex with {between!r}", secret.hex(between)
        yield f"large hex with {between!r}", secret.hex(between).upper()
    yield "every byte in percent form", "".join(f"%{byte:02X}" for byte in secret)
    yield "every byte in percent form, small digits", "".join(f"%{byte:02x}" for byte in secret)
    yield "every byte as Python", "".join(f"\\x{byte:02x}" for byte in secret)
    yield "every byte as Python, large digits", "".join(f"\\x{byte:02X}" for byte in secret)
    yield "quote_from_bytes", urllib.parse.quote_from_bytes(secret)
    yield "repr of bytes", repr(secret)[2:-1]
    try:
        yield from texts(secret)
    except UnicodeDecodeError:
        pass


def within(secret):
    """In a longer text, as (name, text, core)."""
    for before in (0, 1, 2, 5, 16, 30, 31, 32, 44, 45, 46, 47, 55, 100):
        whole = base64.b64encode(b"k" * before + secret + b"tail of it").decode()
        core = whole[(before * 8 + 5) // 6 : (before + len(secret)) * 8 // 6]
        yield f"b64encode behind {before}", whole, core
        yield f"lines of 64 behind {before}", "\n".join(textwrap.wrap(whole, 64)), core
        yield f"lines of 76 behind {before}", "\r\n".join(textwrap.wrap(whole, 76)), core


def as_hex(value):
    return (value if isinstance(value, bytes) else value.encode()).hex()


rows = []
for number, secret in enumerate(SECRETS):
    alone = [[name, as_hex(text)] for name, text in forms(secret)]
    rows.append({"secret": as_hex(secret), "alone": alone, "within": [[name, text, core] for name, text, core in within(secret)]})
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "written_by_python.json"), "w") as out:
    json.dump(rows, out, indent=1)
    out.write("\n")

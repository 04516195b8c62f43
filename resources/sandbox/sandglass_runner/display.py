"""Values as Jupyter shows them: a map from MIME type to text or bytes, within limits."""

import sys

from .failures import cut

TEXT_LIMIT = 1048576  # characters of text/plain
PART_LIMIT = 4194304  # bytes of any other part
BUNDLE_LIMIT = 8388608  # bytes of all of them together
_MOST_PARTS = 16
_MOST_NAME = 100

_PLAIN = frozenset((int, str, float, bool, complex, bytes, bytearray, list, tuple, dict, set, frozenset, range, type))
_METHODS = (
    ("text/html", "_repr_html_"),
    ("text/markdown", "_repr_markdown_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("application/pdf", "_repr_pdf_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("text/latex", "_repr_latex_"),
    ("application/json", "_repr_json_"),
    ("e2b/data", "_repr_e2b_data_"),
    ("e2b/chart", "_repr_e2b_chart_"),
)
_MOST_CELLS = 1000000  # of a table that is sent as lists of its columns
_CANARY = "_ipython_canary_method_should_not_exist_"

emit = None  # set by the interpreter: sends one bundle to the host
serves_e2b = False  # set for clients of E2B, who get lists, dicts and tables as JSON, too


def bundle(value):
    """None where there is nothing to show, or the value has shown itself."""
    if value is None:
        return None
    if type(value) in _PLAIN:
        text = {"text/plain": cut(repr(value), TEXT_LIMIT)}
        return _bounded({**_plain_json(value), **text}) if serves_e2b else text
    own = _method(value, "_ipython_display_")
    if own is not None:
        own()
        return None
    return _bounded(_parts(value))


def display(*objects, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, **_more):
    """Shows each object now, in order with printed output. `raw`: the objects are bundles already."""
    for value in objects:
        if raw:
            shown = _bounded(_converted(value))
        else:
            shown = bundle(value) if value is not None else {"text/plain": "None"}
        if shown is None:
            continue
        chosen = {
            kind: data
            for kind, data in shown.items()
            if (not include or kind in include) and not (exclude and kind in exclude)
        }
        if chosen and emit is not None:
            emit(chosen)
    if display_id is not None:
        return Handle(display_id)
    return None


class Handle:
    """The result of display(…, display_id=…). An update is shown as a display of its own."""

    def __init__(self, display_id):
        self.display_id = "1" if display_id is True else display_id

    def display(self, value, **keywords):
        display(value, **keywords)

    update = display


def _method(value, name):
    """The object's own method; None for a class, and for objects that answer to any name."""
    if isinstance(value, type):
        return None
    try:
        if getattr(value, _CANARY, None) is not None:
            return None
        found = getattr(value, name, None)
    except Exception:
        return None
    return found if callable(found) else None


def _asked(value, name, **keywords):
    method = _method(value, name)
    if method is None:
        return None
    try:
        return method(**keywords)
    except NotImplementedError:
        return None
    except Exception as error:
        _complain("%s of %s failed with %s: %s" % (name, type(value).__name__, type(error).__name__, error))
        return None


def _parts(value):
    found = _asked(value, "_repr_mimebundle_", include=None, exclude=None)
    if isinstance(found, tuple):
        found = found[0] if found else None
    parts = _converted(found) if isinstance(found, dict) else {}
    for kind, name in _METHODS:
        if kind not in parts:
            data = _as_part(kind, _asked(value, name))
            if data is not None:
                parts[kind] = data
    for module, extra in (("matplotlib.figure", _figure), (None, _table)):
        if module is None or module in sys.modules:
            parts.update(extra(value))
    if serves_e2b and "e2b/data" not in parts:
        parts.update(_columns(value))
    if "text/plain" not in parts:
        parts["text/plain"] = repr(value)
    return parts


def _figure(value):
    if not isinstance(value, sys.modules["matplotlib.figure"].Figure):
        return {}
    from . import figures

    return {"image/png": figures.png(value)}


def _table(value):
    if not (hasattr(type(value), "columns") and hasattr(type(value), "shape")):
        return {}
    from . import tables

    return tables.parts(value, PART_LIMIT)


def _plain_json(value):
    if type(value) not in (dict, list):
        return {}
    import json

    try:
        return {"application/json": json.dumps(value, allow_nan=False)}
    except (TypeError, ValueError, RecursionError):
        return {}


def _columns(value):
    """A table as lists of its columns, for E2B's `data`."""
    if not (hasattr(type(value), "columns") and hasattr(type(value), "to_dict")):
        return {}
    import json

    try:
        rows, columns = value.shape
        if rows * columns > _MOST_CELLS:
            _complain("e2b/data of %d cells is not sent: at most %d are" % (rows * columns, _MOST_CELLS))
            return {}
        try:
            lists = value.to_dict(orient="list")
        except TypeError:
            lists = value.to_dict(as_series=False)
        return {"e2b/data": json.dumps({str(name): cells for name, cells in lists.items()}, default=_plain_cell)}
    except Exception as error:
        _complain("e2b/data of %s failed with %s: %s" % (type(value).__name__, type(error).__name__, error))
        return {}


def _plain_cell(cell):
    for method in ("isoformat", "tolist"):
        if hasattr(cell, method):
            return getattr(cell, method)()
    return str(cell)


def _converted(found):
    parts = {}
    for kind, data in list(found.items())[:_MOST_PARTS]:
        data = _as_part(kind, data)
        if isinstance(kind, str) and len(kind) <= _MOST_NAME and data is not None:
            parts[kind] = data
    return parts


def _as_part(kind, data):
    """A part in the form of its type: pictures may come as base64, JSON as objects."""
    if isinstance(data, tuple) and len(data) == 2:
        data = data[0]  # followed by metadata
    if data is None or isinstance(data, str):
        return _decoded(data) if data is not None and _is_binary(kind) else data
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data) if _is_binary(kind) else bytes(data).decode("utf-8", "replace")
    if isinstance(kind, str) and (kind.endswith("json") or kind in ("e2b/data", "e2b/chart")):
        import json

        try:
            return json.dumps(data)
        except (TypeError, ValueError, RecursionError) as error:
            _complain("%s cannot be shown: %s" % (kind, error))
    return None


def _is_binary(kind):
    return isinstance(kind, str) and (
        kind.startswith(("image/", "audio/", "video/")) and kind != "image/svg+xml"
        or kind in ("application/pdf", "application/octet-stream", "application/vnd.apache.arrow.stream")
    )


def _decoded(text):
    import binascii

    try:
        return binascii.a2b_base64(text)
    except (binascii.Error, ValueError):
        return None


def _bounded(parts):
    """Leaves out what is over a limit, and names it in the text."""
    kept, room, notes = {}, BUNDLE_LIMIT, []
    for kind, data in parts.items():
        if kind == "text/plain":
            continue
        size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "replace"))
        if size > PART_LIMIT or size > room:
            notes.append("%s of %d bytes is not shown: at most %d are" % (kind, size, min(PART_LIMIT, room)))
            continue
        room -= size
        kept[kind] = data
    plain = parts.get("text/plain")
    if plain is not None or notes:
        kept["text/plain"] = "\n".join([cut(plain or "", TEXT_LIMIT)] + notes)
    return kept


def _complain(text):
    try:
        print("display: " + text[:1000], file=sys.stderr)
    except Exception:
        pass

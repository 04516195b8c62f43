"""The rows of a data frame for programs: as Arrow where pyarrow is loaded, and as JSON."""

import sys

_ARROW_ROWS = 100000
_JSON_ROWS = 200
_JSON_LIMIT = 1048576


def parts(value, limit):
    found = {}
    for kind, made in (("application/vnd.apache.arrow.stream", _arrow), ("application/vnd.dataresource+json", _json)):
        try:
            data = made(value, limit)
        except Exception:  # the format does not support a column; other forms still show the value
            data = None
        if data is not None:
            found[kind] = data
    return found


def _arrow(value, limit):
    """An Arrow stream of the first rows, as many as fit."""
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is None:
        return None
    rows = min(int(value.shape[0]), _ARROW_ROWS)
    while True:
        head = value.head(rows) if hasattr(value, "head") else value.slice(0, rows)
        if hasattr(pyarrow.Table, "from_pandas") and type(value).__module__.split(".")[0] in ("pandas", "geopandas"):
            table = pyarrow.Table.from_pandas(head)
        else:
            table = pyarrow.table(head)
        if table.nbytes <= limit or rows <= 1:
            break
        rows = max(1, min(rows // 2, int(rows * limit * 0.9 / table.nbytes)))
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data = sink.getvalue().to_pybytes()
    return data if len(data) <= limit else None


def _json(value, _limit):
    """The first rows in pandas' form "table": a schema and an array of records."""
    if type(value).__module__.split(".")[0] != "pandas":
        return None
    rows = _JSON_ROWS
    while rows:
        text = value.head(rows).to_json(orient="table")
        if len(text) <= _JSON_LIMIT:
            return text
        rows //= 4
    return None

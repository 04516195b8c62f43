"""One value of each Python type that LangGraph stores."""
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from typing import NamedTuple

import numpy
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.types import Command, Overwrite, Send
from pydantic import BaseModel


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float
    tags: list = dataclasses.field(default_factory=list)


class Inner(BaseModel):
    name: str


class Model(BaseModel):
    id: int
    inner: Inner


class Pair(NamedTuple):
    a: int
    b: str


def python_values():
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    call = {"name": "t", "args": {"q": (1,)}, "id": "c"}
    return {
        "datetime": dt.datetime(2024, 5, 6, 7, 8, 9, 123456), "datetime in UTC": dt.datetime(2024, 5, 6, tzinfo=dt.timezone.utc),
        "datetime in a zone": dt.datetime(2024, 5, 6, tzinfo=zone), "date": dt.date(2024, 2, 29),
        "time": dt.time(1, 2, 3, 4, tzinfo=dt.timezone.utc), "timedelta": dt.timedelta(days=-1, seconds=5, microseconds=6),
        "timezone": dt.timezone(dt.timedelta(hours=-3), "X"), "zoneinfo": zoneinfo.ZoneInfo("Europe/Oslo"),
        "uuid": uuid.UUID("12345678-1234-5678-1234-567812345678"), "decimal": decimal.Decimal("1.10"),
        "set": {3}, "frozenset": frozenset({"a"}), "deque": collections.deque([1, 2]), "tuple": (1, (2, "x")),
        "bytes": b"\x00\xff", "bytearray": bytearray(b"ab"), "none": None, "true": True, "big": 2**63, "small": -(2**63),
        "float": 1.5, "nan": float("nan"), "infinity": float("inf"), "enum": Color.RED, "int enum": Level.HIGH,
        "dataclass": Point(1, 2.5, ["t"]), "pydantic": Model(id=1, inner=Inner(name="n")), "namedtuple": Pair(1, "b"),
        "ip": ipaddress.IPv4Address("10.0.0.1"), "network": ipaddress.IPv6Network("fe80::/64"), "path": pathlib.Path("/a/b"),
        "regex": re.compile("a+", re.I), "send": Send("n", {"k": (1,)}), "command": Command(goto="n", update={"a": 1}),
        "overwrite in a list": [Overwrite([1])], "document": Document(page_content="pc", metadata={"a": 1}, id="d1"),
        "human": HumanMessage([{"type": "text", "text": "ü"}], id="h", name="Zoë"), "ai": AIMessage("", id="a", tool_calls=[call]),
        "system": SystemMessage("s", id="s"), "tool": ToolMessage("r", tool_call_id="c", id="t", artifact={"raw": {1}}),
        "remove": RemoveMessage("r"), "odd keys": {1: "one", (1, 2): "tuple", 2.5: "float", None: "none", True: "true"},
        "nested": {"l": [{"u": uuid.UUID(int=1), "s": {"x"}}, (dt.date(2020, 1, 1),)]}, "text": "h\u00e9llo \U0001f600 \x00 nul",
        "array": numpy.arange(6, dtype="int32").reshape(2, 3), "fortran": numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)),
        "wide map": {str(i): i for i in range(20)}, "long list": list(range(-40, 70000, 997)), "long text": "x" * 70000,
    }

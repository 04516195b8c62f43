"""A value of every type that a state can hold; the second node checks what the first one's became on the way."""

import re
from collections import deque
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from pathlib import PosixPath
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from langgraph.types import interrupt


class Colour(Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int


@dataclass
class Size:
    width: int
    height: int


VALUES = {
    "none": None,
    "bool": True,
    "int": -(2**63),
    "large": 2**64 - 1,
    "float": 0.1,
    "infinity": float("inf"),
    "text": "naïve 日本",
    "bytes": b"\x00\xff",
    "list": [1, [2, []]],
    "dict": {"a": {"b": 1}},
    "numbered": {1: "one", 2: "two"},
    "tuple": (1, (2, 3)),
    "set": {3},
    "frozenset": frozenset({"x"}),
    "deque": deque([1, 2]),
    "datetime": datetime(2024, 5, 6, 7, 8, 9, 123456),
    "zoned": datetime(2024, 5, 6, 7, 8, 9, tzinfo=timezone.utc),
    "date": date(2024, 5, 6),
    "time": time(7, 8, 9, 10),
    "timedelta": timedelta(days=1, seconds=2, microseconds=3),
    "timezone": timezone(timedelta(hours=2)),
    "zone": ZoneInfo("Europe/Berlin"),
    "decimal": Decimal("1.10"),
    "uuid": UUID("12345678123456781234567812345678"),
    "path": PosixPath("/session/a b"),
    "address": IPv4Address("10.0.0.1"),
    "pattern": re.compile("a+", re.I),
    "enum": Colour.RED,
    "named": Point(1, 2),
    "dataclass": Size(3, 4),
    "nested": [{"when": date(2024, 5, 6), "set": {b"x"}}],
}


def make(state):
    values = dict(VALUES)
    try:
        import numpy

        values["int64"] = numpy.int64(7)
        values["float32"] = numpy.float32(0.5)
        values["bool_"] = numpy.bool_(True)
        values["array"] = numpy.array([[1, 2], [3, 4]], dtype="int16")
    except ImportError:
        pass
    answer = interrupt({"at": date(2024, 5, 6)})
    return {"values": values, "answer": answer, "copy": state["messages"][0]}


def check(state):
    wrong = []
    for name, value in VALUES.items():
        got = state["values"][name]
        if type(got) is not type(value) or got != value:
            wrong.append("%s: %r is not %r" % (name, got, value))
    numbers = state["values"]
    if "int64" in numbers:
        import numpy

        for name in ("int64", "float32", "bool_"):
            if type(numbers[name]) is not getattr(numpy, name):
                wrong.append("%s: %r" % (name, numbers[name]))
    if "array" in numbers and (numbers["array"].dtype.str, numbers["array"].tolist()) != ("<i2", [[1, 2], [3, 4]]):
        wrong.append("array: %r" % numbers["array"])
    if state["copy"].content != "hello" or state["copy"].type != "human":
        wrong.append("message: %r" % state["copy"])
    return {"wrong": wrong}

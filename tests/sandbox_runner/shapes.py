"""Types of a user's own, in a module that nodes import."""

import collections
import datetime
import decimal
import enum
import uuid
from dataclasses import dataclass, field
from typing import NamedTuple


class Colour(enum.Enum):
    RED = "r"


class Corner(enum.Enum):
    NEAR = (0, 0)


class Level(enum.IntEnum):
    HIGH = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Tone(str, enum.Enum):
    LOW = "low"


class Pair(NamedTuple):
    a: int
    b: object


@dataclass
class Point:
    x: int
    y: object = None


@dataclass(frozen=True)
class Counted:
    text: str
    length: int = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "length", len(self.text))


@dataclass
class Box:
    corner: Point
    tags: set


class Stamp(datetime.datetime):
    pass


class Day(datetime.date):
    pass


class Span(datetime.timedelta):
    pass


class Clock(datetime.time):
    pass


class Money(decimal.Decimal):
    pass


class Key(uuid.UUID):
    pass


class Bag(set):
    pass


class Queue(collections.deque):
    pass


class Password:
    def __init__(self, text):
        self._text = text

    def get_secret_value(self):
        return self._text

    def __eq__(self, other):
        return type(other) is Password and other._text == self._text


class Old:
    def __init__(self, n):
        self.n = n

    def dict(self):
        return {"n": self.n}

    def __eq__(self, other):
        return type(other) is Old and other.n == self.n


class Outer:
    @dataclass
    class Inside:
        x: int


def local():
    @dataclass
    class Local:
        x: int

    return Local(1)

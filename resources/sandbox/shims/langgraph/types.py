"""Values that a node may return or functions that it may call besides a plain update. They are stored under LangGraph's
names."""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Callable, ClassVar, Literal, Optional, Union

from sandglass_runner import context as _context

__all__ = [
    "All",
    "CachePolicy",
    "Checkpointer",
    "Command",
    "Durability",
    "Interrupt",
    "Overwrite",
    "RetryPolicy",
    "Send",
    "StreamMode",
    "StreamWriter",
    "TimeoutPolicy",
    "interrupt",
]

StreamWriter = Callable[[Any], None]
All = Literal["*"]
Checkpointer = Union[None, bool, Any]
Durability = Literal["sync", "async", "exit"]
StreamMode = Literal["values", "updates", "checkpoints", "tasks", "debug", "messages", "custom"]


@dataclass(frozen=True)
class TimeoutPolicy:
    run_timeout: Any = None
    idle_timeout: Any = None
    refresh_on: str = "auto"

    @classmethod
    def coerce(cls, value):
        if value is None or isinstance(value, cls):
            return value
        return cls(run_timeout=value.total_seconds() if isinstance(value, timedelta) else float(value))


@dataclass
class Interrupt:
    value: Any
    id: str = "placeholder-id"
    response_schema: Any = None


class Send:
    """Runs a node in the next superstep with a state of its own."""

    __slots__ = ("node", "arg", "timeout")

    def __init__(self, node, arg, *, timeout=None):
        self.node = node
        self.arg = arg
        self.timeout = TimeoutPolicy.coerce(timeout)

    def __hash__(self):
        return hash((self.node, self.arg, self.timeout))

    def __eq__(self, other):
        return isinstance(other, Send) and (self.node, self.arg, self.timeout) == (
            other.node,
            other.arg,
            other.timeout,
        )

    def __repr__(self):
        extra = "" if self.timeout is None else ", timeout=%r" % (self.timeout,)
        return "Send(node=%r, arg=%r%s)" % (self.node, self.arg, extra)


@dataclass(frozen=True)
class Command:
    """An update together with where to go next."""

    PARENT: ClassVar[str] = "__parent__"

    graph: Optional[str] = None
    update: Any = None
    resume: Any = None
    goto: Any = ()

    def __class_getitem__(cls, _nodes):  # Command[Literal["a", "b"]] in annotations
        return cls

    def __repr__(self):
        return "Command(%s)" % ", ".join("%s=%r" % pair for pair in asdict(self).items() if pair[1])


@dataclass
class Overwrite:
    """Writes the value itself to a channel, past its reducer."""

    value: Any
    type: str = "__overwrite__"


@dataclass(frozen=True)
class RetryPolicy:
    """Accepted for files that declare one; the graph file's own retry settings are what counts."""

    initial_interval: float = 0.5
    backoff_factor: float = 2.0
    max_interval: float = 128.0
    max_attempts: int = 3
    jitter: bool = True
    retry_on: Any = None


@dataclass(frozen=True)
class CachePolicy:
    """Accepted like RetryPolicy; the graph file's own settings are what counts."""

    key_func: Any = None
    ttl: Optional[int] = None


def interrupt(value, *, response_schema=None):
    """Asks a person. The first time the node ends here; when it runs again with the answer, the answer is returned."""
    from langgraph.errors import GraphInterrupt

    def interrupted(asked, schema):
        return GraphInterrupt((Interrupt(value=asked, response_schema=schema),))

    return _context.require("interrupt").answer(value, response_schema, interrupted)

"""LangGraph's exceptions that a node can meet or raise."""

from dataclasses import dataclass
from enum import Enum

from langgraph.types import Interrupt

__all__ = [
    "EmptyChannelError",
    "EmptyInputError",
    "ErrorCode",
    "GraphBubbleUp",
    "GraphDrained",
    "GraphInterrupt",
    "GraphRecursionError",
    "InvalidUpdateError",
    "NodeCancelledError",
    "NodeError",
    "NodeInterrupt",
    "NodeTimeoutError",
    "ParentCommand",
    "TaskNotFound",
    "UnknownInterruptError",
    "is_invalid_resume",
]


class ErrorCode(Enum):
    GRAPH_RECURSION_LIMIT = "GRAPH_RECURSION_LIMIT"
    INVALID_CONCURRENT_GRAPH_UPDATE = "INVALID_CONCURRENT_GRAPH_UPDATE"
    INVALID_GRAPH_NODE_RETURN_VALUE = "INVALID_GRAPH_NODE_RETURN_VALUE"
    MULTIPLE_SUBGRAPHS = "MULTIPLE_SUBGRAPHS"
    INVALID_CHAT_HISTORY = "INVALID_CHAT_HISTORY"


class EmptyChannelError(Exception):
    pass


class GraphBubbleUp(Exception):
    pass


class GraphDrained(GraphBubbleUp):
    def __init__(self, reason="shutdown"):
        self.reason = reason
        super().__init__("Graph drained: %s" % reason)


class GraphInterrupt(GraphBubbleUp):
    def __init__(self, interrupts=()):
        super().__init__(interrupts)


class NodeInterrupt(GraphInterrupt):
    def __init__(self, value, id=None):
        super().__init__([Interrupt(value=value) if id is None else Interrupt(value=value, id=id)])


class ParentCommand(GraphBubbleUp):
    def __init__(self, command):
        super().__init__(command)


class GraphRecursionError(RecursionError):
    pass


class InvalidUpdateError(Exception):
    pass


class EmptyInputError(Exception):
    pass


class TaskNotFound(Exception):
    pass


class UnknownInterruptError(Exception):
    def __init__(self, message, *, reason, interrupt_ids=(), pending_ids=()):
        super().__init__(message)
        self.reason = reason
        self.interrupt_ids = tuple(interrupt_ids)
        self.pending_ids = tuple(pending_ids)


@dataclass(frozen=True)
class NodeError:
    """What an error handler is told: a parameter `error: NodeError` asks for it."""

    __slots__ = ("node", "error")

    node: str
    error: BaseException


class NodeCancelledError(Exception):
    def __init__(self, node, message=None):
        super().__init__(message or "Node %r raised asyncio.CancelledError" % node)
        self.node = node


class NodeTimeoutError(Exception):
    def __init__(self, node, elapsed, *, kind, idle_timeout=None, run_timeout=None):
        if kind not in ("idle", "run"):
            raise ValueError("kind must be 'idle' or 'run'")
        self.timeout = idle_timeout if kind == "idle" else run_timeout
        if self.timeout is None:
            raise ValueError("%s_timeout is required when kind='%s'" % (kind, kind))
        without = " without making progress" if kind == "idle" else ""
        text = "Node '%s' exceeded its %s timeout of %.3fs%s (elapsed: %.3fs)."
        super().__init__(text % (node, kind, self.timeout, without, elapsed))
        self.node = node
        self.elapsed = elapsed
        self.kind = kind
        self.idle_timeout = idle_timeout
        self.run_timeout = run_timeout


def is_invalid_resume(error):
    return getattr(error, "_langgraph_invalid_resume", False) is True

"""LangGraph's exceptions that a node can meet or raise."""

from langgraph.types import Interrupt

__all__ = [
    "EmptyInputError",
    "GraphBubbleUp",
    "GraphInterrupt",
    "GraphRecursionError",
    "InvalidUpdateError",
    "NodeInterrupt",
]


class GraphBubbleUp(Exception):
    pass


class GraphInterrupt(GraphBubbleUp):
    def __init__(self, interrupts=()):
        super().__init__(interrupts)


class NodeInterrupt(GraphInterrupt):
    def __init__(self, value, id=None):
        super().__init__([Interrupt(value=value) if id is None else Interrupt(value=value, id=id)])


class GraphRecursionError(RecursionError):
    pass


class InvalidUpdateError(Exception):
    pass


class EmptyInputError(Exception):
    pass

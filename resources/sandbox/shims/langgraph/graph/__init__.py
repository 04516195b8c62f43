"""The graph's two ends and the usual message state, for files that import them beside their nodes."""

from typing import Annotated, List, TypedDict

from langgraph.constants import END, START
from langgraph.graph.message import add_messages

__all__ = ["END", "START", "MessagesState", "add_messages"]


class MessagesState(TypedDict):
    messages: Annotated[List, add_messages]


def __getattr__(name):
    if name in ("StateGraph", "MessageGraph"):
        raise ImportError(
            "langgraph.graph.%s is not part of a session: the graph file holds the graph, a node's file only its function. "
            "To run a graph inside a node, add langgraph to the session's requirements." % name
        )
    raise AttributeError("module 'langgraph.graph' has no attribute %r" % name)

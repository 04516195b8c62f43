"""The graph's two ends and the usual message state, for node files that import them."""

from langgraph.constants import END, START
from langgraph.graph.message import MessagesState, add_messages
from langgraph.graph.state import __getattr__  # noqa: F401

__all__ = ["END", "START", "MessagesState", "add_messages"]

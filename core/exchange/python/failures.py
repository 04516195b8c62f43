"""What fails: which errors are tried again, and what an error handler is told."""

import inspect

from langchain_core.runnables import RunnableConfig
from langgraph.errors import NodeError


def raises(*names):
    """For RetryPolicy: whether an error, or a class that it extends, has one of these names."""
    return lambda error: any(cls.__name__ in names for cls in type(error).__mro__)


def failure(state, error: NodeError):
    text = {"node": error.node, "type": type(error.error).__name__, "message": str(error.error)}
    return {"state": state, "error": text}


def handled_by(function):
    """A function of (failure) or (failure, config) as an error handler."""
    wants_config = len(inspect.signature(function).parameters) > 1

    def handle(state, error: NodeError, config: RunnableConfig):
        told = failure(state, error)
        return function(told, config) if wants_config else function(told)

    return handle

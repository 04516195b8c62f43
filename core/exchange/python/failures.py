"""What fails: which errors are tried again, and what a jq program that handles one is told."""

from langgraph.errors import NodeError


def raises(*names):
    """For RetryPolicy: whether an error, or a class that it extends, has one of these names."""
    return lambda error: any(cls.__name__ in names for cls in type(error).__mro__)


def failure(state, error: NodeError):
    text = {"node": error.node, "type": type(error.error).__name__, "message": str(error.error)}
    return {"state": state, "error": text}

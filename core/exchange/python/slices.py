"""Slices of the state: a node sees only what it reads and may write only what it says it writes."""

import functools

from langgraph.config import get_config
from langgraph.types import Command


def sliced(node, *, reads=None, writes=None):
    """For functions of nodes; what invokes a subgraph calls shown() and allowed(), or LangGraph would not find it."""

    def decorate(function):
        @functools.wraps(function)
        def call(state, *args, **kwargs):
            seen = state if reads is None else shown(state, reads)
            result = function(seen, *args, **kwargs)
            return result if writes is None else allowed(node, result, writes)

        return call

    return decorate


def shown(state, reads):
    """What the node reads of the state; what a Send gives it is all its own."""
    if "__pregel_push" in get_config()["metadata"]["langgraph_triggers"]:
        return state
    return {key: state[key] for key in reads if key in state}


def allowed(node, result, writes):
    for part in result if isinstance(result, list) else [result]:
        update = part.update if isinstance(part, Command) else part
        for key in update if isinstance(update, dict) else []:
            if key not in writes:
                raise PermissionError(
                    f"node '{node}' may not write '{key}': the channel is not in the node's \"writes\"; "
                    "add it there, or return without it"
                )
    return result

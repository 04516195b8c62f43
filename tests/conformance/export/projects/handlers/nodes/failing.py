"""Nodes that fail, and what is made of it."""

import os

from langchain_core.runnables import RunnableConfig
from langgraph.errors import NodeError
from langgraph.types import Command, interrupt


class Refused(ConnectionError):
    def __init__(self, status, *, url):
        super().__init__(f"{status} from {url}")
        self.status = status
        self.url = url


def refused(state):
    raise Refused(503, url="example.org")


def missing(state):
    return {"log": [state["nothing"]]}


def unreadable(state):
    return {"log": [open("/no/such/file").read()]}


def several(state):
    raise ValueError("one", 2, ("three",))


def broken(state):
    raise RuntimeError("ask somebody")


def by_class(state, error: NodeError):
    failure = error.error
    seen = [error.node, isinstance(failure, Refused), isinstance(failure, OSError), failure.status, failure.url]
    return {"log": [*seen, str(failure), repr(failure)]}


def by_name(state: dict, error: "NodeError", config: RunnableConfig):
    return {"log": [type(error.error).__name__, list(error.error.args), config["configurable"]["thread_id"]]}


def by_number(state, *, error: NodeError):
    return Command(update={"log": [error.error.errno, os.path.basename(error.error.filename)]}, goto="tail")


def by_parts(state, runtime, error: NodeError, writer):
    writer("handled")
    return {"log": [repr(error.error), error.error.args[1], runtime.store]}


def by_state(state):
    return {"log": ["only the state", len(state["log"]) > 0]}


def by_person(state, error: NodeError):
    answer = interrupt({"failed": error.node})
    return {"log": [answer, str(error.error), type(error.error).__name__]}


def tail(state):
    return {"log": ["tail"]}

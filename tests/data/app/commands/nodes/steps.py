"""LangGraph's own ways to route and write, under its own import paths."""

from langgraph.config import get_config, get_stream_writer
from langgraph.graph import END
from langgraph.types import Command, Overwrite, Send


def plan(state):
    get_stream_writer()({"planned": 2, "thread": get_config()["configurable"]["thread_id"]})
    return Command(update={"log": ["plan"]}, goto=[Send("work", {"n": 1}), Send("work", {"n": 2})])


def work(task, *, writer):
    writer({"worked": task["n"]})
    return {"total": task["n"], "log": ["work %d" % task["n"]]}


def leave(state):
    return Command(graph=Command.PARENT, goto="finish", update={"log": ["left"]})


async def finish(state, config):
    return [Command(goto=END), {"log": Overwrite([len(state["log"])])}]

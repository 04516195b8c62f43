"""The supervisor's tools: each hands over to another node of the graph, with the messages so far."""

from langgraph.types import Command


def ask_mathematician(task: str) -> str:
    """Hands a sum over to the mathematician."""
    return Command(graph=Command.PARENT, goto="mathematician", update={"messages": [{"role": "user", "content": task}]})


def ask_team(words: str) -> str:
    """Lets the team explain several words, one worker a word."""
    return Command(graph=Command.PARENT, goto="split", update={"messages": [{"role": "user", "content": words}]})

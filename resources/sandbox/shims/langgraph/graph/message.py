"""The reducer for lists of messages, usable on its own."""

from typing import Annotated, List, TypedDict

from langchain_core.messages import (
    AnyMessage,
    BaseMessage,
    BaseMessageChunk,
    RemoveMessage,
    convert_to_messages,
    message_chunk_to_message,
)

__all__ = ["REMOVE_ALL_MESSAGES", "MessagesState", "add_messages"]

REMOVE_ALL_MESSAGES = "__remove_all__"


def add_messages(left=None, right=None, *, format=None):
    """Appends messages; one with the id of an earlier message replaces it, a removal removes it."""
    if left is None or right is None:
        if left is None and right is None:
            return lambda left, right: add_messages(left, right, format=format)
        given = "right" if left is None else "left"
        raise ValueError("Must specify non-null arguments for both 'left' and 'right'. Only received: '%s'." % given)
    if format:
        raise ValueError("add_messages(format=%r) is not part of a session: add langgraph to its requirements" % format)
    merged, new = _messages(left), _messages(right)
    removals = [i for i, m in enumerate(new) if isinstance(m, RemoveMessage) and m.id == REMOVE_ALL_MESSAGES]
    if removals:
        return new[removals[-1] + 1 :]
    places = {message.id: i for i, message in enumerate(merged)}
    removed = set()
    for message in new:
        place = places.get(message.id)
        if place is None and isinstance(message, RemoveMessage):
            raise ValueError("Attempting to delete a message with an ID that doesn't exist ('%s')" % message.id)
        if place is None:
            places[message.id] = len(merged)
            merged.append(message)
        elif isinstance(message, RemoveMessage):
            removed.add(message.id)
        else:
            removed.discard(message.id)
            merged[place] = message
    return [message for message in merged if message.id not in removed]


def _messages(given):
    """The given values as messages with ids."""
    messages = convert_to_messages(given if isinstance(given, list) else [given])
    messages = [message_chunk_to_message(m) if isinstance(m, BaseMessageChunk) else m for m in messages]
    for message in messages:
        if isinstance(message, BaseMessage) and message.id is None:
            import uuid

            message.id = str(uuid.uuid4())
    return messages


class MessagesState(TypedDict):
    messages: Annotated[List[AnyMessage], add_messages]

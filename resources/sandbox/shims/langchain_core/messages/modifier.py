"""A message that removes another one from a list."""

from langchain_core.messages.base import BaseMessage


class RemoveMessage(BaseMessage):
    _fields = {**BaseMessage._fields, "type": "remove"}

    def __init__(self, id, **keywords):
        if keywords.pop("content", None):
            raise ValueError("RemoveMessage does not support 'content' field.")
        super().__init__("", id=id, **keywords)

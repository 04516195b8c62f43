"""A message from a person."""

from langchain_core.messages.base import BaseMessage, BaseMessageChunk


class HumanMessage(BaseMessage):
    _fields = {**BaseMessage._fields, "type": "human"}


class HumanMessageChunk(HumanMessage, BaseMessageChunk):
    _fields = {**HumanMessage._fields, "type": "HumanMessageChunk"}

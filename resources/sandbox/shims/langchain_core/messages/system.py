"""A message that tells the model how to behave."""

from langchain_core.messages.base import BaseMessage, BaseMessageChunk


class SystemMessage(BaseMessage):
    _fields = {**BaseMessage._fields, "type": "system"}


class SystemMessageChunk(SystemMessage, BaseMessageChunk):
    _fields = {**SystemMessage._fields, "type": "SystemMessageChunk"}

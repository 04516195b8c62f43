"""The result of a function call, the form that came before tools."""

from langchain_core.messages.base import REQUIRED, BaseMessage, BaseMessageChunk


class FunctionMessage(BaseMessage):
    _fields = {**BaseMessage._fields, "type": "function", "name": REQUIRED}


class FunctionMessageChunk(FunctionMessage, BaseMessageChunk):
    _fields = {**FunctionMessage._fields, "type": "FunctionMessageChunk"}

    def __add__(self, other):
        if isinstance(other, FunctionMessageChunk) and self.name != other.name:
            raise ValueError("Cannot concatenate FunctionMessageChunks with different names.")
        return super().__add__(other)

    def _added(self, others, **fields):
        return super()._added(others, name=self.name, **fields)

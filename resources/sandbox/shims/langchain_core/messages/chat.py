"""A message of any other role."""

from langchain_core.messages.base import REQUIRED, BaseMessage, BaseMessageChunk


class ChatMessage(BaseMessage):
    _fields = {**BaseMessage._fields, "type": "chat", "role": REQUIRED}


class ChatMessageChunk(ChatMessage, BaseMessageChunk):
    _fields = {**ChatMessage._fields, "type": "ChatMessageChunk"}

    def __add__(self, other):
        if isinstance(other, ChatMessageChunk) and self.role != other.role:
            raise ValueError("Cannot concatenate ChatMessageChunks with different roles.")
        return super().__add__(other)

    def _added(self, others, **fields):
        return super()._added(others, role=self.role, **fields)

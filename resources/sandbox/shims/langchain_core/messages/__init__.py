"""LangChain's messages: the same classes, fields and texts, stored in state like LangChain's own."""

from typing import Any, Dict, List, Tuple, Union

from langchain_core.messages.ai import AIMessage, AIMessageChunk, InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.messages.base import (
    BaseMessage,
    BaseMessageChunk,
    merge_content,
    message_to_dict,
    messages_to_dict,
)
from langchain_core.messages.chat import ChatMessage, ChatMessageChunk
from langchain_core.messages.function import FunctionMessage, FunctionMessageChunk
from langchain_core.messages.human import HumanMessage, HumanMessageChunk
from langchain_core.messages.modifier import RemoveMessage
from langchain_core.messages.system import SystemMessage, SystemMessageChunk
from langchain_core.messages.tool import InvalidToolCall, ToolCall, ToolCallChunk, ToolMessage, ToolMessageChunk
from langchain_core.messages.utils import (
    _message_from_dict,
    convert_to_messages,
    get_buffer_string,
    message_chunk_to_message,
    messages_from_dict,
)
from sandglass_runner.absent import says_what_to_do

__all__ = [
    "AIMessage",
    "AIMessageChunk",
    "AnyMessage",
    "BaseMessage",
    "BaseMessageChunk",
    "ChatMessage",
    "ChatMessageChunk",
    "FunctionMessage",
    "FunctionMessageChunk",
    "HumanMessage",
    "HumanMessageChunk",
    "InputTokenDetails",
    "InvalidToolCall",
    "MessageLikeRepresentation",
    "OutputTokenDetails",
    "RemoveMessage",
    "SystemMessage",
    "SystemMessageChunk",
    "ToolCall",
    "ToolCallChunk",
    "ToolMessage",
    "ToolMessageChunk",
    "UsageMetadata",
    "_message_from_dict",
    "convert_to_messages",
    "get_buffer_string",
    "merge_content",
    "message_chunk_to_message",
    "message_to_dict",
    "messages_from_dict",
    "messages_to_dict",
]

AnyMessage = Union[
    AIMessage,
    HumanMessage,
    ChatMessage,
    SystemMessage,
    FunctionMessage,
    ToolMessage,
    AIMessageChunk,
    HumanMessageChunk,
    ChatMessageChunk,
    SystemMessageChunk,
    FunctionMessageChunk,
    ToolMessageChunk,
]
MessageLikeRepresentation = Union[BaseMessage, List[str], Tuple[str, str], str, Dict[str, Any]]

__getattr__ = says_what_to_do(__name__, "langchain-core")

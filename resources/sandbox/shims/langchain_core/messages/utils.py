"""Makes messages of texts, pairs and dicts."""

import json

from langchain_core.messages.ai import AIMessage, AIMessageChunk
from langchain_core.messages.base import BaseMessage, BaseMessageChunk
from langchain_core.messages.chat import ChatMessage, ChatMessageChunk
from langchain_core.messages.function import FunctionMessage, FunctionMessageChunk
from langchain_core.messages.human import HumanMessage, HumanMessageChunk
from langchain_core.messages.modifier import RemoveMessage
from langchain_core.messages.system import SystemMessage, SystemMessageChunk
from langchain_core.messages.tool import ToolMessage, ToolMessageChunk

_WHOLE = (HumanMessage, AIMessage, SystemMessage, FunctionMessage, ToolMessage, ChatMessage, RemoveMessage)
_CHUNKS = (
    HumanMessageChunk,
    AIMessageChunk,
    SystemMessageChunk,
    FunctionMessageChunk,
    ToolMessageChunk,
    ChatMessageChunk,
)
_BY_TYPE = {cls._fields["type"]: cls for cls in _WHOLE + _CHUNKS}
_ROLES = {"user": "human", "assistant": "ai", "developer": "system"}
_HELP = "\nFor troubleshooting, visit: https://docs.langchain.com/oss/python/langchain/errors/MESSAGE_COERCION_FAILURE "


def convert_to_messages(messages):
    return [_message(message) for message in messages]


def _message(given):
    if isinstance(given, BaseMessage):
        return given
    if isinstance(given, str):
        return HumanMessage(given)
    if isinstance(given, (list, tuple)):
        if len(given) != 2:
            raise NotImplementedError("Message as a sequence must be (role string, template)")
        return _made(given[0], given[1])
    if not isinstance(given, dict):
        raise NotImplementedError("Unsupported message type: %s%s" % (type(given), _HELP))
    names = given.get("id")
    if given.get("lc") == 1 and given.get("type") == "constructor" and isinstance(names, list) and names:
        for cls in _WHOLE:
            if names[-1] in (cls.__name__, cls.__name__ + "Chunk") and isinstance(given.get("kwargs"), dict):
                return _message({**given["kwargs"], "type": cls._fields["type"]})
    fields = dict(given)
    role = fields.pop("role", None) or fields.pop("type", None)
    if role is None or "content" not in fields:
        raise ValueError("Message dict must contain 'role' and 'content' keys, got %s%s" % (given, _HELP))
    return _made(role, fields.pop("content") or "", **fields)


def _made(role, content, name=None, tool_call_id=None, tool_calls=None, id=None, **rest):
    fields = {"name": name, "tool_call_id": tool_call_id, "id": id}
    fields = {key: value for key, value in fields.items() if value is not None}
    metadata = rest.pop("response_metadata", None)
    if metadata:
        fields["response_metadata"] = metadata
    rest.update(rest.pop("additional_kwargs", {}))
    if tool_calls is not None:
        fields["tool_calls"] = [_tool_call(call) for call in tool_calls]
    kind = _ROLES.get(role, role)
    cls = _BY_TYPE.get(kind)
    if cls not in _WHOLE or cls is ChatMessage:
        raise ValueError(
            "Unexpected message type: '%s'. Use one of 'human', 'user', 'ai', 'assistant', 'function', 'tool', 'system', "
            "or 'developer'.%s" % (role, _HELP)
        )
    if role == "developer":
        rest["__openai_role__"] = "developer"
    if kind == "tool":
        fields.update({key: rest.pop(key) for key in ("artifact", "status") if rest.get(key) is not None})
    if rest:
        fields["additional_kwargs"] = rest
    return RemoveMessage(**fields) if kind == "remove" else cls(content, **fields)


def _tool_call(call):
    if "function" not in call:
        return call
    arguments = call["function"]["arguments"]
    arguments = json.loads(arguments, strict=False) if isinstance(arguments, str) else arguments
    return {"name": call["function"]["name"], "args": arguments, "id": call["id"], "type": "tool_call"}


def messages_from_dict(messages):
    return [_message_from_dict(message) for message in messages]


def _message_from_dict(message):
    cls = _BY_TYPE.get(message["type"])
    if cls is None:
        raise ValueError("Got unexpected message type: %s" % message["type"])
    return cls(**message["data"])


def message_chunk_to_message(chunk):
    """The message of which a piece has grown complete."""
    if not isinstance(chunk, BaseMessageChunk):
        return chunk
    left_out = ("type", "tool_call_chunks", "chunk_position")
    cls = next(c for c in type(chunk).__mro__ if c in _WHOLE)
    return cls(**{name: value for name, value in chunk.__dict__.items() if name not in left_out})


def get_buffer_string(messages, human_prefix="Human", ai_prefix="AI", *, message_separator="\n"):
    """The conversation as text, one line for each message."""
    prefixes = {"human": human_prefix, "ai": ai_prefix, "system": "System", "function": "Function", "tool": "Tool"}
    lines = []
    for message in messages:
        kind = next((c._fields["type"] for c in type(message).__mro__ if c in _WHOLE), None)
        prefix = message.role if kind == "chat" else prefixes.get(kind)
        if prefix is None:
            raise ValueError("Got unsupported message type: %s" % message)
        line = "%s: %s" % (prefix, message.text)
        if kind == "ai" and not message.tool_calls and "function_call" in message.additional_kwargs:
            line += str(message.additional_kwargs["function_call"])
        elif kind == "ai" and message.tool_calls:
            line += str(message.tool_calls)
        lines.append(line)
    return message_separator.join(lines)

"""The result of a tool call, and the calls themselves."""

import json
from typing import Any, Dict, Optional, TypedDict
from uuid import UUID

from langchain_core.messages.base import REQUIRED, BaseMessage, BaseMessageChunk


class ToolOutputMixin:
    """Marks objects that a tool may return unchanged."""


class ToolMessage(BaseMessage, ToolOutputMixin):
    _fields = {
        **BaseMessage._fields,
        "type": "tool",
        "tool_call_id": REQUIRED,
        "artifact": None,
        "status": "success",
    }
    _unshown = ("additional_kwargs", "response_metadata")

    @classmethod
    def _checked(cls, given):
        content = given["content"]
        if isinstance(content, (list, tuple)):
            given["content"] = [part if isinstance(part, (str, dict)) else str(part) for part in content]
        elif not isinstance(content, str):
            given["content"] = str(content)
        if isinstance(given["tool_call_id"], (UUID, int, float)):
            given["tool_call_id"] = str(given["tool_call_id"])
        if given.get("status", "success") not in ("success", "error"):
            raise ValueError("1 validation error for %s\nstatus\n  Input should be 'success' or 'error'" % cls.__name__)
        return super()._checked(given)


class ToolMessageChunk(ToolMessage, BaseMessageChunk):
    _fields = {**ToolMessage._fields, "type": "ToolMessageChunk"}

    def __add__(self, other):
        if isinstance(other, ToolMessageChunk) and self.tool_call_id != other.tool_call_id:
            raise ValueError("Cannot concatenate ToolMessageChunks with different names.")
        return super().__add__(other)

    def _added(self, others, **fields):
        from langchain_core.messages._merge import merge_obj

        fields.update(tool_call_id=self.tool_call_id, artifact=self.artifact, status=self.status)
        for each in others:
            fields["artifact"] = merge_obj(fields["artifact"], getattr(each, "artifact", None))
            if getattr(each, "status", "success") == "error":
                fields["status"] = "error"
        return super()._added(others, **fields)


class ToolCall(TypedDict, total=False):
    name: str
    args: Dict[str, Any]
    id: Optional[str]
    type: str


class ToolCallChunk(TypedDict, total=False):
    name: Optional[str]
    args: Optional[str]
    id: Optional[str]
    index: Optional[int]
    type: str


class InvalidToolCall(TypedDict, total=False):
    name: Optional[str]
    args: Optional[str]
    id: Optional[str]
    error: Optional[str]
    type: str


def tool_call(*, name, args, id):
    return {"name": name, "args": args, "id": id, "type": "tool_call"}


def tool_call_chunk(*, name=None, args=None, id=None, index=None):
    return {"name": name, "args": args, "id": id, "index": index, "type": "tool_call_chunk"}


def invalid_tool_call(*, name=None, args=None, id=None, error=None):
    return {"name": name, "args": args, "id": id, "error": error, "type": "invalid_tool_call"}


def default_tool_parser(raw_calls):
    """(calls, invalid calls) from OpenAI's form."""
    calls, invalid = [], []
    for raw in raw_calls:
        if "function" not in raw:
            continue
        name, text = raw["function"]["name"], raw["function"]["arguments"]
        try:
            calls.append(tool_call(name=name or "", args=json.loads(text) or {}, id=raw.get("id")))
        except json.JSONDecodeError:
            invalid.append(invalid_tool_call(name=name, args=text, id=raw.get("id")))
    return calls, invalid


def default_tool_chunk_parser(raw_calls):
    chunks = []
    for raw in raw_calls:
        function = raw.get("function") or {"name": None, "arguments": None}
        name, text = function["name"], function["arguments"]
        chunks.append(tool_call_chunk(name=name, args=text, id=raw.get("id"), index=raw.get("index")))
    return chunks

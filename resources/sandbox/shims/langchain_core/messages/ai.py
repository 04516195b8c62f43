"""A model's message, with the tool calls that it asks for."""

import json
from typing import Any, Dict, TypedDict

from langchain_core.messages.base import BaseMessage, BaseMessageChunk
from langchain_core.messages.tool import (
    default_tool_chunk_parser,
    default_tool_parser,
    invalid_tool_call,
    tool_call,
    tool_call_chunk,
)


class InputTokenDetails(TypedDict, total=False):
    audio: int
    cache_creation: int
    cache_read: int


class OutputTokenDetails(TypedDict, total=False):
    audio: int
    reasoning: int


class UsageMetadata(TypedDict, total=False):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_token_details: Dict[str, Any]
    output_token_details: Dict[str, Any]


class AIMessage(BaseMessage):
    _fields = {
        **BaseMessage._fields,
        "type": "ai",
        "tool_calls": list,
        "invalid_tool_calls": list,
        "usage_metadata": None,
    }

    def __init__(self, content=None, content_blocks=None, **keywords):
        if content_blocks is not None and "tool_calls" not in keywords:
            calls = [block for block in content_blocks if block.get("type") == "tool_call"]
            if calls:
                keywords["tool_calls"] = calls
        super().__init__(content, content_blocks, **keywords)

    @classmethod
    def _checked(cls, given):
        raw = (given.get("additional_kwargs") or {}).get("tool_calls")
        if raw and not any(given.get(name) for name in ("tool_calls", "invalid_tool_calls", "tool_call_chunks")):
            try:
                cls._take_raw(given, raw)
            except Exception:  # an unknown form: it stays as it is
                pass
        for name, make, left_out in (
            ("tool_calls", tool_call, ("type", "extras")),
            ("invalid_tool_calls", invalid_tool_call, ("type",)),
            ("tool_call_chunks", tool_call_chunk, ("type",)),
        ):
            if given.get(name):
                given[name] = [make(**{k: v for k, v in call.items() if k not in left_out}) for call in given[name]]
        if given.get("invalid_tool_calls"):
            order = ("type", "id", "name", "args", "error")
            given["invalid_tool_calls"] = [{k: call[k] for k in order} for call in given["invalid_tool_calls"]]
        return super()._checked(given)

    @classmethod
    def _take_raw(cls, given, raw):
        given["tool_calls"], given["invalid_tool_calls"] = default_tool_parser(raw)

    @property
    def content_blocks(self):
        if self.response_metadata.get("output_version") == "v1" and isinstance(self.content, list):
            return self.content
        blocks = super().content_blocks
        there = [block.get("id") for block in blocks if block["type"] == "tool_call"]
        for call in self.tool_calls:
            if call["id"] and call["id"] not in there:
                blocks.append({"type": "tool_call", "id": call["id"], "name": call["name"], "args": call["args"]})
        reasoning = self.additional_kwargs.get("reasoning_content")
        if isinstance(reasoning, str) and all(block["type"] != "reasoning" for block in blocks):
            blocks.insert(0, {"type": "reasoning", "reasoning": reasoning})
        return blocks

    def pretty_repr(self, html=False):
        lines = []
        for title, calls in (("Tool Calls:", self.tool_calls), ("Invalid Tool Calls:", self.invalid_tool_calls)):
            if calls:
                lines.append(title)
            for call in calls:
                lines += _call_lines(call)
        return (super().pretty_repr(html).strip() + "\n" + "\n".join(lines)).strip()


class AIMessageChunk(AIMessage, BaseMessageChunk):
    _fields = {**AIMessage._fields, "type": "AIMessageChunk", "tool_call_chunks": list, "chunk_position": None}

    def __init__(self, content=None, content_blocks=None, **keywords):
        super().__init__(content, content_blocks, **keywords)
        if self.tool_call_chunks:
            self._read_calls()
        elif self.tool_calls or self.invalid_tool_calls:
            calls = [{**c, "args": json.dumps(c["args"])} for c in self.tool_calls] + self.invalid_tool_calls
            self.tool_call_chunks = [tool_call_chunk(name=c["name"], args=c["args"], id=c["id"]) for c in calls]

    @classmethod
    def _take_raw(cls, given, raw):
        given["tool_call_chunks"] = default_tool_chunk_parser(raw)

    @property
    def content_blocks(self):
        blocks = super().content_blocks
        if not self.tool_call_chunks or self.content or self.chunk_position == "last":
            return blocks
        blocks = [block for block in blocks if block["type"] not in ("tool_call", "invalid_tool_call")]
        for chunk in self.tool_call_chunks:
            block = {"type": "tool_call_chunk", **{name: chunk[name] for name in ("id", "name", "args")}}
            blocks.append(block if chunk["index"] is None else {**block, "index": chunk["index"]})
        return blocks

    def _read_calls(self):
        """Reads calls whose arguments are complete; the others count as invalid until then."""
        self.tool_calls, self.invalid_tool_calls = [], []
        for chunk in self.tool_call_chunks:
            try:
                arguments = json.loads(chunk["args"]) if chunk["args"] else {}
            except ValueError:
                arguments = None
            if isinstance(arguments, dict):
                self.tool_calls.append(tool_call(name=chunk["name"] or "", args=arguments, id=chunk["id"]))
            else:
                self.invalid_tool_calls.append(
                    invalid_tool_call(name=chunk["name"], args=chunk["args"], id=chunk["id"])
                )

    def _added(self, others, **fields):
        from langchain_core.messages._merge import merge_lists

        every = [self, *others]
        usage = None
        for each in every:
            usage = add_usage(usage, getattr(each, "usage_metadata", None))
        chunks = merge_lists(*(getattr(each, "tool_call_chunks", []) for each in every))
        fields.update(
            tool_call_chunks=[{k: c.get(k) for k in ("name", "args", "id", "index")} for c in chunks],
            usage_metadata=usage,
            id=_best_id([each.id for each in every if each.id]),
            chunk_position="last" if any(getattr(e, "chunk_position", None) == "last" for e in every) else None,
        )
        return super()._added(others, **fields)


def add_usage(left, right):
    """The tokens of both."""
    if not left or not right:
        return left or right
    total = dict(left)
    for name, value in right.items():
        if isinstance(value, dict):
            total[name] = add_usage(total.get(name), value)
        else:
            total[name] = total.get(name, 0) + value
    return total


def _best_id(identifiers):
    """A provider's own id wins over one of LangChain's."""

    def rank(identifier):
        return 0 if not identifier.startswith("lc_") and not identifier.startswith("lc_run-") else 1

    given = [i for i in identifiers if rank(i) == 0]
    runs = [i for i in identifiers if i.startswith("lc_run-")]
    return (given or runs or identifiers or [None])[0]


def _call_lines(call):
    lines = ["  %s (%s)" % (call.get("name", "Tool"), call.get("id")), " Call ID: %s" % call.get("id")]
    if call.get("error"):
        lines.append("  Error: %s" % call["error"])
    lines.append("  Args:")
    arguments = call.get("args")
    if isinstance(arguments, str):
        lines.append("    %s" % arguments)
    elif isinstance(arguments, dict):
        lines += ["    %s: %s" % pair for pair in arguments.items()]
    return lines

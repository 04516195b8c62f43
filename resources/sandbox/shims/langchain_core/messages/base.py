"""The base of all messages: LangChain's fields, defaults and texts, without its dependencies."""

import sys

REQUIRED = object()


class TextAccessor(str):
    """A message's text: `message.text`, and the older `message.text()`."""

    __slots__ = ()

    def __call__(self):
        return str(self)


class BaseMessage:
    # Field → default: a value, or list or dict for an empty one. The order is that of the stored form.
    _fields = {
        "content": REQUIRED,
        "additional_kwargs": dict,
        "response_metadata": dict,
        "type": REQUIRED,
        "name": None,
        "id": None,
    }
    _unshown = ()  # fields that repr() leaves out

    def __init__(self, content=None, content_blocks=None, **keywords):
        keywords["content"] = content if content_blocks is None else content_blocks
        self._fill(self._checked(keywords))

    @classmethod
    def _checked(cls, given):
        content = given["content"]
        if isinstance(content, tuple):
            given["content"] = content = list(content)
        if not isinstance(content, str) and not (
            isinstance(content, list) and all(isinstance(part, (str, dict)) for part in content)
        ):
            raise ValueError(
                "1 validation error for %s\ncontent\n  Input should be a string or a list of strings and dicts, not %s"
                % (cls.__name__, type(content).__name__)
            )
        if isinstance(given.get("id"), (int, float)):
            given["id"] = str(given["id"])
        kind = cls._fields["type"]
        if kind is not REQUIRED and given.setdefault("type", kind) != kind:
            raise ValueError("1 validation error for %s\ntype\n  Input should be %r" % (cls.__name__, kind))
        return given

    def _fill(self, given):
        fields = self.__dict__
        for name, default in self._fields.items():
            if name in given:
                fields[name] = given.pop(name)
            elif default is REQUIRED:
                raise ValueError("1 validation error for %s\n%s\n  Field required" % (type(self).__name__, name))
            else:
                fields[name] = _default(default)
        fields.update(given)

    @property
    def text(self):
        if isinstance(self.content, str):
            return TextAccessor(self.content)
        texts = [b if isinstance(b, str) else b.get("text") if b.get("type") == "text" else None for b in self.content]
        return TextAccessor("".join(text for text in texts if isinstance(text, str)))

    @property
    def content_blocks(self):
        """Content as blocks. Blocks in a provider's own form stay as they are, as type "non_standard"."""
        parts = ([self.content] if self.content else []) if isinstance(self.content, str) else self.content
        return [_block(part) for part in parts]

    def pretty_repr(self, html=False):
        title = _title(self.type.title() + " Message", html)
        if self.name is not None:
            title += "\nName: %s" % self.name
        return "%s\n\n%s" % (title, self.content)

    def pretty_print(self):
        print(self.pretty_repr(html=hasattr(sys, "ps2")))

    def model_dump(self, *, mode="python", include=None, exclude=None, exclude_none=False, **_options):
        return {
            name: _dumped(value)
            for name, value in self.__dict__.items()
            if (include is None or name in include)
            and (exclude is None or name not in exclude)
            and not (exclude_none and value is None)
        }

    def model_dump_json(self, **options):
        import json

        return json.dumps(self.model_dump(**options), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def model_construct(cls, _fields_set=None, **given):
        """Makes a message without checks, as it was stored."""
        message = cls.__new__(cls)
        for name, default in cls._fields.items():
            if name in given or default is not REQUIRED:
                message.__dict__[name] = given.pop(name) if name in given else _default(default)
        message.__dict__.update(given)
        return message

    def model_copy(self, *, update=None, deep=False):
        import copy

        made = copy.deepcopy(self) if deep else copy.copy(self)
        made.__dict__.update(update or {})
        return made

    def dict(self, **options):
        return self.model_dump(**options)

    def copy(self, **options):
        return self.model_copy(**options)

    def _shown(self):
        for name, value in self.__dict__.items():
            default = self._fields.get(name, REQUIRED)
            if name not in self._unshown and (default is REQUIRED or isinstance(default, type) or value != default):
                yield "%s=%r" % (name, value)

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join(self._shown()))

    def __str__(self):
        return " ".join(self._shown())

    def __eq__(self, other):
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    __hash__ = None


class BaseMessageChunk(BaseMessage):
    """A piece of a message; pieces can be added."""

    def __add__(self, other):
        others = other if isinstance(other, list) else [other]
        if not all(isinstance(each, BaseMessageChunk) for each in others):
            raise TypeError(
                'unsupported operand type(s) for +: "%s" and "%s"' % (type(self).__name__, type(other).__name__)
            )
        return self._added(others)

    def _added(self, others, **fields):
        from langchain_core.messages._merge import merge_dicts

        for name in ("additional_kwargs", "response_metadata"):
            fields[name] = merge_dicts(getattr(self, name), *(getattr(each, name) for each in others))
        content = merge_content(self.content, *(each.content for each in others))
        return type(self)(content=content, **{"id": self.id, **fields})


def merge_content(first, *contents):
    """Joins the contents of several pieces."""
    merged = list(first) if isinstance(first, list) else first or ""
    for content in contents:
        if isinstance(merged, str):
            merged = merged + content if isinstance(content, str) else [merged, *content]
        elif isinstance(content, list):
            from langchain_core.messages._merge import merge_lists

            merged = merge_lists(merged, content)
        elif merged and isinstance(merged[-1], str):
            merged[-1] += content
        elif merged and content != "":
            merged.append(content)
    return merged


def message_to_dict(message):
    return {"type": message.type, "data": message.model_dump()}


def messages_to_dict(messages):
    return [message_to_dict(message) for message in messages]


def _default(default):
    return default() if isinstance(default, type) else default


def _block(part):
    if isinstance(part, str):
        return {"type": "text", "text": part}
    known = ("text", "reasoning", "tool_call", "invalid_tool_call", "tool_call_chunk", "image", "audio", "video", "file")
    if part.get("type") in known + ("text-plain", "non_standard") and "source_type" not in part:
        return part
    return {"type": "non_standard", "value": part}


def _title(title, bold):
    padded = " %s " % title
    separator = "=" * ((80 - len(padded)) // 2)
    second = separator + "=" if len(padded) % 2 else separator
    return separator + ("\033[1m%s\033[0m" % padded if bold else padded) + second


def _dumped(value):
    if isinstance(value, dict):
        return {key: _dumped(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(_dumped(part) for part in value)
    return value.model_dump() if isinstance(value, BaseMessage) else value

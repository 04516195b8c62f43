"""What servers of chat models say, for the comparison with LangChain: name -> scenario, see README.md."""

import json

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ADD = {"name": "add", "description": "Adds two numbers.",
       "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                      "required": ["a", "b"]}}
HI = [{"type": "human", "content": "hi", "id": "h1"}]
USAGE = {"prompt_tokens": 25, "completion_tokens": 9, "total_tokens": 34,
         "prompt_tokens_details": {"cached_tokens": 3, "audio_tokens": 0},
         "completion_tokens_details": {"reasoning_tokens": 2, "audio_tokens": 0}}
CALLED = [{"type": "human", "content": "1+2?", "id": "h1"},
          {"type": "ai", "content": "", "id": "a1",
           "tool_calls": [{"name": "add", "args": {"a": 1, "b": "zwölf"}, "id": "c1", "type": "tool_call"},
                          {"name": "add", "args": {}, "id": "c2", "type": "tool_call"}]},
          {"type": "tool", "content": "3", "name": "add", "id": "t1", "tool_call_id": "c1"},
          {"type": "tool", "content": "no such number", "name": "add", "id": "t2", "tool_call_id": "c2",
           "status": "error"}]


def openai(message, finish="stop", usage=USAGE, **rest):
    return {"body": json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "m-1",
                                "choices": [{"index": 0, "message": {"role": "assistant", **message}, "logprobs": None,
                                             "finish_reason": finish}],
                                "usage": usage, "system_fingerprint": "fp_1", **rest}, ensure_ascii=False)}


def call(name, arguments, id="call_1", **rest):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}, **rest}


def delta(delta, finish=None, **rest):
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "m-1",
            "system_fingerprint": "fp_1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **rest}


def openai_stream(*deltas, finish="stop", usage=USAGE, done=True, **rest):
    events = [delta({"role": "assistant", "content": ""}, **rest)]
    events += [each if "choices" in each else delta(each, **rest) for each in deltas]
    if finish:
        events.append(delta({}, finish, **rest))
    if usage:
        events.append({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "m-1",
                       "choices": [], "usage": usage, **rest})
    lines = [json.dumps(event, ensure_ascii=False) for event in events] + (["[DONE]"] if done else [])
    return {"body": [f"data: {line}\n\n" for line in lines]}


def piece(index, arguments=None, id=None, name=None):
    function = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    made = {"index": index, "function": function}
    if id is not None:
        made |= {"id": id, "type": "function"}
    return {"tool_calls": [made]}


CLAUDE_USAGE = {"input_tokens": 25, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 4, "output_tokens": 9,
                "service_tier": "standard"}


def claude(content, stop="end_turn", usage=CLAUDE_USAGE, **rest):
    return {"body": json.dumps({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x",
                                "content": content, "stop_reason": stop, "stop_sequence": None, "usage": usage, **rest},
                               ensure_ascii=False)}


def claude_stream(*blocks, stop="end_turn", start=None, end=None):
    events = [{"type": "message_start",
               "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [],
                           "stop_reason": None, "stop_sequence": None,
                           "usage": start or {**CLAUDE_USAGE, "output_tokens": 1}}}, {"type": "ping"}]
    for index, (block, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": each} for each in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                   "usage": end or {k: v for k, v in CLAUDE_USAGE.items() if k != "service_tier"}})
    events.append({"type": "message_stop"})
    return {"body": [f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events]}


def text(*pieces):
    return ({"type": "text", "text": ""}, [{"type": "text_delta", "text": each} for each in pieces])


def use(*pieces, id="toolu_1", name="add", input=None):
    return ({"type": "tool_use", "id": id, "name": name, "input": input or {}},
            [{"type": "input_json_delta", "partial_json": each} for each in pieces])


def thinking(*pieces, signature="sig"):
    return ({"type": "thinking", "thinking": "", "signature": ""},
            [{"type": "thinking_delta", "thinking": each} for each in pieces]
            + [{"type": "signature_delta", "signature": signature}])


def scenario(reply, wire="openai", stream=False, messages=HI, **settings):
    return {"wire": wire, "stream": stream, "settings": {"model": "m-1" if wire == "openai" else "claude-x", **settings},
            "messages": messages, "reply": reply}


def anthropic(reply, stream=False, messages=HI, **settings):
    return scenario(reply, "anthropic", stream, messages, max_tokens=settings.pop("max_tokens", 100), **settings)


THINK = {"options": {"thinking": {"type": "enabled", "budget_tokens": 1024}}, "max_tokens": 2048}

SCENARIOS = {
    "openai-text": scenario(openai({"content": "Hello", "refusal": None})),
    "openai-text-unicode": scenario(openai({"content": "Grüße 🌍\n\u0000 \"x\" \\ \t", "refusal": None})),
    "openai-text-no-usage": scenario(openai({"content": "Hello", "refusal": None}, usage=None)),
    "openai-text-bare-usage": scenario(openai({"content": "Hello", "refusal": None},
                                              usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3})),
    "openai-text-more-usage": scenario(openai({"content": "Hello", "refusal": None},
                                              usage={**USAGE, "queue_time": 0.25, "prompt_tokens_details":
                                                     {"cached_tokens": 3, "cache_write_tokens": 5, "zz": 1}})),
    "openai-refusal": scenario(openai({"content": None, "refusal": "I cannot."})),
    "openai-length": scenario(openai({"content": "Hel", "refusal": None}, "length"), max_tokens=3),
    "openai-tier": scenario(openai({"content": "Hello", "refusal": None}, service_tier="default")),
    "openai-tier-flex": scenario(openai({"content": "Hello", "refusal": None}, service_tier="flex")),
    "openai-one-call": scenario(openai({"content": None, "refusal": None, "tool_calls": [call("add", '{"a": 1, "b": 2}')]},
                                       "tool_calls"), tools=[ADD]),
    "openai-parallel-calls": scenario(openai({"content": "Let me.", "refusal": None, "tool_calls": [
        call("add", '{"a": 1, "b": 2.5}', "call_1"), call("add", '{"b": [1, {"x": null}], "a": "ü"}', "call_2"),
        call("now", "", "call_3")]}, "tool_calls"), tools=[ADD]),
    "openai-broken-arguments": scenario(openai({"content": None, "refusal": None, "tool_calls": [
        call("add", '{"a": 1,', "call_1"), call("add", '{"a": 1, "b": 2}', "call_2"),
        call("add", '{"a" 1}', "call_3"), call("add", '{"a": 1} x', "call_4"), call("add", '{"a": [1, 2}', "call_5"),
        call("add", '{"a": "ü\n\\q"}', "call_6"), call("add", '{"a": "never', "call_7"), call("add", "nope", "call_8"),
        call("add", '{"a": 01}', "call_9"), call("add", '{"a": "\\u12G4"}', "call_10"), call("add", "{", "call_11"),
        call("add", '{"a": 1\n,\n}', "call_12"), call("add", "[1,]", "call_13"), call("add", '{"a": tru}', "call_14")]},
        "tool_calls"), tools=[ADD]),
    "openai-control-in-arguments": scenario(openai({"content": None, "refusal": None, "tool_calls": [
        call("add", '{"a": "one\ntwo\tthree", "b": "\\ud83c\\udf0d"}')]}, "tool_calls"), tools=[ADD]),
    "openai-after-tools": scenario(openai({"content": "3", "refusal": None}), messages=CALLED, tools=[ADD]),
    "openai-invalid-sent-back": scenario(openai({"content": "3", "refusal": None}), messages=HI + [
        {"type": "ai", "content": "", "id": "a1", "invalid_tool_calls": [
            {"type": "invalid_tool_call", "id": "c1", "name": "add", "args": '{"a": 1,', "error": "x"}]},
        {"type": "tool", "content": "no", "id": "t1", "tool_call_id": "c1", "status": "error"}]),
    "openai-system-and-names": scenario(openai({"content": "Hi Ada", "refusal": None}), messages=[
        {"type": "system", "content": "Be short.", "id": "s1"}, {"type": "human", "content": "hi", "name": "ada", "id": "h1"},
        {"type": "ai", "content": "yes?", "id": "a1"}, {"type": "human", "content": "hi", "id": "h2"}]),
    "openai-images": scenario(openai({"content": "a pixel", "refusal": None}), messages=[
        {"type": "human", "id": "h1", "content": [
            {"type": "text", "text": "What is it?"}, {"type": "image", "base64": PIXEL, "mime_type": "image/png"},
            {"type": "image", "url": "https://pictures.test/a.png"},
            {"type": "image_url", "image_url": {"url": "https://pictures.test/b.png", "detail": "low"}}]}]),
    "openai-thinking-not-sent": scenario(openai({"content": "3", "refusal": None}), messages=HI + [
        {"type": "ai", "id": "a1", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"},
                                               {"type": "text", "text": "yes"}]},
        {"type": "human", "content": "go on", "id": "h2"}]),
    "openai-choice-named": scenario(openai({"content": None, "refusal": None, "tool_calls": [call("add", '{"a": 1, "b": 2}')]},
                                           "stop"), tools=[ADD], tool_choice="add"),
    "openai-choice-any": scenario(openai({"content": None, "refusal": None, "tool_calls": [call("add", "{}")]}, "tool_calls"),
                                  tools=[ADD], tool_choice="any"),
    "openai-temperature": scenario(openai({"content": "Hello", "refusal": None}), temperature=0.5,
                                   options={"seed": 7, "top_p": 0.9}),
    "openai-stream-text": scenario(openai_stream({"content": "Hel"}, {"content": "lo 🌍"}), stream=True),
    "openai-stream-no-usage": scenario(openai_stream({"content": "Hello"}, usage=None), stream=True),
    "openai-stream-no-done": scenario(openai_stream({"content": "Hello"}, done=False), stream=True),
    "openai-stream-tier": scenario(openai_stream({"content": "Hello"}, service_tier="default"), stream=True),
    "openai-stream-length": scenario(openai_stream({"content": "Hel"}, finish="length"), stream=True, max_tokens=3),
    "openai-stream-refusal": scenario(openai_stream({"refusal": "I can"}, {"refusal": "not."}), stream=True),
    "openai-stream-one-call": scenario(openai_stream(
        piece(0, "", "call_1", "add"), piece(0, '{"a": 1'), piece(0, ', "b": 2}'), finish="tool_calls"),
        stream=True, tools=[ADD]),
    "openai-stream-parallel-calls": scenario(openai_stream(
        {"content": "Let me."}, piece(0, "", "call_1", "add"), piece(1, "", "call_2", "add"), piece(0, '{"a": 1'),
        piece(1, '{"b": "ü"'), piece(0, ', "b": 2}'), piece(1, "}"), piece(2, "", "call_3", "now"), finish="tool_calls"),
        stream=True, tools=[ADD]),
    "openai-stream-whole-call": scenario(openai_stream(piece(0, '{"a": 1, "b": 2}', "call_1", "add"), finish="stop"),
                                         stream=True, tools=[ADD]),
    "openai-stream-reasoning-dropped": scenario(openai_stream({"reasoning_content": "hm"}, {"content": "Hello"}), stream=True),
    "anthropic-text": anthropic(claude([{"type": "text", "text": "Hello 🌍"}])),
    "anthropic-two-texts": anthropic(claude([{"type": "text", "text": "Hello"}, {"type": "text", "text": "you"}])),
    "anthropic-call": anthropic(claude([{"type": "text", "text": "Let me"}, {"type": "tool_use", "id": "toolu_1", "name": "add",
                                                                              "input": {"b": 2, "a": 1}}], "tool_use"),
                                tools=[ADD]),
    "anthropic-cache": anthropic(claude([{"type": "text", "text": "x"}], usage={
        **CLAUDE_USAGE, "cache_creation_input_tokens": 7,
        "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4}})),
    "anthropic-thinking": anthropic(claude([{"type": "thinking", "thinking": "hm", "signature": "sig"},
                                            {"type": "text", "text": "Hello"}]), **THINK),
    "anthropic-max-tokens": anthropic(claude([{"type": "text", "text": "Hel"}], "max_tokens")),
    "anthropic-after-tools": anthropic(claude([{"type": "text", "text": "3"}]), messages=CALLED, tools=[ADD]),
    "anthropic-system": anthropic(claude([{"type": "text", "text": "ok"}]), messages=[
        {"type": "system", "content": "Be short.", "id": "s1"}, {"type": "human", "content": "hi", "id": "h1"},
        {"type": "human", "content": "there", "id": "h2"}]),
    "anthropic-blocks-sent-back": anthropic(claude([{"type": "text", "text": "3"}]), messages=HI + [
        {"type": "ai", "id": "a1", "content": [
            {"thinking": "hm", "type": "thinking", "index": 0, "signature": "sig"}, {"text": "Let me", "type": "text", "index": 1},
            {"id": "toolu_1", "input": {}, "name": "add", "type": "tool_use", "toolset_name": None, "index": 2,
             "partial_json": '{"a": 1}'}],
         "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "toolu_1", "type": "tool_call"}]},
        {"type": "tool", "content": "1", "id": "t1", "tool_call_id": "toolu_1"}], **THINK),
    "anthropic-image": anthropic(claude([{"type": "text", "text": "a pixel"}]), messages=[
        {"type": "human", "id": "h1", "content": [
            {"type": "text", "text": "What is it?"}, {"type": "image", "base64": PIXEL, "mime_type": "image/png"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}]}]),
    "anthropic-stream-text": anthropic(claude_stream(text("Hel", "lo 🌍")), stream=True),
    "anthropic-stream-call": anthropic(claude_stream(text("Let me"), use("", '{"a"', ": 1}"), stop="tool_use"), stream=True,
                                       tools=[ADD]),
    "anthropic-stream-two-calls": anthropic(claude_stream(use("", '{"a": 1}'), use(id="toolu_2", name="now"), stop="tool_use"),
                                            stream=True, tools=[ADD]),
    "anthropic-stream-call-at-once": anthropic(claude_stream(use(input={"a": 1, "b": "two"}), stop="tool_use"), stream=True,
                                               tools=[ADD]),
    "anthropic-stream-thinking": anthropic(claude_stream(thinking("h", "m"), text("Hel", "lo")), stream=True, **THINK),
    "anthropic-stream-first-text": anthropic(claude_stream(({"type": "text", "text": "Hel"}, [{"type": "text_delta", "text": "lo"}])),
                                             stream=True, **THINK),
}

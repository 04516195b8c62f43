"""What a model says to an agent, and what the agent is: name -> scenario, see README.md. The list is generated; `python3 agent_scenarios.py`
prints its names."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../models"))
from scenarios import call, openai, openai_stream, piece

TOOLS = '''
import time
from typing import Literal, Optional


def add(a: int, b: int = 2) -> int:
    """Adds two numbers."""
    return a + b


def fail(why: str) -> str:
    """Fails."""
    raise RuntimeError(why)


def slow(seconds: float, name: str) -> str:
    """Waits, then says its name."""
    time.sleep(seconds)
    return name


def given(kind: str):
    """Returns something of a kind."""
    return {"dict": {"a": 1, "ü": [1, 2.5, None]}, "list": [1, "zwei", {"x": True}], "none": None, "float": 0.1, "true": True, "empty": "",
            "blocks": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "set": {1}, "big": 2**70, "text": "Grüße 🌍"}[kind]


def typed(text: str, number: float, flag: bool, items: list[int], named: dict[str, int], choice: Literal["a", "b"], maybe: Optional[str] = None) -> str:
    """Takes many types.

    And tells what it got.
    """
    return repr((text, number, flag, items, named, choice, maybe))


async def later(text: str) -> str:
    """Answers later."""
    return text.upper()


def delete_file(path: str) -> str:
    """Deletes a file."""
    return "deleted " + path


def send_mail(to: str, text: str = "hi") -> str:
    """Sends a mail."""
    return f"sent {text} to {to}"


def lookup(word: str) -> str:
    """Looks a word up and is done."""
    return word + ": a word"
'''

HI = [{"type": "human", "content": "hi", "id": "h1"}]
PERSON = {"title": "Person", "type": "object", "description": "A person.",
          "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name", "age"]}
PLACE = "Place is no tool"


def says(text="Done."):
    return openai({"content": text, "refusal": None})


def calls(*named, text=None):
    """A reply that calls tools: (name, arguments as text or dict)."""
    made = [call(name, arguments if isinstance(arguments, str) else json.dumps(arguments), f"call_{index + 1}")
            for index, (name, arguments) in enumerate(named)]
    return openai({"content": text, "refusal": None, "tool_calls": made}, "tool_calls")


def again(reply, suffix):
    """The same reply with other ids of its calls: a model never uses one twice."""
    return {"body": reply["body"].replace("call_", f"call_{suffix}")}


def streamed(*deltas, finish="stop"):
    return openai_stream(*deltas, finish=finish)


def scenario(replies, tools=("add",), inputs=None, resumes=(), stream=False, **rest):
    """`rest`: settings of the agent in our words. `resumes`: answers, a dict by index of the interrupt, or one for all."""
    return {"replies": list(replies), "tools": list(tools), "inputs": inputs or [HI], "resumes": list(resumes), "stream": stream, **rest}


def decisions(*each):
    return {"decisions": list(each)}


APPROVE = {"type": "approve"}


def edit(name, **args):
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


def reject(message=None):
    return {"type": "reject", **({"message": message} if message else {})}


def respond(message):
    return {"type": "respond", "message": message}


def all_scenarios():
    found = {
        "text": scenario([says()], tools=()),
        "text-with-tools": scenario([says()]),
        "system": scenario([says()], system="Be short."),
        "one-call": scenario([calls(("add", {"a": 1, "b": 2})), says("3")]),
        "call-with-text": scenario([calls(("add", {"a": 1}), text="Let me see."), says("3")]),
        "no-arguments": scenario([calls(("add", "")), says("?")]),
        "three-turns": scenario([again(calls(("add", {"a": n})), n) for n in range(3)] + [says("done")]),
        "parallel": scenario([calls(("add", {"a": 1}), ("add", {"a": 2}), ("add", {"a": 3})), says()]),
        "parallel-order": scenario([calls(("slow", {"seconds": 0.2, "name": "x"}), ("slow", {"seconds": 0, "name": "y"})), says()], tools=("slow",)),
        "parallel-mixed": scenario([calls(("add", {"a": 1}), ("nowhere", {}), ("later", {"text": "x"})), says()], tools=("add", "later")),
        "unknown-tool": scenario([calls(("nowhere", {"x": 1})), says()], tools=("add", "slow")),
        "unknown-argument": scenario([calls(("add", {"a": 1, "zz": 2})), says()]),
        "missing-argument": scenario([calls(("add", {"b": 1})), says()]),
        "invalid-only": scenario([calls(("add", '{"a": 1,'))]),
        "invalid-then-asked": scenario([calls(("add", '{"a": 1,')), says("Sorry.")], inputs=[HI, [{"type": "human", "content": "again", "id": "h2"}]]),
        "invalid-and-good": scenario([calls(("add", '{"a": 1,'), ("add", {"a": 4})), says()]),
        "good-and-invalid-twice": scenario([calls(("add", {"a": 4}), ("add", "nope")), again(calls(("add", "{"), ("add", {"a": 1})), "2"), says()]),
        "async-tool": scenario([calls(("later", {"text": "abc"})), says()], tools=("later",)),
        "conversation": scenario([says("one"), calls(("add", {"a": 1})), says("two")], inputs=[HI, [{"type": "human", "content": "more", "id": "h2"}]]),
        "refusal": scenario([openai({"content": None, "refusal": "I cannot."})]),
        "length": scenario([openai({"content": "Hel", "refusal": None}, "length")]),
        "calls-but-stop": scenario([{"body": calls(("add", {"a": 1}))["body"].replace('"tool_calls"}', '"stop"}')}, says()]),
        "named": scenario([calls(("add", {"a": 1})), says()], speaks_as="ada"),
        "return-direct": scenario([calls(("lookup", {"word": "owl"}))], tools=("lookup",), direct=["lookup"]),
        "return-direct-and-not": scenario([calls(("lookup", {"word": "owl"}), ("add", {"a": 1})), says()], tools=("lookup", "add"), direct=["lookup"]),
        "error-raised": scenario([calls(("fail", {"why": "disk full"}))], tools=("fail",), on_tool_error="raise"),
        "error-told": scenario([calls(("fail", {"why": "disk 'full'\n"})), says()], tools=("fail",)),
        "error-told-beside": scenario([calls(("fail", {"why": "x"}), ("add", {"a": 1})), says()], tools=("fail", "add")),
        "turns-at-end": scenario([again(calls(("add", {"a": n})), n) for n in range(5)], budget={"turns": 2, "then": "end"}),
        "structured": scenario([calls(("Person", {"name": "Ada", "age": 36}))], schema=PERSON),
        "structured-after-tool": scenario([calls(("add", {"a": 1})), again(calls(("Person", {"name": "Ada", "age": 36})), "2")], schema=PERSON),
        "structured-and-tool": scenario([calls(("add", {"a": 1}), ("Person", {"name": "Ada", "age": 36})), says()], schema=PERSON),
        "structured-twice": scenario([calls(("Person", {"name": "Ada", "age": 36}), ("Person", {"name": "Bob", "age": 1})),
                                      again(calls(("Person", {"name": "Ada", "age": 36})), "2")], schema=PERSON),
        "structured-no-tools": scenario([calls(("Person", {"name": "Ada", "age": 36}))], tools=(), schema=PERSON),
        "structured-by-wire": scenario([says('{"name": "Ada", "age": 36}')], tools=(), schema=PERSON, answers_by="response_format"),
        "stream-text": scenario([streamed({"content": "Hel"}, {"content": "lo"})], stream=True),
        "stream-call": scenario([streamed(piece(0, "", "call_1", "add"), piece(0, '{"a": 1'), piece(0, ', "b": 5}'), finish="tool_calls"),
                                 streamed({"content": "6"})], stream=True),
        "stream-parallel": scenario([streamed({"content": "So."}, piece(0, "", "call_1", "add"), piece(1, "", "call_2", "add"), piece(0, '{"a": 1}'),
                                              piece(1, '{"a": 7}'), finish="tool_calls"), streamed({"content": "3 and 9"})], stream=True),
    }
    for kind in ("dict", "list", "none", "float", "true", "empty", "blocks", "set", "big", "text"):
        found["result-" + kind] = scenario([calls(("given", {"kind": kind})), says()], tools=("given",))
    good = {"text": "t", "number": 1.5, "flag": True, "items": [1], "named": {"a": 1}, "choice": "a"}
    for name, wrong in {"all-good": {}, "integer-text": {"items": ["1", "x"]}, "number-text": {"number": "1.5"}, "number-wrong": {"number": "abc"},
                        "number-list": {"number": [1]}, "flag-text": {"flag": "yes"}, "flag-wrong": {"flag": "maybe"}, "flag-list": {"flag": []},
                        "text-number": {"text": 3}, "list-text": {"items": "abc"}, "list-fraction": {"items": [1.5, 2.0]}, "dict-list": {"named": []},
                        "dict-wrong": {"named": {"x": "y"}}, "choice-wrong": {"choice": "c"}, "maybe-null": {"maybe": None}, "maybe-wrong": {"maybe": 3},
                        "null-text": {"text": None}, "several": {"text": 1, "number": "x", "choice": 4}}.items():
        found["arguments-" + name] = scenario([calls(("typed", {**good, **wrong})), says()], tools=("typed",))
    found.update(reviews())
    return found


def reviews():
    both = [calls(("delete_file", {"path": "/x"}), ("send_mail", {"to": "bob"})), says()]
    one = [calls(("delete_file", {"path": "/x"})), says()]
    tools = ("delete_file", "send_mail", "add")
    found = {}
    for mode in ("batched", "per_call"):
        wrap = decisions if mode == "batched" else lambda each: each
        for name, decision in {"approve": APPROVE, "edit": edit("delete_file", path="/tmp/safe ü"), "reject": reject(), "reject-why": reject("No."),
                               "respond": respond("It is gone already.")}.items():
            found[f"review-{mode}-{name}"] = scenario(one, tools, resumes=[wrap(decision)],
                                                      review={"mode": mode, "tools": {"delete_file": True}})
        found[f"review-{mode}-not-asked"] = scenario([calls(("add", {"a": 1})), says()], tools, review={"mode": mode, "tools": {"delete_file": True}})
        found[f"review-{mode}-some"] = scenario([calls(("add", {"a": 1}), ("delete_file", {"path": "/ü"}), ("add", {"a": 2})), says()], tools,
                                                resumes=[wrap(reject("Keep it."))], review={"mode": mode, "tools": {"delete_file": True, "add": False}})
        found[f"review-{mode}-described"] = scenario(one, tools, resumes=[wrap(APPROVE)], review={"mode": mode, "tools": {
            "delete_file": {"allowed_decisions": ["approve", "reject"], "description": "Really?"}}})
    found["review-batched-two"] = scenario(both, tools, resumes=[decisions(APPROVE, reject())], review={"tools": {"delete_file": True, "send_mail": True}})
    found["review-batched-two-edits"] = scenario(both, tools, resumes=[decisions(edit("delete_file", path="/y"), edit("send_mail", to="eve", text="x"))],
                                                 review={"tools": {"delete_file": True, "send_mail": True}})
    found["review-batched-other-tool"] = scenario(one, tools, resumes=[decisions(edit("send_mail", to="eve"))], review={"tools": {"delete_file": True}})
    found["review-batched-twice"] = scenario([one[0], again(calls(("delete_file", {"path": "/z"})), "2"), says()], tools,
                                             resumes=[decisions(edit("delete_file", path="/1")), decisions(APPROVE)], review={"tools": {"delete_file": True}})
    found["review-batched-edits-dropped"] = scenario([one[0], again(calls(("add", {"a": 1})), "2"), says()], tools,
                                                     resumes=[decisions(edit("delete_file", path="/1"))], review={"tools": {"delete_file": True}})
    found["review-batched-too-few"] = scenario(both, tools, resumes=[decisions(APPROVE)],
                                               review={"on_wrong_answer": "raise", "tools": {"delete_file": True, "send_mail": True}})
    found["review-batched-not-allowed"] = scenario(one, tools, resumes=[decisions(edit("delete_file", path="/1"))], review={
        "on_wrong_answer": "raise", "tools": {"delete_file": {"allowed_decisions": ["approve"]}}})
    found["review-batched-all-rejected"] = scenario(both, tools, resumes=[decisions(reject(), reject("No mail."))],
                                                    review={"tools": {"delete_file": True, "send_mail": True}})
    found["review-per_call-two"] = scenario(both, tools, resumes=[{0: APPROVE, 1: reject()}], review={"mode": "per_call", "tools": {"delete_file": True, "send_mail": True}})
    found["review-per_call-one-then-other"] = scenario(both, tools, resumes=[{0: respond("done")}, {0: edit("send_mail", to="eve")}],
                                                       review={"mode": "per_call", "tools": {"delete_file": True, "send_mail": True}})
    found["review-batched-condition"] = scenario([calls(("delete_file", {"path": "/etc/x"}), ("delete_file", {"path": "/tmp/x"})), says()], tools,
                                                 resumes=[decisions(reject())], review={"tools": {"delete_file": {"when": '.args.path | startswith("/etc")'}}})
    return found


SCENARIOS = all_scenarios()

if __name__ == "__main__":
    print("\n".join(SCENARIOS))

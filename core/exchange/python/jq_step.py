"""jq programs as steps of the graph: by the package `jq` where it is installed, else by the program `jq`."""

import functools
import json
import subprocess

from langchain_core.messages import BaseMessage
from langgraph.types import Command, Send

try:
    import jq
except ImportError:
    jq = None


def run_jq(program, value):
    """The one value that the program makes of `value`; Sends and Commands in it become LangGraph's own."""
    outputs = _outputs(program, json.dumps(plain(value)))
    if len(outputs) != 1:
        raise ValueError(
            f"the jq program gave {len(outputs)} values, exactly one is expected; wrap it in [ ] to give a list"
        )
    return _langgraph_objects(outputs[0])


def plain(value):
    """What JSON can say of a piece of state."""
    if isinstance(value, BaseMessage):
        return _message(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(value, Send):
        return {"__send__": {"node": value.node, "arg": plain(value.arg)}}
    return value if isinstance(value, (str, int, float, bool)) or value is None else repr(value)


def _message(message):
    text = {"type": message.type, "content": message.content, "id": message.id}
    if calls := getattr(message, "tool_calls", None):
        text["tool_calls"] = [{key: call[key] for key in ("name", "args", "id")} for call in calls]
    if call := getattr(message, "tool_call_id", None):
        text["tool_call_id"] = call
    if message.name:
        text["name"] = message.name
    return text


def _outputs(program, text):
    if jq is None:
        return _outputs_of_program(program, text)
    try:
        return _compiled(program).input_text(text).all()
    except ValueError as error:
        raise ValueError(f"jq: error: {error}") from None


@functools.lru_cache(maxsize=None)
def _compiled(program):
    return jq.compile(program)


def _outputs_of_program(program, text):
    ended = subprocess.run(["jq", "-c", program], input=text, capture_output=True, text=True)
    if ended.returncode != 0:
        raise ValueError(ended.stderr.strip().replace("jq: error (at <stdin>:0): ", "jq: error: ", 1))
    return [json.loads(line) for line in ended.stdout.splitlines()]


def _langgraph_objects(result):
    if isinstance(result, list):
        return [_langgraph_objects(item) for item in result]
    if not isinstance(result, dict) or len(result) != 1:
        return result
    if isinstance(send := result.get("__send__"), dict):
        return Send(send["node"], send.get("arg"))
    if isinstance(command := result.get("__command__"), dict):
        given = {key: command[key] for key in ("update", "resume") if key in command}
        if "goto" in command:
            given["goto"] = _langgraph_objects(command["goto"])
        if command.get("graph") == "parent":
            given["graph"] = Command.PARENT
        return Command(**given)
    return result

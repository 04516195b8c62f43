"""A conversation as node files of LangGraph projects write one."""

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.constants import Send
from langgraph.graph import END, MessagesState
from langgraph.graph.message import add_messages
from langgraph.managed.is_last_step import RemainingSteps
from langgraph.runtime import Runtime
from langgraph.types import Command, StreamWriter
from typing_extensions import Annotated, Literal, NotRequired, TypedDict


class State(MessagesState):
    seen: Annotated[list, "appended"]
    left: RemainingSteps
    note: NotRequired[str]


class Context(TypedDict):
    user: str


def model(state: State, config: RunnableConfig, *, writer: StreamWriter) -> dict:
    writer({"thread": config["configurable"]["thread_id"]})
    last: AnyMessage = state["messages"][-1]
    call = {"name": "add", "args": {"a": 1, "b": [2, None]}, "id": "call-1"}
    reply = AIMessage(
        content=[{"type": "text", "text": "let me see"}],
        id=f"reply-{len(state['messages'])}",
        tool_calls=[call],
        response_metadata={"model_name": "none", "logprobs": None},
        usage_metadata={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    )
    return {"messages": [reply], "seen": [type(last).__name__, last.content, last.type, last.name]}


def tools(state: State, runtime: Runtime[Context]) -> Command[Literal["look"]]:
    request = state["messages"][-1]
    assert isinstance(request, AIMessage) and isinstance(request, BaseMessage)
    results = [
        ToolMessage(sum(x for x in (1, 2)), tool_call_id=call["id"], name=call["name"], artifact=(1, 2), id="of-" + request.id)
        for call in request.tool_calls
    ]
    seen = [request.text, request.usage_metadata["total_tokens"], runtime.context, runtime.store is None, repr(request)]
    return Command(update={"messages": results, "seen": seen}, goto="look")


def look(state: State):
    reply = state["messages"][-2].id
    kinds = [(m.type, m.id, m.additional_kwargs, getattr(m, "tool_calls", None)) for m in state["messages"][1:]]
    merged = add_messages(state["messages"][1:], [HumanMessage("third", id="third"), RemoveMessage(reply)])
    get_stream_writer()("looked")
    seen = [len(kinds), state["messages"][-1].artifact, [m.id for m in merged][-2:], get_store() is None]
    return {
        "messages": [("assistant", "as a pair"), {"role": "system", "content": "as a dict", "id": "dict"}, RemoveMessage(reply)],
        "seen": seen + [get_config()["metadata"]["langgraph_node"], state["messages"][-1].status],
    }


def route(state: State):
    return [Send("end", {"messages": state["messages"], "note": "sent"})]


def end(state: State):
    assert END == "__end__"
    last = state["messages"][-1]
    return {"messages": SystemMessage(state["note"], id="end"), "seen": [last.type, last.content, last.pretty_repr()]}

"""What LangChain makes of the replies of scenarios.py, as LangGraph stores it.

oracle.py --record FOLDER   writes NAME.json for each scenario
oracle.py --check FOLDER    fails where LangChain does otherwise than was recorded
Needs the packages of ../engine/requirements.txt.
"""

import json
import os
import re
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))

import require  # noqa: E402

try:
    import ormsgpack
    from langchain_anthropic import ChatAnthropic
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.memory import MemorySaver
    from langgraph.graph import END, START, MessagesState, StateGraph
except ImportError as error:
    require.leave("langgraph", str(error))

from scenarios import SCENARIOS
from scripted_server import ScriptedServer

KINDS = {"human": HumanMessage, "ai": AIMessage, "system": SystemMessage, "tool": ToolMessage}
ID = re.compile(r"lc_run--[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NO_ID = "lc_run--00000000-0000-7000-8000-000000000000"


def message_of(plain):
    return KINDS[plain["type"]](**{k: v for k, v in plain.items() if k != "type"})


def model_of(scenario, url):
    settings = dict(scenario["settings"])
    tools, choice = settings.pop("tools", None), settings.pop("tool_choice", None)
    options = settings.pop("options", {})
    if scenario["wire"] == "openai":
        model = ChatOpenAI(base_url=url + "/v1", api_key="k", max_retries=0, stream_usage=scenario["stream"], **settings, **options)
    else:
        model = ChatAnthropic(base_url=url, api_key="k", max_retries=0, **settings, **options)
    if tools:
        wrapped = [{"type": "function", "function": tool} for tool in tools]
        model = model.bind_tools(wrapped, **({"tool_choice": choice} if choice else {}))
    return model


def chunk_of(message):
    plain = json.loads(ID.sub(NO_ID, message.model_dump_json()))
    for key in ("tool_calls", "invalid_tool_calls"):  # by chance of parsing a piece
        plain.pop(key)
    return plain


def run(scenario):
    with ScriptedServer([scenario["reply"]]) as server:
        model = model_of(scenario, server.url)
        graph = StateGraph(MessagesState)
        graph.add_node("chat", lambda state: {"messages": [model.invoke(state["messages"])]})
        graph.add_edge(START, "chat")
        graph.add_edge("chat", END)
        saver = MemorySaver()
        app = graph.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": "t"}}
        messages = {"messages": [message_of(each) for each in scenario["messages"]]}
        chunks = None
        if scenario["stream"]:
            chunks = [chunk_of(chunk) for chunk, _ in app.stream(messages, config, stream_mode="messages")]
        else:
            app.invoke(messages, config)
        blob = next(blob for (_, _, channel, _), (_, blob) in reversed(saver.blobs.items()) if channel == "messages")
        stored = ormsgpack.unpackb(blob, ext_hook=lambda code, data: bytes(data), option=ormsgpack.OPT_NON_STR_KEYS)[-1]
        text = stored.decode("latin-1")
        return {"request": server.requests[-1]["body"],
                "stored": ID.sub(NO_ID, text).encode("latin-1").hex(), "chunks": chunks}


def main():
    warnings.simplefilter("ignore")
    verb, folder = sys.argv[1:]
    wrong = 0
    for name, scenario in SCENARIOS.items():
        path = os.path.join(folder, name + ".json")
        found = json.dumps({**scenario, "langchain": run(scenario)}, indent=1, ensure_ascii=False) + "\n"
        if verb == "--record":
            with open(path, "w", encoding="utf-8") as file:
                file.write(found)
        else:
            with open(path, encoding="utf-8") as file:
                if file.read() != found:
                    print(f"{name}: LangChain stores something else than was recorded")
                    wrong += 1
    print(f"{len(SCENARIOS)} scenarios, {wrong} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

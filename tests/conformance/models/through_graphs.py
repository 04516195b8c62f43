"""Chat models in graphs: the same replies through LangGraph's node that calls LangChain and through an llm node of
Sandglass. The stored messages are equal byte by byte, and LangGraph goes on with a thread that Sandglass began.

Needs SG_SANDGLASS (the program) and the packages of ../engine/requirements.txt; exits with 77 without them.
"""

import atexit
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../support")]

import require  # noqa: E402

try:
    import ormsgpack
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import START, MessagesState, StateGraph
except ImportError as error:
    require.leave("langgraph", str(error))

import oracle
from scenarios import ADD, HI, SCENARIOS, openai, openai_stream
from scripted_server import ScriptedServer

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
RECORDED = os.path.join(HERE, "../../data/models")
KEY = "sk-test-0123456789abcdef"


class Project:
    """A folder with a graph of one llm node."""

    def __init__(self, **node):
        self.path = tempfile.mkdtemp(prefix="sandglass-llm-")
        atexit.register(shutil.rmtree, self.path, ignore_errors=True)
        self.write({"format": 1, "name": "chat", "state": {"messages": {"type": "reduce", "reducer": "add_messages"},
                                                           "answer": {"type": "last_value"}},
                    "nodes": [{"name": "chat", "kind": "llm", **node}], "edges": [["__start__", "chat"]]})

    def write(self, graph):
        with open(os.path.join(self.path, "chat.graph.json"), "w", encoding="utf-8") as file:
            json.dump(graph, file)

    def run(self, messages, *arguments, thread="t", url="", environment=None):
        place = re.sub("^http://", "", url).split("/")[0]
        known = {**os.environ, "HOME": self.path, "XDG_CONFIG_HOME": self.path, "SANDGLASS_SECRET_MODEL_KEY": KEY,
                 "MODEL_KEYS": f"model-key@{place}", **(environment or {})}
        return subprocess.run([SANDGLASS, "run", "chat.graph.json", "--thread", thread, "--input",
                               json.dumps({"messages": messages}), *arguments],
                              cwd=self.path, env=known, capture_output=True, text=True, timeout=60)

    def database(self):
        return os.path.join(self.path, ".sandglass", "checkpoints.sqlite")

    def stored(self, thread="t"):
        """The raw bytes of each message in the newest checkpoint."""
        with sqlite3.connect(self.database()) as database:
            row = database.execute("select type, checkpoint from checkpoints where thread_id = ? and checkpoint_ns = '' "
                                   "order by checkpoint_id desc limit 1", (thread,)).fetchone()
        assert row[0] == "msgpack"
        raw = ormsgpack.unpackb(row[1], ext_hook=lambda code, data: bytes(data), option=ormsgpack.OPT_NON_STR_KEYS)
        return raw["channel_values"]["messages"]


def node_of(scenario, url):
    settings = dict(scenario["settings"])
    options = dict(settings.pop("options", {}))
    if scenario["wire"] == "openai" and "max_tokens" in settings:
        options["max_completion_tokens"] = settings.pop("max_tokens")  # LangChain's name for it
    return {"wire": scenario["wire"], "in_one_piece": not scenario["stream"], "key": "model-key", "options": options or None,
            "base_url": url + ("/v1" if scenario["wire"] == "openai" else ""), **settings}


def without_ids(raw):
    return oracle.ID.sub(oracle.NO_ID, raw.decode("latin-1")).encode("latin-1").hex()


class EqualToLangChain(unittest.TestCase):
    maxDiff = None


def test_of(name):
    scenario = SCENARIOS[name]

    def test(self):
        with open(os.path.join(RECORDED, name + ".json"), encoding="utf-8") as file:
            expected = json.load(file)["langchain"]
        with ScriptedServer([scenario["reply"]]) as server:
            project = Project(**node_of(scenario, server.url))
            done = project.run(scenario["messages"], url=server.url)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(without_ids(project.stored()[-1]), expected["stored"])
            request = server.requests[-1]
            self.assertEqual(len(server.requests), 1)
            for key in ("stream", "parallel_tool_calls"):
                request["body"].pop(key, None)
                expected["request"].pop(key, None)
            self.assertEqual(request["body"], expected["request"])
            self.assertIn(KEY, (request["headers"].get("authorization", "") + request["headers"].get("x-api-key", "")))
    return test


for each in SCENARIOS:
    if each == "openai-invalid-sent-back":
        continue  # calls that could not be read cannot be given as plain JSON
    setattr(EqualToLangChain, "test_" + each.replace("-", "_"), test_of(each))


class LangGraphGoesOn(unittest.TestCase):
    maxDiff = None

    def test_with_a_thread_that_sandglass_began(self):
        with ScriptedServer([openai_stream({"content": "Hello"}), openai({"content": "Again", "refusal": None})]) as server:
            project = Project(model="m-1", base_url=server.url + "/v1")
            self.assertEqual(project.run(HI, url=server.url).returncode, 0)
            model = ChatOpenAI(model="m-1", base_url=server.url + "/v1", api_key="k", max_retries=0)
            graph = StateGraph(MessagesState)
            graph.add_node("chat", lambda state: {"messages": [model.invoke(state["messages"])]})
            graph.add_edge(START, "chat")
            with SqliteSaver.from_conn_string(project.database()) as saver:
                app = graph.compile(checkpointer=saver)
                config = {"configurable": {"thread_id": "t"}}
                app.invoke({"messages": [{"role": "user", "content": "more"}]}, config)
                found = [(m.type, m.content) for m in app.get_state(config).values["messages"]]
        self.assertEqual(found, [("human", "hi"), ("ai", "Hello"), ("human", "more"), ("ai", "Again")])
        self.assertEqual([(m["role"], m["content"]) for m in server.requests[1]["body"]["messages"]],
                         [("user", "hi"), ("assistant", "Hello"), ("user", "more")])

    def test_and_sandglass_with_one_of_langgraph(self):
        with ScriptedServer([openai({"content": "Hello", "refusal": None}), openai_stream({"content": "Again"})]) as server:
            project = Project(model="m-1", base_url=server.url + "/v1")
            os.makedirs(os.path.dirname(project.database()), exist_ok=True)
            model = ChatOpenAI(model="m-1", base_url=server.url + "/v1", api_key="k", max_retries=0)
            graph = StateGraph(MessagesState)
            graph.add_node("chat", lambda state: {"messages": [model.invoke(state["messages"])]})
            graph.add_edge(START, "chat")
            with SqliteSaver.from_conn_string(project.database()) as saver:
                graph.compile(checkpointer=saver).invoke({"messages": HI}, {"configurable": {"thread_id": "t"}})
            before = project.stored()
            done = project.run([{"type": "human", "content": "more", "id": "h2"}], url=server.url)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(project.stored()[:len(before)], before)
        self.assertEqual([(m["role"], m["content"]) for m in server.requests[1]["body"]["messages"]],
                         [("user", "hi"), ("assistant", "Hello"), ("user", "more")])


class StreamMode(unittest.TestCase):
    """`--stream messages` against LangGraph's stream mode of that name."""
    maxDiff = None

    def test_tells_what_langgraph_tells(self):
        scenario = SCENARIOS["openai-stream-parallel-calls"]
        with open(os.path.join(RECORDED, "openai-stream-parallel-calls.json"), encoding="utf-8") as file:
            expected = json.load(file)["langchain"]["chunks"]
        with ScriptedServer([scenario["reply"]]) as server:
            project = Project(**node_of(scenario, server.url))
            done = project.run(scenario["messages"], "--stream", "messages", "--json", url=server.url)
            self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        told = [line["data"] for line in lines if line.get("type") == "messages" or line.get("mode") == "messages"]
        self.assertEqual(len(told), len(expected), done.stdout[:2000])
        for (chunk, about), wanted in zip(told, expected):
            chunk = json.loads(oracle.ID.sub(oracle.NO_ID, json.dumps(chunk)))
            for key in ("tool_calls", "invalid_tool_calls"):
                chunk.pop(key)
            self.assertEqual(chunk, wanted)
            for key, value in {"langgraph_step": 1, "langgraph_node": "chat", "langgraph_triggers": ["branch:to:chat"],
                               "langgraph_path": ["__pregel_pull", "chat"], "ls_provider": "openai",
                               "ls_model_name": "m-1", "ls_model_type": "chat", "thread_id": "t"}.items():
                self.assertEqual(about[key], value)
            self.assertTrue(about["langgraph_checkpoint_ns"].startswith("chat:"))
            self.assertEqual(about["langgraph_checkpoint_ns"], about["checkpoint_ns"])


if __name__ == "__main__":
    unittest.main()

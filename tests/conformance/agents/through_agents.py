"""Agents: the same replies through LangChain's create_agent and through an agent node of Sandglass, each as the node of a graph that stores
its checkpoints. Compared are what the model was asked, every stored message byte by byte, the checkpoints of both graphs, the questions to
a person and the error.

Needs SG_SANDGLASS (the program), a sandbox, and the packages of ../engine/requirements.txt; without them it is skipped. Arguments: names of
scenarios (all).
"""

import atexit
import concurrent.futures
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
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "support")]

import require  # noqa: E402

try:
    import ormsgpack
    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware, ModelCallLimitMiddleware
    from langchain.agents.middleware.tool_error import ToolErrorMiddleware
    from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import Command
except ImportError as error:
    require.leave("langgraph", str(error))

from agent_scenarios import SCENARIOS, TOOLS, again, calls, decisions, says, streamed, APPROVE, HI
from scenarios import piece
from scripted_server import ScriptedServer

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NO_UUID = "0" * 8 + "-0000-0000-0000-" + "0" * 12
HERE_TOOLS = {}
exec(compile(TOOLS, "tools.py", "exec"), HERE_TOOLS)


class State(MessagesState):
    structured_response: dict


def asked(server):
    """What the model was asked, without what LangChain says in other words."""
    kept = ("messages", "tools", "tool_choice", "response_format", "model")
    found = []
    for request in server.requests:
        body = {key: value for key, value in request["body"].items() if key in kept}
        if body.get("tools") == []:
            del body["tools"]
        for tool in body.get("tools", ()):
            tool["function"].pop("strict", None)
        if "response_format" in body:
            body["response_format"]["json_schema"].pop("strict", None)
            body["response_format"]["json_schema"]["schema"].pop("additionalProperties", None)
            body["response_format"]["json_schema"].pop("description", None)
        found.append(body)
    return found


def without_ids(raw):
    return UUID.sub(NO_UUID, raw.decode("latin-1"))


def stored(path, thread="t"):
    """The messages of each checkpoint, and its step, source and channels, by namespace without ids."""
    with sqlite3.connect(path) as database:
        rows = database.execute("select checkpoint_ns, checkpoint, metadata from checkpoints where thread_id = ? "
                                "order by checkpoint_id", (thread,)).fetchall()
    found = {}
    for namespace, raw, metadata in rows:
        values = ormsgpack.unpackb(raw, ext_hook=lambda code, data: bytes(data), option=ormsgpack.OPT_NON_STR_KEYS)["channel_values"]
        metadata = json.loads(metadata)
        messages = [without_ids(each) for each in values.get("messages") or () if isinstance(each, bytes)]
        rest = {key: value for key, value in values.items()
                if key != "messages" and not key.startswith("branch:") and key not in ("__start__", "__pregel_tasks")}
        channels = sorted(key for key in values if key.startswith("branch:") or key == "__pregel_tasks")
        found.setdefault(namespace.split(":")[0], []).append((metadata["step"], metadata["source"], messages, rest, channels))
    return found


def middleware_of(scenario):
    made = []
    review = scenario.get("review")
    if review:
        on = {}
        for tool, rule in review["tools"].items():
            rule = rule if isinstance(rule, bool) else {"allowed_decisions": ["approve", "edit", "reject", "respond"], **rule}
            if isinstance(rule, dict) and "when" in rule:
                rule["when"] = lambda request: request.tool_call["args"]["path"].startswith("/etc")
            on[tool] = rule
        made.append(HumanInTheLoopMiddleware(interrupt_on=on, interrupt_mode=review.get("mode", "batched")))
    return made


def limit_of(scenario):
    return [ModelCallLimitMiddleware(run_limit=scenario["budget"]["turns"], exit_behavior="end")] if "budget" in scenario else []


def error_told(scenario):
    if scenario.get("on_tool_error") == "raise" or "fail" not in scenario["tools"]:
        return []
    return [ToolErrorMiddleware(lambda error, request: f"Error: {error!r}\n Please fix your mistakes.")]


def agent_of(scenario, url):
    model = ChatOpenAI(model="m-1", base_url=url + "/v1", api_key="k", max_retries=0, streaming=scenario["stream"],
                       stream_usage=scenario["stream"])
    tools = [StructuredTool.from_function(HERE_TOOLS[name] if name != "later" else None, coroutine=HERE_TOOLS[name] if name == "later" else None,
                                          return_direct=name in scenario.get("direct", ())) for name in scenario["tools"]]
    strategy = ProviderStrategy if scenario.get("answers_by") == "response_format" else ToolStrategy
    return create_agent(model, tools=tools, system_prompt=scenario.get("system"), name=scenario.get("speaks_as"),
                        middleware=middleware_of(scenario) + error_told(scenario) + limit_of(scenario),
                        response_format=strategy(schema=scenario["schema"]) if "schema" in scenario else None)


def graph_of(scenario, url, saver):
    graph = StateGraph(State)
    graph.add_node("agent", agent_of(scenario, url))
    graph.add_edge(START, "agent")
    return graph.compile(checkpointer=saver)


def through_langchain(scenario, path):
    return plainly(scenario, path) if "later" not in scenario["tools"] else in_asyncio(scenario, path)


def answers_of(resume, waiting):
    if isinstance(resume, dict) and all(isinstance(key, int) for key in resume):
        return {waiting[index]["id"]: answer for index, answer in resume.items()}
    return resume


def told(values):
    return in_order({"id": each.id, "value": each.value} for each in values)


def in_order(waiting):
    """Questions of parallel calls are raised in any order."""
    return sorted(waiting, key=lambda each: each["value"].get("tool_call_id", ""))


def plainly(scenario, path):
    asks, error = [], None
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
    with ScriptedServer(scenario["replies"]) as server, SqliteSaver.from_conn_string(path) as saver:
        app = graph_of(scenario, server.url, saver)
        try:
            for messages in scenario["inputs"]:
                result = app.invoke({"messages": messages}, config)
            for resume in scenario["resumes"]:
                waiting = told(result["__interrupt__"])
                asks.append([each["value"] for each in waiting])
                result = app.invoke(Command(resume=answers_of(resume, waiting)), config)
        except Exception as raised:
            error = (type(raised).__name__, str(raised))
        return {"asked": asked(server), "questions": asks, "error": error, "stored": stored(path)}


def in_asyncio(scenario, path):
    import asyncio

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async def run():
        with ScriptedServer(scenario["replies"]) as server:
            async with AsyncSqliteSaver.from_conn_string(path) as saver:
                await graph_of(scenario, server.url, saver).ainvoke({"messages": scenario["inputs"][0]}, {"configurable": {"thread_id": "t"}})
            return {"asked": asked(server), "questions": [], "error": None, "stored": stored(path)}
    return asyncio.run(run())


OURS = ("system", "schema", "answers_by", "review", "on_tool_error", "speaks_as", "budget")


class Project:
    """A folder with a graph of one agent."""

    def __init__(self, scenario, url):
        self.path = tempfile.mkdtemp(prefix="sandglass-agent-")
        atexit.register(shutil.rmtree, self.path, ignore_errors=True)
        with open(os.path.join(self.path, "tools.py"), "w", encoding="utf-8") as file:
            file.write(TOOLS)
        tools = [{"tool": "tools.py:" + name, "return_direct": name in scenario.get("direct", ())} for name in scenario["tools"]]
        node = {"name": "agent", "kind": "agent", "model": "m-1", "base_url": url + "/v1", "in_one_piece": not scenario["stream"],
                "tools": tools, **{key: scenario[key] for key in OURS if key in scenario}}
        if "schema" in scenario:
            node["channel"] = "structured_response"
        graph = {"format": 1, "name": "agents",
                 "state": {"messages": {"type": "reduce", "reducer": "add_messages"}, "structured_response": {"type": "last_value"}},
                 "nodes": [node], "edges": [["__start__", "agent"]], "sandbox": {"backend": "bubblewrap"}}
        with open(os.path.join(self.path, "agents.graph.json"), "w", encoding="utf-8") as file:
            json.dump(graph, file)

    def run(self, verb, *arguments):
        done = subprocess.run([SANDGLASS, verb, "agents.graph.json", "--thread", "t", "--json", *arguments], cwd=self.path,
                              env={**os.environ, "XDG_CONFIG_HOME": self.path}, capture_output=True, text=True, timeout=120)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise AssertionError(f"{verb} says {done.stdout!r} and {done.stderr!r}") from None

    def database(self):
        return os.path.join(self.path, ".sandglass", "checkpoints.sqlite")


def through_sandglass(scenario):
    asks, error = [], None
    with ScriptedServer(scenario["replies"]) as server:
        project = Project(scenario, server.url)
        for messages in scenario["inputs"]:
            result = project.run("run", "--input", json.dumps({"messages": messages}))
        for resume in scenario["resumes"]:
            waiting = in_order(result["interrupts"])
            asks.append([each["value"] for each in waiting])
            result = project.run("resume", "--answer", json.dumps(answers_of(resume, waiting)))
        if result.get("error"):
            error = (result["error"]["type"], result["error"]["message"])
        return {"asked": asked(server), "questions": asks, "error": error, "stored": stored(project.database())}


def both(name):
    with tempfile.TemporaryDirectory() as folder:
        return through_langchain(SCENARIOS[name], os.path.join(folder, "db.sqlite")), through_sandglass(SCENARIOS[name])


class EqualToLangChain(unittest.TestCase):
    maxDiff = None
    done = {}

    def compare(self, name):
        theirs, ours = self.done[name].result()
        self.assertEqual(ours["error"], theirs["error"])
        self.assertEqual(ours["asked"], theirs["asked"])
        self.assertEqual(ours["questions"], theirs["questions"])
        self.assertEqual(sorted(ours["stored"]), sorted(theirs["stored"]))
        if "budget" in SCENARIOS[name]:  # LangChain counts in a node and in channels of its own
            self.assertEqual(ours["stored"][""][-1][2], theirs["stored"][""][-1][2])
            return
        for namespace, checkpoints in theirs["stored"].items():
            self.assertEqual([each[:2] for each in ours["stored"][namespace]], [each[:2] for each in checkpoints], namespace)
            for mine, expected in zip(ours["stored"][namespace], checkpoints):
                self.assertEqual(mine[2:], expected[2:], f"step {expected[0]} of '{namespace}'")


class LangGraphGoesOn(unittest.TestCase):
    """Where Sandglass waits for a person, LangGraph takes the answer, and the other way round."""

    SCENARIO = SCENARIOS["review-batched-two-edits"]

    def finish(self, path, url):
        with SqliteSaver.from_conn_string(path) as saver:
            app = graph_of(self.SCENARIO, url, saver)
            result = app.invoke(Command(resume=self.SCENARIO["resumes"][0]), {"configurable": {"thread_id": "t"}})
        return [(each.type, each.content) for each in result["messages"]]

    def test_with_the_question_of_an_agent(self):
        with ScriptedServer(self.SCENARIO["replies"]) as server:
            project = Project(self.SCENARIO, server.url)
            self.assertEqual(len(project.run("run", "--input", json.dumps({"messages": HI}))["interrupts"]), 1)
            ended = self.finish(project.database(), server.url)
        self.assertEqual([each[0] for each in ended], ["human", "ai", "tool", "tool", "ai"])
        self.assertIn("sent x to eve", ended[3][1])

    def test_and_an_agent_with_the_question_of_langgraph(self):
        with ScriptedServer(self.SCENARIO["replies"]) as server:
            project = Project(self.SCENARIO, server.url)
            os.makedirs(os.path.dirname(project.database()), exist_ok=True)
            with SqliteSaver.from_conn_string(project.database()) as saver:
                app = graph_of(self.SCENARIO, server.url, saver)
                app.invoke({"messages": HI}, {"configurable": {"thread_id": "t"}})
            result = project.run("resume", "--answer", json.dumps(self.SCENARIO["resumes"][0]))
        messages = result["values"]["messages"]
        self.assertEqual([each["type"] for each in messages], ["human", "ai", "tool", "tool", "ai"], result)
        self.assertIn("sent x to eve", messages[3]["content"])


class Streamed(unittest.TestCase):
    """`--stream messages` of an agent against LangGraph's tuples, its subgraphs among them."""

    maxDiff = None
    REPLIES = [
        streamed({"content": "Let "}, {"content": "me."}, piece(0, "", "call_1", "add"), piece(0, '{"a": 1,'), piece(0, ' "b": 2}'), finish="tool_calls"),
        streamed({"content": "It is "}, {"content": "3."}),
    ]

    def told(self, tuples):
        """Each tuple without what differs from run to run. Which of its two lists a piece of a call shows up in is chance."""
        found = []
        for chunk, about in tuples:
            chunk = {key: value for key, value in chunk.items() if key not in ("tool_calls", "invalid_tool_calls")}
            about = {key: about.get(key) for key in ("langgraph_step", "langgraph_node", "langgraph_path", "langgraph_triggers", "ls_provider", "ls_model_name",
                                                     "ls_model_type", "checkpoint_ns", "langgraph_checkpoint_ns")}
            found.append(json.loads(UUID.sub(NO_UUID, json.dumps([chunk, about]))))
        return found

    def test_tokens_of_an_agent_and_its_tools(self):
        scenario = dict(SCENARIOS["one-call"], stream=True, replies=self.REPLIES)
        with ScriptedServer(self.REPLIES) as server, tempfile.TemporaryDirectory() as folder, \
                SqliteSaver.from_conn_string(os.path.join(folder, "db.sqlite")) as saver:
            stream = graph_of(scenario, server.url, saver).stream({"messages": HI}, {"configurable": {"thread_id": "t"}}, stream_mode="messages", subgraphs=True)
            theirs = [(message.model_dump(), about) for _, (message, about) in stream]
        with ScriptedServer(self.REPLIES) as server:
            project = Project(scenario, server.url)
            done = subprocess.run([SANDGLASS, "run", "agents.graph.json", "--thread", "t", "--json", "--stream", "messages", "--subgraphs", "--input", json.dumps({"messages": HI})],
                                  cwd=project.path, env={**os.environ, "XDG_CONFIG_HOME": project.path}, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        ours = [line["data"] for line in lines if line.get("mode") == "messages" or line.get("type") == "messages"]
        self.assertEqual(self.told(ours), self.told(theirs))


def main():
    names = [each for each in sys.argv[1:] if each in SCENARIOS] or list(SCENARIOS)
    for name in names:
        setattr(EqualToLangChain, "test_" + name.replace("-", "_"), lambda self, name=name: self.compare(name))
    if len(sys.argv) > 1 and sys.argv[1] in SCENARIOS:
        del globals()["LangGraphGoesOn"], globals()["Streamed"]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("SG_JOBS", "4"))) as pool:
        EqualToLangChain.done = {name: pool.submit(both, name) for name in names}
        unittest.main(argv=sys.argv[:1], verbosity=1)


if __name__ == "__main__":
    main()

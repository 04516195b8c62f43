"""LangChain's messages, RunnableConfig and typing_extensions in sessions without them, and LangGraph's import paths.

Run by a Python that has LangGraph (packaging/setup/langgraph.sh), the same expressions are compared with the real packages."""

import unittest
from importlib.util import find_spec

from host import Host, unpack
import require

# Every import that node files of LangGraph projects have, besides their own.
IMPORTS = (
    "from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage",
    "from langchain_core.messages import AIMessageChunk, ChatMessage, FunctionMessage, HumanMessageChunk, ToolCall, UsageMetadata",
    "from langchain_core.messages.ai import UsageMetadata",
    "from langchain_core.messages.base import BaseMessage, BaseMessageChunk, message_to_dict, messages_to_dict",
    "from langchain_core.messages.tool import ToolCall, ToolMessage, tool_call",
    "from langchain_core.messages.utils import convert_to_messages, messages_from_dict",
    "from langchain_core.runnables import RunnableConfig",
    "from langchain_core.runnables.config import RunnableConfig",
    "from langgraph.config import get_config, get_store, get_stream_writer",
    "from langgraph.constants import END, START, TAG_HIDDEN, Send",
    "from langgraph.errors import GraphInterrupt, GraphRecursionError, InvalidUpdateError, NodeError, NodeInterrupt",
    "from langgraph.graph import END, START, MessagesState, add_messages",
    "from langgraph.graph.message import REMOVE_ALL_MESSAGES, MessagesState, add_messages",
    "from langgraph.managed import IsLastStep, RemainingSteps",
    "from langgraph.managed.is_last_step import IsLastStep, RemainingSteps, RemainingStepsManager",
    "from langgraph.runtime import ExecutionInfo, Runtime, get_runtime",
    "from langgraph.store.base import BaseStore, InvalidNamespaceError, Item, SearchItem",
    "from langgraph.types import CachePolicy, Command, Durability, Interrupt, Overwrite, RetryPolicy, Send, StreamMode",
    "from langgraph.types import StreamWriter, TimeoutPolicy, interrupt",
    "from typing_extensions import Annotated, Any, Literal, NotRequired, Optional, Required, TypedDict, Union",
    "from typing_extensions import Never, ParamSpec, Protocol, Self, TypeAlias, TypeVar, Unpack, deprecated, override",
)
SETUP = (
    "from langchain_core.messages import *\n"
    "from langchain_core.messages import _message_from_dict\n"
    "from langgraph.graph.message import add_messages\n"
    "def shape(text):\n"
    "    try:\n"
    "        value = eval(text, globals())\n"
    "    except Exception as error:\n"
    "        kinds = [c.__name__ for c in type(error).__mro__ if c.__module__ == 'builtins']\n"
    "        return [kinds[0], '' if 'validation error' in str(error) else str(error)]\n"
    "    made = [value] if isinstance(value, BaseMessage) else value\n"
    "    if isinstance(made, list) and made and all(isinstance(m, BaseMessage) for m in made):\n"
    "        return [[repr(m), str(m), m.model_dump(), str(m.text), m.content_blocks, m.pretty_repr()] for m in made]\n"
    "    return repr(value)\n"
)
MESSAGES = (
    "HumanMessage('hi')",
    "HumanMessage(content='hi', id=3, name='bob', foo=1)",
    "HumanMessage(content_blocks=[{'type': 'text', 'text': 'a'}])",
    "SystemMessage(content=['a', {'type': 'text', 'text': 'b'}, {'type': 'odd', 'x': 1}])",
    "AIMessage('x', tool_calls=[{'name': 'a', 'args': {'b': 1}, 'id': 't'}], usage_metadata={'input_tokens': 1, 'output_tokens': 2, 'total_tokens': 3})",
    "AIMessage('', additional_kwargs={'tool_calls': [{'id': 'c', 'type': 'function', 'function': {'name': 'f', 'arguments': '{\"a\": 1}'}}, {'id': 'd', 'function': {'name': 'g', 'arguments': '{'}}]})",
    "AIMessage('', additional_kwargs={'reasoning_content': 'hm'}, response_metadata={'model': 'm'})",
    "AIMessage('', tool_calls=[{'name': 'x'}])",
    "ToolMessage('r', tool_call_id=5, artifact=[1], status='error')",
    "ToolMessage(3, tool_call_id='x')",
    "ToolMessage([1, {'a': 2}], tool_call_id='x')",
    "ToolMessage('a')",
    "FunctionMessage('c', name='f')",
    "FunctionMessage('c')",
    "ChatMessage('c', role='r')",
    "RemoveMessage(id='z')",
    "RemoveMessage('a', content='x')",
    "HumanMessage()",
    "HumanMessage(5)",
    "HumanMessage('a', type='ai')",
    "HumanMessage(('a',))",
    "[HumanMessage('a') == HumanMessage('a'), HumanMessage('a') == AIMessage('a'), HumanMessage.__hash__]",
    "HumanMessage('a').model_copy(update={'content': 'b'})",
    "[HumanMessage('a').text(), isinstance(AIMessage('a'), BaseMessage), AIMessage('a').tool_calls]",
    "[m.model_dump(exclude_none=True) for m in [AIMessage('a')]]",
    "AIMessageChunk('he', id='lc_1') + AIMessageChunk('llo', id='p')",
    "AIMessageChunk('', tool_call_chunks=[{'name': 'a', 'args': '{\"b\"', 'id': 'i', 'index': 0}]) + AIMessageChunk('', tool_call_chunks=[{'name': None, 'args': ':1}', 'id': None, 'index': 0}, {'name': 'z', 'args': '[', 'id': 'j', 'index': 1}])",
    "AIMessageChunk('a', usage_metadata={'input_tokens': 1, 'output_tokens': 2, 'total_tokens': 3}) + AIMessageChunk('b', usage_metadata={'input_tokens': 1, 'output_tokens': 0, 'total_tokens': 1})",
    "AIMessageChunk('a', response_metadata={'m': 'x'}) + [AIMessageChunk('b', response_metadata={'m': 'y', 'n': None}), AIMessageChunk('c')]",
    "HumanMessageChunk('a') + HumanMessageChunk(['b', {'type': 'text', 'text': 'c'}])",
    "ToolMessageChunk('a', tool_call_id='1', artifact={'a': 'x'}) + ToolMessageChunk('b', tool_call_id='1', artifact={'a': 'y'}, status='error')",
    "ToolMessageChunk('a', tool_call_id='1') + ToolMessageChunk('b', tool_call_id='2')",
    "ChatMessageChunk('a', role='r') + ChatMessageChunk('b', role='r')",
    "message_chunk_to_message(AIMessageChunk('x', id='1'))",
    "convert_to_messages(['hi', ('user', 'x'), ('ai', 'y'), ['developer', 'd'], {'type': 'human', 'content': 'w', 'id': '7', 'extra': 1}])",
    "convert_to_messages([{'role': 'assistant', 'content': None, 'tool_calls': [{'id': '1', 'type': 'function', 'function': {'name': 'f', 'arguments': '{\"a\":1}'}}]}])",
    "convert_to_messages([{'role': 'tool', 'content': 'r', 'tool_call_id': '1', 'artifact': 4}, {'role': 'function', 'name': 'f', 'content': 'c'}])",
    "convert_to_messages([{'lc': 1, 'type': 'constructor', 'id': ['langchain', 'AIMessage'], 'kwargs': {'content': 'q'}}])",
    "convert_to_messages([('x', 'y')])",
    "convert_to_messages([{'content': 'a'}])",
    "convert_to_messages([5])",
    "convert_to_messages([('a', 'b', 'c')])",
    "messages_to_dict([HumanMessage('a', id='1')])",
    "messages_from_dict(messages_to_dict([AIMessage('a'), ToolMessage('t', tool_call_id='1'), AIMessageChunk('c')]))",
    "get_buffer_string([HumanMessage('a'), AIMessage('b'), SystemMessage('s'), ToolMessage('t', tool_call_id='1'), ChatMessage('c', role='R'), FunctionMessage('f', name='n')])",
    "get_buffer_string([AIMessage('b', tool_calls=[{'name': 'a', 'args': {}, 'id': 't'}]), AIMessage('b', additional_kwargs={'function_call': {'x': 1}})])",
    "add_messages([HumanMessage('a', id='1')], [AIMessage('b', id='1'), AIMessage('c', id='2'), RemoveMessage('1')])",
    "add_messages([HumanMessage('a', id='1')], [RemoveMessage('1'), HumanMessage('b', id='1')])",
    "add_messages([HumanMessage('a', id='1')], [AIMessage('b', id='2'), RemoveMessage('__remove_all__'), AIMessage('c', id='3')])",
    "add_messages([HumanMessage('a', id='1')], RemoveMessage('9'))",
    "add_messages(HumanMessage('a', id='1'), {'role': 'ai', 'content': 'b', 'id': '2'})",
    "add_messages(None, [])",
    "[m.content for m in add_messages(('user', 'a'), 'b')]",
    "[len(m.id) for m in add_messages([], ['b'])]",
    "type(add_messages([], [AIMessageChunk('a')])[0]).__name__",
    "merge_content('a', ['b'], 'c')",
)


class Sessions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)

    def update(self, source, state=None, **keys):
        done = self.host.call(source, state, **keys)
        self.assertEqual(done["status"], "ok", done.get("error"))
        return done["update"]

    def test_imports_of_node_files(self):
        for line in IMPORTS:
            with self.subTest(line):
                done = self.host.call(line + "\ndef node(state): return 1\n")
                self.assertEqual(done.get("update"), 1, done.get("error"))

    def test_messages_go_out_as_langchains_own(self):
        source = (
            "from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage\n"
            "def node(state):\n    return {'messages': [HumanMessage('a', id='1'), AIMessage('b'),\n"
            "        ToolMessage('c', tool_call_id='t'), RemoveMessage('1')]}\n"
        )
        told = [unpack(message.data) for message in self.update(source)["messages"]]
        usual = {"additional_kwargs": {}, "response_metadata": {}}
        ai = {"tool_calls": [], "invalid_tool_calls": [], "usage_metadata": None}
        tool = {"tool_call_id": "t", "artifact": None, "status": "success"}
        for (module, name, fields, way), expected in zip(
            told,
            (
                ("human.HumanMessage", {"content": "a", **usual, "type": "human", "name": None, "id": "1"}),
                ("ai.AIMessage", {"content": "b", **usual, "type": "ai", "name": None, "id": None, **ai}),
                ("tool.ToolMessage", {"content": "c", **usual, "type": "tool", "name": None, "id": None, **tool}),
                ("modifier.RemoveMessage", {"content": "", **usual, "type": "remove", "name": None, "id": "1"}),
            ),
        ):
            with self.subTest(name):
                self.assertEqual(way, "model_validate_json")
                self.assertEqual((module + "." + name), "langchain_core.messages." + expected[0])
                self.assertEqual(list(fields.items()), list(expected[1].items()))

    def test_messages_come_back_as_objects(self):
        make = (
            "from langchain_core.messages import AIMessage, AnyMessage, HumanMessage\ndef node(state):\n"
            "    return {'m': [HumanMessage('a', id='1', extra=2), AIMessage('b', tool_calls=[{'name': 'f', 'args': {}, 'id': 'c'}])]}\n"
        )
        state = self.update(make)
        read = (
            "from langchain_core.messages import AIMessage, HumanMessage\ndef node(state):\n    h, a = state['m']\n"
            "    return [isinstance(h, HumanMessage), h.extra, h.id, h.type, isinstance(a, AIMessage), a.tool_calls[0]['name'], state]\n"
        )
        self.assertEqual(self.update(read, state), [True, 2, "1", "human", True, "f", state])

    def test_parameters_by_langgraphs_annotations(self):
        source = (
            "from typing import Optional\nfrom langchain_core.runnables import RunnableConfig\n"
            "from langgraph.runtime import Runtime\nfrom langgraph.store.base import BaseStore\nfrom langgraph.types import StreamWriter\n"
            "def node(state, config: RunnableConfig, *, runtime: Runtime, writer: StreamWriter, store: Optional[BaseStore] = None):\n"
            "    writer('w')\n"
            "    return [config['configurable']['thread_id'], runtime.store, runtime.context, store]\n"
        )
        done = self.host.call(source, config={"configurable": {"thread_id": "t"}, "run": {"context": "c"}})
        self.assertEqual(done["update"], ["t", None, "c", None])
        self.assertEqual([unpack(m["data"]) for m in self.host.seen if m["ev"] == "custom"][-1], "w")

    @require.only_where(not find_spec("langgraph"))  # the real ones go first
    def test_what_is_not_there_says_what_to_do(self):
        for line, package in (
            ("from langchain_core.messages import trim_messages", "langchain-core"),
            ("from langchain_core.runnables import RunnableLambda", "langchain-core"),
            ("from langgraph.graph import StateGraph", "langgraph"),
            ("from langgraph.graph.state import CompiledStateGraph", "langgraph"),
        ):
            with self.subTest(line):
                error = self.host.cell(line)["error"]
                self.assertEqual(error["type"], "ImportError")
                self.assertIn("add %s to the graph's requirements" % package, error["message"])


@require.only_where(find_spec("langgraph"))
class AsTheRealOnes(unittest.TestCase):
    def test_messages(self):
        real = {}
        exec(SETUP, real)
        with Host(python="/usr/bin/python3") as host:
            host.cell(SETUP)
            if "shims" not in host.value("import langchain_core.messages as m; m.__file__"):
                self.skipTest("the system's Python has a LangChain of its own")
            for expression in MESSAGES:
                with self.subTest(expression):
                    self.assertEqual(host.value("shape(%r)" % expression), repr(real["shape"](expression)))

    def test_every_name_of_typing_extensions_that_node_files_use(self):
        import typing_extensions

        rare = "CapsuleType Format IntVar NoExtraItems Reader Sentinel Writer evaluate_forward_ref get_annotations".split()
        rare += "get_protocol_members is_protocol sentinel type_repr".split()
        wanted = [name for name in typing_extensions.__all__ if name not in rare]
        with Host(python="/usr/bin/python3") as host:
            self.assertEqual(host.value("import typing_extensions as t; [n for n in %r if not hasattr(t, n)]" % wanted), "[]")


if __name__ == "__main__":
    unittest.main()

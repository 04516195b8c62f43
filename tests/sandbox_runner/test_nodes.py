"""Nodes: how their functions are called, which names they share, and LangGraph's functions inside them."""

import unittest
from importlib.util import find_spec

from host import Host, pack, unpack
import require
from sandglass_runner.codec import Ext

DEFINED = (
    "def node(state, config):\n    return {'n': state['n'] + 1, 'thread': config['configurable']['thread_id']}\n"
)


class Calling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)

    def update(self, source, state=None, **keys):
        done = self.host.call(source, state, **keys)
        self.assertEqual(done["status"], "ok", done.get("error"))
        return done["update"]

    def test_state_and_config(self):
        config = {"configurable": {"thread_id": "t"}}
        self.assertEqual(self.update(DEFINED, {"n": 41}, config=config), {"n": 42, "thread": "t"})

    def test_shapes_of_functions(self):
        config = {"tag": 1}
        for source, result in (
            ("def node(state): return len(state)", 1),
            ("def node(state, config): return config", config),
            ("def node(state, anything): return anything", config),
            ("def node(state, config=None): return config", config),
            ("def node(state, extra=5): return extra", 5),
            ("def node(state, *, config): return config", config),
            ("def node(state, writer, config): writer(1); return config", config),
            ("def node(state, *rest, **more): return [len(rest), len(more)]", [0, 0]),
            ("node = lambda state: 7", 7),
            ("class Node:\n    def __call__(self, state, config): return config\nnode = Node()", config),
            ("class Node:\n    def run(self, state): return 8\nnode = Node().run", 8),
            ("import functools\ndef f(k, state): return k\nnode = functools.partial(f, 9)", 9),
            ("async def node(state):\n    import asyncio\n    await asyncio.sleep(0)\n    return 10", 10),
            ("def node(state): pass", None),
        ):
            with self.subTest(source):
                self.assertEqual(self.update(source, {"a": 1}, config=config), result)

    def test_another_function_name(self):
        self.assertEqual(self.update("def route(state): return 'left'", function="route"), "left")

    def test_errors(self):
        done = self.host.call("x = 1", file="nodes/empty.py")
        self.assertIn("nodes/empty.py defines no function 'node'", done["error"]["message"])
        done = self.host.call("def node(state):\n    return state['missing']", file="nodes/load.py")
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "KeyError"))
        self.assertEqual(
            done["error"]["traceback"],
            [{"file": "nodes/load.py", "line": 2, "function": "node", "source": "return state['missing']"}],
        )
        done = self.host.call("def node(state:\n", file="nodes/bad.py")
        self.assertEqual(
            (done["error"]["type"], done["error"]["traceback"][0]["file"]), ("SyntaxError", "nodes/bad.py")
        )
        done = self.host.call("def node(state): return {'f': open}")
        self.assertIn("state key 'f'", done["error"]["message"])

    def test_state_that_is_no_messagepack(self):
        self.host.send({"op": "call", "id": self.host.next_id(), "source": "", "file": "n.py", "state": b"\xc1"})
        self.assertEqual(self.host.wait("done")["error"]["type"], "CodecError")

    def test_values_keep_their_types_through_a_node(self):
        state = {
            "set": Ext(0, pack(["builtins", "set", [1]])),
            "odd": Ext(2, pack(["elsewhere", "Thing", {"a": 1}])),
            "b": b"\0",
        }
        source = "def node(state):\n    assert state['set'] == {1}, state\n    return state"
        self.assertEqual(self.update(source, state), state)

    def test_classes_of_a_node_file_come_back_as_themselves(self):
        source = (
            "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n"
            "def node(state):\n"
            "    return {'p': state['p'] if 'p' in state else Point(3), 'same': isinstance(state.get('p'), Point)}"
        )
        first = self.update(source, file="nodes/points.py")
        self.assertEqual(unpack(first["p"].data), ["points", "Point", {"x": 3}])
        self.assertTrue(self.update(source, first, file="nodes/points.py")["same"])

    def test_a_result_over_the_frame_limit(self):
        done = self.host.call("def node(state): return 'x' * (65 << 20)")
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "StateTooLarge"))
        self.assertIn("65.0 MiB at once; at most 64 MiB", done["error"]["message"])
        self.assertIn("state_mb", done["error"]["message"])
        self.assertEqual(self.host.call("def node(state): return 1")["status"], "ok")

    def test_a_host_may_allow_longer_frames(self):
        host = Host(options={"frame_limit": 100 << 20})
        self.addCleanup(host.close)
        done = host.call("def node(state): return {'blob': state['blob'], 'more': 1}", {"blob": b"x" * (70 << 20)})
        self.assertEqual(done["status"], "ok", done.get("error"))
        self.assertEqual(len(done["update"]["blob"]), 70 << 20)
        host.hello({"frame_limit": 64 << 20})  # and less again
        done = host.call("def node(state): return 'x' * (65 << 20)")
        self.assertEqual((done["status"], done["error"]["type"]), ("error", "StateTooLarge"))
        done = host.cell("'x' * (65 << 20)")
        self.assertEqual(host.cell("1")["status"], "ok")

    def test_a_large_state(self):
        state = {"blob": b"x" * (40 << 20)}
        self.assertEqual(self.update("def node(state): return len(state['blob'])", state), 40 << 20)


class Names(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def update(self, source, file, state=None):
        done = self.host.call(source, state, file=file)
        self.assertEqual(done["status"], "ok", done.get("error"))
        return done["update"]

    def test_a_file_is_executed_once_per_text(self):
        source = "runs = 0\ndef node(state):\n    global runs\n    runs += 1\n    return runs"
        self.assertEqual([self.update(source, "a.py") for _ in range(3)], [1, 2, 3])
        self.assertEqual(self.update(source + "\n", "a.py"), 1)

    def test_names_left_by_a_node_are_seen_by_others_and_by_cells(self):
        self.update("def node(state):\n    global frame\n    frame = [1, 2]", "a.py")
        self.assertEqual(self.update("def node(state): return len(frame)", "b.py"), 2)
        self.assertEqual(self.host.value("frame"), "[1, 2]")
        self.host.cell("frame.append(3); limit = 9")
        self.assertEqual(self.update("def node(state): return [len(frame), limit]", "b.py"), [3, 9])

    def test_names_that_begin_with_two_underscores_are_names_like_others(self):
        source = "__top: int = 1\n__all__ = ['node']\ndef node(state):\n    global __private, __both__\n    __private = [2]; __both__ = 3; globals()[5] = 6; return {}"
        done = self.host.call(source, file="nodes/a.py")
        self.assertEqual(done["status"], "ok", done)
        done = self.host.call("def node(state): return {'n': [__top, __private, __both__, globals()[5], '__all__' in globals()]}", file="nodes/b.py")
        self.assertEqual(done.get("update"), {"n": [1, [2], 3, 6, False]}, done)
        self.assertEqual(self.host.value("__top, __private, __both__, '__all__' in globals(), '__annotations__' in globals()"), "(1, [2], 3, False, False)")
        self.assertNotIn("problem", self.host.ask("variables"))

    def test_an_artifacts_folder_that_was_removed_is_made_again(self):
        place = "'%s/artifacts'" % self.host.folder
        done = self.host.call("import shutil\ndef node(state):\n    shutil.rmtree(%s)" % place, file="nodes/a.py")
        self.assertEqual(done["status"], "ok", done)
        done = self.host.call("def node(state):\n    open(%s + '/x', 'w').close()" % place, file="nodes/b.py")
        self.assertEqual((done["status"], done["artifacts"]), ("ok", True), done)

    def test_names_change_and_vanish_everywhere(self):
        read = "def node(state): return globals().get('n')"
        self.host.cell("n = 1")
        self.assertEqual(self.update(read, "b.py"), 1)
        self.update("def node(state):\n    global n\n    n = 2", "a.py")
        self.assertEqual(self.update(read, "b.py"), 2)
        self.host.cell("del n")
        self.assertEqual(self.update(read, "b.py"), None)
        self.host.cell("n = 3")
        self.update("def node(state):\n    global n\n    del n", "c.py")
        self.assertEqual(self.host.cell("n")["error"]["type"], "NameError")

    def test_two_files_may_use_the_same_names_for_their_own(self):
        one = "LIMIT = 1\ndef helper(): return LIMIT\ndef node(state): return helper()"
        two = "LIMIT = 2\ndef helper(): return LIMIT * 10\ndef node(state): return helper()"
        self.assertEqual(self.update(one, "a.py"), 1)
        self.assertEqual(self.update(two, "b.py"), 20)
        self.assertEqual(self.update(one, "a.py"), 1)
        self.assertEqual(self.update(two, "b.py"), 20)

    def test_a_file_keeps_a_name_whose_value_the_session_had_too(self):
        self.host.cell("mode = None")
        own = "mode = None\ndef node(state): return mode"
        self.assertEqual(self.update(own, "a.py"), None)
        self.update("def node(state):\n    global mode\n    mode = 'x'", "b.py")
        self.assertEqual(self.update(own, "a.py"), None)

    def test_names_of_a_failed_node_stay_too(self):
        self.host.call("def node(state):\n    global half\n    half = 1\n    raise ValueError", file="a.py")
        self.assertEqual(self.host.value("half"), "1")

    def test_a_file_named_like_a_standard_module(self):
        self.assertEqual(
            self.update("def node(state):\n    import json\n    return json.dumps([1])", "nodes/json.py"), "[1]"
        )
        self.assertEqual(
            self.update("def node(state):\n    import json\n    return json.dumps([1])", "nodes/json.py"), "[1]"
        )

    def test_a_file_that_fails_at_the_top_is_tried_again(self):
        source = "import os\nif not os.path.exists('ready'): raise RuntimeError('not yet')\ndef node(state): return 1"
        self.assertEqual(self.host.call(source, file="a.py")["error"]["message"], "not yet")
        self.host.cell("open('ready', 'w').close()")
        self.assertEqual(self.update(source, "a.py"), 1)


class LangGraph(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)

    def test_interrupt_asks_and_then_answers_in_order(self):
        source = (
            "from langgraph.types import interrupt\n"
            "def node(state):\n    name = interrupt('name?')\n"
            "    age = interrupt({'ask': 'age?'})\n    return {'name': name, 'age': age}\n"
        )
        done = self.host.call(source)
        self.assertEqual((done["status"], done["interrupts"], done["answered"]), ("interrupt", ["name?"], 0))
        self.assertNotIn("update", done)
        done = self.host.call(source, resume=["ada"])
        self.assertEqual((done["interrupts"], done["answered"]), ([{"ask": "age?"}], 1))
        done = self.host.call(source, resume=["ada", None])
        self.assertEqual((done["status"], done["update"], done["answered"]), ("ok", {"name": "ada", "age": None}, 2))

    def test_interrupt_with_a_schema(self):
        done = self.host.call(
            "from langgraph.types import interrupt\ndef node(s): interrupt('q', response_schema={'type': 'string'})"
        )
        self.assertEqual(unpack(done["schemas"]), [{"type": "string"}])

    def test_interrupt_is_an_exception_of_langgraphs_kind(self):
        source = (
            "from langgraph.types import interrupt\nfrom langgraph.errors import GraphInterrupt\n"
            "def node(state):\n    try:\n        interrupt('q')\n    except ValueError:\n        return 1\n"
        )
        self.assertEqual(self.host.call(source)["status"], "interrupt")
        self.assertEqual(self.host.call(source.replace("ValueError", "Exception"))["update"], 1)

    def test_outside_of_a_node_there_is_no_run(self):
        done = self.host.cell("from langgraph.types import interrupt\ninterrupt('q')")
        self.assertIn("outside of a runnable context", done["error"]["message"])

    def test_command_send_overwrite(self):
        source = (
            "from langgraph.types import Command, Send, Overwrite\n"
            "from langgraph.graph import END, START, MessagesState\n"
            "def node(state):\n    return Command(update={'all': Overwrite([1])}, goto=[Send('w', {'v': 1}), END])\n"
        )
        update = self.host.call(source)["update"]
        self.assertEqual(update.code, 2)
        module, name, fields = unpack(update.data)
        self.assertEqual(
            (module, name, list(fields)), ("langgraph.types", "Command", ["graph", "update", "resume", "goto"])
        )
        self.assertEqual(
            unpack(fields["update"]["all"].data),
            ["langgraph.types", "Overwrite", {"value": [1], "type": "__overwrite__"}],
        )
        self.assertEqual(unpack(fields["goto"][0].data), ["langgraph.types", "Send", ["w", {"v": 1}]])
        self.assertEqual(fields["goto"][1], "__end__")

    def test_writer_config_and_runtime(self):
        source = (
            "from langgraph.config import get_config, get_stream_writer\n"
            "from langgraph.runtime import Runtime, get_runtime\n"
            "def node(state, runtime: Runtime):\n    get_stream_writer()({'p': 1})\n"
            "    runtime.stream_writer('two')\n"
            "    return [get_config()['configurable']['thread_id'], get_runtime().context]\n"
        )
        done = self.host.call(source, config={"configurable": {"thread_id": "t"}, "run": {"context": {"user": 1}}})
        self.assertEqual(done["update"], ["t", {"user": 1}])
        self.assertEqual([unpack(m["data"]) for m in self.host.seen if m["ev"] == "custom"], [{"p": 1}, "two"])

    def test_what_a_writer_cannot_send(self):
        done = self.host.call("def node(state, writer): writer({'f': open})")
        self.assertIn("custom event key 'f'", done["error"]["message"])

    def test_a_thread_that_outlives_its_node_writes_to_nobody(self):
        source = (
            "import threading, time\ndef node(state, writer):\n"
            "    threading.Thread(target=lambda: (time.sleep(0.1), writer(1)), daemon=True).start()\n"
        )
        self.host.call(source)
        self.assertEqual(self.host.value("import time; time.sleep(0.3)"), None)
        self.assertEqual([m for m in self.host.seen if m["ev"] == "custom"], [])

    def test_context_of_the_class_that_is_asked_for(self):
        source = (
            "from dataclasses import dataclass\nfrom langgraph.runtime import Runtime, get_runtime\n"
            "@dataclass\nclass Context:\n    user: str\n    age: int = 3\n"
            "def node(state, runtime: Runtime[Context]):\n"
            "    return [runtime.context.user, runtime.context.age, get_runtime(Context) == runtime]\n"
        )
        done = self.host.call(source, config={"run": {"context": {"user": "alice"}}})
        self.assertEqual(done["update"], ["alice", 3, True])
        done = self.host.call("def node(state, runtime): return runtime.context")
        self.assertEqual(done["update"], None)

    def test_where_a_run_stands(self):
        source = (
            "def node(state, runtime):\n    i = runtime.execution_info\n    runtime.heartbeat()\n"
            "    return [i.thread_id, i.checkpoint_id, i.checkpoint_ns, i.task_id, i.run_id, i.node_attempt]\n"
        )
        config = {"configurable": {"thread_id": "t", "checkpoint_ns": "a:1|b:2"}, "run_id": "r"}
        config["run"] = {"checkpoint_id": "c", "attempt": 2}
        done = self.host.call(source, config=config)
        self.assertEqual(done["update"], ["t", "c", "a:1|b:2", "2", "r", 2])

    @require.only_where(not find_spec("langgraph"))  # the real one goes first
    def test_what_the_shims_do_not_offer_says_what_to_do(self):
        done = self.host.cell("from langgraph.graph import StateGraph")
        self.assertIn("add langgraph to the graph's requirements", done["error"]["message"])


if __name__ == "__main__":
    unittest.main()

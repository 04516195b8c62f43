"""What an agent must neither let through nor lose. Needs SG_SANDGLASS (the program) and bubblewrap."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "models"), str(HERE.parents[1] / "support")]

import require  # noqa: E402
from agent_scenarios import calls, says  # noqa: E402
from scripted_server import ScriptedServer  # noqa: E402

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
HI = {"messages": [{"type": "human", "content": "hi"}]}
TALK = {"messages": {"type": "reduce", "reducer": "add_messages"}}
ASKED = {"question": {"type": "last_value"}, **TALK}
INVALID, FAILED, WAITING, NO_SANDBOX = 3, 4, 5, 6
PRINTS = calls(("code_sandbox", {"code": "print('it ran')"}))


class Safeguards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-safeguards-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def sandglass(self, *arguments, code=0, env=None):
        done = subprocess.run([SANDGLASS, *arguments], cwd=self.path, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "XDG_CONFIG_HOME": str(self.path / "config"), **(env or {})})
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stderr if code == INVALID else done.stdout

    def write(self, url, state=None, backend="bubblewrap", graph=None, kind="agent", **node):
        (self.path / "g.graph.json").write_text(json.dumps({
            "format": 1, "name": "g", "state": state or TALK,
            "nodes": [{"name": "a", "kind": kind, "model": "m-1", "base_url": url + "/v1", "in_one_piece": True, **node}],
            "edges": [["__start__", "a"]], "sandbox": {"backend": backend}, **(graph or {})}))

    def run_agent(self, replies, given=HI, code=0, env=None, **graph):
        """Runs the graph in a new thread. Its model says these replies."""
        with ScriptedServer(replies) as model:
            self.write(model.url, **graph)
            self.threads = getattr(self, "threads", 0) + 1
            told = json.loads(self.sandglass("run", "g.graph.json", "--thread", str(self.threads), "--json", "--input", json.dumps(given), code=code, env=env))
            self.requests = [each["body"] for each in model.requests]
        return told

    def problems(self, **node):
        self.write("http://127.0.0.1:9", **node)
        told = self.sandglass("validate", "g.graph.json", code=INVALID)
        self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=INVALID)
        return told


class Rules(Safeguards):
    """A rule that is mistyped would be no rule."""

    def test_a_review_of_a_tool_that_is_not_there(self):
        told = self.problems(tools=["code_sandbox"], review={"tools": {"code_sandbx": True}})
        self.assertIn("/nodes/0/review/tools/code_sandbx", told)
        self.assertIn("did you mean 'code_sandbox'?", told)

    @require.needs("bubblewrap")
    def test_a_review_of_a_function_that_is_not_there(self):
        (self.path / "tools.py").write_text('def delete_file(path: str) -> str:\n    """Deletes."""\n    return "deleted " + path\n')
        told = self.run_agent([calls(("delete_file", {"path": "/x"})), says()], code=FAILED, tools=["tools.py"], review={"tools": {"delete_fil": True}})
        self.assertEqual(self.requests, [])
        self.assertIn("\"review\" names the tool 'delete_fil', and the agent has none of that name; did you mean 'delete_file'? Its tools: delete_file", told["error"]["message"])

    @require.needs("bubblewrap")
    def test_a_review_of_a_tool_that_is_forbidden(self):
        (self.path / "tools.py").write_text('def add(a: int) -> int:\n    """Adds."""\n    return a\n\n\ndef drop(a: int) -> int:\n    """Drops."""\n    return a\n')
        self.run_agent([says()], tools=["tools.py"], permissions={"tools": ["add"]}, review={"tools": {"drop": True, "*": False}})

    def test_keys_that_are_unknown(self):
        for node, said in (({"review": {"mod": "per_call", "tools": {"code_sandbox": True}}}, "did you mean 'mode'?"),
                           ({"review": {"tools": {"code_sandbox": {"allowed_decision": ["approve"]}}}}, "did you mean 'allowed_decisions'?"),
                           ({"review": {"tools": {"code_sandbox": {"when": 1}}}}, '"when" of'),
                           ({"permissions": {"secrets": ["a"]}}, '"permissions" has no "secrets"'),
                           ({"budget": {"turn": 3}}, "did you mean 'turns'?"),
                           ({"budget": {"turns": 1e300}}, '"turns" of "budget"'),
                           ({"budget": {"seconds": 1e300}}, '"seconds" of "budget"')):
            with self.subTest(node):
                self.assertIn(said, self.problems(tools=["code_sandbox"], **node))

    @require.needs("bubblewrap")
    def test_an_edit_to_a_tool_that_is_not_there(self):
        for mode in ("batched", "per_call"):
            wrap = (lambda each: {"decisions": [each]}) if mode == "batched" else lambda each: each
            with self.subTest(mode), ScriptedServer([PRINTS, says()]) as model:
                self.write(model.url, tools=["code_sandbox"], review={"mode": mode, "tools": {"code_sandbox": True}})
                thread = ["g.graph.json", "--thread", mode, "--json"]
                self.sandglass("run", *thread, "--input", json.dumps(HI), code=WAITING)
                edit = wrap({"type": "edit", "edited_action": {"name": "code_sandbx", "args": {"code": "print(2)"}}})
                asked = json.loads(self.sandglass("resume", *thread, "--answer", json.dumps(edit), code=WAITING))["interrupts"][0]["value"]
                self.assertIn("code_sandbox", asked["error"])
                told = json.loads(self.sandglass("resume", *thread, "--answer", json.dumps(wrap({"type": "approve"}))))
                self.assertEqual([each["content"] for each in told["values"]["messages"]][2:], ["it ran\n", "Done."])


class Kept(Safeguards):
    """What the model or a tool said is there afterwards."""

    def test_an_answer_of_a_node_that_does_not_read_the_messages(self):
        for kind, prompt in (("agent", '[{role: "user", content: .question}]'), ("llm", ".question")):
            with self.subTest(kind):
                told = self.run_agent([says("Owls.")], {"question": "what?"}, state=ASKED, kind=kind, prompt=prompt, reads=["question"], writes=["messages"])
                self.assertEqual([each["content"] for each in told["values"]["messages"]], ["Owls."])

    def test_no_answer_of_a_node_that_may_not_write_the_messages(self):
        state = {**ASKED, "answer": {"type": "last_value"}}
        for kind in ("agent", "llm"):
            for reads in (["question"], ["question", "messages"]):
                with self.subTest(kind, reads=reads):
                    told = self.run_agent([says("Owls.")], {"question": "what?"}, state=state, kind=kind, prompt='[{role: "user", content: .question}]',
                                          channel="answer", reads=reads, writes=["answer"])
                    self.assertEqual((told["values"].get("messages") or [], told["values"]["answer"]), ([], "Owls."))

    def test_an_answer_after_two_messages_of_one_id(self):
        prompt = '[{role: "user", content: .question, id: "x"}, {role: "user", content: .question, id: "x"}]'
        told = self.run_agent([says("Owls.")], {"question": "what?"}, state=ASKED, prompt=prompt)
        self.assertEqual([each["content"] for each in told["values"]["messages"]], ["Owls."])

    @require.needs("bubblewrap")
    def test_turns_after_two_messages_of_one_id_are_counted(self):
        prompt = '[range(5) | {role: "user", content: "hi", id: "x"}]'
        told = self.run_agent([PRINTS, says()], {"question": "what?"}, code=FAILED, state=ASKED, prompt=prompt, tools=["code_sandbox"], budget={"turns": 1})
        self.assertEqual((told["error"]["type"], len(self.requests)), ("BudgetExceededError", 1))

    def test_a_failure_of_the_sandbox_in_a_graph_that_is_a_tool(self):
        (self.path / "node.py").write_text("def run(state):\n    return {'x': 1}\n")
        (self.path / "sub.graph.json").write_text(json.dumps({
            "format": 1, "name": "sub", "state": {"x": {"type": "last_value"}}, "input": ["x"],
            "nodes": [{"name": "py", "kind": "python", "file": "node.py"}], "edges": [["__start__", "py"]]}))
        told = self.run_agent([calls(("sub", {"x": 1})), says("It failed.")], code=NO_SANDBOX, backend="docker", tools=["sub.graph.json"],
                              env={"DOCKER_HOST": "unix://" + str(self.path / "nowhere.sock")})
        self.assertEqual((told["error"]["type"], len(self.requests)), ("SandboxUnavailable", 1))

    @require.needs("bubblewrap")
    def test_each_long_result_of_calls_with_one_id(self):
        (self.path / "tools.py").write_text('def much(letter: str) -> str:\n    """Much."""\n    return letter * 5000\n')
        reads = calls(("code_sandbox", {"code": "import pathlib\nfor each in sorted(pathlib.Path('/session/tool-results').iterdir()):\n"
                                                "    print(each, each.read_text()[:3], len(each.read_text()))"}))
        replies = [calls(("much", {"letter": "a"})), calls(("much", {"letter": "b"})), reads, says()]
        told = self.run_agent(replies, tools=["tools.py", "code_sandbox"], result_limit=1000)
        first, second, listed = (each["content"] for each in told["values"]["messages"] if each["type"] == "tool")
        for text, letter in ((first, "a"), (second, "b")):
            name = text.split("/session/tool-results/")[1].split()[0].rstrip(".,;]")
            self.assertIn("/session/tool-results/%s %s 5000" % (name, letter * 3), listed)

    def test_each_long_result_outside_a_session(self):
        (self.path / "sub.graph.json").write_text(json.dumps({
            "format": 1, "name": "sub", "state": {"letter": {"type": "last_value"}, "text": {"type": "last_value"}}, "input": ["letter"], "output": ["text"],
            "nodes": [{"name": "much", "jq": "{text: (.letter * 5000)}"}], "edges": [["__start__", "much"]]}))
        replies = [calls(("sub", {"letter": each})) for each in "aba"] + [says()]
        told = self.run_agent(replies, tools=["sub.graph.json"], result_limit=1000)
        named = [each["content"].split("the artifact ")[1].split(",")[0] for each in told["values"]["messages"] if each["type"] == "tool"]
        self.assertEqual(named, ["tool-results/sub-call_1.txt", "tool-results/sub-call_1-2.txt", "tool-results/sub-call_1.txt"])


if __name__ == "__main__":
    unittest.main(verbosity=1)

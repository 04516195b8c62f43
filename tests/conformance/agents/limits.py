"""The limits of an agent, each at its border and at one more. Needs SG_SANDGLASS (the program) and a sandbox."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "models"), str(HERE.parents[1] / "support")]

import require  # noqa: E402
from agent_scenarios import again, calls, says  # noqa: E402
from scenarios import USAGE  # noqa: E402
from scripted_server import ScriptedServer  # noqa: E402

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
HI = {"messages": [{"type": "human", "content": "hi"}]}
TOKENS = USAGE["prompt_tokens"] + USAGE["completion_tokens"]
TOOLS = '''
def much(size: int) -> str:
    """Gives back so many characters."""
    return "ü" * size
'''


@require.needs("bubblewrap")
class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-limits-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "tools.py").write_text(TOOLS)

    def run_agent(self, replies, code=0, tools=("tools.py",), **agent):
        with ScriptedServer(replies) as model:
            node = {"name": "a", "kind": "agent", "model": "m-1", "base_url": model.url + "/v1", "in_one_piece": True, "tools": list(tools), **agent}
            graph = {
                "format": 1,
                "name": "g",
                "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
                "nodes": [node],
                "edges": [["__start__", "a"]],
                "sandbox": {"backend": "bubblewrap"},
            }
            (self.path / "g.graph.json").write_text(json.dumps(graph))
            done = subprocess.run(
                [SANDGLASS, "run", "g.graph.json", "--thread", self.id() + str(len(os.listdir(self.path))), "--json", "--input", json.dumps(HI)],
                cwd=self.path,
                capture_output=True,
                text=True,
                timeout=120,
            )
            self.turns = len(model.requests)
        self.assertEqual(done.returncode, code, done.stdout[-500:] + done.stderr)
        told = json.loads(done.stdout)
        return told["error"] if code else told["values"]["messages"]

    def turns_of(self, count):
        """So many turns that call a tool, and one that does not."""
        return [again(calls(("much", {"size": 1})), number) for number in range(count)] + [says()]

    def both(self, fits, one_less, said):
        """A budget that two turns use up exactly lets both be taken; the third needs more."""
        self.run_agent(self.turns_of(1), budget=fits)
        self.assertEqual(self.turns, 2)
        error = self.run_agent(self.turns_of(2), 4, budget=one_less)
        self.assertEqual((error["type"], self.turns), ("BudgetExceededError", 2))
        self.assertIn(said, error["message"])

    def test_turns(self):
        self.both({"turns": 2}, {"turns": 2}, "run limit (2/2)")

    def test_tokens(self):
        self.both({"tokens": TOKENS + 1}, {"tokens": 2 * TOKENS}, "tokens (%d/%d)" % (2 * TOKENS, 2 * TOKENS))

    def test_cost(self):
        (self.path / "prices.json").write_text(json.dumps({"m-1": {"input": 1_000_000, "output": 1_000_000, "cache_read": 1_000_000}}))
        self.both({"cost": TOKENS + 0.5}, {"cost": 2 * TOKENS}, "cost ($%d" % (2 * TOKENS))

    def test_tokens_that_the_server_does_not_count(self):
        replies = []
        for reply in self.turns_of(9):
            body = json.loads(reply["body"])
            del body["usage"]
            replies.append({"body": json.dumps(body)})
        error = self.run_agent(replies, 4, budget={"tokens": 60})
        self.assertEqual(error["type"], "BudgetExceededError")
        self.assertIn("estimated: the server counts none", error["message"])
        self.assertLess(self.turns, 9)

    def test_seconds_of_all_tries_together(self):
        busy = {"status": 503, "body": json.dumps({"error": {"message": "busy"}})}
        began = time.monotonic()
        error = self.run_agent([busy] * 40, 4, budget={"seconds": 1}, max_retries=10)
        self.assertEqual(error["type"], "BudgetExceededError", error["message"])
        self.assertLess(time.monotonic() - began, 20)

    def test_a_tool_of_the_outputs_name(self):
        answer = {"title": "much", "type": "object", "properties": {"x": {"type": "integer"}}}
        error = self.run_agent([says()], 4, schema=answer)
        self.assertIn("has a tool 'much', and answers by a tool of that name", error["message"])

    def test_an_end_without_a_failure(self):
        messages = self.run_agent(self.turns_of(5), budget={"turns": 2, "then": "end"})
        self.assertEqual((messages[-1]["content"], self.turns), ("Model call limits exceeded: run limit (2/2)", 2))

    def test_a_result(self):
        for size, is_whole in ((1000, True), (1001, False)):
            messages = self.run_agent([calls(("much", {"size": size})), says()], result_limit=1000)
            self.assertEqual(messages[2]["content"] == "ü" * size, is_whole)
            self.assertEqual("1001 characters in all" in messages[2]["content"], not is_whole)

    def test_tools(self):
        def write(count):
            (self.path / "many.py").write_text("".join('def f%d() -> int:\n    """One."""\n    return 1\n\n\n' % each for each in range(count)))

        write(512)
        self.run_agent([says()], tools=["many.py"])
        write(513)
        self.assertIn("more than 512 tools", self.run_agent([says()], 4, tools=["many.py"])["message"])

    def test_a_name(self):
        for length, code in ((64, 0), (65, 4)):
            (self.path / "named.py").write_text('def %s() -> int:\n    """One."""\n    return 1\n' % ("x" * length))
            self.run_agent([says()], code, tools=["named.py"])


if __name__ == "__main__":
    unittest.main(verbosity=1)

"""Agents whose tools are an MCP server's or a web service's, run by the real program against scripted models. usage: agents_test.py
SANDGLASS"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "agents"), str(HERE.parent / "models"), str(HERE.parents[1] / "support")]
import require  # noqa: E402
from agent_scenarios import calls, says  # noqa: E402
from scripted_server import ScriptedServer  # noqa: E402

SANDGLASS = sys.argv.pop(1)
SDK = os.environ.get("SG_MCP_PYTHON", "")
HI = {"messages": [{"type": "human", "content": "hi"}]}


def raw(mode, **more):
    return {"command": sys.executable, "args": [str(HERE / "raw_server.py"), mode], "outside": True, **more}


class Service(http.server.BaseHTTPRequestHandler):
    seen = []

    def answer(self):
        size = int(self.headers.get("Content-Length") or 0)
        type(self).seen.append((self.command, self.path, dict(self.headers), self.rfile.read(size)))
        status, kind, body = 200, "application/json", b'{"degrees": 21}'
        if self.path.startswith("/large"):
            kind, body = "text/plain", "ü".encode() * 200_000
        if self.path.startswith("/bytes"):
            kind, body = "application/zip", b"PK\xff\xfe"
        if self.path.startswith("/error"):
            status, body = 503, b'{"why": "busy"}'
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *words):
        pass


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-agents-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.environment = {}

    def sandglass(self, *words, code=0, as_json=True):
        done = subprocess.run(
            [SANDGLASS, *(["--json"] if as_json else []), *words],
            cwd=self.path,
            env=dict(os.environ, XDG_DATA_HOME=str(self.path / "data"), **self.environment),
            capture_output=True,
            timeout=120,
        )
        text = done.stdout.decode()
        if done.returncode != code:
            raise AssertionError("%r ended with %d:\n%s\n%s" % (words, done.returncode, text, done.stderr.decode()))
        self.said = done.stderr.decode()
        if not as_json:
            return text
        return json.loads(text) if text.strip() else None

    def write(self, url, tools, servers=None, **agent):
        graph = {
            "format": 1,
            "name": "g",
            "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
            "nodes": [
                {"name": "a", "kind": "agent", "model": "m-1", "base_url": url + "/v1", "in_one_piece": True, "tools": tools, **agent}
            ],
            "edges": [["__start__", "a"]],
            **({"mcp": servers} if servers else {}),
        }
        (self.path / "g.graph.json").write_text(json.dumps(graph))
        for name in servers or {}:
            self.sandglass("mcp", "allow", name)

    def run_agent(self, replies, tools, servers=None, code=0, **agent):
        """The messages after the run, and what the model was asked."""
        with ScriptedServer(replies) as model:
            self.write(model.url, tools, servers, **agent)
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=code)
            self.asked = [request["body"] for request in model.requests]
        self.told = told
        return [each for each in told["values"]["messages"] if each["type"] == "tool"] if code == 0 else told["error"]

    def offered(self):
        return [tool["function"]["name"] for tool in self.asked[0].get("tools", [])]

    def refusals(self):
        rows = self.sandglass("--json", "audit", "--kind", "tool", as_json=False).splitlines()
        return [(row["agent"], row["subject"], row["outcome"]) for row in map(json.loads, rows)]


class Servers(Case):
    def test_all_tools_of_a_server(self):
        told = self.run_agent([calls(("raw_one", {})), says()], ["mcp:raw"], {"raw": raw("plain")})
        self.assertEqual(self.offered(), ["raw_one", "raw_sandbox"])
        self.assertEqual([(each["content"], each["status"], each["name"]) for each in told], [("ok", "success", "raw_one")])

    def test_one_tool_under_another_name(self):
        tool = {"tool": "mcp:raw/one", "name": "look", "description": "Looks.", "return_direct": True}
        told = self.run_agent([calls(("look", {}))], [tool], {"raw": raw("plain")})
        self.assertEqual(self.offered(), ["look"])
        self.assertEqual(self.asked[0]["tools"][0]["function"]["description"], "Looks.")
        self.assertEqual((told[0]["content"], len(self.asked)), ("ok", 1))

    def test_a_secret_that_a_server_says_again_is_kept_by_nobody(self):
        self.environment = {"SANDGLASS_SECRET_KEY": "s3cret-and-long"}
        server = raw("words", env={"TOKEN": "{secret}"}, secret="key")
        told = self.run_agent([calls(("raw_one", {})), says()], ["mcp:raw"], {"raw": server})
        self.assertIn("[secret", told[0]["content"])
        self.assertNotIn("s3cret-and-long", json.dumps(self.asked))
        for file in self.path.rglob("*"):
            if file.is_file():
                self.assertNotIn(b"s3cret-and-long", file.read_bytes(), file)

    def test_a_budget_of_money_needs_prices(self):
        error = self.run_agent([says()], [], code=4, budget={"cost": 0.5})
        self.assertIn("prices.json", error["message"])
        self.assertEqual(self.asked, [])
        (self.path / "prices.json").write_text('{"m-1": {"input": 1, "output": 2}}')
        self.run_agent([says()], [], budget={"cost": 0.5})

    def test_what_nobody_allowed_is_not_started(self):
        mark = self.path / "ran"
        with ScriptedServer([says()]) as model:
            self.write(model.url, ["mcp:bad"])
            graph = json.loads((self.path / "g.graph.json").read_text())
            graph["mcp"] = {"bad": {"command": "touch", "args": [str(mark)], "outside": True}}
            (self.path / "g.graph.json").write_text(json.dumps(graph))
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=4)
            self.assertEqual(model.requests, [])
        self.assertEqual(told["error"]["type"], "PermissionError")
        self.assertIn("sandglass mcp allow bad", told["error"]["message"])
        self.assertFalse(mark.exists())

    def test_a_call_outside_the_permissions_is_refused_and_audited(self):
        told = self.run_agent(
            [calls(("raw_one", {}), ("raw_sandbox", {})), says()], ["mcp:raw"], {"raw": raw("plain")}, permissions={"tools": ["raw_one"]}
        )
        self.assertEqual(self.offered(), ["raw_one"])
        self.assertEqual([(each["content"] == "ok", each["status"]) for each in told], [(True, "success"), (False, "error")])
        self.assertIn("may not use the tool 'raw_sandbox'", told[1]["content"])
        self.assertEqual(self.refusals(), [("a", "raw_sandbox", "denied")])

    def test_no_name_of_a_server_shadows_ours(self):
        told = self.run_agent(
            [calls(("code_sandbox", {}), ("code_sandbox_2", {})), says()], ["mcp:code"], {"code": raw("plain")}
        )
        self.assertEqual(self.offered(), ["code_one", "code_sandbox_2"])
        self.assertIn("is not a valid tool", told[0]["content"])
        self.assertEqual(told[1]["content"], "ok")

    def test_no_name_of_a_server_is_a_permission(self):
        self.run_agent([says()], ["mcp:code"], {"code": raw("plain")}, permissions={"tools": ["code_sandbox"]})
        self.assertEqual(self.offered(), [])

    def test_nor_hides_the_project_s_own(self):
        (self.path / "tools.py").write_text('def raw_one() -> str:\n    """Ours."""\n    return "ours"\n')
        told = self.run_agent([calls(("raw_one", {}), ("raw_one_2", {})), says()], ["mcp:raw", "tools.py"], {"raw": raw("plain")})
        self.assertEqual([each["content"] for each in told], ["ours", "ok"])

    def test_an_entry_cannot_take_a_name_of_ours(self):
        self.write("http://127.0.0.1:1", [{"tool": "mcp:raw/one", "name": "code_sandbox"}], {"raw": raw("plain")})
        self.assertIn("a tool of the sandbox", json.dumps(self.sandglass("validate", "g.graph.json", code=3)))
        self.write("http://127.0.0.1:1", [{"tool": "mcp:raw", "name": "all"}], {"raw": raw("plain")})
        self.assertIn("several tools", json.dumps(self.sandglass("validate", "g.graph.json", code=3)))

    def test_a_schema_that_misleads_reaches_no_model(self):
        self.run_agent([says()], ["mcp:raw"], {"raw": raw("schemas")})
        for tool in self.asked[0]["tools"]:
            self.assertEqual(tool["function"]["parameters"]["type"], "object")
            self.assertIsInstance(tool["function"]["parameters"]["properties"], dict)
        told = self.run_agent([calls(("raw_loop", {"a": {"a": 1}}), ("raw_list", {"a": 1})), says()], ["mcp:raw"], {"raw": raw("schemas")})
        self.assertEqual(len(told), 2)

    def test_texts_are_printable(self):
        self.run_agent([says()], ["mcp:raw"], {"raw": raw("shadows")})
        self.assertNotIn("\x1b", json.dumps([tool["function"] for tool in self.asked[0]["tools"]], ensure_ascii=False))
        with ScriptedServer([calls(("raw_one", {})), says()]) as model:
            self.write(model.url, ["mcp:raw"], {"raw": raw("escapes")})
            text = self.sandglass("run", "g.graph.json", "--thread", "u", "--input", json.dumps(HI), as_json=False)
        self.assertNotIn("\x1b", text + self.said)

    def test_so_many_descriptions_are_refused(self):
        error = self.run_agent([says()], ["mcp:raw"], {"raw": raw("many")})
        self.assertEqual(len(self.offered()), 500)
        error = self.run_agent([says()], ["mcp:raw", "mcp:more"], {"raw": raw("many"), "more": raw("many")}, code=4)
        self.assertIn("more than 512 tools", error["message"])

    def test_pictures_are_shown_and_sounds_are_kept(self):
        told = self.run_agent([calls(("raw_one", {})), says()], ["mcp:raw"], {"raw": raw("picture")})
        self.assertEqual([block["type"] for block in told[0]["content"]], ["text", "image"])
        self.assertIn("audio/wav [4 bytes; the whole result is the artifact tool-results/raw_one-call_1.bin", told[0]["content"][0]["text"])
        self.assertEqual([each["name"] for each in self.sandglass("artifacts", "list")], ["raw_one-call_1.bin"])

    def test_a_server_that_dies_is_told_to_the_model(self):
        told = self.run_agent([calls(("raw_one", {})), says()], ["mcp:raw"], {"raw": raw("dies")})
        self.assertEqual(told[0]["status"], "error")
        self.assertIn("it fell over", told[0]["content"])

    def test_a_person_reviews_a_call_first(self):
        with ScriptedServer([calls(("raw_one", {})), says()]) as model:
            self.write(model.url, ["mcp:raw"], {"raw": raw("plain")}, review={"tools": {"raw_one": True}})
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=5)
            self.assertEqual(told["interrupts"][0]["value"]["action_requests"][0]["name"], "raw_one")
            told = self.sandglass("resume", "g.graph.json", "--thread", "t", "--answer", '{"decisions": [{"type": "approve"}]}')
        self.assertEqual(told["values"]["messages"][2]["content"], "ok")

    def test_a_name_that_is_no_server(self):
        self.write("http://127.0.0.1:1", ["mcp:raww"], {"raw": raw("plain")})
        self.assertIn("did you mean", json.dumps(self.sandglass("validate", "g.graph.json", code=3)))
        self.assertIn("no tool", self.run_agent([says()], ["mcp:raw/two"], {"raw": raw("plain")}, code=4)["message"])


class Graphs(Case):
    """Other graphs as tools."""

    def part(self, name, nodes, edges, **more):
        graph = {"format": 1, "name": name, "state": {"city": {}, "report": {}}, "input": ["city"], "output": ["report"], "nodes": nodes, "edges": edges, **more}
        (self.path / (name + ".graph.json")).write_text(json.dumps(graph))

    def weather(self, **more):
        self.part(
            "weather",
            [{"name": "look", "kind": "jq", "jq": '{report: ("sun in " + .city)}'}],
            [["__start__", "look"]],
            description="The weather of a city.",
            **more,
        )

    def test_its_input_are_the_arguments_and_its_output_the_result(self):
        self.weather()
        told = self.run_agent([calls(("weather", {"city": "Rom", "other": 1}), ("weather", {"city": "Oslo"})), says()], ["weather.graph.json"])
        function = self.asked[0]["tools"][0]["function"]
        self.assertEqual((function["name"], function["description"]), ("weather", "The weather of a city."))
        self.assertEqual(function["parameters"], {"type": "object", "properties": {"city": {}, "report": {}}, "required": ["city"]})
        self.assertEqual([json.loads(each["content"]) for each in told], [{"report": "sun in Rom"}, {"report": "sun in Oslo"}])

    def test_programs_make_input_and_result(self):
        self.weather()
        tool = {
            "tool": "weather.graph.json",
            "name": "forecast",
            "description": "A forecast.",
            "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
            "in": "{city: .place}",
            "out": ".report",
            "return_direct": True,
        }
        told = self.run_agent([calls(("forecast", {"place": "Rom"}))], [tool])
        self.assertEqual(([each["content"] for each in told], len(self.asked)), (["sun in Rom"], 1))

    def test_arguments_that_do_not_match_run_nothing(self):
        self.weather()
        told = self.run_agent([calls(("weather", {})), says()], ["weather.graph.json"])
        self.assertEqual(told[0]["status"], "error")
        self.assertIn("city", told[0]["content"])

    def test_a_failure_inside_is_told_to_the_model(self):
        self.part("weather", [{"name": "look", "kind": "jq", "jq": 'error("no sun")'}], [["__start__", "look"]])
        told = self.run_agent([calls(("weather", {"city": "Rom"})), says()], ["weather.graph.json"])
        self.assertEqual(told[0]["status"], "error")
        self.assertIn("no sun", told[0]["content"])
        self.run_agent([calls(("weather", {"city": "Rom"}))], ["weather.graph.json"], code=4, on_tool_error="raise")

    def test_a_question_inside_waits_and_goes_on(self):
        self.part(
            "weather",
            [{"name": "ask", "kind": "human", "question": "Is there sun?", "channel": "report"}],
            [["__start__", "ask"]],
        )
        with ScriptedServer([calls(("weather", {"city": "Rom"}), ("weather", {"city": "Oslo"})), says()]) as model:
            self.write(model.url, ["weather.graph.json"])
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=5)
            self.assertEqual([each["value"] for each in told["interrupts"]], ["Is there sun?"] * 2)
            answers = {each["id"]: "yes %d" % number for number, each in enumerate(told["interrupts"])}
            first = dict(list(answers.items())[:1])
            self.sandglass("resume", "g.graph.json", "--thread", "t", "--answer", json.dumps(first), code=5)
            rest = dict(list(answers.items())[1:])
            told = self.sandglass("resume", "g.graph.json", "--thread", "t", "--answer", json.dumps(rest))
            self.assertEqual(len(model.requests), 2)
        tools = [json.loads(each["content"])["report"] for each in told["values"]["messages"] if each["type"] == "tool"]
        self.assertEqual(sorted(tools), ["yes 0", "yes 1"])

    def test_an_agent_calls_an_agent(self):
        with ScriptedServer([calls(("helper", {"messages": [{"type": "human", "content": "help"}]})), says("Inner answer."), says("Outer answer.")]) as model:
            self.write(model.url, [{"tool": "helper.graph.json", "description": "Helps."}])
            graph = json.loads((self.path / "g.graph.json").read_text())
            graph["name"], graph["nodes"][0]["tools"], graph["nodes"][0]["system"] = "helper", [], "You help."
            (self.path / "helper.graph.json").write_text(json.dumps(graph))
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI))
            self.assertEqual([request["body"]["messages"][0]["role"] for request in model.requests], ["user", "system", "user"])
        self.assertEqual([each["content"] for each in told["values"]["messages"]][2:], ["Inner answer.", "Outer answer."])

    def test_permissions_and_names_hold_for_it(self):
        self.weather()
        told = self.run_agent([calls(("weather", {"city": "Rom"})), says()], ["weather.graph.json"], permissions={"tools": []})
        self.assertEqual((self.offered(), told[0]["status"]), ([], "error"))
        self.assertEqual(self.refusals(), [("a", "weather", "denied")])

    def test_files_that_cannot_be_included_are_named(self):
        self.weather()
        for tools, said in (
            (["none.graph.json"], "does not exist"),
            (["../x.graph.json"], "folder"),
            (["g.graph.json"], "includes itself"),
            ([{"tool": "weather.graph.json", "in": "{"}], "jq"),
        ):
            self.write("http://127.0.0.1:1", tools)
            self.assertIn(said, json.dumps(self.sandglass("validate", "g.graph.json", code=3)))


@require.needs("bubblewrap")
class Datasets(Case):
    """Permissions for datasets hold for the agent's code, whichever way it asks."""

    def setUp(self):
        super().setUp()
        (self.path / "datasets").mkdir()
        for name in ("birds", "salaries"):
            (self.path / "datasets" / (name + ".csv")).write_text("a,b\n1,2\n")
        (self.path / "datasets.json").write_text(json.dumps({"format": 1, "providers": [{"name": "here", "directory": "datasets"}]}))
        (self.path / "tools.py").write_text(
            'import sandglass\n\n\ndef load(name: str) -> str:\n    """Loads."""\n    return sandglass.select_dataset(name)\n'
        )

    def ask(self, *named, **more):
        graph_more = {"permissions": {"datasets": ["birds"]}, **more}
        with ScriptedServer([calls(*named), says()]) as model:
            self.write(model.url, ["code_sandbox", "tools.py", "list_datasets", "select_dataset"], **graph_more)
            graph = json.loads((self.path / "g.graph.json").read_text())
            graph["sandbox"] = {"backend": "bubblewrap", "datasets": "API"}
            (self.path / "g.graph.json").write_text(json.dumps(graph))
            told = self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI))
        return [each for each in told["values"]["messages"] if each["type"] == "tool"]

    def test_code_gets_no_other(self):
        code = "import sandglass\nsandglass.select_dataset(%r)"
        told = self.ask(
            ("code_sandbox", {"code": code % "birds"}),
            ("code_sandbox", {"code": code % "salaries"}),
            ("code_sandbox", {"code": "import sandglass\n[each['id'] for each in sandglass.list_datasets()]"}),
            ("load", {"name": "salaries"}),
            ("load", {"name": "birds"}),
            ("list_datasets", {}),
            ("select_dataset", {"dataset_id": "salaries"}),
        )
        contents = [each["content"] for each in told]
        self.assertIn("birds.csv'", contents[0])
        self.assertIn("may not use the dataset 'salaries'", contents[1])
        self.assertEqual(contents[2].strip(), "['birds']", contents[2])
        self.assertIn("may not use the dataset 'salaries'", contents[3])
        self.assertIn("birds.csv", contents[4])
        self.assertNotIn("salaries", contents[5])
        self.assertIn("may not use the dataset 'salaries'", contents[6])
        self.assertEqual(self.refusals(), [("a", "salaries", "denied")] * 3)

    def test_without_such_a_permission_it_gets_all(self):
        told = self.ask(("load", {"name": "salaries"}), permissions=None)
        self.assertIn("salaries.csv", told[0]["content"])


class Shared(Case):
    def test_one_server_for_all_runs_of_a_workbench(self):
        node = {"name": "a", "kind": "tool", "server": "raw", "tool": "one", "arguments": "{}", "channel": "pid"}
        graph = {"format": 1, "name": "g", "state": {"pid": {}}, "nodes": [node], "edges": [["__start__", "a"]], "mcp": {"raw": raw("pid")}}
        (self.path / "g.graph.json").write_text(json.dumps(graph))
        self.sandglass("mcp", "allow", "raw")
        program = subprocess.Popen(
            [SANDGLASS, "mcp", "serve"],
            cwd=self.path,
            env=dict(os.environ, XDG_DATA_HOME=str(self.path / "data")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

        def ask(id, method, params):
            program.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n")
            program.stdin.flush()
            while True:
                answer = json.loads(program.stdout.readline())
                if answer.get("id") == id:
                    return answer["result"]

        with program:
            ask(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
            found = [ask(n, "tools/call", {"name": "run_g", "arguments": {"thread": "t%d" % n}})["structuredContent"]["values"]["pid"] for n in (2, 3, 4)]
            os.kill(int(found[0]), 0)  # it lives between runs
            program.stdin.close()
            program.wait(30)
        self.assertEqual(len(set(found)), 1)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(found[0]), 0)
        rows = self.sandglass("--json", "audit", "--kind", "mcp", as_json=False).splitlines()
        self.assertEqual([json.loads(row)["outcome"] for row in rows], ["started"])


@require.needs("mcp")
class Official(Case):
    def setUp(self):
        super().setUp()
        self.servers = {"sdk": {"command": SDK, "args": [str(HERE / "sdk_server.py")], "outside": True}}

    def test_results_and_errors_come_to_the_model(self):
        told = self.run_agent(
            [calls(("sdk_add", {"a": 20, "b": 22}), ("sdk_refuse", {}), ("sdk_add", {"a": "x"})), says()], ["mcp:sdk"], self.servers
        )
        self.assertEqual([each["status"] for each in told], ["success", "error", "error"])
        self.assertIn("42", told[0]["content"])
        self.assertIn("this is refused", told[1]["content"])

    def test_a_large_result_is_an_artifact_with_a_preview(self):
        told = self.run_agent([calls(("sdk_large", {"size": 500_000})), says()], ["mcp:sdk"], self.servers)
        self.assertIn("500000 characters in all; the whole result is the artifact tool-results/sdk_large-call_1.txt", told[0]["content"])
        self.assertLess(len(told[0]["content"]), 100_000)
        self.assertEqual([each["size"] for each in self.sandglass("artifacts", "list")], [500_000])
        exactly = self.run_agent([calls(("sdk_large", {"size": 100_000})), says()], ["mcp:sdk"], self.servers)
        self.assertEqual(len(exactly[-1]["content"]), 100_000)

    @require.needs("bubblewrap")
    def test_a_large_result_is_a_file_for_code(self):
        code = "len(open('/session/tool-results/sdk_large-call_1.txt').read())"
        second = calls(("code_sandbox", {"code": code}))
        second["body"] = second["body"].replace('"id": "call_1"', '"id": "call_2"')
        told = self.run_agent(
            [calls(("sdk_large", {"size": 500_000})), second, says()], ["mcp:sdk", "code_sandbox"], self.servers
        )
        self.assertIn("the whole result is the file /session/tool-results/sdk_large-call_1.txt", told[0]["content"])
        self.assertEqual(told[1]["content"], "500000")
        self.assertEqual([each["size"] for each in self.sandglass("artifacts", "list")], [500_000])

    @require.needs("bubblewrap")
    def test_so_is_that_of_a_function(self):
        (self.path / "tools.py").write_text('def big() -> str:\n    """Much."""\n    return "ü" * 200_000\n')
        second = calls(("code_sandbox", {"code": "len(open('/session/tool-results/big-call_1.txt').read())"}))
        second["body"] = second["body"].replace('"id": "call_1"', '"id": "call_2"')
        told = self.run_agent([calls(("big", {})), second, says()], ["tools.py", "code_sandbox"])
        self.assertIn("the whole result is the file /session/tool-results/big-call_1.txt", told[0]["content"])
        self.assertEqual(told[1]["content"], "200000")

    def test_a_question_of_a_tool_waits_in_the_inbox(self):
        with ScriptedServer([calls(("sdk_greet", {}), ("sdk_add", {"a": 1, "b": 2})), says()]) as model:
            self.write(model.url, ["mcp:sdk"], self.servers)
            self.sandglass("run", "g.graph.json", "--thread", "t", "--input", json.dumps(HI), code=5)
            waiting = self.sandglass("inbox", "list")
            self.assertEqual([each["question"]["question"] for each in waiting], ["What is your name?"])
            told = self.sandglass("inbox", "answer", "t", "--answer", '{"name": "Ada"}')
        messages = told["values"]["messages"]
        self.assertEqual([each["content"] for each in messages if each["type"] == "tool"][0], "hello Ada")


class Web(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        cls.place = "127.0.0.1:%d" % cls.server.server_address[1]
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        super().setUp()
        Service.seen.clear()
        self.environment = {"HTTP_HOSTS": "http://" + self.place}

    def tool(self, path="/weather", **http):
        return {
            "http": {"url": "http://" + self.place + path, **http},
            "name": "weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        }

    def ask(self, tool, arguments=None, **more):
        return self.run_agent([calls(("weather", {"city": "Köln"} if arguments is None else arguments)), says()], [tool], **more)

    def test_arguments_are_the_query(self):
        told = self.ask(self.tool())
        self.assertEqual(self.asked[0]["tools"][0]["function"]["parameters"]["required"], ["city"])
        self.assertEqual(Service.seen[0][:2], ("GET", "/weather?city=K%C3%B6ln"))
        self.assertEqual((json.loads(told[0]["content"]), told[0]["status"]), ({"degrees": 21}, "success"))

    def test_or_the_body(self):
        self.ask(self.tool(method="POST"))
        self.assertEqual(json.loads(Service.seen[0][3]), {"city": "Köln"})

    def test_or_go_through_a_program(self):
        self.ask(self.tool(request="{query: {q: (.city | ascii_downcase), n: 1}}"))
        self.assertEqual(Service.seen[0][1], "/weather?q=k%C3%B6ln&n=1")

    def test_arguments_that_do_not_match_are_not_sent(self):
        told = self.ask(self.tool(), {"town": "Köln"})
        self.assertEqual((told[0]["status"], Service.seen), ("error", []))
        self.assertIn("city", told[0]["content"])

    def test_an_error_status_is_told_to_the_model(self):
        told = self.ask(self.tool("/error"))
        self.assertEqual(told[0]["status"], "error")
        self.assertIn("503", told[0]["content"])
        told = self.ask(self.tool("/error", whole=True))
        self.assertEqual(json.loads(told[-1]["content"])["status"], 503)

    def test_large_and_binary_answers_are_artifacts(self):
        told = self.ask(self.tool("/large"))
        self.assertIn("200000 characters in all", told[0]["content"])
        self.assertEqual(self.sandglass("artifacts", "list")[0]["size"], 400_000)
        told = self.ask(self.tool("/bytes"))
        self.assertIn("[4 bytes; the whole result is the artifact", told[-1]["content"])

    def test_no_host_that_the_user_did_not_allow(self):
        self.environment = {}
        error = self.ask(self.tool(), code=4)
        self.assertIn("HTTP_HOSTS=", error["message"])
        self.assertEqual((Service.seen, self.asked), ([], []))

    def test_no_host_that_the_agent_may_not_ask(self):
        told = self.ask(self.tool(), permissions={"hosts": ["api.test"]})
        self.assertEqual((self.offered(), Service.seen), ([], []))
        self.assertIn("may not use the host '%s'" % self.place, told[0]["content"])
        self.assertEqual(self.refusals(), [("a", self.place, "denied")])
        self.ask(self.tool(), permissions={"hosts": ["127.0.0.1"]})
        self.assertEqual(len(Service.seen), 1)

    def test_nor_by_an_address_that_a_program_makes(self):
        tool = self.tool(request='{url: .city, query: {}}')
        told = self.ask(tool, {"city": "http://localhost:%s/x" % self.place.split(":")[1]}, permissions={"hosts": [self.place]})
        self.assertIn("may not use the host 'localhost", told[0]["content"])
        self.assertEqual(self.refusals()[0][2], "denied")
        told = self.ask(tool, {"city": "http://localhost:%s/x" % self.place.split(":")[1]})
        self.assertIn("may not ask", told[-1]["content"])
        self.assertEqual(Service.seen, [])

    def test_a_secret_is_shown_to_its_place_alone(self):
        self.environment |= {"SANDGLASS_SECRET_KEY": "s3cret"}
        tool = self.tool(headers={"Authorization": "Bearer {secret}"}, secret="key")
        self.assertIn("MODEL_KEYS", self.ask(tool)[0]["content"])
        self.environment |= {"MODEL_KEYS": "key@" + self.place}
        self.ask(tool)
        self.assertEqual(Service.seen[-1][2]["Authorization"], "Bearer s3cret")

    def test_wrong_settings_are_named(self):
        for tool, said in (
            ({**self.tool(), "name": ""}, "name"),
            ({**self.tool(), "name": "code_sandbox"}, "sandbox"),
            ({**self.tool(), "parameters": []}, "JSON Schema"),
            (self.tool(method="JUMP"), "method"),
            ({**self.tool(), "http": {}}, "address"),
        ):
            self.write("http://127.0.0.1:1", [tool])
            told = json.dumps(self.sandglass("validate", "g.graph.json", code=3))
            self.assertIn(said, told)
            self.assertIn("/nodes/0/tools/0", told)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What a run tells a collector of OpenTelemetry. Needs SG_SANDGLASS (the program)."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "models")]

from agent_scenarios import calls, says  # noqa: E402
from scripted_server import ScriptedServer  # noqa: E402

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
HI = {"messages": [{"type": "human", "content": "hi, the word is s3cret-of-the-message"}]}
TOOL = {
    "http": {"url": "http://127.0.0.1:1/"},
    "name": "weather",
    "description": "The weather.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}


class Collector:
    """Takes requests as a collector does, and reads them strictly."""

    def __init__(self, status=200, hangs=False):
        self.requests, self.status, self.release = [], status, threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                owner.requests.append((self.path, dict(self.headers), json.loads(body)))
                if hangs:
                    owner.release.wait(60)
                try:
                    self.send_response(owner.status)
                    self.send_header("Content-Length", "2")
                    self.end_headers()
                    self.wfile.write(b"{}")
                except BrokenPipeError:  # of a collector that hung, nobody waits for the answer
                    pass

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *words):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()

    def spans(self):
        found = []
        for _, _, body in self.requests:
            (resource,) = body["resourceSpans"]
            told = attributes(resource["resource"]["attributes"])
            assert told["service.name"] == "sandglass", told
            for scope in resource["scopeSpans"]:
                found += scope["spans"]
        for span in found:
            assert len(span["traceId"]) == 32 and len(span["spanId"]) == 16, span
            int(span["traceId"], 16), int(span["spanId"], 16)
            assert 0 < int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]), span
            span["told"] = attributes(span["attributes"])
        return found


def attributes(listed):
    return {each["key"]: value_of(each["value"]) for each in listed}


def value_of(value):
    ((kind, content),) = value.items()
    return {
        "stringValue": lambda: str(content),
        "intValue": lambda: int(content) if isinstance(content, str) else 1 / 0,
        "doubleValue": lambda: float(content),
        "boolValue": lambda: bool(content),
        "arrayValue": lambda: [value_of(each) for each in content["values"]],
    }[kind]()


class Telemetry(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-telemetry-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_graph(self, replies, settings, code=0, **agent):
        with ScriptedServer(replies) as model:
            node = {"name": "helper", "kind": "agent", "model": "m-1", "base_url": model.url + "/v1", "in_one_piece": True, "tools": [TOOL], **agent}
            graph = {
                "format": 1,
                "name": "outer",
                "state": {"messages": {"type": "reduce", "reducer": "add_messages"}, "n": {}},
                "nodes": [{"name": "first", "kind": "jq", "jq": "{n: 1}"}, node],
                "edges": [["__start__", "first"], ["first", "helper"]],
            }
            (self.path / "outer.graph.json").write_text(json.dumps(graph))
            began = time.monotonic()
            done = subprocess.run(
                [SANDGLASS, "run", "outer.graph.json", "--thread", "t", "--json", "--input", json.dumps(HI)],
                cwd=self.path,
                env={**os.environ, "HTTP_HOSTS": "http://127.0.0.1:1", **settings},
                capture_output=True,
                text=True,
                timeout=120,
            )
            self.took, self.said, self.model = time.monotonic() - began, done.stderr, model.url[len("http://") :]
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_spans_of_a_run(self):
        with Collector() as collector:
            told = self.run_graph([calls(("weather", {"city": "Rom"})), says("Sunny.")], {"OTLP_ENDPOINT": collector.url})
            self.assertEqual({path for path, _, _ in collector.requests}, {"/v1/traces"})
            spans = collector.spans()
            text = json.dumps([body for _, _, body in collector.requests])
        named = {}
        for span in spans:
            named.setdefault(span["name"], []).append(span)
        self.assertEqual(len({span["traceId"] for span in spans}), 1)
        self.assertEqual(len({span["spanId"] for span in spans}), len(spans))
        (run,) = named["invoke_workflow outer"]
        (agent,) = named["invoke_agent helper"]
        (first,) = named["node first"]
        (tool,) = named["execute_tool weather"]
        chats = named["chat m-1"]
        self.assertNotIn("parentSpanId", run)
        self.assertEqual((first["parentSpanId"], agent["parentSpanId"]), (run["spanId"],) * 2)
        parts = {span["spanId"]: span for span in named["node model"] + named["node tools"]}
        self.assertEqual({span["parentSpanId"] for span in parts.values()}, {agent["spanId"]})
        for inner in [tool, *chats]:
            self.assertIn(inner["parentSpanId"], parts)
        self.assertEqual(agent["told"]["gen_ai.operation.name"], "invoke_agent")
        self.assertEqual(agent["told"]["gen_ai.agent.name"], "helper")
        chat = chats[0]["told"]
        self.assertEqual(chats[0]["kind"], 3)
        self.assertEqual(
            [chat[key] for key in ("gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.response.model", "gen_ai.response.id")],
            ["chat", "openai", "m-1", "m-1", "chatcmpl-1"],
        )
        self.assertGreater(chat["gen_ai.usage.input_tokens"], 0)
        self.assertGreater(chat["gen_ai.usage.output_tokens"], 0)
        self.assertEqual(chat["gen_ai.response.finish_reasons"], ["tool_calls"])
        self.assertEqual("%s:%d" % (chat["server.address"], chat["server.port"]), self.model)
        self.assertEqual(tool["told"]["gen_ai.tool.call.id"], "call_1")
        self.assertEqual((tool["told"]["error.type"], tool["status"]["code"]), ("ConnectionError", 2))
        self.assertEqual(run["told"]["sandglass.status"], "done")
        self.assertEqual(run["told"]["sandglass.run"], told["run_id"])
        self.assertTrue(all(span["told"]["gen_ai.conversation.id"] == "t" for span in spans))
        for content in ("s3cret-of-the-message", "Sunny", "Rom"):
            self.assertNotIn(content, text)

    def test_failures_are_told_without_secrets(self):
        key = "sk-" + "a1B2c3D4e5F6g7H8i9J0" * 2
        with Collector() as collector:
            reply = {"status": 401, "body": json.dumps({"error": {"message": "bad key " + key}})}
            self.run_graph([reply], {"OTLP_ENDPOINT": collector.url + "/v1/traces"}, code=4)
            spans, text = collector.spans(), json.dumps([body for _, _, body in collector.requests])
        run = next(span for span in spans if span["name"] == "invoke_workflow outer")
        chat = next(span for span in spans if span["name"] == "chat m-1")
        self.assertEqual(chat["told"]["error.type"], "AuthenticationError")
        self.assertEqual((run["status"]["code"], run["told"]["error.type"]), (2, "AuthenticationError"))
        self.assertEqual(run["told"]["sandglass.failed_first"], "model")
        self.assertNotIn(key, text)

    def test_a_header_has_a_secret_that_no_span_and_no_log_has(self):
        settings = {"OTLP_HEADER": "collector X-Team: key {secret}", "SANDGLASS_SECRET_COLLECTOR": "a-key-of-the-team"}
        with Collector() as collector:
            self.run_graph([says()], {"OTLP_ENDPOINT": collector.url, **settings})
            self.assertEqual({headers["X-Team"] for _, headers, _ in collector.requests}, {"key a-key-of-the-team"})
            self.assertNotIn("a-key", json.dumps([body for _, _, body in collector.requests]))
        rows = subprocess.run([SANDGLASS, "--json", "audit"], cwd=self.path, capture_output=True, text=True, timeout=60).stdout
        kinds = [(row["kind"], row["subject"]) for row in map(json.loads, rows.splitlines())]
        self.assertIn(("secret", "collector"), kinds)
        self.assertIn(("network", collector.url[len("http://") :]), kinds)
        self.assertNotIn("a-key", rows + self.said)

    def test_a_collector_that_fails_hurts_no_run(self):
        usual = self.run_graph([says("Fine.")], {})
        for collector in (None, Collector(status=503), Collector(hangs=True)):
            with collector or Collector() as server:
                url = server.url if collector else "http://127.0.0.1:1"
                told = self.run_graph([says("Fine.")], {"OTLP_ENDPOINT": url})
                self.assertEqual(told["values"]["messages"][-1]["content"], usual["values"]["messages"][-1]["content"])
                self.assertLess(self.took, 20)

    def test_nothing_is_sent_that_nobody_configured(self):
        with Collector() as collector:
            # What other programs of this user's are told is not for us, and a project decides nothing.
            self.run_graph([says()], {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url})
            (self.path / "sandbox.env").write_text("OTLP_ENDPOINT=%s\n" % collector.url)
            done = subprocess.run([SANDGLASS, "run", "outer.graph.json", "--thread", "u", "--input", "{}"], cwd=self.path, capture_output=True, text=True, timeout=60)
            self.assertIn("a project's own file does not decide", done.stderr)
            self.assertEqual(collector.requests, [])

    def test_wrong_settings_are_named(self):
        for settings, said in (
            ({"OTLP_ENDPOINT": "collector"}, "OTLP_ENDPOINT"),
            ({"OTLP_ENDPOINT": "http://127.0.0.1:1", "OTLP_HEADER": "x"}, "OTLP_HEADER"),
            ({"OTLP_ENDPOINT": "http://collector.test", "OTLP_HEADER": "key Authorization: Bearer {secret}"}, "without TLS"),
        ):
            self.run_graph([says()], {})
            done = subprocess.run([SANDGLASS, "run", "outer.graph.json", "--thread", "w", "--input", "{}"], cwd=self.path, env={**os.environ, **settings}, capture_output=True, text=True, timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)

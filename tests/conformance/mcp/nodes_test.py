"""Nodes that reach services, map items, stand in other files and ask people, run by the real program. usage: nodes_test.py SANDGLASS"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SANDGLASS = sys.argv.pop(1)


class Answers(http.server.BaseHTTPRequestHandler):
    seen = []
    running = 0
    most = 0
    lock = threading.Lock()

    def answer(self):
        kind = type(self)
        size = int(self.headers.get("Content-Length") or 0)
        kind.seen.append((self.command, self.path, dict(self.headers), self.rfile.read(size)))
        with kind.lock:
            kind.running += 1
            kind.most = max(kind.most, kind.running)
        if self.path.startswith("/slow"):
            time.sleep(0.3)
        with kind.lock:
            kind.running -= 1
        status, type_, body = 200, "application/json", b'{"ok": true}'
        if self.path.startswith("/text"):
            type_, body = "text/plain", b"hello"
        if self.path.startswith("/echo"):
            body = json.dumps({"said": self.headers.get("Authorization")}).encode()
        if self.path.startswith("/large"):
            type_, body = "text/plain", b"x" * 5_000_000
        if self.path.startswith("/error"):
            status, body = 503, b'{"why": "busy"}'
        if self.path.startswith("/elsewhere"):
            status = 302
        self.send_response(status)
        self.send_header("Content-Type", type_)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *words):
        pass


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-nodes-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def graph(self, nodes, edges, name="g", **more):
        graph = {
            "format": 1,
            "name": name,
            "state": {
                "value": {"type": "last_value"},
                "all": {"reducer": "append"},
                "text": {"type": "last_value"},
            },
            "nodes": nodes,
            "edges": edges,
            **more,
        }
        (self.path / (name + ".graph.json")).write_text(json.dumps(graph))

    def one(self, node, **more):
        self.graph([dict(node, name="a")], [["__start__", "a"], ["a", "__end__"]], **more)

    def sandglass(self, *words, code=0, settings=None):
        done = subprocess.run(
            [SANDGLASS, "--json", *words],
            cwd=self.path,
            env=dict(os.environ, XDG_DATA_HOME=str(self.path / "data"), **(settings or {})),
            capture_output=True,
            timeout=120,
        )
        text = done.stdout.decode()
        if done.returncode != code:
            raise AssertionError("%r ended with %d:\n%s\n%s" % (words, done.returncode, text, done.stderr.decode()))
        return json.loads(text) if text.strip() else None

    def run_graph(self, code=0, input="{}", thread="t", settings=None, name="g"):
        return self.sandglass(
            "run", name + ".graph.json", "--thread", thread, "--input", input, code=code, settings=settings
        )


class Http(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        cls.place = "http://127.0.0.1:%d" % cls.server.server_address[1]
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        super().setUp()
        Answers.seen.clear()
        Answers.most = 0
        self.allowed = {"HTTP_HOSTS": self.place}

    def ask(self, path, code=0, settings=None, **node):
        self.one({"kind": "http", "url": self.place + path, "channel": "value", **node})
        return self.run_graph(code, settings=self.allowed if settings is None else settings)

    def test_asks_no_host_that_nobody_allowed(self):
        told = self.ask("/", code=4, settings={})
        self.assertIn("HTTP_HOSTS=" + self.place, told["error"]["message"])
        self.assertEqual(Answers.seen, [])

    def test_files_of_the_project_allow_nothing(self):
        (self.path / "sandbox.env").write_text("HTTP_HOSTS=%s\n" % self.place)
        self.one({"kind": "http", "url": self.place + "/", "channel": "value"})
        done = subprocess.run([SANDGLASS, "run", "g.graph.json", "--thread", "t"], cwd=self.path, capture_output=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(Answers.seen, [])

    def test_reads_json_and_text(self):
        self.assertEqual(self.ask("/")["values"]["value"], {"ok": True})
        self.assertEqual(self.ask("/text")["values"]["value"], "hello")

    def test_a_program_makes_the_request(self):
        self.ask(
            "/items",
            request='{method: "POST", query: {q: "a b&c"}, headers: {"X-A": "1"}, body: {n: 1}}',
            headers={"X-B": "2"},
        )
        method, path, headers, body = Answers.seen[0]
        self.assertEqual((method, path), ("POST", "/items?q=a%20b%26c"))
        self.assertEqual((headers["X-A"], headers["X-B"], json.loads(body)), ("1", "2", {"n": 1}))

    def test_an_answer_is_bounded(self):
        told = self.ask("/large", code=4)
        self.assertIn("more than 1024 KiB", told["error"]["message"])
        self.assertEqual(len(self.ask("/large", max_kb=8192)["values"]["value"]), 5_000_000)

    def test_an_error_status_fails_unless_the_whole_answer_is_wanted(self):
        told = self.ask("/error", code=4)
        self.assertEqual(told["error"]["type"], "HTTPStatusError")
        whole = self.ask("/error", whole=True)["values"]["value"]
        self.assertEqual((whole["status"], whole["body"]), (503, {"why": "busy"}))

    def test_no_redirect_is_followed(self):
        self.assertIn("sends elsewhere", self.ask("/elsewhere", code=4)["error"]["message"])

    def test_headers_cannot_smuggle(self):
        for headers in ({"Host": "other"}, {"X": "a\r\nY: b"}, {"A B": "c"}):
            self.assertIn("cannot be sent", self.ask("/", code=4, headers=headers)["error"]["message"])
        self.assertEqual(Answers.seen, [])

    def test_a_secret_goes_only_where_its_owner_said(self):
        node = {"headers": {"Authorization": "Bearer {secret}"}, "secret": "key"}
        secret = {"SANDGLASS_SECRET_KEY": "s3cret", **self.allowed}
        told = self.ask("/", code=4, settings=secret, **node)
        self.assertIn("MODEL_KEYS", told["error"]["message"])
        place = self.place[len("http://") :]
        self.ask("/", settings={"MODEL_KEYS": "key@" + place, **secret}, **node)
        self.assertEqual(Answers.seen[-1][2]["Authorization"], "Bearer s3cret")

    def test_an_answer_that_says_the_secret_is_kept_without_it(self):
        node = {"headers": {"Authorization": "Bearer {secret}"}, "secret": "key"}
        place = self.place.removeprefix("http://")
        known = {"SANDGLASS_SECRET_KEY": "s3cret-and-long", "MODEL_KEYS": "key@" + place, **self.allowed}
        for more in ({}, {"whole": True}):
            told = self.ask("/echo", settings=known, **node, **more)
            self.assertIn("[secret", json.dumps(told))
        for file in self.path.rglob("*"):
            if file.is_file():
                self.assertNotIn(b"s3cret-and-long", file.read_bytes(), file)

    def test_a_map_runs_so_many_at_once(self):
        for limit, most in ((2, 2), (None, 6)):
            Answers.most = 0
            self.graph(
                [
                    dict({"name": "each", "kind": "map", "items": "[range(6)]", "ends": ["one"]}, **({"limit": limit} if limit else {})),
                    {"name": "one", "kind": "http", "url": self.place + "/slow", "request": "{query: {n: .}}", "channel": "text"},
                ],
                [["__start__", "each"], ["one", "__end__"]],
                state={"all": {"reducer": "append"}, "text": {"type": "topic", "accumulate": True}},
            )
            self.run_graph(settings=self.allowed, thread="t%s" % limit)
            self.assertLessEqual(Answers.most, most)
        self.assertEqual(len(Answers.seen), 12)
        self.assertGreater(Answers.most, 2)


class Flow(Case):
    def test_maps_items(self):
        self.graph(
            [
                {"name": "each", "kind": "map", "items": ".value", "ends": ["one"]},
                {"name": "one", "kind": "jq", "jq": "{all: [. * 2]}"},
            ],
            [["__start__", "each"], ["one", "__end__"]],
        )
        self.assertEqual(self.run_graph(input='{"value": [1, 2, 3]}')["values"]["all"], [2, 4, 6])
        self.assertEqual(self.run_graph(input='{"value": []}', thread="none")["values"].get("all", []), [])
        self.assertIn("must give a list", self.run_graph(4, '{"value": 1}', "u")["error"]["message"])

    def test_a_map_needs_its_node(self):
        self.graph([{"name": "each", "kind": "map", "items": "[]"}], [["__start__", "each"]])
        self.assertIn("ends", json.dumps(self.sandglass("validate", "g.graph.json", code=3)))

    def test_a_subgraph_in_another_file(self):
        (self.path / "parts").mkdir()
        self.graph([{"name": "double", "kind": "jq", "jq": "{value: (.value * 2)}"}], [["__start__", "double"]], name="inner")
        os.rename(self.path / "inner.graph.json", self.path / "parts" / "inner.graph.json")
        node = {"kind": "subgraph", "graph_file": "parts/inner.graph.json"}
        self.one(node)
        self.sandglass("validate", "g.graph.json")
        self.assertEqual(self.run_graph(input='{"value": 4}')["values"]["value"], 8)
        self.one({**node, "in": "{value: (.value + 1)}", "out": "{text: (.result.value | tostring)}"})
        self.assertEqual(self.run_graph(input='{"value": 4}', thread="u")["values"], {"value": 4, "text": "10", "all": []})

    def test_a_file_that_includes_itself_or_is_not_there(self):
        for name, said in (("g.graph.json", "includes itself"), ("none.graph.json", "does not exist"), ("../x.graph.json", "folder")):
            self.one({"kind": "subgraph", "graph_file": name})
            self.assertIn(said, json.dumps(self.sandglass("validate", "g.graph.json", code=3)))

    def test_a_tool_of_a_server(self):
        servers = {"raw": {"command": sys.executable, "args": [str(HERE / "raw_server.py"), "plain"], "outside": True}}
        self.one({"kind": "tool", "server": "raw", "tool": "one", "arguments": "{}", "channel": "text"}, mcp=servers)
        self.assertIn("mcp allow raw", self.run_graph(4)["error"]["message"])
        self.sandglass("mcp", "allow", "raw")
        self.assertEqual(self.run_graph(thread="u")["values"]["text"], "ok")
        self.one({"kind": "tool", "server": "raww", "tool": "one"}, mcp=servers)
        self.assertIn("did you mean", json.dumps(self.sandglass("validate", "g.graph.json", code=3)))


class People(Case):
    def ask(self, **node):
        self.one({"kind": "human", "question": "Well?", "channel": "value", **node})
        self.run_graph(5)

    def answer(self, text, code=0):
        return self.sandglass("inbox", "answer", "t", "--answer", text, code=code)

    def test_lists_shows_and_answers(self):
        self.ask()
        listed = self.sandglass("inbox", "list")
        self.assertEqual([(each["thread_id"], each["node"], each["question"]) for each in listed], [("t", "a", "Well?")])
        self.assertEqual(self.sandglass("inbox", "show", "t"), listed)
        self.assertEqual(self.answer("yes, of course")["values"]["value"], "yes, of course")
        self.assertEqual(self.sandglass("inbox", "list"), [])

    def test_an_answer_where_nothing_waits_is_refused(self):
        self.one({"kind": "jq", "jq": "{}"})
        self.run_graph()
        self.assertIn("asks nothing", self.answer("yes", code=2)["error"]["message"])

    def test_approves(self):
        self.ask(form="approve")
        self.assertIn("none of its answers", self.answer("maybe", code=2)["error"]["message"])
        self.assertIs(self.answer("yes")["values"]["value"], True)

    def test_chooses(self):
        self.ask(form="choose", answers=["red", "blue"])
        self.assertEqual(self.answer("blue")["values"]["value"], "blue")

    def test_edits(self):
        self.one({"kind": "human", "question": "Well?", "form": "edit", "edits": "text"})
        self.run_graph(5, '{"text": "draft"}')
        self.assertEqual(self.sandglass("inbox", "show", "t")[0]["question"]["value"], "draft")
        self.assertEqual(self.answer("better")["values"]["text"], "better")

    def test_a_form_takes_what_matches_its_schema(self):
        schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
        self.ask(form="form", schema=schema)
        self.assertIn("age (integer)", self.answer('{"age": "x"}', code=2)["error"]["message"])
        # A wrong answer by another way is asked for again, and not kept.
        again = self.sandglass("resume", "g.graph.json", "--thread", "t", "--answer", '{"age": "x"}', code=5)
        self.assertIn("problem", again["interrupts"][0]["value"])
        self.assertEqual(self.answer('{"age": 7}')["values"]["value"], {"age": 7})


if __name__ == "__main__":
    unittest.main(verbosity=2)

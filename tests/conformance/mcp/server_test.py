"""The official SDK's client against `sandglass mcp serve`, in both eras of the protocol. usage: server_test.py SANDGLASS"""

import asyncio
import http.client
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

SANDGLASS = sys.argv.pop(1)
try:
    import mcp_types as types
    from mcp import Client, StdioServerParameters
except ImportError as problem:
    require.leave("mcp", "%s has no MCP SDK (%s); packaging/setup/mcp.sh installs one" % (sys.executable, problem))

EXAMPLES = HERE.parents[2] / "resources" / "examples"
MODES = ("auto", "legacy")


class Case(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-mcp-")
        self.addCleanup(self.folder.cleanup)
        self.project = pathlib.Path(self.folder.name) / "project"
        self.project.mkdir()
        for name in ("counter", "approval"):
            for graph in (EXAMPLES / name).glob("*.graph.json"):
                text = json.loads(graph.read_text())
                text.pop("interrupt_before", None)
                (self.project / graph.name).write_text(json.dumps(text))

    def server(self, *words):
        return StdioServerParameters(
            command=SANDGLASS,
            args=["mcp", "serve", "--project", str(self.project), *words],
            env={k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "DOCKER_HOST", "HOME", "XDG_DATA_HOME")},
        )


class OverHttp(Case):
    """A case that reaches the same server over streamable HTTP."""

    def server(self, *words):
        environment = {k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "DOCKER_HOST", "HOME", "XDG_DATA_HOME")}
        command = [SANDGLASS, "mcp", "serve", "--http", "0", "--json", "--project", str(self.project), *words]
        started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait, 60)
        self.addCleanup(started.terminate)
        return json.loads(started.stdout.readline())["serving"]


def hello(capabilities):
    return {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "raw", "version": "1"}}


class Stream:
    """An answer that arrives as a stream of events."""

    def __init__(self, connection):
        self.connection = connection
        self.reply = connection.getresponse()

    def message(self):
        while True:
            line = self.reply.readline()
            if not line:
                raise AssertionError("the stream ended")
            if line.startswith(b"data:"):
                return json.loads(line[5:])

    def close(self):
        self.reply.close()
        self.connection.close()


class Raw:
    """A client of the handshake era by hand, which may be as rude as it likes."""

    def __init__(self, url, **capabilities):
        self.place = url.split("/")[2]
        self.session = None
        self.session = self.ask("initialize", hello(capabilities))[1]["Mcp-Session-Id"]

    def request(self, method, params, session=True):
        return self.posted({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, session)

    def posted(self, message, session=True):
        body = json.dumps(message)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Content-Length": str(len(body))}
        if self.session and session:
            headers["Mcp-Session-Id"] = self.session
        return body, headers

    def post(self, body, headers):
        connection = http.client.HTTPConnection(self.place, timeout=60)
        connection.request("POST", "/mcp", body, headers)
        return connection

    def ask(self, method, params):
        connection = self.post(*self.request(method, params))
        with connection.getresponse() as reply:
            answer = reply.status, reply.headers, reply.read()
        connection.close()
        return answer

    def begin(self, method, params):
        return Stream(self.post(*self.request(method, params)))

    def answer(self, question, result):
        connection = self.post(*self.posted({"jsonrpc": "2.0", "id": question["id"], "result": result}))
        connection.getresponse().close()
        connection.close()

    def call(self, tool, arguments):
        """The result of a tool, of an answer that may be a stream."""
        _, _, body = self.ask("tools/call", {"name": tool, "arguments": arguments})
        lines = [line[5:] for line in body.splitlines() if line.startswith(b"data:")] or [body]
        return json.loads(lines[-1])["result"]

    def ask_without_reading(self, method, params):
        """The socket on which the answer waits, with hardly any room for it."""
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        host, port = self.place.split(":")
        deaf.connect((host, int(port)))
        body, headers = self.request(method, params)
        head = "POST /mcp HTTP/1.1\r\nHost: %s\r\n" % self.place + "".join("%s: %s\r\n" % each for each in headers.items())
        deaf.sendall((head + "\r\n" + body).encode())
        return deaf


class Everywhere(Case):
    async def test_agrees_on_the_newest_revision_of_each_era(self):
        for mode, version in (("auto", "2026-07-28"), ("legacy", "2025-11-25")):
            async with Client(self.server(), mode=mode) as client:
                self.assertEqual(client.protocol_version, version)
                self.assertEqual(client.server_info.name, "sandglass")

    async def test_lists_tools_by_names_that_every_client_takes(self):
        for mode in MODES:
            async with Client(self.server(), mode=mode) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                for name in ("code_sandbox", "list_datasets", "select_dataset", "export_datasets", "run_counter", "run_approval"):
                    self.assertIn(name, names)
                for name in names:
                    self.assertRegex(name, r"^[A-Za-z0-9_-]{1,64}$")

    async def test_runs_a_graph(self):
        for mode in MODES:
            async with Client(self.server(), mode=mode) as client:
                told = []

                async def progress(done, total, message):
                    told.append(message)

                result = await client.call_tool("run_counter", {"value": 1}, progress_callback=progress)
                self.assertFalse(result.is_error, result)
                self.assertEqual(result.structured_content["values"], {"value": 4})
                self.assertEqual(result.structured_content["status"], "done")
                self.assertEqual(told, ["incrementer", "doubler"])

    async def test_goes_on_in_a_thread(self):
        async with Client(self.server()) as client:
            for _ in range(2):
                result = await client.call_tool("run_counter", {"value": 1, "thread": "mine"})
                self.assertEqual(result.structured_content["thread"], "mine")

    async def test_a_channel_of_the_name_thread_is_the_graphs_own(self):
        graph = {
            "format": 1,
            "name": "posts",
            "input": ["thread"],
            "state": {"thread": {"type": "last_value"}, "seen": {"type": "last_value"}},
            "nodes": [{"name": "a", "kind": "jq", "jq": "{seen: .thread}"}],
            "edges": [["__start__", "a"], ["a", "__end__"]],
        }
        (self.project / "posts.graph.json").write_text(json.dumps(graph))
        async with Client(self.server()) as client:
            result = await client.call_tool("run_posts", {"thread": "subject", "sandglass_thread": "mine"})
            self.assertFalse(result.is_error, result)
            self.assertEqual(result.structured_content["values"]["seen"], "subject")
            self.assertEqual(result.structured_content["thread"], "mine")
            tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "run_posts")
            self.assertIn("sandglass_thread", tool.description)

    async def test_a_question_is_put_again_with_the_reason_and_not_without_end(self):
        graph = {
            "format": 1,
            "name": "strict",
            "input": ["value"],
            "state": {"value": {"type": "last_value"}, "ok": {"type": "last_value"}},
            "nodes": [{"name": "ask", "kind": "human", "jq": '"Publish?"', "channel": "ok", "form": "approve"}],
            "edges": [["__start__", "ask"], ["ask", "__end__"]],
        }
        (self.project / "strict.graph.json").write_text(json.dumps(graph))
        asked = []

        async def answer(context, params):
            asked.append(params.message)
            return types.ElicitResult(action="accept", content={"answer": "maybe"})

        async with Client(self.server(), mode="legacy", elicitation_callback=answer) as client:
            result = await asyncio.wait_for(client.call_tool("run_strict", {"value": 1, "thread": "t"}), 60)
        self.assertTrue(result.is_error, result)
        self.assertIn("10 times", result.content[0].text)
        self.assertIn("must be yes or no", result.content[0].text)
        self.assertIn("sandglass inbox answer t --answer ANSWER --project %s" % (self.project / "strict.graph.json"), result.content[0].text)
        self.assertEqual(asked[0], "Publish?")
        self.assertEqual(asked[1:], ["Publish?\nthe answer must be yes or no"] * 9)

    async def test_asks_the_person(self):
        for mode in MODES:
            asked = []

            async def answer(context, params):
                asked.append(params.message)
                return types.ElicitResult(action="accept", content={"answer": "yes"})

            async with Client(self.server(), mode=mode, elicitation_callback=answer) as client:
                result = await client.call_tool("run_approval", {"draft": "cats"})
                self.assertFalse(result.is_error, result)
                self.assertEqual(result.structured_content["values"]["published"], "About cats")
            self.assertEqual(asked, ["Publish this?"])

    async def test_a_client_that_cannot_ask_is_told_how_to_answer(self):
        async with Client(self.server()) as client:
            result = await client.call_tool("run_approval", {"draft": "cats"})
            text = result.content[0].text
            command = re.search("sandglass (inbox answer .*)", text)
            self.assertIsNotNone(command, text)
            # As a person pastes it, in another folder.
            words = [word if word != "ANSWER" else "yes" for word in shlex.split(command[1])]
            done = subprocess.run([SANDGLASS, *words], cwd="/", capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("About cats", done.stdout)

    async def test_a_changed_state_is_refused(self):
        async def answer(context, params):
            return types.ElicitResult(action="accept", content={"answer": "yes"})

        async with Client(self.server(), elicitation_callback=answer) as client:
            asked = await client.session.call_tool("run_approval", {"draft": "cats"}, allow_input_required=True)
            key = next(iter(asked.input_requests))
            for state in ("", "x", asked.request_state[:-2] + "xx", asked.request_state + "A"):
                result = await client.session.call_tool(
                    "run_approval",
                    {"draft": "cats"},
                    input_responses={key: types.ElicitResult(action="accept", content={"answer": "yes"})},
                    request_state=state or "y",
                    allow_input_required=True,
                )
                self.assertTrue(result.is_error)

    async def test_unknown_tools_and_wrong_arguments_are_errors_to_read(self):
        async with Client(self.server()) as client:
            self.assertIn("Unknown tool", (await client.call_tool("nope", {})).content[0].text)
            result = await client.call_tool("run_counter", {"value": 1, "thread": 7})
            self.assertTrue(result.is_error)

    async def test_prints_nothing_but_messages(self):
        lines = [
            b'{"jsonrpc":"2.0","id":"a","method":"ping"}',
            b"{not json",
            b"[]",
            b'{"jsonrpc":"2.0","id":7,"method":"no/such"}',
            b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},'
            b'"clientInfo":{"name":"raw","version":"1"}}}',
            b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}',
        ]
        done = subprocess.run(
            [SANDGLASS, "mcp", "serve", "--project", str(self.project)],
            input=b"\n".join(lines) + b"\n",
            capture_output=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([answer["id"] for answer in answers], ["a", 7, 0, 1])
        self.assertEqual(answers[1]["error"]["code"], -32602)
        self.assertEqual(answers[2]["result"]["protocolVersion"], "2025-11-25")
        self.assertEqual(answers[3]["error"]["code"], -32601)


class EverywhereOverHttp(OverHttp, Everywhere):
    async def test_prints_nothing_but_messages(self):
        url = self.server()
        both = "application/json, text/event-stream"

        def ask(body, method="POST", **headers):
            sent = {"Content-Type": "application/json", "Accept": both}
            sent.update({key.replace("_", "-"): value for key, value in headers.items()})
            request = urllib.request.Request(url, body if method == "POST" else None, sent, method=method)
            try:
                with urllib.request.urlopen(request, timeout=20) as reply:
                    return reply.status, reply.headers, reply.read()
            except urllib.error.HTTPError as refused:
                with refused:
                    return refused.code, refused.headers, refused.read()

        hello = (
            b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
            b'"clientInfo":{"name":"raw","version":"1"}}}'
        )
        listing = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
        envelope = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        modern = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": envelope}}).encode()
        unknown = modern.replace(b"tools/list", b"no/such")
        status, headers, body = ask(hello)
        self.assertEqual((status, json.loads(body)["result"]["protocolVersion"]), (200, "2025-11-25"))
        session = headers["Mcp-Session-Id"]
        self.assertRegex(session, "^[0-9a-f]{32}$")
        notice = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
        era = "2026-07-28"
        for expected, reply in (
            (202, ask(notice, Mcp_Session_Id=session)),
            (200, ask(listing, Mcp_Session_Id=session, Mcp_Protocol_Version="2025-11-25")),
            (400, ask(listing)),
            (404, ask(listing, Mcp_Session_Id="0" * 32)),
            (400, ask(listing, Mcp_Session_Id=session, Mcp_Protocol_Version="1999-01-01")),
            (406, ask(listing, Mcp_Session_Id=session, Accept="application/json")),
            (400, ask(listing, Mcp_Session_Id=session, Content_Type="text/plain")),
            (400, ask(b"{not json", Mcp_Session_Id=session)),
            (400, ask(b"[]", Mcp_Session_Id=session)),
            (403, ask(hello, Origin="http://evil.example")),
            (403, ask(hello, Origin="null")),
            (421, ask(hello, Host="evil.example")),
            (405, ask(b"", method="PUT")),
            (400, ask(b"", method="GET")),
            (405, ask(b"", method="GET", Mcp_Protocol_Version=era)),
            (200, ask(modern, Mcp_Protocol_Version=era, Mcp_Method="tools/list")),
            (400, ask(modern, Mcp_Protocol_Version=era)),
            (400, ask(modern, Mcp_Protocol_Version=era, Mcp_Method="tools/call")),
            (404, ask(unknown, Mcp_Protocol_Version=era, Mcp_Method="no/such")),
            (200, ask(b"", method="DELETE", Mcp_Session_Id=session)),
            (404, ask(listing, Mcp_Session_Id=session)),
        ):
            self.assertEqual(reply[0], expected, reply[2])

    def test_a_client_that_reads_nothing_holds_nobody_up(self):
        url = self.server()
        long = {"progressToken": "t" * 12_000_000}  # more than the buffers of both sides have room for
        deaf = Raw(url).ask_without_reading(
            "tools/call", {"name": "run_counter", "arguments": {"value": 1, "thread": "held"}, "_meta": long}
        )
        self.addCleanup(deaf.close)
        other = Raw(url)
        for _ in range(5):
            time.sleep(1)
            began = time.monotonic()
            self.assertEqual(other.ask("tools/list", {})[0], 200)
            self.assertLess(time.monotonic() - began, 20)
        # Its run has ended all the same: the thread is free.
        result = other.call("run_counter", {"value": 1, "thread": "held"})
        self.assertEqual(result["structuredContent"]["status"], "done", result)

    def test_new_sessions_end_no_running_call(self):
        url = self.server()
        asked = Raw(url, elicitation={})
        reply = asked.begin("tools/call", {"name": "run_approval", "arguments": {"draft": "cats"}})
        question = reply.message()
        many = http.client.HTTPConnection(asked.place, timeout=60)
        for _ in range(1001):
            many.request("POST", "/mcp", *asked.request("initialize", hello({}), session=False))
            with many.getresponse() as greeting:
                self.assertEqual(greeting.status, 200)
                greeting.read()
        many.close()
        asked.answer(question, {"action": "accept", "content": {"answer": "yes"}})
        self.assertEqual(reply.message()["result"]["structuredContent"]["values"]["published"], "About cats")
        reply.close()

    def test_needs_a_token_where_others_reach_it(self):
        command = [SANDGLASS, "mcp", "serve", "--http", "0.0.0.0:0", "--project", str(self.project)]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("SANDGLASS_MCP_TOKEN", refused.stderr)


class InSandboxes(Case):
    def same_thread(self, mode, result):
        """The argument by which a call goes on where another one was: a connection has its own thread."""
        return {}

    @require.needs("bubblewrap")
    async def test_code_keeps_its_names_and_its_files_become_resources(self):
        for mode in MODES:
            async with Client(self.server("--backend", "bubblewrap"), mode=mode) as client:
                first = await client.call_tool("code_sandbox", {"code": "x = 41\nprint('hi')"})
                self.assertFalse(first.is_error, first)
                self.assertEqual(first.structured_content["stdout"], "hi\n")
                code = "open('/session/artifacts/%s.txt', 'w').write('content'); x + 1" % mode
                second = await client.call_tool("code_sandbox", {"code": code, **self.same_thread(mode, first)})
                self.assertEqual(second.structured_content["value"], "42")
                links = [block for block in second.content if block.type == "resource_link"]
                self.assertEqual(len(links), 1)
                listed = await client.list_resources()
                self.assertIn(links[0].uri, [resource.uri for resource in listed.resources])
                read = await client.read_resource(links[0].uri)
                self.assertEqual(read.contents[0].text, "content")

    @require.needs("bubblewrap")
    async def test_an_exception_is_an_error_to_read(self):
        async with Client(self.server("--backend", "bubblewrap")) as client:
            result = await client.call_tool("code_sandbox", {"code": "1 / 0"})
            self.assertTrue(result.is_error)
            self.assertIn("ZeroDivisionError", result.structured_content["error"])

    @require.needs("bubblewrap")
    async def test_long_output_is_cut_with_a_link(self):
        async with Client(self.server("--backend", "bubblewrap")) as client:
            result = await client.call_tool("code_sandbox", {"code": "print('y' * 3_000_000)"})
            self.assertLess(len(result.model_dump_json()), 1_000_000)
            self.assertEqual([block.type for block in result.content], ["text", "resource_link"])

    @require.needs("bubblewrap")
    async def test_texts_of_any_size_are_whole_or_linked(self):
        code = "import sys\nprint('x\\n' * %d)\nprint('\\x01' * %d, file=sys.stderr)\n'\\\\' * %d"
        async with Client(self.server("--backend", "bubblewrap")) as client:
            for size in (20_000, 45_000, 95_000, 190_000):
                result = await client.call_tool("code_sandbox", {"code": code % (size // 2, size, size)})
                self.assertLess(len(result.model_dump_json()), 1_000_000)
                self.assertFalse("[cut" in result.model_dump_json())
                links = [str(block.uri) for block in result.content if block.type == "resource_link"]
                for key in ("stdout", "stderr", "value"):
                    text = result.structured_content[key]
                    self.assertTrue(len(text) >= size or text.rsplit(" ", 1)[-1] in links, (key, size, text[-100:]))

    @require.needs("bubblewrap")
    async def test_what_a_cell_shows_is_linked(self):
        code = textwrap.dedent(
            """
            import os
            class Shown:
                def __init__(self, size):
                    self.size = size
                def _repr_png_(self):
                    return b"\\x89PNG\\r\\n\\x1a\\n" + os.urandom(self.size)
            class Page:
                def _repr_html_(self):
                    return "<b>hi</b>"
            display(Shown(700_000))
            display(Shown(100))
            Page()
            """
        )
        async with Client(self.server("--backend", "bubblewrap")) as client:
            result = await client.call_tool("code_sandbox", {"code": code})
            self.assertFalse(result.is_error, result)
            links = [block for block in result.content if block.type == "resource_link"]
            self.assertEqual([link.mime_type for link in links], ["image/png", "image/png", "text/html"])
            self.assertEqual([block.type for block in result.content if block.type == "image"], ["image"])
            for word in ("figure 700 kB", "figure 108 B", "html 9 B"):
                self.assertIn(word, result.structured_content["shown"])
            self.assertIn("<b>hi</b>", (await client.read_resource(links[2].uri)).contents[0].text)

    @require.needs("bubblewrap")
    async def test_a_file_that_was_not_stored_is_an_error(self):
        require.need("small_disk")
        server = self.server("--backend", "bubblewrap")
        blobs = self.project / ".sandglass" / "blobs"
        blobs.mkdir(parents=True)
        full = 'mount -t tmpfs -o size=100k tmpfs "$0" && exec "$@"'
        server = server.model_copy(
            update={"command": "unshare", "args": ["-m", "sh", "-c", full, str(blobs), server.command, *server.args]}
        )
        async with Client(server) as client:
            code = "import os\nopen('/session/artifacts/x.bin', 'wb').write(os.urandom(500_000))"
            result = await client.call_tool("code_sandbox", {"code": code})
            self.assertTrue(result.is_error, result)
            self.assertFalse(result.structured_content["ok"])
            self.assertIn("No space left", result.structured_content["error"])
            linked = await client.call_tool("code_sandbox", {"code": "os.symlink('/etc/passwd', '/session/artifacts/l')"})
            self.assertIn("a link, not stored", linked.structured_content["notes"])

    @require.needs("bubblewrap")
    async def test_datasets(self):
        (self.project / "datasets").mkdir()
        (self.project / "datasets" / "small.csv").write_text("a,b\n1,2\n")
        async with Client(self.server("--backend", "bubblewrap", "--mode", "TMPFS_API")) as client:
            listed = await client.call_tool("list_datasets", {})
            self.assertFalse(listed.is_error, listed)

    @require.needs("bubblewrap")
    async def test_a_cancelled_call_ends(self):
        async with Client(self.server("--backend", "bubblewrap")) as client:
            with self.assertRaises(Exception):
                await asyncio.wait_for(
                    client.call_tool("code_sandbox", {"code": "import time\ntime.sleep(40)", "thread": "t"}), 3
                )
            result = await asyncio.wait_for(client.call_tool("code_sandbox", {"code": "1 + 1", "thread": "t"}), 20)
            self.assertEqual(result.structured_content["value"], "2")


class InSandboxesOverHttp(OverHttp, InSandboxes):
    test_a_file_that_was_not_stored_is_an_error = None  # it wraps the program

    def same_thread(self, mode, result):
        return {"thread": result.structured_content["thread"]} if mode == "auto" else {}

    @require.needs("bubblewrap")
    async def test_clients_of_one_name_share_nothing(self):
        server = self.server("--backend", "bubblewrap")
        for mode in MODES:
            async with Client(server, mode=mode) as one, Client(server, mode=mode) as other:
                await one.call_tool("code_sandbox", {"code": "secret = 'of one'"})
                result = await other.call_tool("code_sandbox", {"code": "secret"})
                self.assertTrue(result.is_error, result)
                self.assertIn("NameError", result.structured_content["error"])

    pass


class Entries(unittest.TestCase):
    def test_prints_the_entry_of_each_client(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(EXAMPLES / "counter" / "counter.graph.json", folder)
            for client, key in (("claude-code", "mcpServers"), ("cursor", "mcpServers"), ("vscode", "servers")):
                done = subprocess.run(
                    [SANDGLASS, "mcp", "config", client, "--project", folder], capture_output=True, timeout=60
                )
                entry = json.loads(done.stdout)[key]["sandglass"]
                self.assertEqual(entry["args"][:2], ["mcp", "serve"])
                self.assertTrue(os.access(entry["command"], os.X_OK))


if __name__ == "__main__":
    unittest.main(verbosity=2)

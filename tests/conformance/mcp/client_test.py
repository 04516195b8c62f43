"""`sandglass mcp list` and `call` against servers of the official SDK, and against servers that no honest author would write."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

SANDGLASS = sys.argv.pop(1)
SDK = os.environ.get("SG_MCP_PYTHON", "")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Project:
    """A folder with a graph that names these servers, and a home of its own for what its user allows."""

    def __init__(self, servers):
        self.folder = tempfile.TemporaryDirectory(prefix="sg-mcp-")
        self.path = pathlib.Path(self.folder.name)
        self.path.chmod(0o755)  # a sandbox's user reads what is below it
        (self.path / "project").mkdir()
        (self.path / "data").mkdir()
        graph = {
            "format": 1,
            "name": "tools",
            "state": {"value": {"type": "last_value"}},
            "nodes": [{"name": "a", "kind": "jq", "jq": "{}"}],
            "edges": [["__start__", "a"]],
            "mcp": servers,
        }
        (self.path / "project" / "tools.graph.json").write_text(json.dumps(graph))

    def run(self, *words, code=0, settings=None):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.path / "data"), **(settings or {}))
        # The Python of sandboxes is the machine's own, wherever this test's data are.
        environment["SANDGLASS_PYTHON"] = os.path.dirname(os.path.dirname(require.runtime_python()))
        done = subprocess.run(
            [SANDGLASS, "--json", "mcp", *words, "--project", str(self.path / "project")],
            env=environment,
            capture_output=True,
            timeout=120,
        )
        text = done.stdout.decode()
        if done.returncode != code:
            raise AssertionError("%r ended with %d:\n%s\n%s" % (words, done.returncode, text, done.stderr.decode()))
        self.said = done.stderr.decode()
        return json.loads(text) if text.strip() else None

    def allow(self, name):
        self.run("allow", name)

    def close(self):
        self.folder.cleanup()


class Case(unittest.TestCase):
    def project(self, servers):
        made = Project(servers)
        self.addCleanup(made.close)
        return made

    def raw(self, mode, **more):
        project = self.project(
            {"raw": {"command": sys.executable, "args": [str(HERE / "raw_server.py"), mode], "outside": True, **more}}
        )
        project.allow("raw")
        return project


class Untrusted(Case):
    def test_nothing_runs_that_nobody_allowed(self):
        mark = pathlib.Path(tempfile.mkdtemp()) / "ran"
        project = self.project({"bad": {"command": "touch", "args": [str(mark)], "outside": True}})
        told = project.run("list", code=1)
        self.assertIn("sandglass mcp allow bad", told[0]["error"])
        self.assertIn("runs a program on this machine", told[0]["error"])
        self.assertFalse(mark.exists())

    def test_a_changed_entry_is_asked_for_again(self):
        project = self.raw("plain")
        project.run("list")
        file = project.path / "project" / "tools.graph.json"
        file.write_text(file.read_text().replace('"plain"', '"words"'))
        self.assertIn("nobody has allowed it", project.run("list", code=1)[0]["error"])

    def test_no_address_is_asked_that_nobody_allowed(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.settimeout(0.2)
            project = self.project({"far": {"url": "http://127.0.0.1:%d/mcp" % listener.getsockname()[1]}})
            self.assertIn("nobody has allowed it", project.run("list", code=1)[0]["error"])
            with self.assertRaises(TimeoutError):
                listener.accept()

    def test_a_list_of_100000_is_cut_with_a_word(self):
        listed = self.raw("many").run("list")[0]
        self.assertEqual(len(listed["tools"]), 500)
        self.assertIn("more than 500", listed["notes"][0])

    def test_pages_without_end_are_cut(self):
        listed = self.raw("endless").run("list")[0]
        self.assertEqual(len(listed["tools"]), 200)
        self.assertIn("no end", listed["notes"][0])

    def test_heavy_pages_are_cut(self):
        notes = self.raw("heavy").run("list")[0]["notes"]
        self.assertTrue(any("more than 32 MiB" in note for note in notes), notes)

    def test_what_is_left_out_is_counted(self):
        notes = self.raw("wrong").run("list")[0]["notes"]
        self.assertEqual(len(notes), 21)
        self.assertIn("and 41 more are left out", notes[-1])

    def test_garbage_between_messages_is_skipped(self):
        project = self.raw("garbage")
        self.assertEqual([tool["name"] for tool in project.run("list")[0]["tools"]], ["raw_one", "raw_sandbox"])
        self.assertEqual(project.run("call", "raw", "one")["content"][0]["text"], "ok")

    def test_names_shadow_nothing(self):
        listed = self.raw("shadows").run("list")[0]
        names = [tool["name"] for tool in listed["tools"]]
        self.assertEqual(names[:3], ["raw_code_sandbox", "raw_a_b_c", "raw_a_b_c_2"])
        self.assertEqual(len(names), 4)
        for name in names:
            self.assertRegex(name, r"^[A-Za-z0-9_-]{1,64}$")
        notes = "\n".join(listed["notes"])
        for said in ("inputSchema", "other than an object", "no name", "256 KiB", "listed twice"):
            self.assertIn(said, notes)

    def test_escape_sequences_are_shown_as_text(self):
        project = self.raw("shadows")
        done = subprocess.run(
            [SANDGLASS, "mcp", "list", "--project", str(project.path / "project")],
            env=dict(os.environ, XDG_DATA_HOME=str(project.path / "data")),
            capture_output=True,
            timeout=60,
        )
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)
        self.assertIn(b"\\x1b]0;owned", done.stdout)

    def test_a_server_that_dies_is_an_error_of_the_tool(self):
        told = self.raw("dies").run("call", "raw", "one", code=4)
        self.assertTrue(told["is_error"])
        self.assertIn("it fell over", told["content"][0]["text"])

    def test_a_silent_server_ends_at_the_deadline(self):
        began = time.monotonic()
        told = self.raw("silent").run("call", "raw", "one", "--timeout", "0.5", code=4)
        self.assertIn("has not answered", told["content"][0]["text"])
        self.assertLess(time.monotonic() - began, 20)

    def test_only_what_is_named_is_in_its_environment(self):
        project = self.raw("words", env={"MINE": "1"})
        told = project.run("call", "raw", "one", settings={"SECRET_OF_OURS": "x"})
        names = set(json.loads(told["content"][0]["text"]))
        self.assertIn("MINE", names)
        self.assertLessEqual(names - {"LC_CTYPE"}, {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "MINE"})


class Sandboxed(Case):
    @require.needs("bubblewrap")
    def test_a_program_of_the_project_runs_in_a_sandbox(self):
        project = self.project({"raw": {"command": "python3", "args": ["raw_server.py", "words"], "files": "servers"}})
        servers = project.path / "project" / "servers"
        servers.mkdir()
        (servers / "raw_server.py").write_text((HERE / "raw_server.py").read_text())
        for backend in ("bubblewrap",) + (() if require.missing("docker") else ("docker",)):
            told = project.run("call", "raw", "one", "--backend", backend)
            self.assertFalse(told["is_error"], told)
            self.assertEqual(json.loads(told["content"][0]["text"])["HOME"], "/session")

    @require.needs("bubblewrap")
    def test_what_cannot_be_started_says_why(self):
        project = self.project({"raw": {"command": "no-such-program"}})
        told = project.run("list", "--backend", "bubblewrap", code=1)
        self.assertIn("no-such-program", told[0]["error"])


@require.needs("mcp")
class Official(Case):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.http = subprocess.Popen(
            [SDK, str(HERE / "sdk_server.py"), str(cls.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("the SDK's server does not listen")

    @classmethod
    def tearDownClass(cls):
        cls.http.kill()
        cls.http.wait()

    def setUp(self):
        self.both = self.project(
            {
                "pipe": {"command": SDK, "args": [str(HERE / "sdk_server.py")], "outside": True},
                "web": {"url": "http://127.0.0.1:%d/mcp" % self.port},
            }
        )
        self.both.allow("pipe")
        self.both.allow("web")

    def each(self):
        for name in ("pipe", "web"):
            with self.subTest(server=name):
                yield name

    def test_lists_what_it_offers(self):
        for server in self.both.run("list"):
            self.assertEqual(server["revision"], "2026-07-28")
            self.assertEqual(server["name"], "sdk-example")
            self.assertEqual([tool["tool"] for tool in server["tools"]], ["add", "slow", "greet", "refuse", "large"])

    def test_calls_with_structured_output(self):
        for name in self.each():
            told = self.both.run("call", name, "add", "--input", '{"a": 20, "b": 22}')
            self.assertEqual(told["structured"], {"total": 42})

    def test_wrong_arguments_are_refused_before_they_are_sent(self):
        told = self.both.run("call", "pipe", "add", "--input", '{"a": "x"}', code=4)
        self.assertIn("do not match the schema", told["content"][0]["text"])

    def test_tells_progress(self):
        for name in self.each():
            self.both.run("call", name, "slow", "--input", '{"steps": 3}')
            self.assertIn("3 of 3  step 3", self.both.said)

    def test_answers_a_question(self):
        for name in self.each():
            told = self.both.run("call", name, "greet", "--answer", '{"name": "Ada"}')
            self.assertEqual(told["content"][0]["text"], "hello Ada")
            self.assertIn("What is your name?", self.both.said)

    def test_declines_without_an_answer(self):
        for name in self.each():
            self.assertTrue(self.both.run("call", name, "greet", code=4)["is_error"])

    def test_an_error_of_the_tool_is_read(self):
        for name in self.each():
            told = self.both.run("call", name, "refuse", code=4)
            self.assertIn("this is refused", told["content"][0]["text"])

    def test_a_large_result_comes_whole(self):
        for name in self.each():
            told = self.both.run("call", name, "large", "--input", '{"size": 3000000}')
            self.assertEqual(len(told["content"][0]["text"]), 3_000_000)

    def test_a_call_ends_at_its_deadline(self):
        for name in self.each():
            began = time.monotonic()
            told = self.both.run("call", name, "slow", "--input", '{"steps": 400}', "--timeout", "0.6", code=4)
            self.assertIn("has not answered", told["content"][0]["text"])
            self.assertLess(time.monotonic() - began, 15)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""E2B's official SDK, unchanged, against `sandglass serve --e2b`. usage: server_test.py SANDGLASS"""

import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

SANDGLASS = sys.argv.pop(1)
try:
    import e2b
    from e2b.sandbox.filesystem.filesystem import WriteEntry
    from e2b_code_interpreter import Sandbox
except ImportError as problem:
    require.leave("e2b", "%s has no E2B SDK (%s); packaging/setup/e2b.sh installs one" % (sys.executable, problem))

EXAMPLE = HERE.parents[2] / "resources" / "examples" / "counter" / "counter.graph.json"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sg-e2b-")
        project = pathlib.Path(cls.folder.name)
        (project / "counter.graph.json").write_text(EXAMPLE.read_text())
        cls.environment = environment = {k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "DOCKER_HOST", "HOME", "XDG_DATA_HOME", "PATH")}
        cls.command = command = [SANDGLASS, "serve", "--e2b", "--json", "--project", str(project), "--backend", "bubblewrap"]
        cls.keys = [
            json.loads(subprocess.run([*command, "--new-key", name, "--sandboxes", "6"], capture_output=True, check=True, env=environment).stdout)["key"]
            for name in ("one", "two")
        ]
        cls.server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
        cls.url = json.loads(cls.server.stdout.readline())["serving"]

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(60)
        cls.server.stdout.close()
        cls.folder.cleanup()

    def until(self, holds):
        """A busy machine may need much time for what comes."""
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def options(self, who=0):
        return {"api_key": self.keys[who], "api_url": self.url, "sandbox_url": self.url}

    def sandbox(self, who=0, **more):
        made = Sandbox.create(**self.options(who), **more)
        self.addCleanup(made.kill)
        return made

    def ask(self, path, method="GET", body=None, **headers):
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        request = urllib.request.Request(self.url + path, body, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read()


class Sandboxes(Case):
    def test_live_and_end(self):
        sandbox = self.sandbox(timeout=60, metadata={"who": "me", "a b": "c&d"})
        self.assertTrue(sandbox.is_running())
        info = sandbox.get_info()
        self.assertEqual(info.metadata, {"who": "me", "a b": "c&d"})
        self.assertEqual(info.state.value, "running")
        left = (info.end_at - info.started_at).total_seconds()
        self.assertAlmostEqual(left, 60, delta=5)
        sandbox.set_timeout(600)
        self.assertGreater((sandbox.get_info().end_at - info.end_at).total_seconds(), 500)
        self.assertTrue(sandbox.kill())
        self.assertFalse(sandbox.is_running())
        self.assertFalse(sandbox.kill())
        with self.assertRaises(e2b.NotFoundException):
            Sandbox.connect(sandbox.sandbox_id, **self.options())

    def test_end_by_their_time(self):
        sandbox = self.sandbox(timeout=1)
        deadline = time.monotonic() + 20
        while sandbox.is_running() and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertFalse(sandbox.is_running())

    def test_are_listed_by_what_they_are_for(self):
        made = [self.sandbox(metadata={"group": "list", "a b": "c&%d" if number else "x"}) for number in range(3)]
        wanted = {"group": "list"}
        pages = Sandbox.list(query=e2b.SandboxQuery(metadata=wanted), limit=2, **self.options())
        first = pages.next_items()
        self.assertEqual(len(first), 2)
        self.assertTrue(pages.has_next)
        second = pages.next_items()
        self.assertFalse(pages.has_next)
        self.assertEqual({each.sandbox_id for each in first + second}, {each.sandbox_id for each in made})
        odd = Sandbox.list(query=e2b.SandboxQuery(metadata={"a b": "c&%d"}), **self.options()).next_items()
        self.assertEqual(len(odd), 2)

    def test_pages_go_on_after_a_sandbox_that_ended(self):
        made = [self.sandbox(metadata={"group": "gone"}) for _ in range(4)]
        pages = Sandbox.list(query=e2b.SandboxQuery(metadata={"group": "gone"}), limit=2, **self.options())
        first = [each.sandbox_id for each in pages.next_items()]
        Sandbox.kill(first[-1], **self.options())  # where the next page begins
        second = [each.sandbox_id for each in pages.next_items()]
        self.assertEqual(sorted(first + second), sorted(each.sandbox_id for each in made))

    def test_live_no_longer_than_their_key_allows(self):
        sandbox = self.sandbox(timeout=60)
        for path, body in (("refreshes", {"duration": 2**62}), ("timeout", {"timeout": 2**31}), ("refreshes", {"duration": -5}), ("timeout", {"timeout": "9"})):
            status, _ = self.ask("/sandboxes/%s/%s" % (sandbox.sandbox_id, path), "POST", json.dumps(body).encode(), X_API_KEY=self.keys[0])
            self.assertEqual(status, 400, path)
            info = sandbox.get_info()
            self.assertLessEqual((info.end_at - info.started_at).total_seconds(), 24 * 3600 + 1, path)
            self.assertGreater((info.end_at - info.started_at).total_seconds(), 59, path)

    def test_beyond_a_limit_of_their_key_are_refused(self):
        command = [*self.command, "--new-key", "small", "--sandboxes", "3", "--longest", "60", "--memory", "5000"]
        key = json.loads(subprocess.run(command, capture_output=True, check=True, env=self.environment).stdout)["key"]
        small = {**self.options(), "api_key": key}
        made = [Sandbox.create(timeout=60, **small) for _ in range(2)]  # of 2 GiB each
        try:
            with self.assertRaisesRegex(e2b.RateLimitException, "5000 MiB of memory; its sandboxes have 4096 MiB, and another takes 2048 MiB"):
                Sandbox.create(timeout=60, **small)
            for late in (lambda: Sandbox.create(timeout=61, **small), lambda: made[0].set_timeout(61), lambda: Sandbox.connect(made[0].sandbox_id, timeout=61, **small)):
                with self.assertRaisesRegex(e2b.SandboxException, "at most 60 seconds"):
                    late()
            made[0].set_timeout(60)
            made.pop().kill()
            made.append(Sandbox.create(timeout=60, **small))  # what one had is there for another
        finally:
            for each in made:
                each.kill()

    def test_are_no_more_than_their_key_allows_at_once(self):
        answers = []

        def work():
            try:
                answers.append(Sandbox.create(**self.options(1)))
            except e2b.RateLimitException as refused:
                answers.append(refused)

        threads = [threading.Thread(target=work) for _ in range(9)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        made = [each for each in answers if isinstance(each, Sandbox)]
        for each in made:
            each.kill()
        self.assertEqual(len(made), 6)
        for each in answers:
            if each not in made:
                self.assertIn("6 sandboxes at once", str(each))

    def test_that_end_by_themselves_are_gone(self):
        sandbox = self.sandbox()
        self.assertEqual(sandbox.commands.run("echo here").stdout, "here\n")
        # As the kernel does where memory runs out: the sandbox's first process is ended from outside.
        tasks = pathlib.Path("/proc/%d/task" % self.server.pid).glob("*/children")
        children = [child for task in tasks for child in task.read_text().split()]
        ended = [int(child) for child in children if pathlib.Path("/proc/%s/comm" % child).read_text().strip() == "bwrap"]
        self.assertTrue(ended)
        for each in ended:
            os.kill(each, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while sandbox.is_running() and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertNotIn(sandbox.sandbox_id, [each.sandbox_id for each in Sandbox.list(**self.options()).next_items()])

    def test_that_stop_their_agent_hold_nobody(self):
        sandbox = self.sandbox()
        sandbox.commands.run("sleep 0.5 && kill -STOP $PPID", background=True)
        time.sleep(4)
        began = time.monotonic()
        with self.assertRaises(Exception):
            sandbox.files.write("large", b"x" * (32 << 20), request_timeout=60)
        self.assertLess(time.monotonic() - began, 45)
        other = self.sandbox()
        self.assertEqual(other.commands.run("echo here").stdout, "here\n")
        self.assertEqual(sandbox.commands.run("echo again").stdout, "again\n")  # by an agent of its own

    def test_belong_to_one_client(self):
        mine = self.sandbox()
        other = self.options(1)
        self.assertEqual(Sandbox.list(**other).next_items(), [])
        with self.assertRaises(e2b.NotFoundException):
            Sandbox.connect(mine.sandbox_id, **other)
        self.assertFalse(Sandbox.kill(mine.sandbox_id, **other))
        self.assertTrue(mine.is_running())
        with self.assertRaises(e2b.AuthenticationException):
            Sandbox.create(api_key="e2b_" + "0" * 40, api_url=self.url, sandbox_url=self.url)
        theirs = self.sandbox(1)
        for port, path, method in ((49983, "/files?path=x", "GET"), (49983, "/process.Process/List", "POST"), (49999, "/execute", "POST")):
            for token in ({}, {"X_Access_Token": "0" * 48}, {"X_Access_Token": theirs._envd_access_token}):
                status, _ = self.ask(
                    path, method, b"{}" if method == "POST" else None, E2b_Sandbox_Id=mine.sandbox_id, E2b_Sandbox_Port=str(port), **token
                )
                self.assertEqual(status, 401, path)

    def test_are_no_more_than_the_key_allows(self):
        for _ in range(6):
            self.sandbox(1)
        with self.assertRaises(e2b.RateLimitException):
            Sandbox.create(**self.options(1))

    def test_pages_of_other_sites_reach_nothing(self):
        self.assertEqual(self.ask("/v2/sandboxes", X_API_Key=self.keys[0])[0], 200)
        self.assertEqual(self.ask("/v2/sandboxes", X_API_Key=self.keys[0], Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("/v2/sandboxes", X_API_Key=self.keys[0], Host="evil.example")[0], 403)
        self.assertEqual(self.ask("/v2/sandboxes")[0], 401)

    def test_pause_and_go_on(self):
        sandbox = self.sandbox()
        sandbox.run_code("x = 20")
        sandbox.pause()
        self.assertFalse(sandbox.is_running())
        self.assertEqual(sandbox.get_info().state.value, "paused")
        again = Sandbox.connect(sandbox.sandbox_id, **self.options())
        self.assertEqual(again.run_code("x + 1").text, "21")

    def test_metrics(self):
        sandbox = self.sandbox()
        figures = sandbox.get_metrics()
        self.assertGreater(figures[-1].mem_used, 1_000_000)
        self.assertGreater(figures[-1].mem_total, figures[-1].mem_used)
        size = sandbox.run_code("import os; s = os.statvfs('/session'); s.f_blocks * s.f_frsize").text
        self.assertLess(abs(figures[-1].disk_total - int(size)), 1 << 20)


class Code(Case):
    def test_results_have_json_data_and_charts(self):
        sandbox = self.sandbox()
        self.assertEqual(sandbox.run_code("{'a': [1, 2]}").results[0].json, {"a": [1, 2]})
        self.assertEqual(sandbox.run_code("[1, {'b': None}]").results[0].json, [1, {"b": None}])
        told = sandbox.run_code("class A:\n def _repr_mimebundle_(self, **_): return {'e2b/data': {'n': [1]}, 'text/plain': 'p'}\nA()")
        self.assertEqual(told.results[0].data, {"n": [1]})

    def test_output_that_was_cut_says_so(self):
        done = self.sandbox().run_code("for _ in range(10): print('x' * (1 << 20))")
        self.assertLess(len("".join(done.logs.stdout)), 9 << 20)
        self.assertRegex("".join(done.logs.stderr), r"^\d+ bytes of output beyond 8 MiB were dropped\n$")

    def test_runs_with_results(self):
        sandbox = self.sandbox(envs={"COLOUR": "green"})
        told = []
        done = sandbox.run_code("print('hi')\nx = 41\nx + 1", on_stdout=lambda line: told.append(line.line))
        self.assertEqual((done.text, "".join(done.logs.stdout), "".join(told)), ("42", "hi\n", "hi\n"))
        self.assertEqual(sandbox.run_code("x").text, "41")
        self.assertEqual(sandbox.run_code("import os; os.environ['COLOUR']").text, "green")
        self.assertEqual(sandbox.run_code("os.environ['SHADE']", envs={"SHADE": "dark"}).text, "dark")
        self.assertEqual(sandbox.run_code("os.environ.get('SHADE', 'none')").text, "none")
        wrong = sandbox.run_code("import sys; print('bad', file=sys.stderr)\n1 / 0")
        self.assertEqual(wrong.error.name, "ZeroDivisionError")
        self.assertIn("division by zero", wrong.error.traceback)
        self.assertEqual("".join(wrong.logs.stderr), "bad\n")

    def test_shows_rich_results(self):
        sandbox = self.sandbox()
        code = "class Rich:\n    def _repr_html_(self): return '<b>x</b>'\n    def __repr__(self): return 'rich'\n"
        done = sandbox.run_code(code + "from IPython.display import display\ndisplay(Rich())\nRich()")
        self.assertEqual([(each.html, each.text, each.is_main_result) for each in done.results], [("<b>x</b>", "rich", False), ("<b>x</b>", "rich", True)])

    def test_a_client_that_leaves_interrupts_its_code(self):
        sandbox = self.sandbox()
        sandbox.run_code("x = 7")
        with self.assertRaises(e2b.TimeoutException):
            sandbox.run_code("import time\ntime.sleep(60)", timeout=1)
        self.assertEqual(sandbox.run_code("x", timeout=20).text, "7")


class Contexts(Case):
    def test_have_names_of_their_own(self):
        sandbox = self.sandbox(envs={"COLOUR": "green"})
        sandbox.run_code("x = 'own'")
        one, two = sandbox.create_code_context(), sandbox.create_code_context()
        for number, context in enumerate((one, two)):
            sandbox.run_code("x = %d" % number, context=context)
        self.assertEqual([sandbox.run_code("x", context=each).text for each in (one, two)], ["0", "1"])
        self.assertEqual(sandbox.run_code("x").text, "own")
        pids = {sandbox.run_code("import os; os.getpid()", context=each).text for each in (None, one, two)}
        self.assertEqual(len(pids), 3)
        self.assertEqual(sandbox.run_code("os.environ['COLOUR']", context=one).text, "green")
        self.assertEqual(sandbox.run_code("os.environ['SHADE']", context=one, envs={"SHADE": "dark"}).text, "dark")
        self.assertEqual(sandbox.run_code("os.environ.get('SHADE')", context=one).text, None)
        sandbox.run_code("open('shared', 'w').write('seen')", context=one)
        self.assertEqual(sandbox.run_code("open('shared').read()", context=two).text, "seen")
        html = "class Rich:\n    def _repr_html_(self): return '<b>x</b>'\nRich()"
        self.assertEqual(sandbox.run_code(html, context=two).results[0].html, "<b>x</b>")
        wrong = sandbox.run_code("print('so far')\n1 / 0", context=two)
        self.assertEqual((wrong.error.name, wrong.logs.stdout), ("ZeroDivisionError", ["so far\n"]))

    def test_run_beside_each_other(self):
        sandbox = self.sandbox()
        contexts = [None, sandbox.create_code_context(), sandbox.create_code_context()]
        seen = []

        def work(context):
            code = (
                "import os, time, uuid\nopen('/tmp/beside-' + uuid.uuid4().hex, 'w').close()\nend = time.monotonic() + 60\n"
                "def seen(): return sum(name.startswith('beside-') for name in os.listdir('/tmp'))\n"
                "while seen() < 3 and time.monotonic() < end: time.sleep(0.01)\nprint(seen())"
            )
            seen.append("".join(sandbox.run_code(code, context=context, timeout=100).logs.stdout).strip())

        threads = [threading.Thread(target=work, args=(each,)) for each in contexts]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(seen, ["3"] * 3)  # none of them ended before all had begun

    def test_are_listed_restarted_and_removed(self):
        sandbox = self.sandbox()
        sandbox.run_code("x = 1")
        made = sandbox.create_code_context(cwd="/tmp", language="python")
        self.assertEqual((made.cwd, made.language), ("/tmp", "python"))
        self.assertEqual(sandbox.run_code("import os; os.getcwd()", context=made).text, "/tmp")
        self.assertEqual({each.id for each in sandbox.list_code_contexts()}, {"default", made.id})
        sandbox.run_code("y = 2", context=made)
        running = threading.Thread(target=sandbox.run_code, args=("open('/tmp/runs', 'w').close()\nwhile True: pass",), kwargs={"context": made})
        running.start()
        self.until(lambda: sandbox.files.exists("/tmp/runs"))
        sandbox.restart_code_context(made)
        running.join(60)
        self.assertFalse(running.is_alive())
        self.assertEqual(sandbox.run_code("y", context=made).error.name, "NameError")
        self.assertEqual(sandbox.run_code("import os; os.getcwd()", context=made).text, "/tmp")
        self.assertEqual(sandbox.run_code("x").text, "1")
        sandbox.restart_code_context("default")
        self.assertEqual(sandbox.run_code("x").error.name, "NameError")
        sandbox.run_code("z = 3", context=made)
        self.assertEqual(sandbox.run_code("z", context=made).text, "3")
        sandbox.remove_code_context(made)
        self.assertEqual([each.id for each in sandbox.list_code_contexts()], ["default"])
        for gone in (lambda: sandbox.run_code("1", context=made), lambda: sandbox.remove_code_context(made), lambda: sandbox.restart_code_context(made)):
            with self.assertRaises(e2b.NotFoundException):
                gone()

    def test_outlive_the_death_of_an_interpreter(self):
        sandbox = self.sandbox(envs={"COLOUR": "green"})
        made = sandbox.create_code_context()
        command = sandbox.commands.run("sleep 100", background=True)
        sandbox.run_code("x = 1", context=made)
        self.assertEqual(sandbox.run_code("import os; os._exit(3)").error.name, "UnexpectedEndOfExecution")
        self.assertEqual(sandbox.run_code("import os; os.environ['COLOUR']").text, "green")
        self.assertEqual(sandbox.run_code("x", context=made).text, "1")
        self.assertIn(command.pid, [each.pid for each in sandbox.commands.list()])
        self.assertEqual(sandbox.run_code("import os; os._exit(3)", context=made).error.name, "UnexpectedEndOfExecution")
        self.assertEqual(sandbox.run_code("import os; os.environ['COLOUR']", context=made).text, "green")
        sandbox.run_code("import os, signal; os.kill(os.getppid(), signal.SIGKILL)", context=made)  # its runner
        self.assertEqual(sandbox.run_code("1 + 1", context=made).text, "2")

    def test_that_are_left_are_interrupted(self):
        sandbox = self.sandbox()
        made = sandbox.create_code_context()
        sandbox.run_code("x = 7", context=made)
        with self.assertRaises(e2b.TimeoutException):
            sandbox.run_code("import time\ntime.sleep(60)", context=made, timeout=1)
        self.assertEqual(sandbox.run_code("x", context=made, timeout=20).text, "7")

    def test_of_a_sandbox_are_16_besides_its_own(self):
        sandbox = self.sandbox()
        made = [sandbox.create_code_context() for _ in range(16)]
        with self.assertRaisesRegex(e2b.SandboxException, "16 contexts"):
            sandbox.create_code_context()
        sandbox.remove_code_context(made[3])
        self.assertEqual(sandbox.run_code("5", context=sandbox.create_code_context()).text, "5")

    def test_refuse_what_they_cannot_be(self):
        sandbox = self.sandbox()
        for language in ("javascript", "r", "bash"):
            with self.assertRaisesRegex(e2b.SandboxException, "Python alone"):
                sandbox.create_code_context(language=language)
            with self.assertRaisesRegex(e2b.SandboxException, "Python alone"):
                sandbox.run_code("1", language=language)
        with self.assertRaisesRegex(e2b.SandboxException, "nowhere"):
            sandbox.create_code_context(cwd="/nowhere")
        with self.assertRaisesRegex(e2b.SandboxException, "cannot be removed"):
            sandbox.remove_code_context("default")
        other = self.sandbox().create_code_context()
        with self.assertRaises(e2b.NotFoundException):
            sandbox.run_code("1", context=other)


class Commands(Case):
    def test_run_in_the_foreground(self):
        sandbox = self.sandbox(envs={"COLOUR": "green"})
        done = sandbox.commands.run("echo $COLOUR $SHADE; echo bad >&2; cat", envs={"SHADE": "dark"})
        self.assertEqual((done.stdout, done.stderr, done.exit_code), ("green dark\n", "bad\n", 0))
        with self.assertRaises(e2b.CommandExitException) as failed:
            sandbox.commands.run("exit 3")
        self.assertEqual(failed.exception.exit_code, 3)
        with self.assertRaises(e2b.InvalidArgumentException):
            sandbox.commands.run("true", cwd="/nowhere")
        with self.assertRaises(e2b.TimeoutException):
            sandbox.commands.run("sleep 30", timeout=1)
        self.until(lambda: sandbox.commands.run("pgrep -c -x sleep || true").stdout == "0\n")

    def test_run_in_the_background(self):
        sandbox = self.sandbox()
        handle = sandbox.commands.run("while read line; do echo got $line; done; echo over", background=True, stdin=True)
        self.assertIn(handle.pid, [each.pid for each in sandbox.commands.list()])
        sandbox.commands.send_stdin(handle.pid, "one\n")
        sandbox.commands.send_stdin(handle.pid, "two\n")
        sandbox.commands.close_stdin(handle.pid)
        self.assertEqual(handle.wait().stdout, "got one\ngot two\nover\n")
        sleeping = sandbox.commands.run("sleep 100", background=True)
        joined = sandbox.commands.connect(sleeping.pid)
        self.assertTrue(sandbox.commands.kill(sleeping.pid))
        self.assertFalse(sandbox.commands.kill(999999))
        for each in (sleeping, joined):
            with self.assertRaises(e2b.CommandExitException):
                each.wait()

    def test_much_output_arrives_whole(self):
        sandbox = self.sandbox()
        done = sandbox.commands.run("head -c 20000000 /dev/zero | tr '\\0' 'x'")
        self.assertEqual(len(done.stdout), 20_000_000)

    def test_terminals(self):
        sandbox = self.sandbox()
        shown = []
        terminal = sandbox.pty.create(e2b.PtySize(rows=30, cols=90), timeout=60)
        sandbox.pty.send_stdin(terminal.pid, b"stty size; exit 4\n")
        try:
            terminal.wait(on_pty=shown.append)
        except e2b.CommandExitException as ended:
            self.assertEqual(ended.exit_code, 4)
        self.assertIn(b"30 90", b"".join(shown))


class Files(Case):
    def test_are_written_read_and_listed(self):
        sandbox = self.sandbox()
        files = sandbox.files
        self.assertEqual(files.write("deep/er/a.txt", "content").name, "a.txt")
        self.assertEqual(files.read("deep/er/a.txt"), "content")
        self.assertEqual(sandbox.commands.run("cat deep/er/a.txt").stdout, "content")
        self.assertEqual(sandbox.run_code("open('deep/er/a.txt').read()").text, "content")
        files.write_files([WriteEntry(path="b \"ü.bin", data=bytes(range(256))), WriteEntry(path="c.txt", data="c")])
        self.assertEqual(bytes(files.read("b \"ü.bin", format="bytes")), bytes(range(256)))
        self.assertTrue(files.exists("c.txt"))
        percents = ["p/a b", "p/a%20b", "p/%2e%2e%2fq", "p/100%", "p/%41"]
        files.write_files([WriteEntry(path=path, data=path) for path in percents])
        self.assertEqual(sorted("p/" + each.name for each in files.list("p")), sorted(percents))
        self.assertEqual([files.read(path) for path in percents], percents)
        files.rename("c.txt", "d.txt")
        self.assertFalse(files.exists("c.txt"))
        self.assertEqual([each.name for each in files.list("deep", depth=2)], ["er", "a.txt"])
        info = files.get_info("deep/er/a.txt")
        self.assertEqual((info.size, info.type.value), (7, "file"))
        self.assertTrue(files.make_dir("new"))
        self.assertFalse(files.make_dir("new"))
        files.remove("deep")
        self.assertFalse(files.exists("deep"))
        for missing in (lambda: files.read("nowhere"), lambda: files.list("nowhere"), lambda: files.rename("nowhere", "x")):
            with self.assertRaises(e2b.NotFoundException):
                missing()
        with self.assertRaises(e2b.InvalidArgumentException):
            files.read("new")

    def test_large_ones_pass_in_both_directions(self):
        sandbox = self.sandbox()
        content = os.urandom(1 << 20) * 200
        begin = time.monotonic()
        sandbox.files.write("large", content)
        middle = time.monotonic()
        self.assertEqual(sandbox.files.read("large", format="bytes"), content)
        end = time.monotonic()
        print("200 MiB by the SDK: up %.0f MB/s, down %.0f MB/s" % (210 / (middle - begin), 210 / (end - middle)))

    def test_signed_addresses(self):
        sandbox = self.sandbox()
        sandbox.files.write("s.txt", "signed")
        with urllib.request.urlopen(sandbox.download_url("s.txt"), timeout=20) as reply:
            self.assertEqual(reply.read(), b"signed")
        for wrong in (sandbox.download_url("s.txt").replace("s.txt", "t.txt"), sandbox.download_url("s.txt", use_signature_expiration=-10)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(wrong, timeout=20)
            self.assertEqual(refused.exception.code, 401)
            refused.exception.close()

    def test_are_watched(self):
        sandbox = self.sandbox()
        sandbox.files.make_dir("seen")
        watcher = sandbox.files.watch_dir("seen", recursive=True)
        sandbox.commands.run("echo x > seen/a; mkdir seen/b; echo y > seen/b/c")
        found = set()
        deadline = time.monotonic() + 10
        while len(found) < 3 and time.monotonic() < deadline:
            found |= {(each.type.value, each.name) for each in watcher.get_new_events() if each.type.value == "create"}
            time.sleep(0.05)
        self.assertEqual(found, {("create", "a"), ("create", "b"), ("create", "b/c")})
        watcher.stop()


class Hostile(Case):
    """What is asked a million times, without an end, or with another's token costs nobody else anything."""

    def memory(self):
        status = pathlib.Path("/proc/%d/status" % self.server.pid).read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) >> 10  # MiB

    def port(self):
        return int(self.url.rpartition(":")[2])

    def test_uploads_without_an_end(self):
        sandbox, other = self.sandbox(), self.sandbox(1)
        before = self.memory()
        head = "POST /files?path=endless HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nE2b-Sandbox-Id: %s\r\nE2b-Sandbox-Port: 49983\r\n" % (self.port(), sandbox.sandbox_id)
        head += "X-Access-Token: %s\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n" % sandbox._envd_access_token
        piece = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
        with socket.create_connection(("127.0.0.1", self.port()), timeout=60) as connection:
            connection.sendall(head.encode())
            sent, most = 0, 32768  # who is refused is read for some seconds more, so that the answer arrives
            try:
                while sent < most:
                    connection.sendall(piece)
                    sent += 1
                    if sent % 100 == 0:
                        self.assertEqual(other.commands.run("echo here").stdout, "here\n")
                        self.assertLess(self.memory() - before, 64)
            except (ConnectionResetError, BrokenPipeError):
                pass
            self.assertLess(sent, most)
            with contextlib.suppress(ConnectionResetError):
                self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 507 "))
        with socket.create_connection(("127.0.0.1", self.port()), timeout=60) as connection:  # and one that ends in the middle
            connection.sendall(head.encode() + piece * 20)
            time.sleep(0.5)
        self.until(lambda: not any("endless" in each.name for each in sandbox.files.list(".")))
        self.assertEqual([each.name for each in sandbox.files.list(".") if "endless" in each.name], [])

    def test_many_random_keys(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port(), timeout=30)
        self.addCleanup(connection.close)

        def ask(number):
            for _ in range(number):
                connection.request("GET", "/v2/sandboxes", headers={"X-API-KEY": "e2b_" + os.urandom(20).hex()})
                reply = connection.getresponse()
                reply.read()
                self.assertEqual(reply.status, 401)

        ask(500)
        before = self.memory()
        ask(5000)
        self.assertLess(self.memory() - before, 4)
        self.assertEqual(self.sandbox().run_code("1 + 1").text, "2")

    def test_tokens_of_another_sandbox(self):
        mine, other = self.sandbox(network={"allow_public_traffic": False}), self.sandbox(1)
        stolen = {"X_Access_Token": other._envd_access_token, "E2B_Traffic_Access_Token": other.traffic_access_token, "X_API_KEY": self.keys[1]}
        for port, path, method in (
            ("49983", "/files?path=a", "GET"),
            ("49983", "/process.Process/List", "POST"),
            ("49999", "/contexts", "GET"),
            ("49999", "/contexts", "POST"),
            ("49999", "/contexts/default/restart", "POST"),
            ("49999", "/execute", "POST"),
            ("3000", "/", "GET"),
        ):
            status, _ = self.ask(path, method, b"{}" if method == "POST" else None, E2b_Sandbox_Id=mine.sandbox_id, E2b_Sandbox_Port=port, **stolen)
            self.assertEqual(status, 401, path)

    def test_names_that_lead_elsewhere(self):
        sandbox = self.sandbox()
        known = {"E2b_Sandbox_Id": sandbox.sandbox_id, "E2b_Sandbox_Port": "49999", "X_Access_Token": sandbox._envd_access_token}
        for name in ("..", "../default", "%2e%2e%2fdefault", "default%00", "a" * 3000, "default/restart/restart", ""):
            for method in ("DELETE", "POST"):
                status, _ = self.ask("/contexts/" + name + ("/restart" if method == "POST" else ""), method, b"", **known)
                self.assertIn(status, (404, 405), name)
        for body, expected in ((b'{"cwd": 5}', 400), (b'{"cwd": "a\\u0000b"}', 400), (b'{"cwd": "%s"}' % (b"a" * 5000), 400), (b"[]", 400), (b"{", 400), (b'{"language": ["python"]}', 500)):
            status, said = self.ask("/contexts", "POST", body, **known)
            self.assertEqual(status, expected, (body[:50], said))
        marker = pathlib.Path(tempfile.gettempdir()) / ("sg-e2b-marker-%d" % os.getpid())
        for path in ("../../../.." + str(marker), str(marker), "/proc/1/root" + str(marker), "~/../.." + str(marker)):
            with contextlib.suppress(Exception):
                sandbox.files.write(path, "out")
            self.assertFalse(marker.exists(), path)
        self.assertEqual(sandbox.run_code("1 + 1").text, "2")


SERVICE = r"""
import hashlib, http.server, json, threading

goes_on = threading.Event()

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body):
        self.send_response(200, "Fine")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Of-Service", "yes")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/chunks":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for number in range(3):
                self.wfile.write(b"5\r\npart%d\r\n" % number)
                goes_on.wait(60)
            self.wfile.write(b"0\r\n\r\n")
        elif self.path == "/goes-on":
            goes_on.set()
            self.send_response(204)
            self.end_headers()
        elif self.path == "/large":
            self.send_response(200)
            self.end_headers()
            for _ in range(100):
                self.wfile.write(bytes(1 << 20))
            self.close_connection = True
        elif self.path == "/cut":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"ff\r\nso far")
            self.close_connection = True
        elif self.path == "/two":
            answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
            self.wfile.write(answer + b"one" + answer + b"two")
            self.close_connection = True
        elif self.path == "/nonsense":
            self.wfile.write(b"what? " * 20000)
            self.close_connection = True
        elif self.path == "/socket":
            self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello ")
            while data := self.connection.recv(65536):
                self.wfile.write(data.upper())
            self.close_connection = True
        else:
            self.answer(json.dumps({"path": self.path, "headers": dict(self.headers)}).encode())

    def do_POST(self):
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"%d %s" % (len(body), hashlib.sha256(body).hexdigest().encode()))

http.server.ThreadingHTTPServer(("0.0.0.0", 3000), Handler).serve_forever()
"""


class Ports(Case):
    def service(self, **more):
        sandbox = self.sandbox(**more)
        sandbox.files.write("service.py", SERVICE)
        sandbox.commands.run("python3 service.py", background=True)
        probe = "import socket, time\nfor _ in range(100):\n    if socket.socket().connect_ex(('127.0.0.1', 3000)) == 0: break\n    time.sleep(0.1)\n"
        sandbox.run_code(probe)
        return sandbox

    def get(self, host, path="/", method="GET", body=None, **headers):
        """By the host's name, which need not be resolved here."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.url.rpartition(":")[2]), timeout=30)
        self.addCleanup(connection.close)
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request(method, path, body, {"Host": host, **sent}, encode_chunked=sent.get("Transfer-Encoding") == "chunked")
        return connection.getresponse()

    def test_are_reached_by_host_header_and_path(self):
        sandbox = self.service()
        host = sandbox.get_host(3000)
        self.assertEqual(host, "3000-%s.localhost:%s" % (sandbox.sandbox_id, self.url.rpartition(":")[2]))
        seen = json.loads(self.get(host, "/a/b%20c?d=e%2Ff&g", X_Own="kept", X_Access_Token="never").read())
        self.assertEqual(seen["path"], "/a/b%20c?d=e%2Ff&g")
        self.assertEqual((seen["headers"].get("x-own"), seen["headers"].get("host")), ("kept", host))
        self.assertNotIn("x-access-token", seen["headers"])
        status, body = self.ask("/x?y=z", E2b_Sandbox_Id=sandbox.sandbox_id, E2b_Sandbox_Port="3000")
        self.assertEqual((status, json.loads(body)["path"]), (200, "/x?y=z"))
        status, body = self.ask("/kruise/%s/3000/x?y=z" % sandbox.sandbox_id)
        self.assertEqual((status, json.loads(body)["path"]), (200, "/x?y=z"))

    def test_pass_bodies_and_answers(self):
        host = self.service().get_host(3000)
        content = os.urandom(3 << 20)
        expected = "%d %s" % (len(content), hashlib.sha256(content).hexdigest())
        answer = self.get(host, "/", "POST", content)
        self.assertEqual((answer.status, answer.getheader("X-Of-Service"), answer.read().decode()), (200, "yes", expected))
        chunked = self.get(host, "/", "POST", iter([content[: 1 << 20], content[1 << 20 :]]), Transfer_Encoding="chunked")
        self.assertEqual(chunked.read().decode(), expected)
        answer = self.get(host, "/chunks")
        self.assertEqual(answer.read(5), b"part0")  # as it comes: the next is not sent yet
        self.assertEqual(self.get(host, "/goes-on").status, 204)
        self.assertEqual(answer.read(), b"part1part2")
        self.assertEqual(self.get(host, "/", "HEAD").status, 501)
        began = time.monotonic()
        self.assertEqual(len(self.get(host, "/large").read()), 100 << 20)
        print("100 MiB out of a port: %.0f MB/s" % (105 / (time.monotonic() - began)))

    def test_that_answer_wrongly_reach_one_request_alone(self):
        host = self.service().get_host(3000)
        self.assertEqual(self.get(host, "/two").read(), b"one")
        self.assertEqual(self.get(host, "/nonsense").status, 502)
        with self.assertRaises((http.client.IncompleteRead, ConnectionResetError)):
            self.get(host, "/cut").read()
        self.assertEqual(self.get(host, "/").status, 200)

    def test_pass_web_sockets(self):
        sandbox = self.service()
        sockets = []
        head = "GET /socket HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n\r\n" % sandbox.get_host(3000)

        def opened():
            connection = socket.create_connection(("127.0.0.1", int(self.url.rpartition(":")[2])), timeout=20)
            self.addCleanup(connection.close)
            connection.sendall(head.encode())
            said = b""
            while b"\r\n\r\n" not in said:
                said += connection.recv(4096)
            return connection, said

        for number in range(64):
            connection, said = opened()
            self.assertTrue(said.startswith(b"HTTP/1.1 101 "), said)
            sockets.append(connection)
        _, said = opened()
        self.assertTrue(said.startswith(b"HTTP/1.1 429 "), said)
        for connection in sockets:
            connection.sendall(b"well")
        for connection in sockets:
            said = b""
            while not said.endswith(b"WELL"):
                said += connection.recv(4096)
            connection.close()
        self.until(lambda: opened()[1].startswith(b"HTTP/1.1 101 "))
        waiting, _ = opened()
        sandbox.kill()
        while waiting.recv(4096):
            pass  # it ends with the sandbox

    def test_are_closed_where_the_client_wants_it(self):
        sandbox = self.service(network={"allow_public_traffic": False})
        other = self.sandbox(1)
        host = sandbox.get_host(3000)
        self.assertEqual(self.get(host).status, 401)
        self.assertEqual(self.get(host, E2B_Traffic_Access_Token=other.traffic_access_token).status, 401)
        self.assertEqual(self.get(host, X_API_KEY=self.keys[0]).status, 401)
        self.assertEqual(self.get(host, E2B_Traffic_Access_Token=sandbox.traffic_access_token).status, 200)

    def test_refuse_what_is_not_there(self):
        sandbox = self.service()
        closed = self.get(sandbox.get_host(3001))
        self.assertEqual(closed.status, 502)
        self.assertIn(b"port is not open", closed.read())
        host = sandbox.get_host(3000)
        self.assertEqual(self.get(host.replace("3000", "70000", 1)).status, 400)
        self.assertEqual(self.get(host.replace(sandbox.sandbox_id, "0" * 20)).status, 502)
        self.assertEqual(self.get(host, Origin="http://evil.example").status, 403)
        self.assertEqual(self.get(host, Origin="http://" + host).status, 200)
        sandbox.pause()
        self.assertEqual(self.get(host).status, 502)


class Many(Case):
    def test_clients_at_once(self):
        sandbox = self.sandbox()
        answers = []

        def work(number):
            answers.append(sandbox.commands.run("sleep 2; echo %d" % number).stdout.strip())

        threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
        begin = time.monotonic()
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(sorted(map(int, answers)), list(range(20)))
        self.assertLess(time.monotonic() - begin, 30)  # one after another they would take 40 s


if require.missing("bubblewrap"):
    require.leave("bubblewrap", require.missing("bubblewrap"))

if __name__ == "__main__":
    unittest.main(verbosity=2)

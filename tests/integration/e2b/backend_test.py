"""Sessions in a sandbox elsewhere, of a real server. usage: backend_test.py SANDGLASS"""

import os
import shutil
import subprocess
import tempfile

from elsewhere import Server, User, json, require, signal, time, unittest, until

if require.missing("bubblewrap"):
    require.leave("bubblewrap", require.missing("bubblewrap"))


class Case(unittest.TestCase):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.user = User()
        self.addCleanup(self.user.close)


class Ways:
    """A graph runs whichever way leads to the sandbox."""

    def connect(self):
        self.user.connect(self.server)

    def test_a_graph_runs_and_its_past_comes_back(self):
        self.connect()
        ran = self.user.json("run", "two.graph.json", "--thread", "a", "--input", '{"value": 5}')
        self.assertEqual(ran["values"], {"value": 12, "seen": [[5, 5, 5], "from one"]})
        (kept,) = ran["artifacts"]
        self.assertEqual(kept["name"], "out.txt")
        self.assertEqual(self.user.living(), [], "a session that has ended costs nothing more")
        self.assertEqual(self.user.records(), [])
        past = self.user.json("history", "--thread", "a")
        after_one = next(each for each in past if each["step"] == 1)
        again = self.user.json("replay", "two.graph.json", "--thread", "a", "--checkpoint", after_one["checkpoint_id"])
        self.assertEqual(again["values"], {"value": 12, "seen": [[5, 5, 5], "from one"]})


class AsE2b(Ways, Case):
    def test_a_thread_moves_elsewhere_and_back(self):
        self.connect()
        self.user.run("run", "two.graph.json", "--thread", "m", "--input", '{"value": 5}', "--backend", "bubblewrap")
        for backend in ("e2b", "bubblewrap"):
            past = self.user.json("history", "--thread", "m")
            after_one = next(each for each in past if each["step"] == 1)
            again = self.user.json("replay", "two.graph.json", "--thread", "m", "--checkpoint", after_one["checkpoint_id"], "--backend", backend)
            self.assertEqual(again["values"], {"value": 12, "seen": [[5, 5, 5], "from one"]})

    def test_connections_are_told(self):
        self.connect()
        (listed,) = self.user.json("connection", "list")["connections"]
        self.assertEqual((listed["name"], listed["kind"], listed["routing"]), ("near", "e2b", "headers"))
        (checked,) = self.user.json("connection", "check")["connections"]
        self.assertTrue(checked["works"])
        self.assertNotIn(self.user.key, json.dumps([listed, checked]))
        for path in self.user.home.rglob("connections.json"):
            self.assertNotIn(self.user.key, path.read_text())
        self.assertTrue(self.user.json("connection", "remove", "near")["removed"])
        self.user.run("connection", "remove", "near", expect=1)

    def test_a_graph_names_no_address(self):
        self.connect()
        graph = json.loads((self.user.project / "two.graph.json").read_text())
        graph["sandbox"]["connection"] = "theirs"
        self.user.write("two.graph.json", json.dumps(graph))
        told = self.user.run("run", "two.graph.json", "--thread", "a", "--input", '{"value": 5}', expect=None)
        self.assertNotEqual(told.returncode, 0)
        self.assertIn('connection "theirs" is not set up', told.stderr + told.stdout)
        self.assertEqual(self.user.living(), [])

    def test_what_is_not_to_be_had_is_said(self):
        self.connect()
        for setting, says in (("storage=BIND", "storage BIND"), ("egress=example.com", "sandbox elsewhere"), ("image=other/python", "--template")):
            told = self.user.run("run", "two.graph.json", "--thread", "a", "--input", '{"value": 5}', "--set", setting, expect=None)
            self.assertNotEqual(told.returncode, 0)
            self.assertIn(says, told.stderr + told.stdout)
        self.assertEqual(self.user.living(), [])

    def test_it_is_found_again_after_a_kill(self):
        self.connect()
        run = self.user.start("session", "exec", "--thread", "a", "import time; print('begun', flush=True); time.sleep(600)")
        self.assertIn("begun", run.stdout.readline())
        (one,) = self.user.living()
        self.assertEqual(one["thread"], "a")
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertEqual([each["name"] for each in self.user.living()], [one["name"]])
        (left,) = self.user.json("session", "list")
        self.assertEqual((left["backend"], left["sandbox"]), ("e2b", one["name"]))
        self.assertIn("expires_at", left)
        removed = self.user.json("session", "gc")
        self.assertEqual([each["name"] for each in removed], [one["name"]])
        self.assertEqual(self.user.living(), [])
        self.assertEqual(self.user.records(), [])

    def test_a_kept_session_is_taken_up_again(self):
        self.connect()
        self.user.run("session", "exec", "--thread", "k", "--keep-session", "x = 41")
        (one,) = self.user.living()
        self.assertEqual(one["paused"], False)
        told = self.user.run("session", "exec", "--thread", "k", "print(x + 1)")
        self.assertIn("42", told.stdout)
        self.assertEqual([each["name"] for each in self.user.living()], [one["name"]])
        (listed,) = self.user.json("session", "list")
        self.user.run("session", "stop", listed["session_id"])
        self.assertEqual(self.user.living(), [])

    def test_a_pause_keeps_names(self):
        self.connect()
        self.user.run("session", "exec", "--thread", "p", "--keep-session", "x = 41")
        (listed,) = self.user.json("session", "list")
        self.user.run("session", "pause", listed["session_id"])
        (one,) = self.user.living()
        self.assertTrue(one["paused"])
        self.user.run("session", "unpause", listed["session_id"])
        self.assertIn("42", self.user.run("session", "exec", "--thread", "p", "print(x + 1)").stdout)
        self.user.run("session", "stop", listed["session_id"])

    def test_its_time_ends_it_when_nobody_asks_for_more(self):
        self.user.connect(self.server, "--time", "30")
        run = self.user.start("session", "exec", "--thread", "a", "import time; print('begun', flush=True); time.sleep(600)")
        self.assertIn("begun", run.stdout.readline())
        time.sleep(12)  # a third of its time: it has been renewed
        (one,) = self.user.living()
        run.send_signal(signal.SIGKILL)
        run.wait()
        until(lambda: not self.user.living(), 45)


class AsKruise(Ways, Case):
    options = ("--kruise",)

    def connect(self):
        self.user.connect(self.server, "--kind", "kruise")


class AsKruiseByPath(Ways, Case):
    options = ("--kruise",)

    def connect(self):
        self.user.connect(self.server, "--kind", "kruise", "--routing", "path", sandboxes=self.server.url, api=self.server.url + "/kruise/api")


class OverTls(Case):
    """The service proves its name by an authority that the connection names."""

    @classmethod
    def setUpClass(cls):
        if shutil.which("openssl") is None:
            require.skip("tls", "openssl is not there")
        cls.folder = tempfile.TemporaryDirectory(prefix="sg-e2b-tls-")
        cls.certificate, key = (os.path.join(cls.folder.name, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cls.certificate, "-days", "2"]
            + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )
        cls.server = Server("--certificate", cls.certificate, "--key", key)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_is_believed_by_its_certificate_alone(self):
        self.assertTrue(self.server.url.startswith("https://"))
        self.user.connect(self.server, "--ca", self.certificate)
        self.assertIn("42", self.user.run("session", "exec", "--thread", "a", "print(41 + 1)").stdout)
        self.assertEqual(self.user.living(), [])
        self.user.connect(self.server)
        (checked,) = self.user.json("connection", "check", expect=1)["connections"]
        self.assertFalse(checked["works"])
        self.assertIn("certificate", checked["problem"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

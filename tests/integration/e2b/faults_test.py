"""Services that fail: nothing is lost or left behind, and every refusal says why. usage: faults_test.py SANDGLASS"""

import http.client
import http.server
import threading

from bad_gateway import Gateway
from elsewhere import Server, User, json, require, time, unittest, until

if require.missing("bubblewrap"):
    require.leave("bubblewrap", require.missing("bubblewrap"))


def is_create(handler):
    return handler.command == "POST" and handler.path.endswith("/sandboxes")


def is_data(handler):
    return "E2b-Sandbox-Id" in handler.headers


class Times:
    """A fault for the first requests of a kind."""

    def __init__(self, count, which, fault):
        self.left, self.which, self.fault = count, which, fault

    def __call__(self, handler):
        if self.left > 0 and self.which(handler):
            self.left -= 1
            return self.fault
        return None


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.user = User()
        self.addCleanup(self.user.close)
        self.gateway = Gateway(self.server.url)
        self.addCleanup(self.gateway.close)
        self.user.connect(self.server, api=self.gateway.url)

    def cell(self, code, fails=False, thread="a"):
        began = time.monotonic()
        told = self.user.run("session", "exec", "--backend", "e2b", "--thread", thread, code, expect=None if fails else 0)
        self.assertEqual(told.returncode != 0, fails)
        self.took = time.monotonic() - began
        self.said = told.stdout + told.stderr
        self.assertNotIn(self.user.key, self.said)
        return told

    def leaves_nothing(self):
        self.gateway.rule = lambda handler: None
        self.assertEqual(self.user.living(), [])
        self.assertEqual(self.user.records(), [])

    def test_a_gateway_that_knows_a_new_sandbox_late(self):
        self.gateway.rule = Times(4, is_data, ("answer", 502, {}, b'{"code": 502, "message": "The sandbox was not found"}'))
        self.assertIn("42", self.cell("print(41 + 1)").stdout)
        self.leaves_nothing()

    def test_too_many_requests_once(self):
        self.gateway.rule = Times(1, is_create, ("answer", 429, {"Retry-After": "1"}, b'{"code": 429, "message": "slow down"}'))
        self.assertIn("42", self.cell("print(41 + 1)").stdout)
        self.leaves_nothing()

    def test_refusals_of_a_create(self):
        for status, body, says in (
            (401, b'{"code": 401, "message": "Invalid API Key"}', "does not accept the secret near"),
            (403, b'{"code": 403, "message": "quota exceeded"}', "quota exceeded"),
            (400, b'{"code": 400, "message": "Template or Checkpoint not found"}', "Template or Checkpoint not found"),
            (429, b'{"code": 429, "message": "enough"}', "fewer sandboxes"),
            (500, b"<html>oops</html>", "HTTP 500"),
            (200, b"[1, 2", "not what E2B's protocol says"),
        ):
            with self.subTest(status=status):
                more = {"Should-Retry": "false"} if status == 429 else {"X-Request-ID": "req-7"}
                self.gateway.rule = lambda handler: ("answer", status, more, body) if is_create(handler) else None
                self.cell("1", fails=True)
                self.assertIn(says, self.said)
                self.assertLess(self.took, 20)
                if status == 500:
                    self.assertIn("req-7", self.said)
                self.leaves_nothing()

    def test_half_an_answer_leaves_no_sandbox(self):
        self.gateway.rule = Times(1, is_create, ("half",))
        self.cell("1", fails=True)
        self.leaves_nothing()

    def test_a_service_that_is_down(self):
        self.gateway.close()
        self.cell("1", fails=True)
        self.assertIn("127.0.0.1", self.said)
        self.assertLess(self.took, 20)

    def test_a_slow_service_is_waited_for(self):
        self.gateway.rule = lambda handler: ("late", 0.5)
        self.assertIn("42", self.cell("print(41 + 1)").stdout)
        self.leaves_nothing()

    def test_a_gateway_that_holds_streams_back(self):
        self.gateway.rule = lambda handler: ("hold",) if handler.path.endswith("/Start") else None
        self.cell("1", fails=True)
        self.assertIn("hold streams back", self.said)
        self.leaves_nothing()

    def test_a_connection_that_breaks_in_a_cell(self):
        cut = threading.Event()
        self.gateway.rule = lambda handler: ("cut_when", cut) if handler.path.endswith("/Start") else None
        run = self.user.start("session", "exec", "--backend", "e2b", "--thread", "a", "import time; print('begun', flush=True); time.sleep(600)")
        self.assertIn("begun", run.stdout.readline())
        cut.set()
        said = run.stdout.read()
        run.wait(60)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("broke off", said)
        self.leaves_nothing()

    def test_a_sandbox_that_its_service_ends_in_a_cell(self):
        run = self.user.start("session", "exec", "--backend", "e2b", "--thread", "a", "import time; print('begun', flush=True); time.sleep(600)")
        self.assertIn("begun", run.stdout.readline())
        (one,) = self.user.living()
        request = http.client.HTTPConnection(self.gateway.target)
        request.request("DELETE", "/sandboxes/" + one["name"].split("/")[1], headers={"X-API-KEY": self.user.key})
        self.assertEqual(request.getresponse().status, 204)
        request.close()
        said = run.stdout.read()
        run.wait(60)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("the service has ended the sandbox", said)
        self.leaves_nothing()

    def test_a_program_that_is_killed_while_it_starts_one(self):
        for slow in (is_create, is_data):
            with self.subTest(slow.__name__):
                before = len(self.gateway.seen)
                self.gateway.rule = lambda handler, slow=slow: ("late", 2) if slow(handler) else None
                run = self.user.start("session", "exec", "--backend", "e2b", "--thread", "a", "1")
                until(lambda: any(method == "POST" for method, _, _ in self.gateway.seen[before:]))
                if slow is is_data:
                    until(self.user.living)
                self.assertEqual(len(self.user.records()), 1)
                run.kill()
                run.wait()
                until(self.user.living)  # the gateway goes on without it
                removed = self.user.json("session", "gc")
                self.assertEqual(len(removed), 1)
                self.leaves_nothing()

    def test_the_key_follows_no_redirect(self):
        heard = []

        class Thief(http.server.BaseHTTPRequestHandler):
            def do(self):
                heard.append(dict(self.headers))
                self.send_response(404)
                self.end_headers()

            do_GET = do_POST = do

            def log_message(self, *_):
                pass

        thief = http.server.HTTPServer(("127.0.0.1", 0), Thief)
        threading.Thread(target=thief.serve_forever, daemon=True).start()
        self.addCleanup(thief.server_close)
        self.addCleanup(thief.shutdown)
        place = "http://127.0.0.1:%d/" % thief.server_port
        self.gateway.rule = lambda handler: ("answer", 307, {"Location": place}, b"")
        self.cell("1", fails=True)
        self.assertEqual(heard, [])

    def test_doctor_says_what_is_wrong(self):
        self.gateway.rule = lambda handler: ("answer", 401, {}, b'{"code": 401, "message": "Invalid API Key"}')
        told = self.user.run("--json", "doctor", expect=None, timeout=300)
        line = next(each for each in json.loads(told.stdout)["checks"] if each["name"] == "connection near")
        self.assertEqual(line["state"], "broken")
        self.assertIn("does not accept", line["text"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""A request that was under way when its run ended is not repeated in silence: the person is asked."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from pools import SANDGLASS, wait_for

GRAPH = {
    "format": 1,
    "name": "order",
    "state": {"order": {"type": "last_value"}, "receipt": {"type": "last_value"}},
    "nodes": [{"name": "buy", "kind": "http", "method": "POST", "channel": "receipt", "request": "{body: .order}"}],
    "edges": [["__start__", "buy"], ["buy", "__end__"]],
}


class Shop(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.keys.append(self.headers.get("Idempotency-Key"))
        self.server.answers.wait(60)
        try:
            self.send_response(self.server.status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"number": 7}')
        except OSError:
            pass  # who asked is gone

    do_GET = do_PUT = do_POST

    def log_message(self, *words):
        pass


class Uncertain(unittest.TestCase):
    def setUp(self):
        self.shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        self.shop.daemon_threads = True
        self.shop.keys, self.shop.status, self.shop.answers = [], 200, threading.Event()
        threading.Thread(target=self.shop.serve_forever, daemon=True).start()
        self.addCleanup(self.shop.shutdown)
        self.addCleanup(self.shop.answers.set)
        folder = tempfile.TemporaryDirectory(prefix="sandglass-uncertain-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        place = "http://127.0.0.1:%d" % self.shop.server_address[1]
        self.environment = dict(os.environ, HOME=str(self.folder), HTTP_HOSTS=place)
        self.write(place)

    def write(self, place, method="POST"):
        self.place = place
        graph = json.loads(json.dumps(GRAPH))
        graph["nodes"][0].update(url=place + "/orders", method=method)
        if method == "GET":
            del graph["nodes"][0]["request"]
        (self.folder / "order.graph.json").write_text(json.dumps(graph), encoding="utf-8")

    def words(self, *words):
        return [SANDGLASS, "--json", *words]

    def sandglass(self, *words):
        return subprocess.run(self.words(*words), cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60)

    def kill_a_run(self):
        run = subprocess.Popen(self.words("run", ".", "--thread", "t", "--input", '{"order": "tea"}'), cwd=self.folder,
                               env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: self.shop.keys, "the shop has the order")
        run.kill()
        run.wait()
        self.shop.answers.set()

    def receipt(self):
        return json.loads(self.sandglass("state", "--thread", "t").stdout)["values"].get("receipt")

    def test_the_person_is_asked_and_it_is_done_again_with_the_same_key(self):
        self.kill_a_run()
        asked = self.sandglass("resume", ".", "--thread", "t")
        self.assertEqual(asked.returncode, 5, asked.stdout + asked.stderr)
        self.assertEqual(len(self.shop.keys), 1)
        self.assertIn("may have been done", asked.stdout)
        self.assertIn("may have been done", self.sandglass("inbox", "list").stdout)
        done = self.sandglass("resume", ".", "--thread", "t", "--answer", "true")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.receipt(), {"number": 7})
        self.assertEqual(len(self.shop.keys), 2)
        self.assertEqual(self.shop.keys[0], self.shop.keys[1])
        self.assertEqual(len(self.shop.keys[0]), 64)

    def test_it_goes_on_without_the_result_where_the_person_says_so(self):
        self.kill_a_run()
        self.assertEqual(self.sandglass("resume", ".", "--thread", "t").returncode, 5)
        done = self.sandglass("resume", ".", "--thread", "t", "--answer", "false")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIsNone(self.receipt())
        self.assertEqual(len(self.shop.keys), 1)

    def test_what_may_be_repeated_is_not_asked_about(self):
        self.write(self.place, "GET")
        self.shop.answers.set()
        done = self.sandglass("run", ".", "--thread", "g", "--input", '{"order": "tea"}')
        self.assertEqual((done.returncode, self.shop.keys), (0, [None]), done.stdout + done.stderr)

    def test_an_answer_of_the_server_is_certain(self):
        self.shop.status = 503
        self.shop.answers.set()
        failed = self.sandglass("run", ".", "--thread", "t", "--input", '{"order": "tea"}')
        self.assertEqual(failed.returncode, 4, failed.stdout + failed.stderr)
        self.shop.status = 200
        done = self.sandglass("resume", ".", "--thread", "t")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.shop.keys[0], self.shop.keys[-1])

    def test_a_server_that_was_never_reached_has_done_nothing(self):
        self.shop.shutdown()
        self.shop.server_close()
        self.assertEqual(self.sandglass("run", ".", "--thread", "t", "--input", '{"order": "tea"}').returncode, 4)
        self.assertEqual(self.sandglass("resume", ".", "--thread", "t").returncode, 4)  # it fails again, and asks nobody

    def test_each_request_of_another_run_is_new(self):
        self.shop.answers.set()
        for thread in ("a", "b"):
            self.assertEqual(self.sandglass("run", ".", "--thread", thread, "--input", '{"order": "tea"}').returncode, 0)
        self.assertEqual(len(set(self.shop.keys)), 2)


if __name__ == "__main__":
    unittest.main()

"""The page of connections: a service is set up, asked, and its sandboxes are ended, as a person would."""

import datetime
import json
import os
import subprocess
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import window_driver
from files_project import sandglass
from test_commands import is_shown, until
from window_case import BIN, WORKBENCH, copied, main

METADATA = {"sandglass": "1", "sandglass-session": "s-1", "sandglass-thread": "alice", "sandglass-project": "/p"}


class Service:
    """The control plane of a service with one sandbox of ours."""

    def __init__(self):
        self.ended, self.keys = [], set()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def say(self, status, value=None):
                body = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                owner.keys.add(self.headers.get("x-api-key"))
                if self.path.startswith("/templates"):
                    return self.say(200, [{"templateID": "t1", "aliases": ["pandas-large"]}])
                end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=41)
                living = {"sandboxID": "ix7k2", "metadata": METADATA, "state": "running", "startedAt": "2026-01-01T00:00:00Z",
                          "endAt": end.strftime("%Y-%m-%dT%H:%M:%SZ")}
                return self.say(200, [] if owner.ended else [living])

            def do_DELETE(self):
                owner.ended.append(self.path)
                self.say(204)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Connections(unittest.TestCase):
    def test_a_service_is_set_up_asked_and_its_sandbox_ended(self):
        subprocess.run([os.path.join(BIN, "sandglass"), "secret", "set", "lab-key", "--file"], input="e2b_0123456789", text=True,
                       check=True, capture_output=True)
        with Service() as service, window_driver.Window(WORKBENCH, "--theme", "light", copied("counter")) as window:
            window.need("incrementer", contains=True)
            window.key("ctrl+shift+p")
            until(lambda: is_shown(window, "Commands", "text"), "no palette")
            window.type("connections")
            window.key("Return")
            window.need("Services elsewhere on which your sessions may run appear here.", contains=True)
            window.press("New connection…", "button")
            form = window.need("New connection", "dialog")
            for field, words in (("Name", "lab"), ("Address", service.url), ("Key", "lab-key")):
                window.inside(form, field, "text").queryComponent().grabFocus()
                window.type(words)
            window.press("Add and check", "button")
            window.need("1 connection · 1 answers", contains=True)
            window.need("Templates there: pandas-large.", contains=True)
            window.need("Key: lab-key, by its name alone.", contains=True)
            window.need("Sandboxes elsewhere: 1 of yours", contains=True)
            window.need("0:40:", contains=True)  # the countdown runs
            if os.environ.get("SG_PICTURES"):
                window.picture(os.path.join(os.environ["SG_PICTURES"], "connections.png"))
            window.press("End all…", "button")
            window.press("End", "button")
            window.need("Sandboxes elsewhere: none of yours", contains=True)
            self.assertEqual(service.ended, ["/sandboxes/ix7k2"])
            self.assertEqual(service.keys, {"e2b_0123456789"})
            window.press("Remove connection", "button")
            window.need("lab is removed", contains=True)
            window.need("No connection is set up", contains=True)
            window.press("Bring it back", "button")
            window.need("1 connection", contains=True)
        known = json.loads(sandglass("connection", "list", "--json").stdout)["connections"]
        self.assertEqual([(each["name"], each["api"], each["key"]) for each in known], [("lab", service.url, "lab-key")])
        sandglass("connection", "remove", "lab")


if __name__ == "__main__":
    main()

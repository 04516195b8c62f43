"""An index of packages on 127.0.0.1 whose one wheel lies elsewhere: index_server.py FOLDER LINK [LOCATION].

Its page of demo-a links to LINK. A request for /moved/… is answered with a redirect to LOCATION, one for /files/… with
what FOLDER has. The first line that it prints is its port."""

import http.server
import os
import sys

FOLDER, LINK = sys.argv[1], sys.argv[2]
LOCATION = sys.argv[3] if len(sys.argv) > 3 else ""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        own = "http://127.0.0.1:%d" % self.server.server_address[1]
        name = os.path.basename(self.path)
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", LOCATION.replace("OWN", own))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/simple/demo-a/":
            self._send("text/html", b'<a href="%s">demo_a-1.0-py3-none-any.whl</a>' % LINK.replace("OWN", own).encode())
        elif self.path.startswith("/files/") and os.path.exists(os.path.join(FOLDER, name)):
            with open(os.path.join(FOLDER, name), "rb") as file:
                self._send("application/octet-stream", file.read())
        else:
            self.send_error(404)

    def _send(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()

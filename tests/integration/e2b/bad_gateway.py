"""A gateway before a service, which fails in the ways that a test asks for."""

import http.client
import http.server
import threading
import time
import urllib.parse


class Gateway:
    """`rule(handler)` is asked with each request: None passes it on; ("answer", status, headers, body), ("half", body), ("cut",),
    ("late", seconds), ("hold",): an answer is kept back until it is whole; ("cut_when", event): a stream is cut then."""

    def __init__(self, target):
        self.target = urllib.parse.urlsplit(target).netloc
        self.rule = lambda handler: None
        self.seen = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do(self):
                outer.serve(self)

            do_GET = do_POST = do_DELETE = do_PUT = do

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def serve(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.seen.append((handler.command, handler.path, dict(handler.headers)))
        fault = self.rule(handler)
        kind = fault[0] if fault else ""
        try:
            if kind == "answer":
                return self.answer(handler, *fault[1:])
            if kind == "cut":
                handler.close_connection = True
                return handler.connection.close()
            if kind == "late":
                time.sleep(fault[1])
            self.pass_on(handler, body, fault if kind in ("half", "hold", "cut_when") else None)
        except (OSError, http.client.HTTPException):
            handler.close_connection = True

    @staticmethod
    def answer(handler, status, headers, body):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def pass_on(self, handler, body, fault):
        way = http.client.HTTPConnection(self.target, timeout=600)
        try:
            self.pass_by(way, handler, body, fault)
        finally:
            way.close()

    def pass_by(self, way, handler, body, fault):
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("connection", "content-length")}
        headers["Host"] = self.target
        way.request(handler.command, handler.path, body, headers)
        reply = way.getresponse()
        if fault and fault[0] == "half":
            whole = reply.read()
            handler.send_response(reply.status)
            handler.send_header("Content-Length", str(len(whole)))
            handler.end_headers()
            handler.wfile.write(whole[: len(whole) // 2])
            handler.close_connection = True
            return
        if reply.getheader("Transfer-Encoding") != "chunked" or (fault and fault[0] == "hold"):
            whole = reply.read()
            self.answer(handler, reply.status, {n: v for n, v in reply.getheaders() if n.lower() not in ("content-length", "transfer-encoding", "connection")}, whole)
            return
        handler.send_response(reply.status)
        handler.send_header("Content-Type", reply.getheader("Content-Type"))
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        if fault:
            threading.Thread(target=lambda: (fault[1].wait(), handler.connection.shutdown(2)), daemon=True).start()
        while True:
            piece = reply.read1(65536)
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
            if not piece:
                return

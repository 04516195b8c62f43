"""An HTTP server that answers the requests for a chat model with exactly what a script says, faults included.

A script is a list of replies, one for each request; the last one is repeated. A reply is an object:
  status    200 where absent
  headers   beside Content-Type, which follows from `body` unless it is named here
  body      text, or a list of texts that are sent as chunks of their own
  hex       the same, for bytes that are no text
  end       "whole" (default), "drop": the connection ends before the body does, "reset": the same with a TCP reset,
            "hang": nothing more comes until the client goes, "refuse": the connection ends without a word
`requests` holds what came: {"method", "path", "headers", "body"}; `gone` counts the clients that went while a reply hung.
"""

import json
import socket
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ScriptedServer:
    def __init__(self, replies, port=0):
        self.replies = list(replies)
        self.requests = []
        self.gone = 0
        self.changed = threading.Condition()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.do_POST()

            def do_POST(self):
                size = int(self.headers.get("content-length") or 0)
                owner.answer(self, self.rfile.read(size))

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # clients that go away are part of the script

        self.server = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def wait_for(self, what, seconds=30):
        with self.changed:
            return self.changed.wait_for(what, seconds)

    def answer(self, handler, body):
        with self.changed:
            reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
            try:
                parsed = json.loads(body) if body else None
            except ValueError:
                parsed = body.decode("utf-8", "replace")
            self.requests.append({"method": handler.command, "path": handler.path,
                                  "headers": {k.lower(): v for k, v in handler.headers.items()}, "body": parsed})
            self.changed.notify_all()
        send(handler, reply, self)

    def went(self):
        with self.changed:
            self.gone += 1
            self.changed.notify_all()


def pieces_of(reply):
    if "hex" in reply:
        return [bytes.fromhex(piece) for piece in as_list(reply["hex"])]
    return [piece.encode() for piece in as_list(reply.get("body", ""))]


def as_list(value):
    return value if isinstance(value, list) else [value]


def send(handler, reply, owner):
    end = reply.get("end", "whole")
    connection = handler.connection
    handler.close_connection = end != "whole" or handler.close_connection
    if end == "refuse":
        return
    pieces = pieces_of(reply)
    chunked = isinstance(reply.get("body", reply.get("hex")), list)
    handler.send_response_only(reply.get("status", 200))
    headers = {k.lower(): v for k, v in reply.get("headers", {}).items()}
    streams = pieces and pieces[0].lstrip(b"\xef\xbb\xbf").startswith((b"data:", b"event:", b":", b"id:"))
    headers.setdefault("content-type", "text/event-stream" if streams else "application/json")
    if chunked:
        headers["transfer-encoding"] = "chunked"
    else:
        headers["content-length"] = str(sum(map(len, pieces)) + (0 if end == "whole" else 1000))
    for key, value in headers.items():
        handler.send_header(key, value)
    try:
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked and piece else piece)
            handler.wfile.flush()
        while end == "hang" and connection.recv(4096):
            pass
    except ConnectionError:  # the client went while the reply was written, or with a part of it unread
        end = "hang"
    if end == "hang":
        owner.went()
    elif end == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif end == "whole" and chunked:
        handler.wfile.write(b"0\r\n\r\n")


def main():
    """scripted_server.py SCRIPT.json [REQUESTS.json]: prints its URL; ends with its standard input."""
    with open(sys.argv[1], encoding="utf-8") as file:
        script = json.load(file)
    with ScriptedServer(script) as server:
        print(server.url, flush=True)
        sys.stdin.read()
        if len(sys.argv) > 2:
            with open(sys.argv[2], "w", encoding="utf-8") as file:
                json.dump(server.requests, file)


if __name__ == "__main__":
    main()

"""How LangGraph-Sandbox runs a cell, reproduced: an HTTP REPL in the container, and docker exec for all that concerns
files. One cell is three requests to the REPL (the code, a clean-up, the variables) and two execs that list the files, then
at least one more exec for each new file.

    langgraph_sandbox_path.py [IMAGE]      needs a Docker Engine (DOCKER_HOST, else /var/run/docker.sock)
"""

import http.client
import json
import os
import socket
import statistics
import sys
import time

from bench_tools import figure, unmeasured

SERVER = r"""
import contextlib, http.server, io, json, sys
names = {}
class Repl(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        code = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["code"]
        out = io.StringIO()
        answer = {"ok": True}
        try:
            with contextlib.redirect_stdout(out):
                exec(code, names, names)
        except Exception as error:
            answer = {"ok": False, "error": repr(error)}
        body = json.dumps(dict(answer, stdout=out.getvalue())).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Repl).serve_forever()
"""
CLEAN_UP = "import gc; gc.collect()"
STATE = "state = {n: type(v).__name__ for n, v in list(globals().items()) if not n.startswith('_')}"


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


class Engine:
    def __init__(self):
        host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
        if not host.startswith("unix://"):
            raise OSError("only a local engine is measured, not " + host)
        self._path = host[len("unix://"):]

    def call(self, method, path, body=None, raw=False):
        connection = UnixConnection(self._path)
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"} if data else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            raise OSError(content.decode(errors="replace"))
        return content if raw else json.loads(content or b"null")

    def run(self, container, command):
        made = self.call("POST", f"/containers/{container}/exec",
                         {"Cmd": command, "AttachStdout": True, "AttachStderr": True})
        return self.call("POST", f"/exec/{made['Id']}/start", {"Detach": False, "Tty": False}, raw=True)


def post(port, code):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)  # a client of its own for each call, as there
    connection.request("POST", "/exec", json.dumps({"code": code}), {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    if not answer["ok"]:
        raise OSError(answer["error"])
    return answer


def list_files(engine, container):
    return engine.run(container, ["sh", "-c", "find /session/artifacts -type f -printf '%P\\n'"])


def cell(engine, container, port, code, artifact=None):
    list_files(engine, container)
    post(port, code)
    list_files(engine, container)
    if artifact:
        time.sleep(0.03)  # it waits so long before each batch
        engine.run(container, ["sh", "-c", f"cd /session/artifacts && tar -cf - {artifact}"])
    post(port, CLEAN_UP)
    post(port, STATE)


def start(engine, image, port):
    made = engine.call("POST", "/containers/create", {
        "Image": image, "Entrypoint": ["python3"], "Cmd": ["-c", SERVER, str(port)], "WorkingDir": "/session",
        "HostConfig": {"NetworkMode": "host", "Tmpfs": {"/session": "rw,size=64m,mode=1777"}, "AutoRemove": True},
    })
    engine.call("POST", f"/containers/{made['Id']}/start")
    while True:
        try:
            post(port, "1")
            break
        except OSError:
            time.sleep(0.1)  # it asks every 100 ms, too
    engine.run(made["Id"], ["mkdir", "-p", "/session/artifacts"])
    return made["Id"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def timed(action):
    begin = time.perf_counter()
    result = action()
    return time.perf_counter() - begin, result


def main(image):
    engine = Engine()
    starts, cells, artifacts = [], [], []
    container = None
    for _ in range(3):
        port = free_port()
        if container:
            engine.call("DELETE", f"/containers/{container}?force=1")
        seconds, container = timed(lambda: start(engine, image, port))
        starts.append(seconds)
    try:
        for _ in range(15):
            cells.append(timed(lambda: cell(engine, container, port, "1"))[0])
        for i in range(10):
            code = f"open('/session/artifacts/a{i}.txt', 'w').write('x')"
            artifacts.append(timed(lambda: cell(engine, container, port, code, f"a{i}.txt"))[0])
    finally:
        engine.call("DELETE", f"/containers/{container}?force=1")
    for name, seconds in (("cold", starts), ("round_trip", cells), ("artifact", artifacts)):
        figure(f"sessions.langgraph_sandbox.{name}", statistics.median(seconds) * 1000)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "sandglass/python")
    except OSError as error:
        unmeasured("sessions.langgraph_sandbox", error)

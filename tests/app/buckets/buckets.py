"""An S3 server (moto) behind a proxy that checks every signature and makes faults, and projects whose node leaves files."""

import hashlib
import http.client
import http.server
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "support"))
import require  # noqa: E402

SANDGLASS = os.environ.get("SG_SANDGLASS") or str(
    pathlib.Path(__file__).resolve().parent.parent.parent.parent / "build/release/bin/sandglass")
KEY = "AKIATESTTESTTESTTEST"
SECRET = "test+secret/of-the-bucket-0123456789abcdef"
BUCKET = "team-artifacts"

GRAPH = {
    "format": 1,
    "name": "leaves",
    "state": {"files": {"type": "last_value"}, "told": {"type": "last_value"}},
    "nodes": [{"name": "leave", "kind": "python", "file": "nodes/leave.py"}],
    "edges": [["__start__", "leave"], ["leave", "__end__"]],
}

# "files": name to a text, or to a number of bytes that depend on the name.
CODE = """import hashlib
import os
import pathlib


def bytes_of(name, size):
    made, left = bytearray(), hashlib.sha256(name.encode()).digest()
    while len(made) < size:
        made += left * 2048
        left = hashlib.sha256(left).digest()
    return bytes(made[:size])


def node(state):
    folder = pathlib.Path("/session/artifacts")
    for name, content in (state.get("files") or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else bytes_of(name, content))
    return {"told": dict(os.environ)}
"""
exec(CODE.split("def node")[0])  # bytes_of() for the tests themselves


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(is_so, what, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = is_so()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain: " + what)


class Moto:
    def __init__(self, folder):
        self.port = free_port()
        self.log = open(folder / "moto.log", "wb")
        self.process = subprocess.Popen([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
                                        stdout=self.log, stderr=self.log)
        wait_for(self.answers, "moto answers")

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


def expected_signature(method, target, headers):
    """The signature that botocore gives a request with these headers, and the one that it has."""
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
    fields = dict(part.strip().split("=", 1) for part in headers["authorization"].split(" ", 1)[1].split(","))
    key, _, region, service, _ = fields["Credential"].split("/")
    signed = {name: headers[name] for name in fields["SignedHeaders"].split(";")}
    request = AWSRequest(method, "http://" + headers["host"] + target, headers=signed)
    request.context["timestamp"] = headers["x-amz-date"]
    auth = S3SigV4Auth(Credentials(key, SECRET), service, region)
    text = auth.string_to_sign(request, auth.canonical_request(request))
    return auth.signature(text, request), fields["Signature"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_one(self):
        proxy = self.server.proxy
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        request = {"method": self.command, "target": self.path, "path": urllib.parse.unquote(self.path.split("?")[0]),
                   "headers": headers, "body": body}
        with proxy.lock:
            proxy.requests.append(request)
            fault = next((each for each in proxy.faults if each.wants(request)), None)
        should, does = expected_signature(self.command, self.path, headers)
        if should != does:
            proxy.wrong.append("%s %s: signature" % (self.command, self.path))
        if hashlib.sha256(body).hexdigest() != headers["x-amz-content-sha256"]:
            proxy.wrong.append("%s %s: content hash" % (self.command, self.path))
        if fault:
            fault.do(self, request)
            if fault.instead:
                return
        upstream = http.client.HTTPConnection("127.0.0.1", proxy.upstream, timeout=60)
        upstream.request(self.command, self.path, body or None, {name: value for name, value in self.headers.items()})
        answer = upstream.getresponse()
        content = answer.read()
        if fault and fault.loses:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "server", "date"):
                self.send_header(name, value)
        length = answer.getheader("content-length") if self.command == "HEAD" else str(len(content))
        self.send_header("Content-Length", length or "0")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        upstream.close()

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.server.proxy.ahead if timestamp is None else timestamp)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_one


class Fault:
    """Does something in place of the answer to requests that `which` chooses, the first `times` of them."""

    instead = True
    loses = False  # the answer, after the service has done what it was asked

    def __init__(self, which, times=1 << 30):
        self.which, self.times, self.seen = which, times, 0

    def wants(self, request):
        if self.seen >= self.times or not self.which(request):
            return False
        self.seen += 1
        return True


class Refuse(Fault):
    def __init__(self, which, status, code="", message="", times=1 << 30, headers=(), more=""):
        super().__init__(which, times)
        self.status, self.headers = status, headers
        self.body = ("<?xml version='1.0'?><Error><Code>%s</Code><Message>%s</Message>%s</Error>" % (code, message, more)
                     if code else "").encode()

    def do(self, handler, request):
        handler.send_response(self.status)
        for name, value in self.headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(self.body)))
        handler.end_headers()
        if request["method"] != "HEAD":
            handler.wfile.write(self.body)


class Drop(Fault):
    """Ends the connection, after some bytes of an answer."""

    def __init__(self, which, times=1 << 30, before=b""):
        super().__init__(which, times)
        self.before = before

    def do(self, handler, request):
        handler.wfile.write(self.before)
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)


class Slow(Fault):
    instead = False

    def __init__(self, which, seconds, times=1 << 30):
        super().__init__(which, times)
        self.seconds = seconds

    def do(self, handler, request):
        time.sleep(self.seconds)


class LoseAnswer(Fault):
    instead, loses = False, True

    def do(self, handler, request):
        pass


class Meanwhile(Fault):
    """Does something before the request goes on to the service; it may change it."""

    instead = False

    def __init__(self, which, act, times=1):
        super().__init__(which, times)
        self.act = act

    def do(self, handler, request):
        self.act(handler, request)


class Endless(Fault):
    """Goes on for ever with a body, without a length."""

    sent = 0

    def do(self, handler, request):
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        try:
            while self.sent < 1 << 30:
                self.sent += handler.wfile.write(b"x" * 65536)
        except OSError:
            pass


class Proxy:
    def __init__(self, upstream):
        self.upstream, self.faults, self.requests, self.wrong = upstream, [], [], []
        self.ahead = 0  # seconds of the service's clock before ours
        self.lock = threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.proxy = self
        self.address = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def of(self, method, part=""):
        with self.lock:
            return [each for each in self.requests if each["method"] == method and part in each["target"]]

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def copy_database(file, to):
    source, target = sqlite3.connect(file), sqlite3.connect(to)
    source.backup(target)
    source.close()
    target.close()


def puts(part=""):
    return lambda request: request["method"] == "PUT" and part in request["path"]


def gets(part=""):
    return lambda request: request["method"] == "GET" and part in request["path"]


class BucketCase(unittest.TestCase):
    """An S3 server with a bucket for each class; projects in folders of their own for each test."""

    needs_sandbox = True

    @classmethod
    def setUpClass(cls):
        require.need("s3")
        if cls.needs_sandbox:
            require.need("bubblewrap")
            require.need("runtime")
        cls.root = tempfile.TemporaryDirectory(prefix="sg-bucket-")
        cls.addClassCleanup(cls.root.cleanup)
        cls.moto = Moto(pathlib.Path(cls.root.name))
        cls.addClassCleanup(cls.moto.end)

    def setUp(self):
        import boto3
        held = tempfile.TemporaryDirectory(prefix="sg-bucket-")
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        self.proxy = Proxy(self.moto.port)
        self.addCleanup(self.proxy.end)
        self.s3 = boto3.client("s3", endpoint_url="http://127.0.0.1:%d" % self.moto.port, region_name="us-east-1",
                               aws_access_key_id=KEY, aws_secret_access_key=SECRET)
        self.prefix = self.id().split(".")[-1]
        if BUCKET not in [each["Name"] for each in self.s3.list_buckets()["Buckets"]]:
            self.s3.create_bucket(Bucket=BUCKET)
        self.blobs = "s3://%s/%s" % (BUCKET, self.prefix)
        self.variables = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1",
                          "AWS_ENDPOINT_URL_S3": self.proxy.address, "AWS_CONFIG_FILE": str(self.folder / "none"),
                          "AWS_SHARED_CREDENTIALS_FILE": str(self.folder / "none"),
                          "XDG_DATA_HOME": os.environ.get("XDG_DATA_HOME", ""),
                          "SANDGLASS_PYTHON": str(pathlib.Path(require.runtime_python()).parent.parent)}
        self.said = ""

    def tearDown(self):
        self.assertEqual(self.proxy.wrong, [])
        self.assertNotIn(SECRET, self.said)

    def project(self, name):
        folder = self.folder / name
        (folder / "nodes").mkdir(parents=True)
        (folder / (name + ".graph.json")).write_text(json.dumps(dict(GRAPH, name=name)))
        (folder / "nodes/leave.py").write_text(CODE)
        return folder

    def environment(self, **more):
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SANDGLASS_BLOBS"))}
        variables.update(self.variables)
        variables["XDG_DATA_HOME"] = str(self.folder / "data")
        variables.update(more)
        return variables

    def sandglass(self, *words, code=0, **more):
        done = subprocess.run([SANDGLASS, "--json", *map(str, words)], capture_output=True, text=True, timeout=250,
                              env=self.environment(**more))
        self.said += done.stdout + done.stderr
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        done.document = json.loads(done.stdout) if done.stdout.strip() else None
        return done

    def run_graph(self, folder, files, *words, thread="t", code=0, **more):
        return self.sandglass("run", folder, "--thread", thread, "--input", json.dumps({"files": files}), *words, code=code, **more)

    def stored(self, name, files):
        """A project with artifacts of thread "t" as a run leaves them, made without a run, which is quicker."""
        folder = self.project(name)
        (folder / ".sandglass").mkdir()
        if not hasattr(type(self), "template"):
            type(self).template = pathlib.Path(self.root.name) / "template"
            ran = self.project("template")
            self.run_graph(ran, {"a.txt": "a"})
            copy_database(ran / ".sandglass/artifacts.sqlite", self.template)
        copy_database(self.template, folder / ".sandglass/artifacts.sqlite")
        database = sqlite3.connect(folder / ".sandglass/artifacts.sqlite")
        with database:
            database.execute("DELETE FROM artifacts WHERE seq > 1")
            for number, (path, content) in enumerate(files.items()):
                content = content.encode() if isinstance(content, str) else bytes_of(path, content)
                blob = self.blob(folder, content)
                blob.parent.mkdir(parents=True, exist_ok=True)
                blob.write_bytes(content)
                blob.chmod(0o444)
                columns = [row[1] for row in database.execute("PRAGMA table_info(artifacts)")]
                row = dict(zip(columns, database.execute("SELECT * FROM artifacts WHERE seq = 1").fetchone()))
                row.update(seq=number + 2, id="art_%024x" % (number + 1), path=path, name=path.split("/")[-1], sha256=blob.name,
                           size=len(content))
                database.execute("INSERT INTO artifacts VALUES (%s)" % ", ".join("?" * len(row)), list(row.values()))
            database.execute("DELETE FROM artifacts WHERE seq = 1")
        database.close()
        return folder

    def moved(self, name, files):
        """Such a project whose artifacts are in the bucket."""
        folder = self.stored(name, files)
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", folder)
        return folder

    def keys(self, part="blobs/"):
        found = []
        for page in self.s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=self.prefix + "/" + part):
            found += [each["Key"] for each in page.get("Contents", [])]
        return found

    def key_of(self, content):
        name = hashlib.sha256(content).hexdigest()
        return "%s/blobs/%s/%s/%s" % (self.prefix, name[:2], name[2:4], name)

    def blob(self, folder, content):
        name = hashlib.sha256(content).hexdigest()
        return folder / ".sandglass/blobs" / name[:2] / name[2:4] / name

    def copy_of(self, folder, name):
        """A second project folder with the same list of artifacts, and none of their contents."""
        made = self.project(name)
        (made / ".sandglass").mkdir()
        copy_database(folder / ".sandglass/artifacts.sqlite", made / ".sandglass/artifacts.sqlite")
        return made

    def exported(self, folder, *words, code=0, **more):
        to = self.folder / ("out-%d" % len(list(self.folder.iterdir())))
        done = self.sandglass("artifacts", "export", "--project", folder, "-o", to, *words, code=code, **more)
        return {str(path.relative_to(to)): path.read_bytes() for path in to.rglob("*") if path.is_file()}, done

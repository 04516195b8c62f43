"""A host for tests: starts the runner as its own process and speaks PROTOCOL.md with it."""

import array
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SANDBOX = os.path.join(ROOT, "resources", "sandbox")
sys.path[:0] = [SANDBOX, os.path.join(ROOT, "tests", "support")]

from sandglass_runner.codec import pack, unpack  # noqa: E402

PATIENCE = 60.0  # no claim about speed: a busy machine may need much

with open(os.path.join(ROOT, "core", "sandbox", "memory_tunables.h")) as header:
    TUNABLES = {"GLIBC_TUNABLES": re.search(r'"(glibc\..*)"', header.read()).group(1)}  # as the backends set them


class Gone(Exception):
    """The runner closed the stream."""


class Host:
    """One runner on a socket pair, with a session folder of its own."""

    def __init__(self, python=sys.executable, options=None, greet=True, user=None, processes=None, files=None, env=None, limits=None, outside=None):
        """For tests run as root: `user`, the id of an ordinary user to run it as, and `processes`, `files`: how many it may have."""
        self.folder = tempfile.mkdtemp(prefix="runner-")
        os.makedirs(os.path.join(self.folder, "artifacts"))
        sandbox, identity = SANDBOX, {}
        if user is not None and os.geteuid() == 0:
            sandbox = os.path.join(self.folder, "runner")  # the checkout may lie where only root can read
            shutil.copytree(SANDBOX, sandbox)
            for path in (self.folder, os.path.join(self.folder, "artifacts")):
                os.chown(path, user, user)
            python, identity = "/usr/bin/python3", {"user": user, "group": user, "extra_groups": []}
            most = {resource.RLIMIT_NPROC: processes, resource.RLIMIT_NOFILE: files}
            identity["preexec_fn"] = lambda: [resource.setrlimit(kind, (n, n)) for kind, n in most.items() if n is not None]
        self.stream, theirs = socket.socketpair()
        command = [python, "-I", "-X", "utf8", os.path.join(sandbox, "start.py"), "--fd", str(theirs.fileno())]
        command += ["--limits", limits] if limits else []
        command += ["--outside", outside] if outside else []
        keys = {"pass_fds": [theirs.fileno()], "stdin": subprocess.DEVNULL, "env": dict(TUNABLES if env is None else env, PATH=os.environ["PATH"])}
        self.process = subprocess.Popen(command, **keys, **identity)
        theirs.close()
        self._prepare(options)
        self.ready = self.hello(self.options) if greet else None

    def _prepare(self, options):
        self._buffer = b""
        self._ids = 0
        self.seen = []
        self.options = {
            "home": self.folder,
            "roots": {"session": self.folder, "artifacts": os.path.join(self.folder, "artifacts")},
            "grace_ms": 20000,  # for what reacts to an interrupt; a test of what does not says less
        }
        self.options.update(options or {})

    def hello(self, options):
        self.send({"op": "hello", "v": 1, "options": options})
        return self.wait("ready")

    def send(self, *messages):
        bodies = [pack(message) for message in messages]
        self.stream.sendall(b"".join(len(body).to_bytes(4, "big") + body for body in bodies))

    def send_with(self, message, fd):
        """The frame brings a descriptor with it."""
        body = pack(message)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))]
        data = len(body).to_bytes(4, "big") + body
        self.stream.sendall(data[self.stream.sendmsg([data], rights) :])

    def next_id(self):
        self._ids += 1
        return self._ids

    def receive(self, timeout=PATIENCE):
        self.stream.settimeout(timeout)
        while True:
            if len(self._buffer) >= 4:
                size = int.from_bytes(self._buffer[:4], "big")
                if len(self._buffer) >= 4 + size:
                    body = self._buffer[4 : 4 + size]
                    self._buffer = self._buffer[4 + size :]
                    return unpack(body)
            data = self.stream.recv(1 << 20)
            if not data:
                raise Gone()
            self._buffer += data

    def wait(self, event, identifier=None, timeout=PATIENCE):
        """The next message of this kind; what came before it is in `seen`."""
        end = time.monotonic() + timeout
        self.seen = []
        while True:
            message = self.receive(max(0.01, end - time.monotonic()))
            if message["ev"] == event and (identifier is None or message.get("id") == identifier):
                return message
            self.seen.append(message)

    def ask(self, op, **keys):
        """Sends a request with a new id; answers the message that ends it."""
        identifier = self.next_id()
        self.send(dict(keys, op=op, id=identifier))
        while True:
            message = self.receive()
            if message.get("id") == identifier and message["ev"] not in ("out", "truncated", "custom", "display"):
                return message
            self.seen.append(message)

    def start_cell(self, code, **keys):
        identifier = self.next_id()
        self.send(dict(keys, op="cell", id=identifier, code=code))
        return identifier

    def cell(self, code, timeout=PATIENCE, **keys):
        return self.wait("done", self.start_cell(code, **keys), timeout)

    def printed(self, stream="stdout"):
        return b"".join(m["data"] for m in self.seen if m["ev"] == "out" and m["stream"] == stream)

    def value(self, code):
        done = self.cell(code)
        if done["status"] != "ok":
            raise AssertionError(done.get("error", done))
        return done.get("result", {}).get("text/plain")

    def call(self, source, state=None, file="nodes/n.py", config=None, resume=None, **keys):
        message = dict(keys, op="call", id=self.next_id(), source=source, file=file, state=pack(state or {}))
        if config is not None:
            message["config"] = pack(config)
        if resume is not None:
            message["resume"] = pack(resume)
        self.send(message)
        done = self.wait("done", message["id"])
        if "update" in done:
            done["update"] = unpack(done["update"])
        if "interrupts" in done:
            done["interrupts"] = unpack(done["interrupts"])
        return done

    def close(self):
        try:
            self.send({"op": "shutdown"})
            while True:
                self.receive()
        except (Gone, OSError):
            pass
        self.stream.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

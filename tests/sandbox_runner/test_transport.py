"""How the host and the runner meet: descriptor, socket, attached stream, files sent over the stream; bad frames."""

import base64
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from host import PATIENCE, SANDBOX, Gone, Host, pack, unpack

START = [sys.executable, "-I", "-X", "utf8", os.path.join(SANDBOX, "start.py")]


def bundled_files():
    files = {}
    for folder, _, names in os.walk(SANDBOX):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path) as file:
                    files[os.path.relpath(path, SANDBOX)] = file.read()
    return files


class SocketHost(Host):
    """Over a listening socket, as in a container."""

    def __init__(self, orphan_s=None):
        self.place = tempfile.mkdtemp(prefix="runner-socket-")
        self.path = os.path.join(self.place, "s")
        self.folder = tempfile.mkdtemp(prefix="runner-")
        os.makedirs(os.path.join(self.folder, "artifacts"))
        command = START + ["--socket", self.path] + ([] if orphan_s is None else ["--orphan", str(orphan_s)])
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, env={}, stderr=subprocess.DEVNULL)
        self._prepare(None)
        self.connect()

    def connect(self):
        self._buffer = b""
        while True:
            self.stream = socket.socket(socket.AF_UNIX)
            try:
                self.stream.connect(self.path)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                self.stream.close()
                if self.process.poll() is not None:
                    raise
        self.ready = self.hello(self.options)

    def close(self):
        super().close()
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass
        os.rmdir(self.place)


class ProcessStreams:
    """The standard streams of a process, used like a socket."""

    def __init__(self, process):
        self._process = process
        self._timeout = None

    def settimeout(self, seconds):
        self._timeout = seconds

    def sendall(self, data):
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def recv(self, size):
        if not select.select([self._process.stdout], [], [], self._timeout)[0]:
            raise TimeoutError
        return os.read(self._process.stdout.fileno(), size)

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()


class StreamHost(Host):
    """Over the standard streams of the process."""

    def __init__(self, command, before=b"", options=None):
        self.folder = tempfile.mkdtemp(prefix="runner-")
        os.makedirs(os.path.join(self.folder, "artifacts"))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={})
        self.stream = ProcessStreams(self.process)
        self._prepare(options)
        self.stream.sendall(before)
        self.ready = self.hello(self.options)


class Transport(unittest.TestCase):
    def test_socket_survives_the_host(self):
        with SocketHost() as host:
            self.assertEqual(host.value("x = 5\nx"), "5")
            host.stream.close()
            host.connect()
            self.assertTrue(host.ready["resumed"])
            self.assertEqual(host.value("x"), "5")

    def test_a_stream_that_brings_no_descriptors_says_so(self):
        with StreamHost(START + ["--stdio"]) as host:
            self.assertEqual(host.ask("await_descriptor")["ev"], "problem")
            self.assertEqual(host.value("6 * 7"), "42")

    def is_over_after(self, host, seconds):
        try:
            host.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def test_without_a_host_it_ends_after_its_time(self):
        with SocketHost(orphan_s=1) as host:
            self.assertFalse(self.is_over_after(host, 1.5))
            host.stream.close()
            self.assertTrue(self.is_over_after(host, 10))

    def test_the_time_in_which_it_stood_still_does_not_count(self):
        with SocketHost(orphan_s=5) as host:
            self.assertEqual(host.value("x = 5\nx"), "5")
            host.stream.close()
            time.sleep(0.2)
            os.kill(host.process.pid, signal.SIGSTOP)
            time.sleep(6)
            os.kill(host.process.pid, signal.SIGCONT)
            time.sleep(0.5)
            host.connect()
            self.assertEqual(host.value("x"), "5")

    def test_its_time_can_be_changed(self):
        with SocketHost(orphan_s=1) as host:
            self.assertEqual(host.ask("orphan", seconds=1000)["ev"], "orphan")
            host.stream.close()
            self.assertFalse(self.is_over_after(host, 2))
            host.connect()
            self.assertEqual(host.ask("orphan", seconds=1)["ev"], "orphan")
            self.assertEqual(host.ask("orphan", seconds=-1)["ev"], "problem")
            host.stream.close()
            self.assertTrue(self.is_over_after(host, 10))

    def test_a_cell_goes_on_while_no_host_is_there_and_its_end_is_told_later(self):
        with SocketHost() as host:
            path = os.path.join(host.folder, "go")
            os.mkfifo(path)
            identifier = host.start_cell("print('before', flush=True)\nopen(%r).read()\nprint('after')" % path)
            host.wait("out")
            host.stream.close()
            with open(path, "w"):
                pass
            host.connect()
            done = host.wait("done", identifier)
            self.assertEqual(done["status"], "ok")
            self.assertIn(b"after", host.printed())

    def test_the_newest_host_wins(self):
        with SocketHost() as host:
            old = host.stream
            host.connect()
            self.assertEqual(host.value("1"), "1")
            old.settimeout(PATIENCE)
            told = b""
            while chunk := old.recv(100):
                told += chunk
            self.assertEqual(unpack(told[4:]), {"ev": "superseded", "id": 0})
            old.close()

    def test_user_code_cannot_connect_as_host(self):
        with SocketHost() as host:
            code = (
                "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(%r)\ns.settimeout(60)\n"
                "try:\n    s.sendall(b'\\0\\0\\0\\x01\\x80')\n    answer = s.recv(10)\n"
                "except OSError:\n    answer = b''\nanswer" % host.path
            )
            self.assertEqual(host.value(code), "b''")

    def test_the_socket_is_for_its_owner_only(self):
        with SocketHost() as host:
            self.assertEqual(os.stat(host.path).st_mode & 0o777, 0o600)

    def test_standard_streams(self):
        host = StreamHost(START + ["--stdio"])
        self.assertEqual(host.value("print('x'); 2"), "2")
        self.assertEqual(host.value("import os; os.write(1, b'raw'); 3"), "3")
        self.assertIn(b"raw", host.printed())
        host.process.stdin.close()
        self.assertEqual(host.process.wait(PATIENCE), 0)
        host.process.stdout.close()

    def test_files_sent_over_the_stream(self):
        files = bundled_files()
        body = json.dumps(files).encode()
        command = [sys.executable, "-I", "-X", "utf8", "-c", files["boot.py"], "--stdio"]
        host = StreamHost(command, len(body).to_bytes(4, "big") + body)
        self.assertEqual(host.value("from langgraph.types import Command\nCommand(goto='a').goto"), "'a'")
        self.assertEqual(host.value("from langgraph.graph import START\nSTART"), "'__start__'")
        done = host.cell("def f():\n    1 / 0\nf()")
        self.assertEqual([t["line"] for t in done["error"]["traceback"]], [3, 2])
        host.process.stdin.close()
        self.assertEqual(host.process.wait(PATIENCE), 0)
        host.process.stdout.close()

    def test_a_bundle_in_a_file_is_found_again(self):
        folder = tempfile.mkdtemp(prefix="runner-bundle-")
        self.addCleanup(shutil.rmtree, folder)
        files = bundled_files()
        boot, attach = files["boot.py"], files["attach.py"]
        files[folder + "/modules/lib/helping.py"] = base64.b64encode(b"def thrice(x):\n    return [x] * 3\n").decode()
        body = json.dumps(files).encode()
        bundle, sock = os.path.join(folder, "runner.bundle"), os.path.join(folder, "runner.sock")
        with open(bundle, "wb") as file:
            file.write(len(body).to_bytes(4, "big") + body)
        python = [sys.executable, "-I", "-X", "utf8", "-c"]
        moved = ["--moved", "/opt/sandglass/modules=" + folder + "/modules"]
        options = {"modules": {"lib": "/opt/sandglass/modules/lib"}}
        host = StreamHost(python + [boot, "--bundle", bundle, "--stdio", "--listen", sock, *moved], options=options)
        self.assertFalse(os.path.exists(bundle))
        self.assertEqual(host.value("from helping import thrice\nx = thrice(4)\nx"), "[4, 4, 4]")
        self.assertEqual(os.stat(sock).st_mode & 0o777, 0o600)
        host.process.stdin.close()
        host.process.stdout.close()  # nobody is there any more: the runner waits for another host
        later = StreamHost(python + [attach, sock])
        later._ids = 1000
        self.assertTrue(later.ready["resumed"])
        self.assertEqual(later.value("x"), "[4, 4, 4]")
        self.assertEqual(later.value("'y' * 300000").count("y"), 300000)
        later.send({"op": "shutdown"})
        later.wait("bye")
        self.assertEqual(host.process.wait(PATIENCE), 0)
        self.assertEqual(later.process.wait(PATIENCE), 0)
        gone = subprocess.run(python + [attach, sock], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        self.assertNotEqual(gone.returncode, 0)
        self.assertIn("memory", gone.stderr)
        later.process.stdin.close()
        later.process.stdout.close()

    def test_end_of_the_stream_ends_everything(self):
        host = Host()
        pid = int(host.value("import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True).pid"))
        host.stream.close()
        self.assertEqual(host.process.wait(PATIENCE), 0)
        self.assertFalse(os.path.exists("/proc/%d" % pid))
        os.rmdir(os.path.join(host.folder, "artifacts"))
        os.rmdir(host.folder)

    def test_frames_that_are_none(self):
        for bad in (b"\xff\xff\xff\xff", b"\0\0\0\x01\xc1", b"\0\0\0\x02\x81\xa1", b"\0\0\0\x01\x90", b"\0\0\0\0"):
            with self.subTest(bad), Host() as host:
                host.stream.sendall(bad)
                problem = host.wait("problem")
                self.assertEqual(problem["error"]["type"], "ProtocolError")
                with self.assertRaises(Gone):
                    host.receive()

    def test_requests_that_are_wrong_are_answered_and_the_stream_goes_on(self):
        with Host() as host:
            for request, words in (
                ({"op": "nonsense", "id": 1}, "unknown op"),
                ({"op": "cell", "id": 1}, "needs 'code'"),
                ({"op": "cell", "code": "1"}, "needs 'id'"),
                ({"op": "cell", "id": 0, "code": "1"}, "positive"),
                ({"op": "cell", "id": -4, "code": "1"}, "negative"),
                ({"op": "cell", "id": 1, "code": "1", "deadline_ms": "x"}, "wrong type"),
                ({"op": "read_file", "id": 1, "path": "a", "offset": -1, "length": 1}, "negative"),
                ({"op": "hello", "v": 2}, "version"),
                ({"op": "_finish", "id": 1}, "unknown op"),
            ):
                with self.subTest(words):
                    host.send(request)
                    self.assertIn(words, host.wait("problem")["error"]["message"])
            self.assertEqual(host.value("1"), "1")

    def test_hello_comes_first(self):
        with Host(greet=False) as host:
            host.send({"op": "cell", "id": 1, "code": "1"})
            self.assertIn("hello", host.wait("problem")["error"]["message"])

    def test_ping_is_answered_while_code_runs(self):
        with Host() as host:
            cell = host.start_cell("while True: pass")
            host.send({"op": "ping", "n": 7})
            self.assertEqual(host.wait("pong")["n"], 7)
            host.send({"op": "interrupt", "id": cell})
            host.wait("done")

    def test_a_frame_sent_byte_by_byte(self):
        with Host() as host:
            body = pack({"op": "cell", "id": 1, "code": "6 * 7"})
            for byte in len(body).to_bytes(4, "big") + body:
                host.stream.sendall(bytes((byte,)))
            self.assertEqual(host.wait("done")["result"]["text/plain"], "42")

    def test_a_large_frame_cut_anywhere(self):
        with Host() as host:
            for at in (4, 5, 70000, 131076, 299990, -1):
                code = "x = len('%s')" % ("y" * 300000)
                frames = b""
                for request in ({"op": "ping", "n": 1}, {"op": "cell", "id": host.next_id(), "code": code}, {"op": "ping", "n": 2}):
                    body = pack(request)
                    frames += len(body).to_bytes(4, "big") + body
                host.stream.sendall(frames[:at])
                time.sleep(0.05)
                host.stream.sendall(frames[at:])
                self.assertEqual(host.wait("pong")["n"], 1)
                self.assertEqual(host.wait("pong")["n"], 2)
                done = [m for m in host.seen if m["ev"] == "done"] or [host.wait("done")]
                self.assertEqual(done[0]["status"], "ok", done)
                self.assertEqual(host.value("x"), "300000")

    def test_usage(self):
        ended = subprocess.run(START, capture_output=True)
        self.assertEqual(ended.returncode, 2)
        self.assertIn(b"usage", ended.stderr)


if __name__ == "__main__":
    unittest.main()

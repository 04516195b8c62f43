"""The way to the network: what the runner hands over, and what it tells of a way out that is not as it should be."""

import array
import os
import socket
import sys
import tempfile
import threading
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/sandbox"))

from sandglass_runner import egress  # noqa: E402


class Host:
    """Takes the socket that is handed over and answers every connection on it with one text."""

    def __init__(self, folder, answer):
        self.path = os.path.join(folder, "egress.sock")
        self._answer = answer
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(4)
        self.taken = None
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        connection = self._listener.accept()[0]
        numbers = array.array("i")
        word, control, _flags, _address = connection.recvmsg(16, socket.CMSG_LEN(4))
        for level, kind, data in control:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers.frombytes(data[:4])
        assert word == b"L"
        self.taken = socket.socket(fileno=numbers[0])
        self.taken.setblocking(True)
        connection.send(b"k")
        while True:
            try:
                peer = self.taken.accept()[0]
            except OSError:
                return
            peer.recv(4096)
            peer.send(self._answer)
            peer.close()

    def end(self):
        self._listener.close()
        self.taken.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for it
        self.taken.close()


class Egress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A free port: 3128 may be somebody's here.
        probe = socket.socket()
        probe.bind(("127.0.0.1", 0))
        patched = mock.patch.object(egress, "PORT", probe.getsockname()[1])
        patched.start()
        self.addCleanup(patched.stop)
        probe.close()

    def settle(self, answer, way_out=""):
        host = Host(self.folder, answer)
        with mock.patch.object(egress, "_is_open", lambda: way_out):
            return egress.settle(host.path)

    def test_a_proxy_that_refuses_is_well(self):
        self.assertEqual(self.settle(b"HTTP/1.1 403 Forbidden\r\n\r\n"), "ok")

    def test_a_proxy_that_allows_everything_is_told(self):
        self.assertIn("did not refuse", self.settle(b"HTTP/1.1 200 OK\r\n\r\n"))

    def test_another_way_out_is_told(self):
        self.assertIn("beside", self.settle(b"HTTP/1.1 403 Forbidden\r\n\r\n", "beside the proxy"))

    def test_another_host_is_given_a_socket_of_its_own(self):
        first = Host(self.folder, b"HTTP/1.1 403 Forbidden\r\n\r\n")
        with mock.patch.object(egress, "_is_open", lambda: ""):
            self.assertEqual(egress.settle(first.path), "ok")
            self.assertEqual(egress.settle(first.path), "ok")  # the host has it still: it is tried, no more
            first.end()
            self.assertIn("cannot be reached", egress.settle(first.path))
            os.unlink(first.path)
            second = Host(self.folder, b"HTTP/1.1 403 Forbidden\r\n\r\n")
            self.assertEqual(egress.settle(second.path), "ok")
            self.assertIsNotNone(second.taken)

    def test_a_host_that_is_not_there_is_told(self):
        self.assertIn("cannot be reached", egress.settle(os.path.join(self.folder, "nobody")))


if __name__ == "__main__":
    unittest.main()

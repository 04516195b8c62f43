"""The way to the network, where the host offers one: this sandbox's listening socket is handed to the host, see PROTOCOL.md."""

import _socket
import errno
import os

PORT = 3128
_CHECKED = b"sandglass-check.invalid:443"
_PATIENCE_S = 5.0


def settle(path):
    """"ok", or why code in here cannot reach the network, or can reach more of it than it should."""
    try:
        problem = _hand_over(path)
    except OSError as error:
        problem = "the host cannot be reached: %s" % (error.strerror or error)
    return problem or _is_closed() or _is_open() or "ok"


def _hand_over(path):
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", PORT))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return ""  # it was handed over before
            raise
        listener.listen(64)
        listener.setblocking(False)
        host = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            host.settimeout(_PATIENCE_S)
            host.connect(path)
            number = listener.fileno().to_bytes(4, "little" if _is_little() else "big")
            host.sendmsg([b"L"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, number)])
            return "" if host.recv(1) == b"k" else "the host did not take the socket"
        finally:
            host.close()
    finally:
        listener.close()


def _is_little():
    import sys

    return sys.byteorder == "little"


def _is_closed():
    """Checks that a host that no rule names is refused; returns what is wrong."""
    peer = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        peer.settimeout(_PATIENCE_S)
        peer.connect(("127.0.0.1", PORT))
        peer.send(b"CONNECT " + _CHECKED + b" HTTP/1.1\r\nHost: " + _CHECKED + b"\r\n\r\n")
        answer = peer.recv(64)
    except OSError as error:
        return "the proxy does not answer: %s" % (error.strerror or error)
    finally:
        peer.close()
    if not answer.startswith(b"HTTP/1.1 403 "):
        return "the proxy did not refuse a host that no rule names"
    return ""


def _is_open():
    """Checks that there is no way out besides the proxy; returns what is wrong."""
    peer = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        peer.settimeout(0.2)
        failed = peer.connect_ex(("192.0.2.1", 9))
    finally:
        peer.close()
    if failed in (errno.ENETUNREACH, errno.EPERM, errno.EACCES):
        return ""
    return "the network can be reached beside the proxy (%s)" % (os.strerror(failed) if failed else "connected")

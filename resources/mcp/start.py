"""Runs one program in a sandbox and passes its standard streams on: the runner of MCP servers.

It is started as resources/sandbox/start.py is, by the same options, and shares that runner's parts. The first line that comes is
JSON: {"argv": [...], "env": {...}, "cwd": "..."}. All after it is the program's input, and all that comes back is its output; what it
says on stderr goes to this process's own."""

import json
import os
import socket
import subprocess
import sys
import threading

sys.path.insert(0, "/opt/sandglass/runner")  # core/mcp mounts it there

_GRACE = 2  # seconds for the program to end by itself
_MOST_FIRST = 1 << 20
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "HOME")


def _connection(arguments):
    """A pair of files: to read from the host, and to write to it."""
    if len(arguments) == 2 and arguments[0] == "--fd":
        end = socket.socket(fileno=int(arguments[1]))
    elif len(arguments) == 2 and arguments[0] == "--socket":
        listener = socket.socket(socket.AF_UNIX)
        if os.path.exists(arguments[1]):
            os.unlink(arguments[1])
        before = os.umask(0o177)
        listener.bind(arguments[1])
        os.umask(before)
        listener.listen(1)
        listener.settimeout(60)  # nobody came: the host is gone
        end = listener.accept()[0]
        end.settimeout(None)
        listener.close()
    else:
        taken = os.dup(0), os.dup(1)
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        return os.fdopen(taken[0], "rb", 0), os.fdopen(taken[1], "wb", 0), lambda: None
    end.set_inheritable(False)
    return (
        end.makefile("rb", 0),
        end.makefile("wb", 0),
        lambda: end.shutdown(socket.SHUT_WR),
    )


def _first_line(source):
    """The first line, and what came after it."""
    text = b""
    while b"\n" not in text:
        more = source.read(65536)
        if not more or len(text) > _MOST_FIRST:
            sys.exit("the host did not say what to start")
        text += more
    line, _, rest = text.partition(b"\n")
    return json.loads(line), rest


def _put(file, data):
    while data:
        data = data[file.write(data) :]


def _feed(source, process, rest):
    """Passes the host's bytes on until it has no more, then lets the program end."""
    try:
        while rest:
            _put(process.stdin, rest)
            rest = source.read(65536)
        process.stdin.close()
    except OSError:
        pass  # it has ended, which the other thread sees
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def _limits(arguments):
    from sandglass_runner import limits
    from sandglass_runner.call_filter import install_filter

    while len(arguments) > 2 and arguments[-2] != "--listen":
        name, value = arguments[-2:]
        if name == "--filter":
            install_filter(*value.split(":", 1))
        elif name == "--limits":
            limits.apply(value)
            limits.enter_code()
        elif name not in ("--orphan", "--outside"):  # these are for sessions
            sys.exit("an option that is not known here: " + name)  # those before it must not be passed over
        arguments = arguments[:-2]
    return arguments


def main(arguments):
    source, sink, finish = _connection(_limits(arguments))
    wanted, rest = _first_line(source)
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment.update(wanted["env"])
    try:
        process = subprocess.Popen(
            wanted["argv"],
            env=environment,
            cwd=wanted["cwd"] or None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        sys.exit("%s cannot be started in the sandbox: %s" % (wanted["argv"][0], error.strerror))
    threading.Thread(target=_begin, args=(source, process, rest), daemon=True).start()
    while True:
        some = process.stdout.read(65536)
        if not some:
            break
        try:
            _put(sink, some)
        except OSError:
            process.kill()
            break
    code = process.wait()
    if code:
        sys.stderr.write("it ended with code %d\n" % code)
    try:
        finish()
    except OSError:
        pass
    return code if 0 <= code < 256 else 1


def _begin(source, process, rest):
    _feed(source, process, rest or source.read(65536))


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)
